package render

import (
	"text/template/parse"
)

// Blank is what a template yields without an input.
type Blank struct {
	Rendering
	// Whole says that an input can only fill in values: no part of the template depends on a condition, is repeated, or is
	// printed by something that may print more than one value.
	Whole bool
}

// Blank executes the template on an empty object. An action that fails prints nothing. False where that is no YAML.
func (t *Template) Blank() (Blank, bool) {
	x := Options{}.exec(t, &output{})
	x.tolerant = true
	if err := x.run(value{v: map[string]any{}, input: true, pure: true, at: root()}); err != nil {
		return Blank{}, false
	}
	r, err := x.out.place(x.limits, nil)
	if err != nil {
		return Blank{}, false
	}
	return Blank{Rendering: r, Whole: whole(t.body.root)}, true
}

// whole reports whether every action below a node prints at most one value.
func whole(n parse.Node) bool {
	ok := true
	visit(n, func(n parse.Node) {
		switch n := n.(type) {
		case *parse.IfNode, *parse.WithNode, *parse.RangeNode, *parse.TemplateNode:
			ok = false
		case *parse.IdentifierNode:
			ok = ok && printsOne(n.Ident)
		}
	})
	return ok
}

// printsOne reports whether a function yields one value on one line, whatever it is given.
func printsOne(function string) bool {
	switch function {
	case "default", "coalesce", "ternary", "quote", "squote", "toJson", "index", "get", "int", "int64", "float64", "toString", "lower", "upper",
		"trim", "b64enc", "len", "eq", "ne", "and", "or", "not", "hasKey", "cpuSetSize":
		return true
	}
	return false
}
