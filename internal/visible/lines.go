package visible

import (
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/tree"
)

// Lead is what stands before the next line of a value: for the first line of a list item its dash, then blanks. The zero value is that of
// a value by itself.
type Lead struct{ first, rest string }

// Take returns what stands before the next line.
func (l *Lead) Take() string {
	s := l.first
	l.first = l.rest
	return s
}

// Below returns the lead of what is nested in a map's key.
func (l *Lead) Below() *Lead {
	return &Lead{first: l.rest + "  ", rest: l.rest + "  "}
}

// Item returns the lead of a list item. A list inside a list begins on the line of its outer item.
func (l *Lead) Item() *Lead {
	return &Lead{first: l.Take() + "- ", rest: l.rest + "  "}
}

// Indent is how many blanks stand before all lines but the first.
func (l *Lead) Indent() int { return len(l.rest) }

// LineOf makes a line of a lead and what follows it.
func LineOf(lead, text string) *finding.Line {
	blanks := len(lead) - len(strings.TrimLeft(lead, " "))
	return &finding.Line{Indent: blanks, Text: lead[blanks:] + text}
}

// Lines prints a value as lines of YAML, beginning with label, which is "" or a key with its colon.
func Lines(v any, label string, at *Lead) []*finding.Line { return appendValue(nil, v, label, at) }

// Count is how many lines Lines makes of a value that stands below a label, or of one without, which takes none of its own.
func Count(v any, labelled bool) int {
	n := 0
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			n += Count(x, true)
		}
	case []any:
		for _, x := range v {
			n += Count(x, false)
		}
	case string:
		if IsBlock(v) {
			return 2 + strings.Count(strings.TrimSuffix(v, "\n"), "\n")
		}
	}
	if n == 0 || labelled {
		n++
	}
	return n
}

func appendValue(lines []*finding.Line, v any, label string, at *Lead) []*finding.Line {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			return appendMap(lines, v, label, at)
		}
		return append(lines, LineOf(at.Take(), join(label, "{}")))
	case []any:
		if len(v) > 0 {
			return appendList(lines, v, label, at)
		}
		return append(lines, LineOf(at.Take(), join(label, "[]")))
	case string:
		if IsBlock(v) {
			return append(lines, TextLines(v, label, at)...)
		}
	}
	return append(lines, LineOf(at.Take(), join(label, Scalar(v))))
}

func appendMap(lines []*finding.Line, m map[string]any, label string, at *Lead) []*finding.Line {
	if label != "" {
		lines = append(lines, LineOf(at.Take(), label))
		at = at.Below()
	}
	for _, k := range tree.Keys(m) {
		lines = appendValue(lines, m[k], String(k)+":", at)
	}
	return lines
}

func appendList(lines []*finding.Line, list []any, label string, at *Lead) []*finding.Line {
	if label != "" {
		lines = append(lines, LineOf(at.Take(), label))
		at = at.Below()
	}
	for _, x := range list {
		lines = appendValue(lines, x, "", at.Item())
	}
	return lines
}

// join puts a value behind its label.
func join(label, value string) string {
	if label == "" {
		return value
	}
	return label + " " + value
}

// IsBlock says whether a string is shown as a block, a line for each of its lines.
func IsBlock(s string) bool { return strings.Contains(strings.TrimRight(s, "\n"), "\n") }

// TextLines prints a string as a literal block scalar: its head, then its lines.
func TextLines(s, label string, at *Lead) []*finding.Line {
	head := "|-"
	switch {
	case strings.HasSuffix(s, "\n\n"):
		head = "|+"
	case strings.HasSuffix(s, "\n"):
		head = "|"
	}
	if strings.HasPrefix(strings.TrimLeft(s, "\n"), " ") {
		head = "|2" + head[1:] // the text's own blanks are not indentation
	}
	lines := []*finding.Line{LineOf(at.Take(), join(label, head))}
	indent := len(at.rest) + 2
	if label == "" {
		indent = max(len(at.rest), 2)
	}
	for _, l := range BodyLines(s) {
		lines = append(lines, &finding.Line{Indent: indent, Text: Line(l)})
	}
	return lines
}

// BodyLines are the lines of a block. The last line break belongs to the head.
func BodyLines(s string) []string {
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}
