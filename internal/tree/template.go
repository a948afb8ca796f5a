package tree

import (
	"slices"
	"strings"
)

// Template prints v as the text of a template that yields it: as YAML does, with braces that would
// begin an action escaped, and with the actions that stand in v in the place of values.
func Template(v any) string {
	p := printer{template: true}
	p.value(v, 0, false)
	return string(p.text)
}

// Action stands in the place of a value that a template prints.
type Action struct {
	Pipe  string // what it prints, without the braces
	Block bool   // this is a map or a list, or may be one
}

// Optional is the value of a map's key that a template prints under a condition.
type Optional struct {
	If    string
	Value any
}

// literal prints what the template states.
func (p *printer) literal(text string) {
	if p.template {
		text = strings.ReplaceAll(text, "{{", `{{ "{{" }}`)
	}
	p.write(text)
}

// endsBlank reports whether an action behind a block scalar that takes away the blanks before it
// would change the scalar.
func endsBlank(s string) bool {
	s = strings.TrimSuffix(s, "\n")
	return strings.TrimRight(s, " \t\n") != s
}

// action prints an action behind its key or dash, indented by pad where it has lines of its own.
func (p *printer) action(a Action, pad string) {
	if a.Block {
		p.write("\n" + pad + "{{- " + a.Pipe + " | toYaml | nindent " + ScalarOf(int64(len(pad))) + " }}\n")
		return
	}
	p.write("{{ " + a.Pipe + " }}\n")
}

// keys returns the keys of a map in the order in which they are printed. Where the first one is
// optional, nothing stands inline.
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

// orEmpty prints an empty map for the case that no condition of a map that has optional keys only
// is met.
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

// anyOf is met where one of some conditions is.
func anyOf(conditions []string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	return "(or " + strings.Join(conditions, " ") + ")"
}
