// Package crdschema says what an API server would refuse of an object, by the schemas of its kind.
//
// In: CustomResourceDefinitions, and documents of OpenAPI v3 as kubectl get --raw
// /openapi/v3/apis/GROUP/VERSION prints them (Set). Out: the schema of a kind and version (Kind),
// its fields (Schema.At), and the violations of a value (Kind.Validate), in the words of the API
// server.
//
// A value may have holes, such as what a template prints: nothing is said of a hole, nor of what
// hangs on one. Expressions of CEL (x-kubernetes-validations) are not evaluated.
//
// Why not a library: the validator of the API server itself (k8s.io/kube-openapi) links net/http
// and os/exec, and 5 MB; github.com/santhosh-tekuri/jsonschema knows neither the words of the API
// server nor int-or-string, lists that are maps, fields that are pruned, or holes.
package crdschema
