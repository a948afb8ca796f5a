package celrule

import (
	"errors"
	"regexp"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/interpreter"

	"github.com/validationtool/validationtool/internal/value/pattern"
)

// errTooLarge is the error of a call that is not made, because of the size of its arguments.
var errTooLarge = errors.New("the arguments of a function are too large")

// The largest calls, far beyond what a rule for a CR needs: characters or items of one argument
// times those of another, values in a tree, and the length of a list or text.
const (
	mostWork   = 1 << 26
	mostValues = 1 << 18
	mostLength = 1 << 24
)

// overloads are the implementations of functions, by the name of the overload.
type overloads map[string]*functions.Overload

func overloadsOf(env *cel.Env) overloads {
	all := overloads{}
	for _, f := range env.Functions() {
		bound, err := f.Bindings()
		if err != nil {
			panic(err) // a fault of the table of functions
		}
		for _, b := range bound {
			all[b.Operator] = b
		}
	}
	return all
}

// guard puts a check of the arguments before each call whose work is not proportional to them, or
// for which the library counts one step.
func (all overloads) guard(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	call, ok := i.(interpreter.InterpretableCall)
	if !ok {
		return i, nil
	}
	check, impl := isSmall, all.impl(call.OverloadID())
	if impl == nil { // all overloads of the function have the same
		impl = all.impl(call.Function())
	}
	switch call.Function() {
	case "_==_":
		impl = func(args ...ref.Val) ref.Val { return types.Equal(args[0], args[1]) }
	case "_!=_":
		impl = func(args ...ref.Val) ref.Val {
			same, isBool := types.Equal(args[0], args[1]).(types.Bool)
			return types.Bool(!isBool || !bool(same))
		}
	case "_+_": // each step of map makes one, so the items are not counted
		check = func(args ...ref.Val) bool { return length(args[0])+length(args[1]) <= mostLength }
	case "@in", "isSorted", "sum", "min", "max", "includes", "sort", "@sortByAssociatedKeys", "flatten",
		"reverse", "slice":
	case "matches", "find", "findAll":
		check = func(args ...ref.Val) bool {
			expression, _ := args[1].(types.String)
			return isMatchable(args[0], steps(string(expression)))
		}
	case "replace", "join", "indexOf", "lastIndexOf", "split", "format", "distinct",
		"sets.contains", "sets.equivalent", "sets.intersects":
		check = isShort
	default:
		return i, nil
	}
	if impl == nil {
		return i, nil
	}
	guarded := func(args ...ref.Val) ref.Val {
		if !check(args...) {
			return types.WrapErr(errTooLarge)
		}
		return impl(args...)
	}
	return interpreter.NewCall(call.ID(), call.Function(), call.OverloadID(), call.Args(), guarded), nil
}

// constantRegexes compiles regular expressions that are constants once. It keeps the guard.
func constantRegexes() (found []*interpreter.RegexOptimization) {
	for _, name := range []string{"matches", "find", "findAll"} {
		found = append(found, &interpreter.RegexOptimization{
			Function: name, RegexIndex: 1,
			Factory: func(call interpreter.InterpretableCall, text string) (interpreter.InterpretableCall, error) {
				re, err := regexp.Compile(text)
				if err != nil || len(call.Args()) > 2 {
					return call, err
				}
				impl := matching(name, re, steps(text))
				return interpreter.NewCall(call.ID(), name, call.OverloadID(), call.Args(), impl), nil
			},
		})
	}
	return found
}

// matching returns the implementation of a function for one regular expression, which takes so many
// steps for a character.
func matching(name string, re *regexp.Regexp, each uint64) functions.FunctionOp {
	return func(args ...ref.Val) ref.Val {
		text, isText := args[0].Value().(string)
		switch {
		case !isText:
			return types.MaybeNoSuchOverloadErr(args[0])
		case !isMatchable(args[0], each):
			return types.WrapErr(errTooLarge)
		case name == "matches":
			return types.Bool(re.MatchString(text))
		case name == "find":
			return types.String(re.FindString(text))
		}
		return types.NewStringList(types.DefaultTypeAdapter, re.FindAllString(text, -1))
	}
}

// impl returns an implementation for any number of arguments; nil for none.
func (all overloads) impl(name string) functions.FunctionOp {
	switch f := all[name]; {
	case f == nil:
		return nil
	case f.Function != nil:
		return f.Function
	case f.Binary != nil:
		return func(args ...ref.Val) ref.Val { return f.Binary(args[0], args[1]) }
	case f.Unary != nil:
		return func(args ...ref.Val) ref.Val { return f.Unary(args[0]) }
	}
	return nil
}

// isSmall reports whether the arguments have few values.
func isSmall(args ...ref.Val) bool {
	left := uint64(mostValues)
	for _, a := range args {
		if left = count(a, left); left == 0 {
			return false
		}
	}
	return true
}

// isShort reports whether the first argument, times the others, is little work.
func isShort(args ...ref.Val) bool {
	if !isSmall(args...) {
		return false
	}
	first, others := length(args[0])+1, uint64(1)
	for _, a := range args[1:] {
		others += length(a)
	}
	if len(args) == 1 { // each item with each
		others = first
	}
	return first <= mostWork/others
}

// steps returns how many steps a regular expression takes for a character at most; 1 for an invalid
// one.
func steps(expression string) uint64 {
	const longest = 20_000
	if len(expression) > longest {
		return mostWork
	}
	return uint64(pattern.Instructions(expression))
}

// isMatchable reports whether it is little work to match a text, with steps for each character.
func isMatchable(text ref.Val, each uint64) bool { return length(text)+1 <= mostWork/each }

// length returns the characters or items of a value.
func length(v ref.Val) uint64 {
	switch v := v.(type) {
	case types.String:
		return uint64(len(v))
	case types.Bytes:
		return uint64(len(v))
	case traits.Sizer:
		if n, isInt := v.Size().(types.Int); isInt {
			return uint64(n)
		}
	}
	return 1
}

// count counts down by the values in a tree, to zero.
func count(v ref.Val, left uint64) uint64 {
	if left == 0 {
		return 0
	}
	left--
	switch v := v.(type) {
	case types.String, types.Bytes:
		const perValue = 64 // characters
		left -= min(left, length(v)/perValue)
	case traits.Lister:
		if length(v) > left {
			return 0
		}
		for it := v.Iterator(); it.HasNext() == types.True && left > 0; {
			left = count(it.Next(), left)
		}
	case traits.Mapper:
		if length(v) > left {
			return 0
		}
		for it := v.Iterator(); it.HasNext() == types.True && left > 0; {
			x, _ := v.Find(it.Next())
			left = count(x, left)
		}
	}
	return left
}

// costs counts the steps of calls.
type costs struct{}

// CallCost implements cost.ActualCostEstimator: a step for ten characters or one value that a call
// reads or makes, and for regular expressions, times a quarter of the length of the expression.
func (costs) CallCost(function, _ string, args []ref.Val, result ref.Val) *uint64 {
	const perStep = 10 // characters
	cost := uint64(1)
	switch function {
	case "_&&_", "_||_", "_?_:_", "!_", "@not_strictly_false", "_[_]", "_[?_]", "_?._":
		return nil
	case "matches", "find", "findAll", "validate":
		cost += (length(args[0])/perStep + 1) * (length(args[len(args)-1])/4 + 1)
		return &cost
	case "_==_", "_!=_", "@in", "isSorted", "sum", "min", "max", "indexOf", "lastIndexOf", "includes":
		for _, a := range args {
			cost += mostValues - count(a, mostValues)
		}
		return &cost
	}
	for _, v := range append([]ref.Val{result}, args...) {
		switch v.(type) {
		case types.String, types.Bytes:
			cost += length(v) / perStep
		case traits.Lister:
			if function == "distinct" || function == "sort" {
				cost += length(v)
			}
		}
	}
	return &cost
}
