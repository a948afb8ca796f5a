package render

import (
	"cmp"
	"math"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/internal/watch"
)

// Limits of one execution. They are counted, not timed, so that the same template on the same object always ends alike. A zero
// field means its default.
type Limits struct {
	Steps  int             // nodes executed, rounds of loops, and the work that functions do
	Output int             // bytes printed, and handed on by functions
	Calls  int             // templates calling templates
	Text   kubeyaml.Limits // of the YAML that is printed, and that functions read
	Room   *budget.Room    // memory for reading what is printed as YAML; nil for any amount
	Large  *budget.Turn    // waited for where much is made, or read; nil for any amount
}

// DefaultLimits are those that a zero field stands for.
func DefaultLimits() Limits {
	return Limits{Steps: 2_000_000, Output: 64 << 20, Calls: 500, Text: kubeyaml.DefaultLimits()}
}

// orDefault fills what was not set.
func (l Limits) orDefault() Limits {
	def := DefaultLimits()
	l.Steps, l.Output = cmp.Or(max(0, l.Steps), def.Steps), cmp.Or(max(0, l.Output), def.Output)
	l.Calls, l.Text.Nesting = cmp.Or(max(0, l.Calls), def.Calls), cmp.Or(max(0, l.Text.Nesting), def.Text.Nesting)
	return l
}

// printedCost is how many bytes the record of what one action printed counts as, and placedCost each key and index of the path of a finding.
const (
	printedCost = 128
	placedCost  = 64
)

// printing is how many steps an action takes that prints, and ofSorting how many sorting takes for each key of a map. They were measured.
const (
	printing  = 4
	ofSorting = 4
)

// spend counts work, a step for each node and round of a loop, and ends what goes on for too long.
func (x *exec) spend(n parse.Node, steps int) error {
	if x.ctx != nil && x.ctx.Err() != nil {
		return x.stop(n, code.Interrupted, "%s", watch.Cause(x.ctx))
	}
	if steps < 0 || steps > x.limits.Steps-x.steps {
		x.steps = x.limits.Steps
		return x.stop(n, code.LimitSteps, "the template takes more than %d steps on this CR, the limit; does it loop over its own output? "+
			"raise the limit with --limit steps=N if the template is right", x.limits.Steps)
	}
	x.steps += steps
	return nil
}

// grow counts bytes of text that the template made.
func (x *exec) grow(n parse.Node, bytes int) error {
	err := x.fits(n, bytes)
	if err == nil {
		x.made += bytes
	}
	return err
}

// fits refuses to make so much more text where that is too much, and waits until there is memory for it.
func (x *exec) fits(n parse.Node, bytes int) error {
	const copies = 8 // of what is made, while it is read
	switch {
	case bytes < 0 || bytes > x.limits.Output-x.made:
		return x.stop(n, code.LimitOutput, "the template makes more than %d bytes of text on this CR, the limit; "+
			"raise it with --limit output=N if the template is right", x.limits.Output)
	case !x.limits.Large.Take(copies * int64(x.made+bytes)):
		return x.stop(n, code.LimitTime, "the CR is given up") // which nobody reads: in its place stands for what
	}
	return nil
}

// tells counts a finding at a place, as long as the path to that is, and so many bytes of text.
func (x *exec) tells(n parse.Node, bytes int, at *place) error {
	for ; at != nil; at = at.up {
		bytes += placedCost
		x.steps++
	}
	x.steps += printing
	return x.grow(n, bytes+printedCost)
}

// work is what is counted of an execution besides its own limits, in steps of comparing.
func (x *exec) work() int { return ofStep*x.steps + x.made/bytesPerStep }

// stop is errorf for what ends the execution also where failing actions are passed over.
func (x *exec) stop(n parse.Node, c code.Code, format string, args ...any) error {
	x.tolerant = false
	return x.errorf(n, c, format, args...)
}

// left is what a value may be, by what is left of the limits.
func (x *exec) left() tree.Size {
	const around = 100 // what a template wraps around a CR
	return tree.Size{Nodes: x.limits.Steps - x.steps, Bytes: x.limits.Output - x.made, Height: x.limits.Text.Nesting + around}
}

// tooLarge ends an execution on a value that is larger than what is left.
func (x *exec) tooLarge(size tree.Size, n parse.Node) error {
	most := x.left()
	switch {
	case size.Nodes > most.Nodes:
		return x.spend(n, math.MaxInt)
	case size.Height > most.Height:
		return x.stop(n, code.LimitNesting, "a value is nested deeper than %d levels; does it contain itself? "+
			"raise the limit with --limit nesting=N if the template is right", most.Height)
	}
	return x.grow(n, math.MaxInt)
}

// ofStep is how many steps of comparing one of a template takes, and bytesPerStep how much text is made in one. They were measured.
const (
	ofStep       = 3
	bytesPerStep = 16
)

// A call takes so many steps, beside what the function says of it; one of a function of the engine, which needs no reflection, some for
// itself and each argument. It was measured.
const (
	calling       = 14
	callingOwn    = 4
	ownPerOperand = 3
)

// charge counts the work of a call before it is made, and refuses one that would make too much.
func (x *exec) charge(f *function.Function, args []any, n parse.Node) error {
	cost, size, ok := f.Cost(args, x.left())
	if !ok {
		return x.tooLarge(size, n)
	}
	if err := x.spend(n, calling+cost.Steps); err != nil {
		return err
	}
	return x.fits(n, cost.Bytes)
}

// account counts what a call made.
func (x *exec) account(f *function.Function, result any, n parse.Node) error {
	bytes, size, ok := f.Made(result, x.left())
	if !ok {
		return x.tooLarge(size, n)
	}
	return x.grow(n, bytes)
}

// weigh counts the work of going through all of a value, such as to print it, and refuses what is too large, or contains itself.
func (x *exec) weigh(v any, n parse.Node) error {
	switch v.(type) {
	case nil, string, bool, int, int64, float64:
		return nil
	}
	size, ok := function.Measure(v, true, x.left())
	if !ok {
		return x.tooLarge(size, n)
	}
	if err := x.spend(n, size.Nodes); err != nil {
		return err
	}
	return x.fits(n, size.Bytes)
}
