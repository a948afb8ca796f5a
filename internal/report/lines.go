package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/tree"
)

// valueLines prints a whole value as lines of YAML, beginning with label. A side without a value has no lines.
func valueLines(v compare.Value, label string, at *lead) []cell {
	if !v.Present {
		return nil
	}
	return appendValue(nil, v.Data, label, at)
}

func appendValue(lines []cell, v any, label string, at *lead) []cell {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			return appendMap(lines, v, label, at)
		}
		return append(lines, line(at.take(), join(label, "{}")))
	case []any:
		if len(v) > 0 {
			return appendList(lines, v, label, at)
		}
		return append(lines, line(at.take(), join(label, "[]")))
	case string:
		if isBlock(v) {
			return append(lines, textLines(v, label, at)...)
		}
	}
	return append(lines, line(at.take(), join(label, scalar(v))))
}

func appendMap(lines []cell, m map[string]any, label string, at *lead) []cell {
	if label != "" {
		lines = append(lines, line(at.take(), label))
		at = at.below()
	}
	for _, k := range tree.Keys(m) {
		lines = appendValue(lines, m[k], text(k)+":", at)
	}
	return lines
}

func appendList(lines []cell, list []any, label string, at *lead) []cell {
	if label != "" {
		lines = append(lines, line(at.take(), label))
		at = at.below()
	}
	for _, x := range list {
		lines = appendValue(lines, x, "", at.item())
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

// isBlock says whether a string is shown as a block, a line for each of its lines.
func isBlock(s string) bool { return strings.Contains(strings.TrimRight(s, "\n"), "\n") }

// byLine says whether two values that differ are best compared line by line: two strings with something in them, one of
// which has several lines.
func byLine(left, right compare.Value) bool {
	l, isLeft := left.Data.(string)
	r, isRight := right.Data.(string)
	return left.Present && right.Present && isLeft && isRight && l != "" && r != "" && (isBlock(l) || isBlock(r))
}

// textLines prints a string as a literal block scalar: its head, then its lines.
func textLines(s, label string, at *lead) []cell {
	body := bodyLines(s)
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
	lines := []cell{line(at.take(), join(label, head))}
	indent := len(at.rest) + 2
	if label == "" {
		indent = max(len(at.rest), 2)
	}
	for _, l := range body {
		lines = append(lines, cell{present: true, indent: indent, text: visibleLine(l)})
	}
	return lines
}

// bodyLines are the lines of a block. The last line break belongs to the head.
func bodyLines(s string) []string {
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// spacesOf returns n blanks.
func spacesOf(n int) string { return strings.Repeat(" ", max(n, 0)) }

// isASCII reports whether a text has one column for each byte.
func isASCII(s string) bool {
	return !slices.ContainsFunc([]byte(s), func(c byte) bool { return c >= utf8.RuneSelf })
}
