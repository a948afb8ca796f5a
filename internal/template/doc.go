// Package template reads the templates of a reference, and says what can be known of them without
// executing them: which text and which actions they have at which line, which other templates they
// call, which objects they may look up, and what is wrong with them.
//
// In: the texts that package refconfig has read. Out: a Set with a Template for each text, which
// internal/render executes; problems and warnings with file and line. The language is that of Go's
// text/template, with the functions of internal/function.
package template
