// Package kubeyaml reads YAML and JSON as Kubernetes does: YAML 1.1 as `kubectl apply` reads it,
// then JSON. Its input is bytes in any encoding that YAML allows (DecodeText), and Limits. Its
// output is parts of the text, Nodes with their positions, values, or a SyntaxError with line and
// column. The readers have different uses:
//
//   - Split divides a file into documents without parsing them.
//   - Limits.ReadOutline reads parts of a document of plain block YAML, such as the identity of a
//     CR, and skips the rest, as most of a support archive; it declines any other document.
//   - JSON reads JSON value by value, also only parts of a value.
//   - Parse, Limits.ParseAt and ReadYAML make Nodes of a whole text: plain YAML and JSON with the
//     same readers, everything else with the YAML library. Unless they decline, these readers agree
//     with the library.
//   - ParseMapping reads the output of a template for a CR.
//
// Error messages quote at most one scalar, and only one that has no value in Kubernetes, because
// other text may be part of a Secret. The package does not know objects, references or templates.
// Nodes are not modified after they are returned.
package kubeyaml
