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
type native func(x *exec, n *parse.IdentifierNode, args []value) (value, error)

// nativeOf returns the implementation of an engine function; nil for all others and for lazy
// functions.
func nativeOf(name string) native {
	switch name {
	case "eq", "ne", "lt", "le", "gt", "ge":
		return comparison
	case "index":
		return index
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
	case "default", "coalesce", "ternary":
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
func comparison(x *exec, n *parse.IdentifierNode, args []value) (value, error) {
	plain := plainValues(args)
	result, err := function.Compare(n.Ident, plain[0], plain[1:]...)
	if err != nil {
		return value{}, x.errorf(n, code.EvalTemplate, "%s: %s", n.Ident, err)
	}
	return value{v: result, input: anyInput(args)}, nil
}

// plainValues returns the Go values without their provenance.
func plainValues(args []value) []any {
	plain := make([]any, len(args))
	for i, a := range args {
		plain[i] = a.v
	}
	return plain
}

// anyInput reports whether one of the values depends on the input.
func anyInput(args []value) bool {
	return slices.ContainsFunc(args, func(a value) bool { return a.input })
}

// selection evaluates default, coalesce or ternary.
func selection(x *exec, n *parse.IdentifierNode, args []value) (value, error) {
	if n.Ident == "ternary" {
		if _, ok := args[2].v.(bool); !ok && args[2].v != nil {
			return value{}, x.errorf(n, code.EvalTemplate, "ternary wants true or false as its last argument and got %s%s",
				function.Describe(args[2].v), where(args[2].at))
		}
	}
	v, _ := selected(n.Ident, args)
	return x.dependent(v, args), nil
}

// selected returns the result of a function that selects one of its arguments; if a stub decides,
// the result may be either of several. It returns false for any other function.
func selected(name string, args []value) (value, bool) {
	switch name {
	case "ternary":
		if isStub(args[2]) {
			return either(args[0], args[1]), true
		}
		if args[2].v == true {
			return args[0], true
		}
		return args[1], true
	case "default", "dig":
		if len(args) > 1 {
			args = []value{args[1], args[0]}
		}
	case "coalesce":
		args = append(args[:len(args):len(args)], value{input: anyInput(args)})
	case "and", "or":
	default:
		return value{}, false
	}
	for i, a := range args[:len(args)-1] {
		if isStub(a) {
			rest := "or"
			if name == "and" {
				rest = name
			}
			other, _ := selected(rest, args[i+1:])
			return either(a, other), true
		}
		if function.Empty(a.v) == (name == "and") {
			return a, true
		}
	}
	return args[len(args)-1], true
}

// dependent returns a value that a function selected after a look at others, and marks it as
// dependent on the input if one of them is. If the identity is being determined, the selected value
// counts as fixed.
func (x *exec) dependent(v value, others []value) value {
	v.input = v.input || anyInput(others) && !x.identity
	return v
}

// list builds a list whose elements keep their provenance.
func list(x *exec, _ *parse.IdentifierNode, args []value) (value, error) {
	built := value{v: plainValues(args), children: &children{list: args}, input: anyInput(args)}
	return x.derived(built, value{}, args), nil
}

// dict builds a map whose values keep their provenance. Like sprig's dict, it takes alternating
// keys and values; the value of a last key without one is "".
func dict(x *exec, n *parse.IdentifierNode, args []value) (value, error) {
	m := map[string]any{}
	d := value{v: m, children: &children{dict: map[string]value{}}}
	for i := 0; i < len(args); i += 2 {
		if err := x.checkSize(args[i].v, n); err != nil {
			return value{}, err
		}
		key := fmt.Sprint(args[i].v)
		val := constant("")
		if i+1 < len(args) {
			val = args[i+1]
		}
		m[key], d.children.dict[key] = val.v, val
		d.input = d.input || val.input
	}
	return x.derived(d, value{}, args), nil
}

// get returns the value of a key like sprig's get, or "" if the map lacks the key. A dict may have
// a key whose value is absent in the input; that value stays absent.
func get(x *exec, n *parse.IdentifierNode, args []value) (value, error) {
	v, err := index(x, n, args)
	m, _ := args[0].v.(map[string]any)
	key, _ := args[1].v.(string)
	if _, has := m[key]; v.absent && !has {
		v.v = ""
	}
	return v, err
}

// dig follows keys into its last argument, a map, like sprig's dig. If a key is absent, it returns
// the default, which is the argument before the map.
func dig(x *exec, n *parse.IdentifierNode, args []value) (value, error) {
	last := len(args) - 1
	v, err := index(x, n, append([]value{args[last]}, args[:last-1]...))
	if err == nil && v.absent {
		return x.dependent(args[last-1], []value{v}), nil
	}
	return v, err
}

// firstOrLast evaluates first or last on a list.
func firstOrLast(x *exec, n *parse.IdentifierNode, args []value) (value, error) {
	count, ok := lengthOf(args[0].v)
	if n.Ident == "first" {
		count = 1
	}
	v, err := indexOne(x.lines(args[0]), constant(max(count-1, 0)))
	if err != nil || !ok {
		return value{}, x.errorf(
			n, code.EvalTemplate, "%s of %s%s", n.Ident, function.Describe(args[0].v), where(args[0].at),
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
func length(x *exec, n *parse.IdentifierNode, args []value) (value, error) {
	count, ok := lengthOf(args[0].v)
	switch v := args[0].v.(type) {
	case map[string]any:
		count, ok = len(v), true
	case string:
		count, ok = len(v), true
	}
	if !ok {
		return value{}, x.errorf(n, code.EvalTemplate, "len of %s%s", function.Describe(args[0].v), where(args[0].at))
	}
	return value{v: count, input: args[0].input}, nil
}

// index evaluates the function index of text/template, except that a missing element is an absent
// value and not an error.
func index(x *exec, n *parse.IdentifierNode, args []value) (value, error) {
	v := args[0]
	for _, key := range args[1:] {
		next, err := x.below(v, key, n)
		if err != nil {
			return value{}, x.errorf(n, code.EvalTemplate, "index: %s", err)
		}
		next.input, next.open = next.input || key.input, next.open || key.unknown()
		if x.redacts(key) {
			next.at = nil // the path would show the key
		}
		v = next
	}
	return v, nil
}

// below returns the element of a value at a key.
func (x *exec) below(v, key value, n parse.Node) (value, error) {
	if isStub(v) || isStub(key) {
		return x.probe.at(v, key, x.use(n)), nil
	}
	return indexOne(x.lines(v), key)
}

func indexOne(v, key value) (value, error) {
	if v.isWholePlaceholder() {
		return v.inside(), nil
	}
	if key.absent {
		return key, nil
	}
	s, isText := key.v.(string)
	i, isNumber := function.Whole(key.v)
	switch v.v.(type) {
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
			return value{}, fmt.Errorf("a map%s has no key that is %s", where(v.at), function.Describe(key.v))
		}
		return v.key(s), nil
	case []any:
		if !isNumber {
			return value{}, fmt.Errorf("a list%s has no element at %s", where(v.at), function.Describe(key.v))
		}
		return v.element(i), nil
	}
	if text, isText := v.v.(string); isText && isNumber {
		if i < 0 || i >= len(text) {
			return value{absent: true, input: v.input}, nil
		}
		return v.made(reflect.ValueOf(text[i])), nil
	}
	return value{}, fmt.Errorf(
		"can't look into %s%s with %s", function.Describe(v.v), where(v.at), function.Describe(key.v),
	)
}

// made returns a part of a function's result, with the provenance of that result.
func (v value) made(part reflect.Value) value {
	if !part.IsValid() {
		return value{absent: true, input: v.input, open: v.open}
	}
	return value{v: part.Interface(), input: v.input, source: v.source, open: v.open, scope: v.within()}
}

func include(x *exec, n *parse.IdentifierNode, args []value) (value, error) {
	name, ok := args[0].v.(string)
	if !ok {
		return value{}, x.errorf(
			n, code.EvalTemplate, "include wants a template's name first and got %s", function.Describe(args[0].v),
		)
	}
	if x.t.Find(name) == nil && x.redacts(args[0]) {
		name = hiddenMessage
	}
	return x.include(name, args[1], n)
}

// lookup evaluates lookupCR, which needs exactly one match, or lookupCRs.
func lookup(x *exec, n *parse.IdentifierNode, args []value) (value, error) {
	var q [4]string
	for i, a := range args {
		s, ok := a.v.(string)
		if !ok && a.v != nil {
			return value{}, x.errorf(
				n,
				code.EvalTemplate,
				"lookupCR(s) wants a string as argument %d and got %s%s",
				i+1,
				function.Describe(a.v),
				where(a.at),
			)
		}
		q[i] = s
	}
	found, err := x.find(n, q, args)
	switch {
	case err != nil:
		return value{}, err
	case n.Ident == "lookupCRs":
		return x.fromInput(found), nil
	case len(found) != 1:
		return value{input: true}, nil
	}
	return x.fromInput(found[0]), nil
}

// find looks up objects. q is the query, and args are the values that it was made from.
func (x *exec) find(n parse.Node, q [4]string, args []value) ([]any, error) {
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
func oldCR(x *exec, n *parse.IdentifierNode, _ []value) (value, error) {
	if x.Old == nil {
		return value{input: true}, nil
	}
	old := x.Old()
	if old == nil {
		return value{input: true}, nil
	}
	found, err := x.others(n, []map[string]any{old})
	if err != nil {
		return value{}, err
	}
	return x.fromInput(found[0]), nil
}

// inputFiles returns the names of the input's files whose last elements match a glob.
func inputFiles(x *exec, n *parse.IdentifierNode, args []value) (value, error) {
	glob, ok := args[0].v.(string)
	if _, err := path.Match(glob, ""); err != nil || !ok {
		return value{}, x.errorf(n, code.EvalTemplate, "inputFiles wants a glob and got %s", function.Describe(args[0].v))
	}
	found := []any{}
	if x.Files != nil {
		for _, name := range x.Files(glob) {
			found = append(found, name)
		}
	}
	return value{v: found, input: true}, nil
}

// others converts objects other than the one that the template is executed on. A template that
// changes maps gets copies.
func (x *exec) others(n parse.Node, found []map[string]any) ([]any, error) {
	all := make([]any, len(found))
	for i, o := range found {
		if secret.Of(o).IsObject() {
			x.secrets = append(x.secrets, o)
		}
		all[i] = o
		if !x.t.Mutates {
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
func listLength(x *exec, n *parse.IdentifierNode, args []value) (value, error) {
	limit, ok := function.Whole(args[0].v)
	if !ok {
		return value{}, x.errorf(
			n,
			code.EvalTemplate,
			"the check of a list's length wants a number first and got %s",
			function.Describe(args[0].v),
		)
	}
	name, at := "the list", args[1].at
	if p := at.path(); p != nil {
		name = p.String()
	}
	count, isList := lengthOf(args[1].v)
	items := finding.Plural(count, "item", "items")
	message := ""
	switch {
	case !isList:
		message = fmt.Sprintf("%s is %s, but a list is expected", name, function.Describe(args[1].v))
	case n.Ident == "maxListLength" && count > limit:
		message = fmt.Sprintf("%s has %s, more than the %d allowed", name, items, limit)
	case n.Ident == "minListLength" && count < limit:
		message = fmt.Sprintf("%s has %s, fewer than the %d allowed", name, items, limit)
	default:
		return value{v: "", input: true}, nil
	}
	return value{}, &failure{message: message, at: at}
}
