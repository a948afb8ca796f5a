// Package crdschema reports what an API server would reject in an object, according to the schema
// of its kind.
//
// A Set takes CustomResourceDefinitions, and OpenAPI v3 documents as `kubectl get --raw
// /openapi/v3/apis/GROUP/VERSION` prints them. It returns the schema of a kind and version (Kind),
// its fields (Schema.At), and the violations of a value (Kind.Validate), in the words of the API
// server.
//
// A value may have holes, such as the output of an action. Nothing is reported about a hole, or
// about anything that depends on one. CEL expressions (x-kubernetes-validations) are not evaluated.
//
// Why no library: the validator of the API server (k8s.io/kube-openapi) links net/http and os/exec,
// and 5 MB. github.com/santhosh-tekuri/jsonschema supports neither the messages of the API server
// nor int-or-string, lists that are maps, pruned fields, or holes.
package crdschema
