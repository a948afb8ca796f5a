package escape

import (
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// Lead is the text before the next line of a value: the dash for the first line of a list item,
// then blanks. The zero value is for a value that is not nested.
type Lead struct{ first, rest string }

// Take returns the text before the next line.
func (l *Lead) Take() string {
	s := l.first
	l.first = l.rest
	return s
}

// Below returns the lead of the values nested in a map key.
func (l *Lead) Below() *Lead {
	deeper := blanks(len(l.rest) + 2)
	return &Lead{first: deeper, rest: deeper}
}

// Item returns the lead of a list item. A list in a list starts on the line of its outer item.
func (l *Lead) Item() *Lead {
	return &Lead{first: l.Take() + "- ", rest: blanks(len(l.rest) + 2)}
}

// blanks returns n blanks, without allocating for the usual n.
func blanks(n int) string {
	const most = "                                                                "
	if n <= len(most) {
		return most[:n]
	}
	return strings.Repeat(" ", n)
}

// Indent returns the number of blanks before all lines but the first.
func (l *Lead) Indent() int { return len(l.rest) }

// Key returns the line of a map key whose value is on the lines below.
func Key(label string, at *Lead) *finding.Line { return new(maker).line(at, label+":") }

// Lines prints a value as lines of YAML. The label is "" or a key. Texts of the value are escaped as
// Apart does it.
func Lines(v any, label string, at *Lead, alike string) []*finding.Line {
	m := maker{alike: alike}
	m.value(v, label, at)
	return m.lines
}

// maker makes lines.
type maker struct {
	lines []*finding.Line
	alike string // characters to escape
}

// line adds a line: the lead, then the text.
func (m *maker) line(at *Lead, text string) *finding.Line {
	lead := at.Take()
	indent := len(lead) - len(strings.TrimLeft(lead, " "))
	l := &finding.Line{Indent: indent, Text: lead[indent:] + text}
	m.lines = append(m.lines, l)
	return l
}

func (m *maker) value(v any, label string, at *Lead) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			at = m.nested(label, at)
			for _, k := range tree.Keys(v) {
				m.value(v[k], String(k), at)
			}
			return
		}
		m.line(at, join(label, "{}"))
	case []any:
		if len(v) > 0 {
			at = m.nested(label, at)
			for _, x := range v {
				m.value(x, "", at.Item())
			}
			return
		}
		m.line(at, join(label, "[]"))
	case string:
		if IsBlock(v) {
			m.text(v, label, at)
			return
		}
		m.line(at, join(label, stringApart(v, m.alike)))
	default:
		m.line(at, join(label, Scalar(v)))
	}
}

// nested adds a line for the label, if there is one, and returns the lead of the lines below it.
func (m *maker) nested(label string, at *Lead) *Lead {
	if label == "" {
		return at
	}
	m.line(at, label+":")
	return at.Below()
}

func join(label, value string) string {
	if label == "" {
		return value
	}
	return label + ": " + value
}

// IsBlock reports whether a string is shown as a block, one line for each of its lines.
func IsBlock(s string) bool {
	first := strings.IndexByte(s, '\n')
	return first >= 0 && first < len(strings.TrimRight(s, "\n"))
}

// TextLines prints a string as a literal block scalar: its header, then its lines.
func TextLines(s, label string, at *Lead) []*finding.Line {
	var m maker
	m.text(s, label, at)
	return m.lines
}

func (m *maker) text(s, label string, at *Lead) {
	head := "|-"
	switch {
	case strings.HasSuffix(s, "\n\n"):
		head = "|+"
	case strings.HasSuffix(s, "\n"):
		head = "|"
	}
	if strings.HasPrefix(strings.TrimLeft(s, "\n"), " ") {
		head = "|2" + head[1:] // keeps leading blanks of the text from counting as indentation
	}
	m.line(at, join(label, head))
	indent := len(at.rest) + 2
	if label == "" {
		indent = max(len(at.rest), 2)
	}
	below := &Lead{first: blanks(indent), rest: blanks(indent)}
	for _, l := range BodyLines(s) {
		m.line(below, Line(l))
	}
}

// BodyLines returns the lines of a block. The header already says whether a line break ends it.
func BodyLines(s string) []string {
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}
