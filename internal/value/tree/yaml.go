package tree

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// YAML prints v as block-style YAML with sorted keys, two spaces a level and lists at the level of
// their key, as the Kubernetes tools print it. By the rules of package manifest, the text reads back
// as the same value. It ends with a line feed.
func YAML(v any) string {
	p := printer{text: make([]byte, 0, 2<<10)}
	p.value(v, 0, false)
	return string(p.text)
}

// blanks returns the indentation of a number of levels.
func blanks(indent int) string {
	const most = "                                        "
	if n := 2 * indent; n <= len(most) {
		return most[:n]
	}
	return strings.Repeat("  ", indent)
}

// printer prints YAML.
type printer struct {
	text     []byte   // printed so far
	template bool     // print a template, see Template
	sorted   []string // the keys of the maps that are being printed, each inside the one before
}

func (p *printer) write(s string) { p.text = append(p.text, s...) }

func (p *printer) byte(c byte) { p.text = append(p.text, c) }

// value prints v at an indentation. With inline, it continues the line of "key:" or "-".
func (p *printer) value(v any, indent int, inline bool) {
	pad := blanks(indent)
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			p.write("{}\n")
			return
		}
		from := len(p.sorted)
		for _, k := range p.keys(v, &inline) {
			if !inline {
				p.write(pad)
			}
			inline = false
			p.entry(k, v[k], indent)
		}
		p.sorted = p.sorted[:from]
	case []any:
		if len(v) == 0 {
			p.write("[]\n")
			return
		}
		for _, x := range v {
			if each, is := x.(Each); is {
				p.each(each, pad)
				continue
			}
			if !inline {
				p.write(pad)
			}
			inline = false
			p.byte('-')
			p.gap(x)
			p.value(x, indent+1, true)
		}
	case Action:
		p.action(v, pad)
	default:
		p.scalar(v, indent)
	}
}

// entry prints a key of a map and its value.
func (p *printer) entry(k string, v any, indent int) {
	pad := blanks(indent)
	o, optional := v.(Optional)
	if optional {
		p.write("{{- if " + o.If + " }}\n" + pad)
		v = o.Value
	}
	p.key(k, pad)
	p.byte(':')
	p.child(v, indent)
	if optional {
		p.write(pad + "{{- end }}\n")
	}
}

// longestKey is the largest number of bytes of a key on one line with its colon. YAML allows 1024
// characters.
const longestKey = 1000

// key prints a key as far as its colon.
func (p *printer) key(k, pad string) {
	text := Scalar(k)
	if len(text) > longestKey {
		p.write("? ")
		p.literal(text)
		p.write("\n" + pad)
		return
	}
	p.literal(text)
}

// child prints the value of a map's key.
func (p *printer) child(v any, indent int) {
	switch c := v.(type) {
	case map[string]any:
		if len(c) > 0 {
			p.orEmpty(c)
			p.byte('\n')
			p.value(v, indent+1, false)
			return
		}
	case []any:
		if len(c) > 0 {
			p.byte('\n')
			p.value(v, indent, false)
			return
		}
	case Document:
		p.write(" |\n")
		p.value(c.Value, indent+1, false)
		return
	}
	p.gap(v)
	p.value(v, indent+1, true)
}

// gap prints the blank before a value, unless the value begins on the next line.
func (p *printer) gap(v any) {
	if a, _ := v.(Action); !a.Block {
		p.byte(' ')
	}
}

func (p *printer) scalar(v any, indent int) {
	s, ok := v.(string)
	if !ok || !blockable(s) || p.template && endsBlank(s) {
		p.literal(ScalarOf(v))
		p.byte('\n')
		return
	}
	head, body := "|", s
	switch {
	case !strings.HasSuffix(s, "\n"):
		head = "|-"
	case strings.HasSuffix(s, "\n\n"):
		head = "|+"
	}
	p.write(head)
	p.byte('\n')
	pad := blanks(max(indent, 1))
	for _, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		if line != "" {
			p.write(pad)
			p.literal(line)
		}
		p.byte('\n')
	}
}

// blockable reports whether a string can be a literal block scalar without an indentation indicator
// or escapes.
func blockable(s string) bool {
	if !strings.Contains(s, "\n") || strings.IndexAny(s, "\n \t") == 0 || strings.Trim(s, "\n") == "" {
		return false
	}
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r != '\n' && r != '\t' && !printable(r) {
			return false
		}
	}
	return true
}

// printable reports whether YAML allows a character without an escape.
func printable(r rune) bool {
	return r >= ' ' && r != 0x7f && !(r >= 0x80 && r < 0xa0) && r != 0x2028 && r != 0x2029 && r != 0xfeff &&
		r != utf8.RuneError &&
		(r < 0xe000 || unicode.IsPrint(r))
}

// ScalarOf prints a scalar on one line.
func ScalarOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		return Scalar(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return Scalar(fmt.Sprint(v))
}

// inFlow reports whether a string has characters with a meaning in flow context.
func inFlow(s string) bool {
	for i := range len(s) {
		if isFlow(s[i]) {
			return true
		}
	}
	return false
}

// isQuotable reports whether a string has only characters that need no escape in quotes, as nearly
// all strings.
func isQuotable(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// Scalar prints a string on one line: without quotes if every YAML 1.1 reader reads the same string,
// else in double quotes.
func Scalar(s string) string {
	if isWord(s) && kubeyaml.IsWord(s) || !inFlow(s) && Bare(s) {
		return s
	}
	if isQuotable(s) {
		return `"` + s + `"`
	}
	quoted, err := JSON(s) // JSON strings are YAML double-quoted scalars
	if err != nil {
		return strconv.Quote(s)
	}
	if strings.IndexFunc(quoted, func(r rune) bool { return !printable(r) }) < 0 {
		return quoted
	}
	var b strings.Builder
	for _, r := range quoted { // characters that need an escape in YAML and not in JSON
		switch {
		case printable(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
