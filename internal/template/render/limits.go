package render

import (
	"cmp"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// Limits are the limits of one execution. A zero field means its default.
type Limits struct {
	Steps  int // executed nodes, names in chains and rounds of loops
	Output int // bytes printed in all, or returned by one call
	Calls  int // nesting of template calls
	// limits for YAML that the template prints or that functions read; its number of values also
	// limits the arguments of a call
	Text kubeyaml.Limits
}

// DefaultLimits returns the limits that replace zero fields.
func DefaultLimits() Limits {
	return Limits{Steps: 2_000_000, Output: 64 << 20, Calls: 500, Text: kubeyaml.DefaultLimits()}
}

// orDefault fills in the defaults.
func (l Limits) orDefault() Limits {
	def := DefaultLimits()
	l.Steps = cmp.Or(max(0, l.Steps), def.Steps)
	l.Output = cmp.Or(max(0, l.Output), def.Output)
	l.Calls = cmp.Or(max(0, l.Calls), def.Calls)
	l.Text.Nesting = cmp.Or(max(0, l.Text.Nesting), def.Text.Nesting)
	l.Text.Values = cmp.Or(max(0, l.Text.Values), def.Text.Values)
	return l
}

// step counts a node, a name in a chain or a round of a loop. It returns an error if there were
// too many or the context has ended.
func (x *Execution) step(n parse.Node) error {
	if x.Context != nil && x.Context.Err() != nil {
		return x.stop(n, code.Interrupted, "%s", watch.Cause(x.Context))
	}
	if x.Steps++; x.Steps > x.Limits.Steps {
		return x.stop(
			n,
			code.LimitSteps,
			"the template takes more than %d steps on this CR, the limit; does it loop over its own output? "+
				"raise the limit with --limit steps=N if the template is right",
			x.Limits.Steps,
		)
	}
	return nil
}

// grow counts bytes of output and of findings.
func (x *Execution) grow(n parse.Node, bytes int) error {
	if bytes > x.Limits.Output-x.made {
		return x.tooMuch(n)
	}
	x.made += bytes
	return nil
}

// tooMuch returns the error of an execution that produces too much text.
func (x *Execution) tooMuch(n parse.Node) error {
	return x.stop(n, code.LimitOutput, "the template makes more than %d bytes of text on this CR, the limit; "+
		"raise it with --limit output=N if the template is right", x.Limits.Output)
}

// These numbers of bytes are added for each print, finding and statement, and for each key and
// index of the path of a finding.
const (
	printedSize = 128
	placedSize  = 64
)

// countFinding counts a finding with its path and the given number of bytes of text.
func (x *Execution) countFinding(n parse.Node, bytes int, at *place) error {
	for ; at != nil; at = at.up {
		bytes += placedSize
	}
	return x.grow(n, bytes+printedSize)
}

// stop returns an error that also ends a tolerant execution.
func (x *Execution) stop(n parse.Node, c code.Code, format string, args ...any) error {
	x.tolerant = false
	return x.errorf(n, c, format, args...)
}

// largest returns the maximum size of a value that a call gets or returns, or that is printed.
func (x *Execution) largest() tree.Size {
	const around = 100 // additional nesting by a template
	return tree.Size{Nodes: x.Limits.Text.Values, Bytes: x.Limits.Output, Height: x.Limits.Text.Nesting + around}
}

// tooLarge returns the error for a value that is larger than the size that largest returns.
func (x *Execution) tooLarge(size tree.Size, n parse.Node) error {
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

// checkCall returns an error for a call that would produce or search too much, because a running
// call cannot be stopped.
func (x *Execution) checkCall(f *function.Function, args []any, n parse.Node) error {
	makes, size, ok := f.Makes(args, x.largest())
	switch {
	case !ok:
		return x.tooLarge(size, n)
	case makes.Searched > function.MostSearched:
		return x.stop(
			n,
			code.LimitOutput,
			"%s would take too long, because its arguments are too large together; shorten one of them",
			f.Name,
		)
	case makes.Bytes > x.Limits.Output:
		return x.tooMuch(n)
	}
	return nil
}

// checkSize returns an error for a value that is too large or contains itself.
func (x *Execution) checkSize(v any, n parse.Node) error {
	if size, ok := function.Measure(v, true, x.largest()); !ok {
		return x.tooLarge(size, n)
	}
	return nil
}
