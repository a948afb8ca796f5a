package render

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// native is the implementation of a function that needs the provenance of its arguments. The table
// in internal/template/function has already checked the number of arguments.
type native func(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error)

// nativeOf returns the implementation of an engine function; nil for all others.
func nativeOf(name string) native {
	switch name {
	case "eq", "ne", "lt", "le", "gt", "ge":
		return comparison
	case "index":
		return Index
	case "len":
		return length
	case "call":
		return call
	case "list", "tuple":
		return list
	case "dict":
		return dict
	case "get":
		return get
	case "dig":
		return dig
	case "first", "last":
		return firstOrLast
	case "and", "or", "default", "coalesce", "ternary":
		return selection
	case "include":
		return include
	case "lookupCR", "lookupCRs":
		return lookup
	case "oldCR":
		return oldCR
	case "inputFiles":
		return inputFiles
	case "maxListLength", "minListLength":
		return listLength
	case "violation", "note":
		return state
	}
	return nil
}

// comparison evaluates eq, ne, lt, le, gt or ge.
func comparison(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	plain := plainValues(args)
	result, err := function.Compare(n.Ident, plain[0], plain[1:]...)
	if err != nil {
		return Value{}, x.errorf(n, code.EvalTemplate, "%s: %s%s", n.Ident, err, fieldsOf(args))
	}
	return Value{V: result, Input: anyInput(args)}, nil
}

// plainValues returns the Go values without their provenance.
func plainValues(args []Value) []any {
	plain := make([]any, len(args))
	for i, a := range args {
		plain[i] = a.V
	}
	return plain
}

// anyInput reports whether one of the values depends on the input.
func anyInput(args []Value) bool {
	return slices.ContainsFunc(args, func(a Value) bool { return a.Input })
}

// selection evaluates default, coalesce or ternary, and for known arguments also the lazy functions
// and and or.
func selection(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	if n.Ident == "ternary" {
		if _, ok := args[2].V.(bool); !ok && args[2].V != nil {
			return Value{}, x.errorf(n, code.EvalTemplate, "ternary wants true or false as its last argument and got %s%s",
				function.Describe(args[2].V), where(args[2].at))
		}
	}
	return x.dependent(Selected(n.Ident, args, nil)[0], args), nil
}

// Selected returns the result of a function that selects one of its arguments; several if arguments
// decide for which unknown returns true. unknown may be nil. It returns none for any other function.
func Selected(name string, args []Value, unknown func(Value) bool) (all []Value) {
	switch name {
	case "ternary":
		switch {
		case unknown != nil && unknown(args[2]):
			return args[:2]
		case args[2].V == true:
			return args[:1]
		}
		return args[1:2]
	case "default", "dig":
		if len(args) > 1 {
			args = []Value{args[1], args[0]}
		}
	case "coalesce":
		args = append(args[:len(args):len(args)], Value{Input: anyInput(args)})
	case "and", "or":
	default:
		return nil
	}
	for i, a := range args[:len(args)-1] {
		if unknown != nil && unknown(a) {
			all = append(all, a)
		} else if function.Empty(a.V) == (name == "and") {
			return append(all, args[i:i+1]...)
		}
	}
	return append(all, args[len(args)-1])
}

// dependent returns a value that a function selected after a look at others, and marks it as
// dependent on the input if one of them is. If the identity is being determined, the selected value
// counts as fixed.
func (x *Execution) dependent(v Value, others []Value) Value {
	v.Input = v.Input || anyInput(others) && !x.identity
	return v
}

// list builds a list whose elements keep their provenance.
func list(x *Execution, _ *parse.IdentifierNode, args []Value) (Value, error) {
	built := Value{V: plainValues(args), children: &children{list: slices.Clone(args)}, Input: anyInput(args)}
	return x.derived(built, Value{}, args), nil
}

// dict builds a map whose values keep their provenance. Like sprig's dict, it takes alternating
// keys and values; the value of a last key without one is "".
func dict(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	m := map[string]any{}
	d := Value{V: m, children: &children{dict: map[string]Value{}}}
	for i := 0; i < len(args); i += 2 {
		if err := x.checkSize(args[i].V, n); err != nil {
			return Value{}, err
		}
		key := fmt.Sprint(args[i].V)
		val := Constant("")
		if i+1 < len(args) {
			val = args[i+1]
		}
		m[key], d.children.dict[key] = val.V, val
		d.Input = d.Input || val.Input
	}
	return x.derived(d, Value{}, args), nil
}

// get returns the value of a key like sprig's get, or "" if the map lacks the key. A dict may have
// a key whose value is absent in the input; that value stays absent.
func get(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	v, err := Index(x, n, args)
	m, _ := args[0].V.(map[string]any)
	key, _ := args[1].V.(string)
	if _, has := m[key]; v.Absent && !has {
		v.V = ""
	}
	return v, err
}

// dig follows keys into its last argument, a map, like sprig's dig. If a key is absent, it returns
// the default, which is the argument before the map.
func dig(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	last := len(args) - 1
	v, err := Index(x, n, append([]Value{args[last]}, args[:last-1]...))
	if err == nil && v.Absent {
		return x.dependent(args[last-1], []Value{v}), nil
	}
	return v, err
}

// firstOrLast evaluates first or last on a list.
func firstOrLast(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	count, ok := lengthOf(args[0].V)
	if n.Ident == "first" {
		count = 1
	}
	v, err := indexOne(x.lines(args[0]), Constant(max(count-1, 0)))
	if err != nil || !ok {
		return Value{}, x.errorf(
			n, code.EvalTemplate, "%s of %s%s", n.Ident, function.Describe(args[0].V), where(args[0].at),
		)
	}
	return v, nil
}

// lengthOf returns the length of a list, and 0 for nil; false for any other value.
func lengthOf(v any) (int, bool) {
	l, isList := v.([]any)
	return len(l), isList || v == nil
}

// length evaluates len; nil has length 0.
func length(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	count, ok := lengthOf(args[0].V)
	switch v := args[0].V.(type) {
	case map[string]any:
		count, ok = len(v), true
	case string:
		count, ok = len(v), true
	}
	if !ok {
		return Value{}, x.errorf(n, code.EvalTemplate, "len of %s%s", function.Describe(args[0].V), where(args[0].at))
	}
	return Value{V: count, Input: args[0].Input}, nil
}

// Index evaluates the function index of text/template, except that a missing element is an absent
// value and not an error.
func Index(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	v := args[0]
	for _, key := range args[1:] {
		next, err := x.below(v, key, n)
		if err != nil {
			return Value{}, x.errorf(n, code.EvalTemplate, "index: %s", err)
		}
		next.Input, next.open = next.Input || key.Input, next.open || key.unknown()
		if x.redacts(key) {
			next.at = nil // the path would show the key
		}
		v = next
	}
	return v, nil
}

// below returns the element of a value at a key.
func (x *Execution) below(v, key Value, n parse.Node) (Value, error) {
	if x.isUnknown(v) || x.isUnknown(key) {
		return x.hooks.Below(x, v, key, n), nil
	}
	return indexOne(x.lines(v), key)
}

func indexOne(v, key Value) (Value, error) {
	if v.isWholePlaceholder() {
		return v.inside(), nil
	}
	if key.Absent {
		return key, nil
	}
	s, isText := key.V.(string)
	i, isNumber := function.Whole(key.V)
	switch v.V.(type) {
	case nil:
		switch {
		case isText:
			return v.lacking(v.at.child(s)), nil
		case isNumber:
			return v.lacking(v.at.element(i)), nil
		}
		return v.lacking(v.at), nil
	case map[string]any:
		if !isText {
			return Value{}, fmt.Errorf("a map%s has no key that is %s", where(v.at), function.Describe(key.V))
		}
		return v.Key(s), nil
	case []any:
		if !isNumber {
			return Value{}, fmt.Errorf("a list%s has no element at %s", where(v.at), function.Describe(key.V))
		}
		return v.element(i), nil
	}
	if text, isText := v.V.(string); isText && isNumber {
		if i < 0 || i >= len(text) {
			return Value{Absent: true, Input: v.Input}, nil
		}
		return v.made(reflect.ValueOf(text[i])), nil
	}
	return Value{}, fmt.Errorf(
		"can't look into %s%s with %s", function.Describe(v.V), where(v.at), function.Describe(key.V),
	)
}

// made returns a part of a function's result, with the provenance of that result.
func (v Value) made(part reflect.Value) Value {
	if !part.IsValid() {
		return Value{Absent: true, Input: v.Input, open: v.open}
	}
	return Value{V: part.Interface(), Input: v.Input, source: v.source, open: v.open, scope: v.within()}
}

func include(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	name, ok := args[0].V.(string)
	if !ok {
		return Value{}, x.errorf(
			n, code.EvalTemplate, "include wants a template's name first and got %s", function.Describe(args[0].V),
		)
	}
	if x.Template.Find(name) == nil && x.redacts(args[0]) {
		name = hiddenMessage
	}
	return x.include(name, args[1], n)
}

// lookup evaluates lookupCR, which needs exactly one match, or lookupCRs.
func lookup(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	var q [4]string
	for i, a := range args {
		s, ok := a.V.(string)
		if !ok && a.V != nil {
			return Value{}, x.errorf(
				n,
				code.EvalTemplate,
				"lookupCR(s) wants a string as argument %d and got %s%s",
				i+1,
				function.Describe(a.V),
				where(a.at),
			)
		}
		q[i] = s
	}
	found, err := x.find(n, q, args)
	switch {
	case err != nil:
		return Value{}, err
	case n.Ident == "lookupCRs":
		return x.fromInput(found), nil
	case len(found) != 1:
		return Value{Input: true}, nil
	}
	return x.fromInput(found[0]), nil
}

// find looks up objects. q is the query, and args are the values that it was made from.
func (x *Execution) find(n parse.Node, q [4]string, args []Value) ([]any, error) {
	if x.Lookup == nil {
		return []any{}, nil
	}
	found := x.Lookup(q[0], q[1], q[2], q[3])
	shown := x.withoutSecrets(q, args)
	if x.Asked != nil {
		x.Asked(q, shown, len(found))
	}
	x.noteQuery(shown, len(found), n)
	return x.others(n, found)
}

// oldCR returns the object as it was in the old input, or nil.
func oldCR(x *Execution, n *parse.IdentifierNode, _ []Value) (Value, error) {
	if x.Old == nil {
		return Value{Input: true}, nil
	}
	old := x.Old()
	if old == nil {
		return Value{Input: true}, nil
	}
	found, err := x.others(n, []map[string]any{old})
	if err != nil {
		return Value{}, err
	}
	return x.fromInput(found[0]), nil
}

// inputFiles returns the names of the input's files whose last elements match a glob.
func inputFiles(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	glob, ok := args[0].V.(string)
	if _, err := path.Match(glob, ""); err != nil || !ok {
		return Value{}, x.errorf(n, code.EvalTemplate, "inputFiles wants a glob and got %s", function.Describe(args[0].V))
	}
	found := []any{}
	if x.Files != nil {
		for _, name := range x.Files(glob) {
			found = append(found, name)
		}
	}
	return Value{V: found, Input: true}, nil
}

// others converts objects other than the one that the template is executed on. A template that
// changes maps gets copies.
func (x *Execution) others(n parse.Node, found []map[string]any) ([]any, error) {
	all := make([]any, len(found))
	for i, o := range found {
		if secret.Of(o).IsObject() {
			x.secrets = append(x.secrets, o)
		}
		all[i] = o
		if !x.Template.Mutates {
			continue
		}
		if err := x.checkSize(o, n); err != nil {
			return nil, err
		}
		all[i] = tree.Copy(o)
	}
	return all, nil
}

// listLength evaluates maxListLength or minListLength: "" if the length of the list is allowed,
// else a finding.
func listLength(x *Execution, n *parse.IdentifierNode, args []Value) (Value, error) {
	limit, ok := function.Whole(args[0].V)
	if !ok {
		return Value{}, x.errorf(
			n,
			code.EvalTemplate,
			"the check of a list's length wants a number first and got %s",
			function.Describe(args[0].V),
		)
	}
	name, at := "the list", args[1].at
	if p := at.path(); p != nil {
		name = p.String()
	}
	count, isList := lengthOf(args[1].V)
	items := finding.Plural(count, "item", "items")
	message := ""
	switch {
	case !isList:
		message = fmt.Sprintf("%s is %s, but a list is expected", name, function.Describe(args[1].V))
	case n.Ident == "maxListLength" && count > limit:
		message = fmt.Sprintf("%s has %s, more than the %d allowed", name, items, limit)
	case n.Ident == "minListLength" && count < limit:
		message = fmt.Sprintf("%s has %s, fewer than the %d allowed", name, items, limit)
	default:
		return Value{V: "", Input: true}, nil
	}
	return Value{}, &failure{message: message, at: at}
}
