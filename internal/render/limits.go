package render

import (
	"cmp"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/internal/watch"
)

// Limits of one execution. A zero field means its default.
type Limits struct {
	Steps  int // nodes executed, with names of chains and rounds of loops
	Output int // bytes printed, and made by one call
	Calls  int // templates calling templates
	// of the YAML that is printed, and that functions read; its values are also those that a call
	// gets
	Text kubeyaml.Limits
}

// DefaultLimits are those that a zero field stands for.
func DefaultLimits() Limits {
	return Limits{Steps: 2_000_000, Output: 64 << 20, Calls: 500, Text: kubeyaml.DefaultLimits()}
}

// orDefault fills what was not set.
func (l Limits) orDefault() Limits {
	def := DefaultLimits()
	l.Steps, l.Output, l.Calls = cmp.Or(max(0, l.Steps), def.Steps), cmp.Or(
		max(0, l.Output), def.Output,
	), cmp.Or(max(0, l.Calls), def.Calls)
	l.Text.Nesting, l.Text.Values = cmp.Or(
		max(0, l.Text.Nesting), def.Text.Nesting,
	), cmp.Or(max(0, l.Text.Values), def.Text.Values)
	return l
}

// step counts a node, a name of a chain or a round of a loop, and ends what goes on for too long,
// or after the context.
func (x *exec) step(n parse.Node) error {
	if x.ctx != nil && x.ctx.Err() != nil {
		return x.stop(n, code.Interrupted, "%s", watch.Cause(x.ctx))
	}
	if x.steps++; x.steps > x.limits.Steps {
		return x.stop(
			n,
			code.LimitSteps,
			"the template takes more than %d steps on this CR, the limit; does it loop over its own output? "+
				"raise the limit with --limit steps=N if the template is right",
			x.limits.Steps,
		)
	}
	return nil
}

// grow counts bytes that are printed or stated.
func (x *exec) grow(n parse.Node, bytes int) error {
	if bytes > x.limits.Output-x.made {
		return x.tooMuch(n)
	}
	x.made += bytes
	return nil
}

// tooMuch ends an execution that makes too much text.
func (x *exec) tooMuch(n parse.Node) error {
	return x.stop(n, code.LimitOutput, "the template makes more than %d bytes of text on this CR, the limit; "+
		"raise it with --limit output=N if the template is right", x.limits.Output)
}

// A finding of a template counts as so many bytes, and each key and index of its path.
const (
	printedSize = 128
	placedSize  = 64
)

// tells counts a finding at a place, as long as the path to that is, and so many bytes of text.
func (x *exec) tells(n parse.Node, bytes int, at *place) error {
	for ; at != nil; at = at.up {
		bytes += placedSize
	}
	return x.grow(n, bytes+printedSize)
}

// stop is errorf for what ends the execution also where failing actions are passed over.
func (x *exec) stop(n parse.Node, c code.Code, format string, args ...any) error {
	x.tolerant = false
	return x.errorf(n, c, format, args...)
}

// largest is how large a value may be that a call gets or makes, or that is printed.
func (x *exec) largest() tree.Size {
	const around = 100 // what a template wraps around a CR
	return tree.Size{Nodes: x.limits.Text.Values, Bytes: x.limits.Output, Height: x.limits.Text.Nesting + around}
}

// tooLarge ends an execution on a value that is larger than that.
func (x *exec) tooLarge(size tree.Size, n parse.Node) error {
	most := x.largest()
	switch {
	case size.Height > most.Height:
		return x.stop(n, code.LimitNesting, "a value is nested deeper than %d levels; does it contain itself? "+
			"raise the limit with --limit nesting=N if the template is right", most.Height)
	case size.Nodes > most.Nodes:
		return x.stop(
			n,
			code.LimitValues,
			"a value has more than %d values in it, the limit; raise it with --limit values=N if the template is right",
			most.Nodes,
		)
	}
	return x.tooMuch(n)
}

// admit refuses a call that would make or search too much. Nothing can end it once it has begun.
func (x *exec) admit(f *function.Function, args []any, n parse.Node) error {
	makes, size, ok := f.Makes(args, x.largest())
	switch {
	case !ok:
		return x.tooLarge(size, n)
	case makes.Searched > function.MostSearched:
		return x.stop(
			n,
			code.LimitOutput,
			"%s would take too long: what it is given is too large together; shorten an argument",
			f.Name,
		)
	case makes.Bytes > x.limits.Output:
		return x.tooMuch(n)
	}
	return nil
}

// bounded refuses a value that is too large to go through, or contains itself.
func (x *exec) bounded(v any, n parse.Node) error {
	if size, ok := function.Measure(v, true, x.largest()); !ok {
		return x.tooLarge(size, n)
	}
	return nil
}
