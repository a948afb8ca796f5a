// Package manifest turns the bytes of a file into Kubernetes objects: documents, Lists and their
// items, each with its identity and its place.
//
// In goes the content of one file with its name; out come objects, what was passed over and why,
// and what is broken (Read). An object's fields are decoded on demand only (Object.Decode,
// Object.Node), because most objects of a support archive are never looked at: its identity is read
// by a line scanner that either agrees with the full decode or declines. Values mean what
// Kubernetes makes of them: YAML 1.1 as `kubectl apply` reads it, then JSON (internal/kubeyaml).
//
// The package opens no files, writes no YAML, does not know references or templates, and does not
// compare. What it returns is not modified afterwards.
package manifest
