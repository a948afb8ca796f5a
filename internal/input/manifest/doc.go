// Package manifest finds the Kubernetes objects in a file: documents, Lists and their items, each
// with its identity and its place.
//
// The input of Read is the content and the name of one file; its result is the objects, the parts
// that were passed over, with reasons, and the problems. The fields of an object are decoded only
// on demand (Object.Decode, Object.Node), because most objects of a support archive are never used.
// A line scanner reads the identity; it either agrees with the full decoder or declines. Values are
// interpreted as in Kubernetes: YAML 1.1 as `kubectl apply` reads it, then JSON
// (internal/text/kubeyaml).
//
// The package opens no files, writes no YAML, does not know references or templates, and does not
// compare. Its results are not modified afterwards.
package manifest
