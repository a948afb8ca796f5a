package template

import (
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// warnOfDocuments warns of a second YAML document in a template's file and reports whether there is
// one. Only the first document is the template, as in the similar tools, whose YAML decoder stops
// there.
func (s *Set) warnOfDocuments(d *Definition) bool {
	text := string(outline(d))
	first := FirstDocument(text)
	if !hasContent(text[len(first):]) {
		return false
	}
	s.warnings = append(
		s.warnings,
		refconfig.Problem{Code: code.RefSecondDocument, Place: d.File.Place(parse.Pos(len(first))),
			Message: "a second YAML document begins here; it and all text after it are ignored, because a template is one CR"},
	)
	return true
}

// outline returns the literal text of a definition at its offsets in the file, with blanks for all
// actions and other definitions.
func outline(d *Definition) []byte {
	text := []byte(strings.Repeat(" ", len(d.File.text)))
	for _, start := range d.File.lines[1:] {
		text[start-1] = '\n'
	}
	var add func(n parse.Node)
	add = func(n parse.Node) {
		if literal, ok := n.(*parse.TextNode); ok {
			copy(text[literal.Pos:], literal.Text)
		}
		eachBelow(n, add)
	}
	add(d.Root)
	return text
}

// FirstDocument returns a YAML text up to the end of its first document that has content.
func FirstDocument(text string) string {
	content, at := false, 0
	for line := range strings.Lines(text) {
		if content && isMarker(line) {
			return text[:at]
		}
		content = content || hasContent(line)
		at += len(line)
	}
	return text
}

// isMarker reports whether a line starts or ends a YAML document.
func isMarker(line string) bool {
	if !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "...") {
		return false
	}
	return len(line) == 3 || strings.IndexByte(" \t\r\n", line[3]) >= 0
}

// hasContent reports whether a YAML text has more than markers, comments, directives and blanks.
func hasContent(text string) bool {
	for line := range strings.Lines(text) {
		if isMarker(line) {
			line = line[len("---"):]
		}
		if line = strings.TrimLeft(line, " \t\r\n\ufeff"); line != "" && line[0] != '#' && line[0] != '%' {
			return true
		}
	}
	return false
}
