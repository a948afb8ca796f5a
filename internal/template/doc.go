// Package template parses the templates of a reference and answers questions about them without
// executing them: which text and which actions are on which line, which templates they call, which
// objects they may look up, and which errors they contain.
//
// It reads the texts that package refconfig has loaded and returns a Set with a Template for each,
// which internal/template/render executes, and problems and warnings with file and line. The
// language is Go's text/template with the functions of internal/template/function.
package template
