// Package celrule reports which rules of its CustomResourceDefinition an object breaks: the
// expressions of x-kubernetes-validations, which are written in CEL.
//
// A Library compiles the rules of kinds, each when the first object needs it. Rules.Check takes an
// object, and its earlier state where there is one, and returns the violations in the words of the
// API server, and the rules that cannot be evaluated: those that do not compile, depend on unknown
// values, need an earlier state that is not known, or cost too much. A rule is never guessed.
//
// cel.dev/cel-go reads and evaluates the expressions. The functions, types and values that
// Kubernetes adds are here: its own library (k8s.io/apiserver) links net/http, and 8 MB more.
package celrule
