// Package render executes a template of the reference on one object of the input. The result is the
// value that the object is expected to have, with the origin of each of its parts.
//
// Compile compiles a refconfig.Reference once. Then Execute takes the decoded value of an object
// and a function for lookups, and returns a Rendering: the expected value with a provenance.Note
// for every leaf, which says whether an action printed it, whether it depends on the input, and
// whether a mandatory key was missing or a check failed. If the execution fails, it returns an
// Error with the template's file and line.
//
// The language is Go's text/template, parsed by text/template/parse and executed here, because the
// comparison needs to know what text/template does not report: which value of the input an action
// printed unchanged, which requested key was missing, and which bytes of the output an action
// printed. There are deliberate differences to text/template:
//
//   - A key of an absent or null value is absent; reading it is no error. The same is true for a
//     missing element of a list, and for the result of a function that needs a value and gets nil.
//   - Printing an absent key is a finding (like missingkey=error), and printing null prints null.
//   - Integers and floats can be compared with each other.
//   - A scalar of the input that is printed as a whole scalar keeps its type.
//
// The package probe executes templates without an object: Explore calls its hooks where a step needs
// a value that is not known.
//
// The package reads no files, environment or network. Only those functions of sprig that need the
// clock read it.
package render
