// Package kubeyaml reads texts of YAML and JSON as Kubernetes does: YAML 1.1 as `kubectl apply`
// reads it, then JSON. In go bytes in any encoding that YAML allows (DecodeText), and Limits; out
// come parts of the text, Nodes that know their place, values, or a SyntaxError with line and
// column. Each reader has its own use:
//
//   - Split cuts a file into documents, without looking into them.
//   - Scanner cuts a document of plain block YAML into tokens, and declines any other. It builds
//     nothing: heads of CRs are read by it, and most of a support archive is only gone over.
//   - JSON goes through JSON, or YAML in braces, value by value. It makes Nodes, or only checks.
//   - Limits.ParseAt, Parse and ReadYAML make Nodes of a whole text: of plain YAML by the Scanner's
//     tokens, of JSON by JSON, of all else by the YAML library. The first two agree with the library
//     wherever they do not decline.
//   - ParseMapping reads what a template printed for a CR.
//   - FileReader reads files that people write, such as the metadata of a reference, by their keys,
//     and reports what is wrong where. SetTexts adds to such a file and keeps its comments.
//
// Messages of faults quote at most a single scalar that has no value, and no other text: it may be
// that of a Secret. The package knows neither objects nor references nor templates. Nodes are not
// modified once they are returned.
package kubeyaml
