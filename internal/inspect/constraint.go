package inspect

import (
	"slices"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/function"
)

func comparison(w *walker, f *function.Function, args []value, _ *parse.CommandNode) value {
	v := unknown(args...)
	v.untold = false
	var against []any
	for _, a := range args {
		if c, ok := a.constant(); ok && c != nil {
			against = append(against, c)
		}
	}
	for i, a := range args {
		if len(a.origins()) == 0 {
			continue
		}
		w.held(a, f.Name, against)
		others := slices.Concat(args[:i], args[i+1:])
		if f.Name == "eq" && len(a.through) == 0 && len(others) > 0 && !slices.ContainsFunc(others, canBeNothing) {
			v.present = union(v.present, a.is)
		}
		if f.Name == "ne" && len(a.through) == 0 && len(others) == 1 && others[0].isNil() {
			v.present = union(v.present, a.is)
		}
	}
	return v
}

// isNil reports whether a value is nothing, as the template states it.
func (v value) isNil() bool {
	c, ok := v.constant()
	return ok && c == nil
}

// canBeNothing reports whether a value may equal what is absent.
func canBeNothing(v value) bool {
	c, ok := v.constant()
	return !ok || c == nil
}

func membership(w *walker, f *function.Function, args []value, _ *parse.CommandNode) value {
	if len(args) == 0 {
		return unknown()
	}
	v := unknown(args...)
	v.untold = false
	if len(args) == 2 && len(args[0].origins()) > 0 {
		all, _ := args[1].literal()
		if l, isList := all.([]any); isList {
			w.held(args[0], f.Name, l)
			if !slices.Contains(l, nil) {
				v.present = args[0].is
			}
		}
	}
	if c, ok := args[0].constant(); len(args) == 2 && ok {
		w.held(args[1], f.Name, []any{c})
		w.typed(args[1], "list")
	}
	return v
}

func listLength(w *walker, f *function.Function, args []value, _ *parse.CommandNode) value {
	if len(args) == 2 {
		if c, ok := args[0].constant(); ok {
			w.held(args[1], f.Name, []any{c})
		}
		w.typed(args[1], "list")
		w.tested(args[1])
		if c, _ := args[0].constant(); f.Name == "minListLength" && c != 0 && len(args[1].is) == 1 {
			w.missed(args[1].is[0])
		}
	}
	return value{known: []any{""}, blank: "", sure: true}
}

func kindIs(w *walker, f *function.Function, args []value, _ *parse.CommandNode) value {
	v := w.made(f, args)
	if len(args) == 2 {
		if kind, ok := args[0].constant(); ok && kind != "invalid" {
			w.held(args[1], f.Name, []any{kind})
			v.present = args[1].is
		}
	}
	return v
}

func edge(w *walker, _ *function.Function, args []value, n *parse.CommandNode) value {
	if len(args) != 1 {
		return unknown(args...)
	}
	part := args[0].element(w.use(n))
	part.sure = false
	return part
}
