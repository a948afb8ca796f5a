// Package refconfig is the reference configuration: what a user's CRs are compared with.
//
// A reference is a folder with one templated Kubernetes object (CR) per YAML file. It comes in
// three formats, all of which are read into one model. The first two are the reference
// configuration formats v1 and v2 of published references for `kubectl cluster-compare`; the third
// is that of the proposal which the tool was made for:
//
//   - v1: a file metadata.yaml whose apiVersion is absent or v1. Parts hold components, and a
//     component of type Required or Optional lists requiredTemplates and optionalTemplates.
//   - v2: the same with apiVersion v2. A component lists its templates under exactly one of six
//     rules: allOf, allOrNoneOf, anyOf, noneOf, oneOf, anyOneOf.
//   - annotations: no metadata file. Every CR in the files below the folder is a template, and the
//     annotation reference-config.openshift.io/attributes in it says where it belongs. Plain CRs
//     without annotations are the same, each required by itself.
//
// In: an fs.FS with the reference (Load); the bytes of a diff config (ParseDiffConfig) and of an
// overrides file (ParseOverrides). Out: values that are not modified any more, and every fault with
// its file, line and column. Reading goes on after a fault, so that one run names all of them.
//
// What other readers of these formats load is loaded; what is odd about it is a warning.
// docs/codes.md lists the codes of errors and warnings, and says which warnings are alarms: they
// show that the reference may check less than its author intended.
//
// The package holds the text of the templates and does not execute it: it knows no template
// functions, reads no environment and no clock, and writes nothing. Whether a template parses, and
// what it renders, it does not know.
package refconfig
