package template

import (
	"reflect"
	"slices"
	"text/template/parse"
)

// HasUnlike reports whether an argument of the call is a number and another one a text, in every execution.
func (c Call) HasUnlike() bool {
	is := func(kinds ...reflect.Kind) bool {
		return slices.ContainsFunc(c.Args, func(a parse.Node) bool {
			t := c.set.typeOf(a)
			return t != nil && slices.Contains(kinds, t.Kind())
		})
	}
	return is(reflect.String) && is(reflect.Int, reflect.Int64, reflect.Float64)
}

// Indented returns the function that indented the only argument of the call in its pipeline; "" for none.
func (c Call) Indented() string {
	if c.Pipe == nil || len(c.Args) != 1 {
		return ""
	}
	for _, cmd := range c.Pipe.Cmds {
		if name := cmd.Args[0].String(); name == "indent" || name == "nindent" {
			return name
		}
		if cmd == c.Args[0] {
			break
		}
	}
	return ""
}

// typeOf returns the type that a value has in every execution; nil if it may have several.
func (s *Set) typeOf(n parse.Node) reflect.Type {
	if value, isConstant := Constant(n); isConstant {
		return reflect.TypeOf(value)
	}
	switch n := n.(type) {
	case *parse.PipeNode:
		return s.typeOf(n.Cmds[len(n.Cmds)-1])
	case *parse.CommandNode:
		name, isCall := n.Args[0].(*parse.IdentifierNode)
		if !isCall && len(n.Args) == 1 {
			return s.typeOf(n.Args[0])
		}
		if isCall && s.functions[name.Ident] != nil {
			return s.functions[name.Ident].Result()
		}
	}
	return nil
}
