package main

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// literal is a scalar that is printed unchanged: a number, true, null.
type literal string

// document prints a value as Kubernetes' tools do: sorted keys, lists not indented below their key,
// texts with several lines as blocks.
func document(v map[string]any) []byte {
	p := printer{
		bare:   regexp.MustCompile("^[a-zA-Z0-9_./" + marks + "-][a-zA-Z0-9_./:=+(),;@ " + marks + "-]*$"),
		number: regexp.MustCompile("^[-+.]?[0-9][0-9a-fA-F_.:xoTZ+-]*$|^-+$|^- "),
	}
	p.mapping(v, "")
	return p.Bytes()
}

// printer prints YAML into its buffer.
type printer struct {
	bytes.Buffer
	bare   *regexp.Regexp // texts that need no quotes, unless YAML reads them as another type
	number *regexp.Regexp // texts that look like numbers, times or the dash of a list
}

func (p *printer) mapping(m map[string]any, indent string) {
	for i, key := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			p.WriteString(indent)
		}
		p.WriteString(p.text(key) + ":")
		p.below(m[key], indent)
	}
}

// below prints a value after its key or below it, up to the end of the line.
func (p *printer) below(v any, indent string) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			break
		}
		p.WriteString("\n  " + indent)
		p.mapping(v, indent+"  ")
		return
	case []any:
		if len(v) == 0 {
			break
		}
		p.WriteByte('\n')
		for _, item := range v {
			p.WriteString(indent + "- ")
			p.item(item, indent+"  ")
		}
		return
	}
	p.WriteString(" " + p.scalar(v, indent+"  ") + "\n")
}

func (p *printer) item(v any, indent string) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			p.mapping(v, indent)
			return
		}
	case []any:
		for i, inner := range v {
			if i > 0 {
				p.WriteString(indent)
			}
			p.WriteString("- ")
			p.item(inner, indent+"  ")
		}
		if len(v) > 0 {
			return
		}
	}
	p.WriteString(p.scalar(v, indent) + "\n")
}

func (p *printer) scalar(v any, indent string) string {
	switch v := v.(type) {
	case literal:
		return string(v)
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	case nil:
		return "null"
	case map[string]any:
		return "{}"
	case []any:
		return "[]"
	case string:
		if body, ended := strings.CutSuffix(v, "\n"); strings.Contains(body, "\n") && isBlock(v) {
			head := "|-\n"
			if ended {
				head = "|\n"
			}
			return head + indent + strings.ReplaceAll(body, "\n", "\n"+indent)
		}
		return p.text(v)
	}
	return ""
}

// isBlock reports whether a text with several lines can be a plain block.
func isBlock(s string) bool {
	return !strings.HasPrefix(s, " ") && !strings.HasPrefix(s, "\n") && !strings.HasSuffix(s, "\n\n") &&
		!strings.ContainsAny(s, "\t\r") && !strings.Contains(s, "\n\n") && !strings.Contains(s, " \n")
}

// text prints a text of one line, in quotes if in doubt.
func (p *printer) text(s string) string {
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return `"` + s + `"`
	}
	if p.bare.MatchString(s) && !p.number.MatchString(s) && !strings.HasSuffix(s, " ") &&
		!strings.Contains(s+" ", ": ") {
		return s
	}
	return quote(s)
}

// quote returns a text in double quotes. Characters beyond ASCII and the marks of stamps are not
// escaped.
func quote(s string) string {
	b := []byte{'"'}
	for _, c := range []byte(s) {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\t':
			b = append(b, '\\', 't')
		case c < ' ' && !isMark(c):
			b = append(b, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}
