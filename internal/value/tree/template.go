package tree

import (
	"slices"
	"strings"
)

// Template prints v as the text of a template that yields it, in the style of YAML. It escapes braces
// that would begin an action, and prints the actions that v has in place of values.
func Template(v any) string {
	p := printer{template: true}
	p.value(v, 0, false)
	return string(p.text)
}

// Action replaces a value that a template prints.
type Action struct {
	Pipe  string // the action without its braces
	Block bool   // it may print a map or a list
}

// Document is a text that a template prints as YAML of a map that has actions or conditions.
type Document struct{ Value map[string]any }

// Optional is the value of a map's key that a template prints under a condition.
type Optional struct {
	If    string
	Value any
}

// Each is the last item of a list: the items of a list of the CR that meet a condition.
type Each struct{ Of, If string }

// each prints the actions for items of the CR.
func (p *printer) each(e Each, pad string) {
	p.write("{{- range " + e.Of + " }}{{ if " + e.If + " }}\n" + pad + "- {{ toJson . }}\n{{- end }}{{ end }}\n")
}

// literal prints text of the template outside of actions.
func (p *printer) literal(text string) {
	if p.template {
		text = strings.ReplaceAll(text, "{{", `{{ "{{" }}`)
	}
	p.write(text)
}

// endsBlank reports whether a block scalar would change if an action behind it trimmed the blanks
// before it.
func endsBlank(s string) bool {
	s = strings.TrimSuffix(s, "\n")
	return strings.TrimRight(s, " \t\n") != s
}

// action prints an action behind its key or dash. pad indents an action with lines of its own.
func (p *printer) action(a Action, pad string) {
	if a.Block {
		p.write("\n" + pad + "{{- " + a.Pipe + " | toYaml | nindent " + ScalarOf(int64(len(pad))) + " }}\n")
		return
	}
	p.write("{{ " + a.Pipe + " }}\n")
}

// keys returns the keys of a map in the order in which they are printed. If the first one is
// optional, the map begins on a new line.
func (p *printer) keys(m map[string]any, inline *bool) []string {
	from := len(p.sorted)
	for k := range m {
		p.sorted = append(p.sorted, k)
	}
	keys := p.sorted[from:]
	slices.Sort(keys)
	if _, optional := m[keys[0]].(Optional); optional && *inline {
		p.orEmpty(m)
		p.byte('\n')
		*inline = false
	}
	return keys
}

// orEmpty prints an empty map in place of a map with only optional keys, in case none of their
// conditions is met.
func (p *printer) orEmpty(m map[string]any) {
	if !p.template {
		return
	}
	var all []string
	for _, k := range Keys(m) {
		o, optional := m[k].(Optional)
		if !optional {
			return
		}
		all = append(all, "("+o.If+")")
	}
	p.write("{{ if not " + anyOf(all) + " }} {}{{ end }}")
}

// anyOf returns a condition that is met if one of the conditions is met.
func anyOf(conditions []string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	return "(or " + strings.Join(conditions, " ") + ")"
}
