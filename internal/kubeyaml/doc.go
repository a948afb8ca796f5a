// Package kubeyaml reads texts of YAML or JSON into values as Kubernetes has them: YAML 1.1 as `kubectl apply` reads it,
// then JSON (Resolve). Each value is a Node, which knows its place.
//
// Text that is plain, as most is, and JSON are read by readers of their own; the YAML library reads the rest. Files that
// people write for this tool are read by internal/yamlfile.
//
// The package does not know objects, references or templates, and writes no YAML. What it returns is not modified
// afterwards.
package kubeyaml
