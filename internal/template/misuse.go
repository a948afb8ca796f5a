package template

import (
	"slices"
	"strings"
	"text/template/parse"
)

// HasUnlike reports whether an argument of the call is a number and another one a text, in every execution.
func (c Call) HasUnlike() bool {
	is := func(what string) bool {
		return slices.ContainsFunc(c.Args, func(a parse.Node) bool { return typeOf(a) == what })
	}
	return is("number") && is("text")
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

// typeOf returns whether an argument is a number or a text in every execution; "" for neither.
func typeOf(n parse.Node) string {
	if value, isConstant := Constant(n); isConstant {
		switch value.(type) {
		case float64:
			return "number"
		case string:
			return "text"
		}
		return ""
	}
	if p, isPipe := n.(*parse.PipeNode); isPipe {
		n = p.Cmds[len(p.Cmds)-1]
	}
	call, isCall := n.(*parse.CommandNode)
	if !isCall {
		return ""
	}
	switch name := call.Args[0].String(); {
	case len(call.Args) == 1 && call.Args[0].Type() != parse.NodeIdentifier:
		return typeOf(call.Args[0])
	case slices.Contains(strings.Fields("len int int64 add sub mul div mod cpuSetSize atoi"), name):
		return "number"
	case slices.Contains(strings.Fields("lower upper trim trimPrefix trimSuffix quote toString printf print join replace"), name):
		return "text"
	}
	return ""
}
