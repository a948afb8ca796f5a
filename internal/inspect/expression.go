package inspect

import (
	"slices"
	"strconv"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/refconfig"
)

// pipe evaluates a pipeline and sets its variables.
func (w *walker) pipe(dot value, p *parse.PipeNode) value {
	val := w.commands(dot, p)
	for _, d := range p.Decl {
		w.set(p.IsAssign, d.Ident[0], val)
	}
	return val
}

// commands evaluates the commands of a pipeline.
func (w *walker) commands(dot value, p *parse.PipeNode) value {
	var val value
	for i, c := range p.Cmds {
		var final *value
		if i > 0 {
			last := val
			final = &last
		}
		val = w.command(dot, c, final)
	}
	return val
}

func (w *walker) command(dot value, c *parse.CommandNode, final *value) value {
	if f := w.function(c.Args[0]); f != nil {
		args := make([]value, 0, len(c.Args))
		for _, a := range c.Args[1:] {
			args = append(args, w.operand(dot, a))
		}
		if final != nil {
			args = append(args, *final)
		}
		return w.apply(f, args, c)
	}
	val := w.operand(dot, c.Args[0])
	if len(c.Args) == 1 && final == nil {
		return val
	}
	all := []value{val} // a method with arguments
	for _, a := range c.Args[1:] {
		all = append(all, w.operand(dot, a))
	}
	return unknown(all...)
}

// operand evaluates a node by itself.
func (w *walker) operand(dot value, n parse.Node) value {
	if w.steps++; w.steps > mostSteps {
		w.cut = true
		return unknown()
	}
	switch n := n.(type) {
	case *parse.DotNode:
		return dot.readAt(w.use(n))
	case *parse.FieldNode:
		return w.fields(dot, n.Ident, n)
	case *parse.VariableNode:
		if v := w.variable(n.Ident[0]); v != nil {
			return w.fields(v.val.readAt(w.use(n)), n.Ident[1:], n)
		}
	case *parse.ChainNode:
		return w.fields(w.operand(dot, n.Node), n.Field, n)
	case *parse.PipeNode:
		return w.pipe(dot, n)
	case *parse.IdentifierNode:
		return w.apply(w.function(n), nil, &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pos, Args: []parse.Node{n}})
	case *parse.StringNode:
		return stated(n.Text)
	case *parse.BoolNode:
		return stated(n.True)
	case *parse.NilNode:
		return stated(nil)
	case *parse.NumberNode:
		switch {
		case n.IsInt:
			return stated(int(n.Int64))
		case n.IsFloat:
			return stated(n.Float64)
		}
	}
	return unknown()
}

// fields follows .a.b.c from a value.
func (w *walker) fields(v value, names []string, n parse.Node) value {
	if len(names) > deepestField {
		w.cut = true // no CR is so deep
		return unknown(w.fields(v, names[:deepestField], n))
	}
	for _, name := range names {
		v = v.step(refconfig.Key(name), w.use(n))
	}
	return v
}

// apply is a call of a function.
func (w *walker) apply(f *function.Function, args []value, n *parse.CommandNode) value {
	if special := specials()[f.Name]; special != nil {
		return special(w, f, args, n)
	}
	return w.made(f, args)
}

// special is a function that is followed in a way of its own.
type special func(w *walker, f *function.Function, args []value, n *parse.CommandNode) value

func specials() map[string]special {
	return map[string]special{
		"and": both, "or": first, "coalesce": first, "default": defaulted, "ternary": ternary, "not": negated,
		"index": index, "get": index, "dig": dig, "hasKey": hasKey, "list": list, "tuple": list, "dict": dict,
		"eq": comparison, "ne": comparison, "lt": comparison, "le": comparison, "gt": comparison, "ge": comparison,
		"has": membership, "mustHas": membership, "include": include, "lookupCR": lookup, "lookupCRs": lookup, "set": set,
		"maxListLength": listLength, "minListLength": listLength, "kindIs": kindIs, "first": edge, "last": edge,
		"append": appended, "mustAppend": appended, "prepend": appended, "concat": appended,
	}
}

// made is a value that a function makes of others.
func (w *walker) made(f *function.Function, args []value) value {
	v := unknown(args...)
	v.blank, v.gone, v.sure = without(f, args)
	if f.Unsteady != "" {
		v.sure = false
	}
	v.untold = len(v.of) == 0
	var subject value
	var against []any
	subjects := 0
	for _, a := range args {
		if c, ok := a.literal(); ok {
			against = append(against, c)
		} else if len(a.origins()) > 0 {
			subject, subjects = a, subjects+1
		}
	}
	v.mixed = subjects != 1 || len(v.of) != 1 || subject.listed || subject.mixed || len(subject.through) >= deepestField
	if !v.mixed {
		v.through = append(slices.Clip(subject.through), f.Name)
	}
	if subjects == 1 && slices.Contains(strings.Fields(constraining), f.Name) {
		w.held(subject, f.Name, against)
		v.present = subject.is // of nothing it is not true
	}
	for i, a := range args {
		w.typed(a, takenFor(f.Name, i, len(args)))
	}
	if slices.Contains([]string{"doNotMatch", "fail", "violation", "note"}, f.Name) {
		return value{untold: true}
	}
	return v
}

// constraining are functions that hold an argument against what the others state.
const constraining = "regexMatch mustRegexMatch regexFind mustRegexFind hasPrefix hasSuffix contains semverCompare cpuSetsOverlap cpuSetsEqual quantityEqual quantityCompare"

// takenFor says of what type an argument of a function has to be; "" where that is open.
func takenFor(name string, i, of int) string {
	switch name {
	case "fromJson", "mustFromJson":
		return "string of JSON"
	case "fromYaml", "fromYamlArray":
		return "string of YAML"
	case "regexMatch", "mustRegexMatch", "regexFind", "mustRegexFind":
		if i == 1 {
			return "string"
		}
	case "hasPrefix", "hasSuffix", "contains", "trimSuffix", "trimPrefix", "trimAll", "indent", "nindent", "splitList", "split", "replace",
		"semverCompare":
		if i == of-1 {
			return "string"
		}
	case "trim", "upper", "lower", "b64dec", "semver", "cpuSetSize", "cpuSetsOverlap", "cpuSetsEqual":
		return "string"
	case "keys", "values":
		return "map"
	}
	return ""
}

func both(_ *walker, _ *function.Function, args []value, _ *parse.CommandNode) value {
	if len(args) > mostAlternatives {
		return unknown(args...)
	}
	v := oneOf(args)
	for _, a := range args {
		v.present = union(v.present, a.present)
	}
	if len(args) == 1 {
		return args[0]
	}
	return v
}

func first(_ *walker, f *function.Function, args []value, _ *parse.CommandNode) value {
	if len(args) > mostAlternatives {
		return unknown(args...)
	}
	v := oneOf(args)
	v.sure = len(args) > 0
	for _, a := range args {
		if v.sure, v.blank = v.sure && a.sure, a.blank; !v.sure || !function.Empty(a.blank) {
			break
		}
		if f.Name == "coalesce" {
			v.blank = nil
		}
	}
	v.present = nil
	for i, a := range args {
		if v.present = slices.DeleteFunc(v.present, func(o origin) bool { return !slices.ContainsFunc(a.present, o.alike) }); i == 0 {
			v.present = slices.Clone(a.present)
		}
	}
	return v
}

// oneOf is a value that is one of several, or depends on them.
func oneOf(args []value) value {
	var v value
	for i, a := range args {
		if v = either(v, a); i == 0 {
			v = a
		}
	}
	v.present, v.sure, v.gone = nil, false, false
	return v
}

func defaulted(w *walker, f *function.Function, args []value, n *parse.CommandNode) value {
	if len(args) < 2 {
		return oneOf(args)
	}
	v := first(w, f, []value{args[1], args[0]}, n)
	if _, ok := args[0].constant(); ok && len(args[1].is)+len(args[1].of) > 0 {
		v.known = args[1].known // the default is told as such
	}
	return v
}

func ternary(_ *walker, _ *function.Function, args []value, _ *parse.CommandNode) value {
	if len(args) != 3 {
		return unknown(args...)
	}
	v := either(args[0], args[1])
	v.of = union(v.of, args[2].origins())
	return v
}

func negated(w *walker, f *function.Function, args []value, _ *parse.CommandNode) value {
	v := w.made(f, args)
	v.through, v.present = nil, nil
	return v
}

func index(w *walker, f *function.Function, args []value, n *parse.CommandNode) value {
	if len(args) == 0 {
		return unknown()
	}
	v := args[0]
	for _, key := range args[1:] {
		v = w.under(v, key, n)
	}
	return v
}

// under is what lies in a value at a key that is a value too.
func (w *walker) under(v, key value, n parse.Node) value {
	c, _ := key.constant()
	switch c := c.(type) {
	case string:
		return v.step(refconfig.Key(c), w.use(n))
	case int:
		return v.step(refconfig.Step{Index: c, Key: strconv.Itoa(c)}, w.use(n))
	}
	w.tested(key)
	part := v.step(refconfig.Step{Index: -1, Any: true}, w.use(n))
	part.sure, part.untold = false, true
	return part
}

func dig(w *walker, f *function.Function, args []value, n *parse.CommandNode) value {
	if len(args) < 3 {
		return unknown(args...)
	}
	last := len(args) - 1
	v := args[last]
	for _, key := range args[:last-1] {
		v = w.under(v, key, n)
	}
	return defaulted(w, f, []value{args[last-1], v}, n)
}

func hasKey(w *walker, _ *function.Function, args []value, n *parse.CommandNode) value {
	if len(args) != 2 {
		return unknown(args...)
	}
	part := w.under(args[0], args[1], n)
	v := unknown(part)
	v.untold, v.present = false, part.is
	return v
}

func list(_ *walker, _ *function.Function, args []value, _ *parse.CommandNode) value {
	return built(value{list: args, listed: true})
}

func dict(_ *walker, _ *function.Function, args []value, _ *parse.CommandNode) value {
	v := value{dict: map[string]value{}, listed: true}
	for i := 0; i+1 < len(args); i += 2 {
		key, ok := args[i].constant()
		name, isText := key.(string)
		if !ok || !isText {
			return unknown(args...)
		}
		v.dict[name] = args[i+1]
	}
	return built(v)
}

// built is a list or dict that the template builds.
func built(v value) value {
	v.blank, v.sure = v.literal()
	return v
}

func include(w *walker, _ *function.Function, args []value, n *parse.CommandNode) value {
	if len(args) != 2 {
		return unknown(args...)
	}
	name, _ := args[0].constant()
	called, ok := name.(string)
	if !ok {
		w.tested(args[0])
		w.consume(args[1].origins(), Computed, nil)
		w.cut = true
		return unknown(args...)
	}
	before := w.text
	w.text = &value{}
	w.call(called, args[1], n)
	inside := *w.text
	w.text = before
	return unknown(inside)
}

func set(w *walker, _ *function.Function, args []value, n *parse.CommandNode) value {
	all := unknown(args...)
	if len(n.Args) > 1 {
		if name, ok := n.Args[1].(*parse.VariableNode); ok {
			w.set(true, name.Ident[0], all)
		}
	}
	return all
}

// appended is a list made of others.
func appended(_ *walker, _ *function.Function, args []value, _ *parse.CommandNode) value {
	v := unknown(args...)
	v.mixed = true
	return v
}
