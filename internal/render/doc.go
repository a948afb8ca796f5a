// Package render turns a template of the reference and one object of the input into the tree that
// the object is expected to be, and remembers where every part of it came from.
//
// In: a refconfig.Reference, compiled once by Compile; then, per object, its decoded value and a
// function that answers lookups. Out: a Rendering: the expected value, with a provenance.Note at
// every leaf that a template action printed (user-variable content, a mandatory key the object
// lacks, a call of fail), or an Error with the template's file and line.
//
// The language is that of Go's text/template, parsed by text/template/parse and executed here,
// because the comparison needs to know what text/template does not tell: which value of the input
// an action handed on unchanged, which key was asked for in vain, and which bytes of the output an
// action printed. Differences to text/template, on purpose:
//
//   - A key below an absent or null one is absent; nothing that asks for it ends the run. The same goes for an element
//     that a list lacks, and for a function that needs a value and gets none: what it returns is absent too.
//   - Printing an absent key is a finding (missingkey=error in spirit), printing null prints null.
//   - Integers and floats compare with each other.
//   - A scalar of the input that is printed as a whole scalar keeps its type.
//
// Probe and Printing execute a template on an object of which nothing is determined: what it asks
// for, and what it prints.
//
// Nothing here reads files, the environment, the network or (but for the functions of sprig that
// do) the clock.
package render
