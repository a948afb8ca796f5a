// Package refconfig loads reference configurations. A user's CRs are compared with one of them.
//
// A reference is a folder with one templated Kubernetes object (CR) per YAML file. It comes in
// three formats, all of which are read into one model. The first two are the reference
// configuration formats v1 and v2 of published references for `kubectl cluster-compare`; the third
// is the format of the proposal for which the tool was made:
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
// This package loads every reference that other readers of these formats load, and warns of
// oddities in it. docs/codes.md lists the codes of errors and warnings, and says which warnings are
// alarms: they show that the reference may check less than its author intended.
//
// The package keeps the text of the templates, but neither parses nor executes it as a template. It
// knows no template functions, reads no environment and no clock, and writes nothing.
package refconfig
