package render

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/refconfig"
)

// Hooks take the place of steps of an execution that cannot know their values, because there is no
// object. The package probe has two sets of them.
type Hooks struct {
	// Unknown reports whether a value is unknown. Branch, Loop and Below are called for such values.
	Unknown func(v Value) bool
	// List is called before a list of nodes is executed. It may be nil.
	List func(l *parse.ListNode)
	// Call calls a function.
	Call func(x *Execution, dot Value, f *function.Function, n *parse.IdentifierNode, args Operands) (Value, error)
	// Below returns the value below v at a key, if one of the two is unknown.
	Below func(x *Execution, v, key Value, n parse.Node) Value
	// Fails is called if a pipeline fails.
	Fails func(pipeline parse.Node, err error)
	// Print prints the value of an action.
	Print func(x *Execution, val Value, n *parse.ActionNode)
	// Branch executes a condition on a value.
	Branch func(x *Execution, dot, val Value, b *parse.BranchNode, with bool) error
	// Loop executes a loop over a value.
	Loop func(x *Execution, dot, val Value, r *parse.RangeNode) error
	// Rounds returns the rounds of a loop over a known value.
	Rounds func(all iter.Seq2[Value, Value]) iter.Seq2[Value, Value]
	// Enter is called before a named template is executed, and leave after that. If leave is nil, the
	// template is not executed.
	Enter func(x *Execution, name string, dot Value, n parse.Node) (leave func())
	// Include executes a named template whose output is the result of a call.
	Include func(x *Execution, name string, dot Value, n parse.Node) (Value, error)
	// Aside are nodes that are not executed.
	Aside template.Aside
}

// Explore executes a template with hooks and writes to out. An action that fails prints nothing.
func Explore(
	ctx context.Context, t *template.Template, limits Limits, hooks *Hooks, dot Value, out *Output,
) (*Execution, error) {
	x := Options{Context: ctx, Limits: limits, ShowSecrets: true, Aside: hooks.Aside}.exec(t, out)
	x.tolerant, x.hooks = true, hooks
	return x, x.run(dot)
}

// isUnknown reports whether a hook has to deal with a value.
func (x *Execution) isUnknown(v Value) bool { return x.hooks != nil && x.hooks.Unknown(v) }

// AbsentAt returns the value of a key that the object lacks.
func AbsentAt(key refconfig.Step) Value {
	return Value{Absent: true, Input: true, at: &place{up: root(), key: key.Key, index: key.Index}}
}

// Lacks reports whether a value is absent, or a text from which an absent value is missing.
func (x Value) Lacks() bool { return x.Absent || x.lost != nil }

// IsBelow reports whether a value is at the place of another one or below it.
func (x Value) IsBelow(other Value) bool {
	at := x.at
	for at != nil && at != other.at {
		at = at.up
	}
	return at != nil
}

// IsFailure reports whether an error is a finding on the object, such as that of the function fail.
func IsFailure(err error) bool {
	var failed *failure
	return errors.As(err, &failed)
}

// Print writes a value as the output of an action.
func (x *Execution) Print(val Value, n parse.Node) {
	x.Out.print(Printed{Val: val, file: x.File, pos: n.Position()})
}

// PrintText writes a text as the output of an action.
func (x *Execution) PrintText(text string, n parse.Node) {
	o, start := x.Out, len(x.Out.Buf)
	o.Prints = append(o.Prints, Printed{start: start, end: start + len(text), file: x.File, pos: n.Position()})
	o.Buf = append(o.Buf, text...)
	o.trackLine([]byte(text))
}

// PrintNothing records a value as printed, and writes no text.
func (o *Output) PrintNothing(val Value) {
	o.Prints = append(o.Prints, Printed{start: len(o.Buf), end: len(o.Buf), Val: val})
}

// EndsInKey reports whether only blanks and line breaks follow the colon of a key or the dash of an
// item.
func (o *Output) EndsInKey() bool {
	_, line, ends := lastKey(o.Buf)
	return ends && !bytes.HasPrefix(line, []byte("#"))
}

// Since reports whether something was printed at or after an offset.
func (o *Output) Since(offset int) bool {
	return len(o.Prints) > 0 && o.Prints[len(o.Prints)-1].end >= offset
}

// Trim removes the blanks and line breaks at the end.
func (o *Output) Trim() {
	o.Buf, _, _ = lastKey(o.Buf)
	o.texts = slices.DeleteFunc(o.texts, func(l literal) bool { return l.start > len(o.Buf) })
	o.Prints = slices.DeleteFunc(o.Prints, func(p Printed) bool { return p.start > len(o.Buf) })
}

// PlaceOf returns the place in the templates that a byte of the output comes from.
func (o *Output) PlaceOf(offset int) refconfig.Place {
	file, pos := o.origin(offset)
	if file == nil {
		return refconfig.Place{}
	}
	return file.At(pos)
}
