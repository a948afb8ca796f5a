package render

import (
	"fmt"
	"reflect"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/Masterminds/sprig/v3"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
)

// functions returns everything a template can call: what text/template has built in, sprig's text functions without
// those that read the environment or the network, the conversions that Helm made customary, and our own.
func functions() map[string]function {
	all := map[string]function{}
	add := func(m map[string]any) {
		for name, f := range m {
			all[name] = function{name: name, call: reflect.ValueOf(f)}
		}
	}
	add(sprig.TxtFuncMap())
	for _, name := range []string{"env", "expandenv", "getHostByName"} {
		delete(all, name)
	}
	add(replacedFunctions())
	add(map[string]any{
		"print": fmt.Sprint, "printf": fmt.Sprintf, "println": fmt.Sprintln, "slice": slice,
		"html": template.HTMLEscaper, "js": template.JSEscaper, "urlquery": template.URLQueryEscaper,
		"not":    func(v any) bool { return !truth(v) },
		"toYaml": toYaml, "fromYaml": fromYaml, "fromYamlArray": fromYamlArray,
		"toJson": toJSON, "fromJson": fromJSON, "fromJsonArray": fromJSONArray, "toToml": toTOML,
		"fail":       func(message string) (string, error) { return "", &failure{message: message} },
		"doNotMatch": func(reason string) (string, error) { return "", &Refused{Reason: reason} },
		"cpuSetSize": cpuSetSize, "cpuSetsOverlap": cpuSetsOverlap,
	})
	for name, f := range natives() {
		all[name] = function{name: name, native: f}
	}
	for _, name := range strings.Fields(`default coalesce ternary hasKey dig empty and or not kindIs kindOf typeOf typeIs
		typeIsLike all any len eq ne has`) {
		f := all[name]
		f.copes = true
		all[name] = f
	}
	for _, name := range strings.Fields("set unset merge mergeOverwrite mustMerge mustMergeOverwrite") {
		f := all[name]
		f.mutates = true
		all[name] = f
	}
	return all
}

// natives are the functions that look at the provenance of their arguments.
func natives() map[string]native {
	m := map[string]native{
		"and": nil, "or": nil, // evaluated by shortCircuit; here so that the parser knows the names
		"index": index, "len": length, "call": callValue,
		"list": list, "tuple": list, "dict": dict, "get": get, "dig": dig, "first": edge(false), "last": edge(true),
		"default": defaultTo, "coalesce": coalesce, "ternary": ternary,
		"include": include, "lookupCR": lookupOne, "lookupCRs": lookupAll,
		"maxListLength": listLength("more than", func(n, limit int) bool { return n <= limit }),
		"minListLength": listLength("fewer than", func(n, limit int) bool { return n >= limit }),
	}
	for _, name := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
		m[name] = comparison(name)
	}
	return m
}

// arity checks the number of arguments of a native function.
func (x *exec) arity(n parse.Node, args []value, name string, least, most int) error {
	if len(args) < least || len(args) > most {
		return x.errorf(n, code.EvalTemplate, "%s got %d arguments and needs %d", name, len(args), least)
	}
	return nil
}

// isEmpty is sprig's notion of empty, which default and coalesce go by: the zero value of any type.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case struct{}:
		return false
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.Array, reflect.Slice, reflect.Map, reflect.String:
		return rv.Len() == 0
	case reflect.Struct:
		return false
	}
	return rv.IsZero()
}

func defaultTo(x *exec, n parse.Node, args []value) (value, error) {
	if err := x.arity(n, args, "default", 1, 2); err != nil {
		return value{}, err
	}
	if len(args) == 2 && !isEmpty(args[1].v) {
		return cope(args[1]), nil
	}
	return x.chosen(args[0], args[1:]...), nil
}

// chosen is a value that a function picked because of what others are, on which the result depends as well. For an identity it is
// what the template itself gives.
func (x *exec) chosen(v value, others ...value) value {
	for _, o := range others {
		v.input = v.input || o.input && !x.identity
	}
	return cope(v)
}

func coalesce(x *exec, _ parse.Node, args []value) (value, error) {
	for i, a := range args {
		if !isEmpty(a.v) {
			return x.chosen(a, args[:i]...), nil
		}
	}
	none := value{}
	for _, a := range args {
		none.input = none.input || a.input
	}
	return none, nil
}

func ternary(x *exec, n parse.Node, args []value) (value, error) {
	if err := x.arity(n, args, "ternary", 3, 3); err != nil {
		return value{}, err
	}
	condition, ok := args[2].v.(bool)
	if !ok && args[2].v != nil {
		return value{}, x.errorf(n, code.EvalTemplate, "ternary wants true or false as its last argument and got %s%s", describe(args[2].v), where(args[2].at))
	}
	v := args[1]
	if condition {
		v = args[0]
	}
	return x.chosen(v, args[2]), nil
}

// list builds a list whose elements keep their provenance.
func list(x *exec, _ parse.Node, args []value) (value, error) {
	l := value{v: make([]any, len(args)), kids: &kids{list: args}}
	for i, a := range args {
		l.v.([]any)[i] = a.v
		l.input = l.input || a.input
	}
	return x.derived(l, value{}, args), nil
}

// dict builds a map whose values keep their provenance. As sprig's, it takes keys and values in turn; a last key without
// a value gets "".
func dict(x *exec, n parse.Node, args []value) (value, error) {
	m := map[string]any{}
	d := value{v: m, kids: &kids{dict: map[string]value{}}}
	for i := 0; i < len(args); i += 2 {
		if err := x.weigh(args[i].v, n); err != nil {
			return value{}, err
		}
		key := fmt.Sprint(args[i].v)
		val := constant("")
		if i+1 < len(args) {
			val = args[i+1]
		}
		m[key], d.kids.dict[key] = val.v, val
		d.input = d.input || val.input
	}
	return x.derived(d, value{}, args), nil
}

// get is sprig's: the value of a key, or "" where the map lacks it.
func get(x *exec, n parse.Node, args []value) (value, error) {
	if err := x.arity(n, args, "get", 2, 2); err != nil {
		return value{}, err
	}
	v, err := index(x, n, args)
	if v.absent {
		v.v = ""
	}
	return v, err
}

// dig is sprig's: it follows keys into a map, which comes last, and returns what stands before it where one of them is absent.
func dig(x *exec, n parse.Node, args []value) (value, error) {
	last := len(args) - 1
	if last < 2 {
		return value{}, x.errorf(n, code.EvalTemplate, "dig needs keys, a default and a map, and got %d arguments", len(args))
	}
	v, err := index(x, n, append([]value{args[last]}, args[:last-1]...))
	if err == nil && v.absent {
		return x.chosen(args[last-1], v), nil
	}
	return cope(v), err
}

// edge returns first or last.
func edge(last bool) native {
	return func(x *exec, n parse.Node, args []value) (value, error) {
		if err := x.arity(n, args, "first and last", 1, 1); err != nil {
			return value{}, err
		}
		i := 0
		if last && args[0].v != nil {
			rv := reflect.ValueOf(args[0].v)
			if rv.Kind() == reflect.Slice || rv.Kind() == reflect.Array {
				i = max(rv.Len()-1, 0)
			}
		}
		v, err := indexOne(x.lines(args[0]), constant(i))
		if err != nil {
			return value{}, x.errorf(n, code.EvalTemplate, "%s", err)
		}
		return v, nil
	}
}

func include(x *exec, n parse.Node, args []value) (value, error) {
	if err := x.arity(n, args, "include", 2, 2); err != nil {
		return value{}, err
	}
	name, ok := args[0].v.(string)
	if !ok {
		return value{}, x.errorf(n, code.EvalTemplate, "include wants a template's name first and got %s", describe(args[0].v))
	}
	if x.t.find(name) == nil && x.redacts(args[0]) {
		name = hiddenMessage
	}
	return x.include(name, args[1], n)
}

// query reads the four strings of a lookup.
func (x *exec) query(n parse.Node, args []value) ([4]string, error) {
	var q [4]string
	if err := x.arity(n, args, "lookupCR(s)", 4, 4); err != nil {
		return q, err
	}
	for i, a := range args {
		s, ok := a.v.(string)
		if !ok && a.v != nil {
			return q, x.errorf(n, code.EvalTemplate, "lookupCR(s) wants a string as argument %d and got %s%s", i+1, describe(a.v), where(a.at))
		}
		q[i] = s
	}
	return q, nil
}

func lookupAll(x *exec, n parse.Node, args []value) (value, error) {
	q, err := x.query(n, args)
	if err != nil {
		return value{}, err
	}
	found, err := x.find(n, q, args)
	if err != nil {
		return value{}, err
	}
	l := make([]any, len(found))
	for i, o := range found {
		l[i] = o
	}
	return x.entered(l), nil
}

func lookupOne(x *exec, n parse.Node, args []value) (value, error) {
	q, err := x.query(n, args)
	if err != nil {
		return value{}, err
	}
	found, err := x.find(n, q, args)
	if err != nil {
		return value{}, err
	}
	if len(found) != 1 {
		return value{input: true}, nil
	}
	return x.entered(found[0]), nil
}

// find asks for objects; args are what the query was read from. A template that changes maps gets copies.
func (x *exec) find(n parse.Node, q [4]string, args []value) ([]map[string]any, error) {
	if x.lookup == nil {
		return nil, nil
	}
	found := x.lookup(q[0], q[1], q[2], q[3])
	x.noteQuery(q, args, len(found), n)
	if err := x.spend(n, len(found)); err != nil {
		return nil, err
	}
	for _, o := range found {
		if secret.Of(o).IsObject() {
			x.secrets = append(x.secrets, o)
		}
	}
	if !x.t.mutates {
		return found, nil
	}
	copies := make([]map[string]any, len(found))
	for i, o := range found {
		size, err := x.size(o, true, n)
		if err == nil {
			err = x.spend(n, size.Nodes)
		}
		if err != nil {
			return nil, err
		}
		copies[i] = tree.Copy(o).(map[string]any)
	}
	return copies, nil
}

// listLength returns a check of a list's length: it prints nothing where the length is allowed and is a finding else.
func listLength(what string, allowed func(n, limit int) bool) native {
	return func(x *exec, n parse.Node, args []value) (value, error) {
		if err := x.arity(n, args, "the check of a list's length", 2, 2); err != nil {
			return value{}, err
		}
		limit, ok := asIndex(args[0].v)
		if !ok {
			return value{}, x.errorf(n, code.EvalTemplate, "the check of a list's length wants a number first and got %s", describe(args[0].v))
		}
		count := 0
		if args[1].v != nil {
			rv := reflect.ValueOf(args[1].v)
			if rv.Kind() != reflect.Slice && rv.Kind() != reflect.Array {
				return value{}, &failure{fmt.Sprintf("%s is %s where a list is expected", nameOf(args[1].at), describe(args[1].v)), args[1].at}
			}
			count = rv.Len()
		}
		if !allowed(count, limit) {
			return value{}, &failure{fmt.Sprintf("%s has %d items, %s the %d allowed", nameOf(args[1].at), count, what, limit), args[1].at}
		}
		return value{v: "", input: true}, nil
	}
}

// nameOf names a value by its place.
func nameOf(at *place) string {
	if p := at.path(); p != nil {
		return p.String()
	}
	return "the list"
}
