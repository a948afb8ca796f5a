package render

import (
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/manifest"
)

// Limits of one execution. They are counted, not timed, so that the same template on the same object always ends alike. A zero
// field means its default.
type Limits struct {
	Steps  int             // nodes executed, rounds of loops, and the work that functions do
	Output int             // bytes printed, and handed on by functions
	Calls  int             // templates calling templates
	Text   manifest.Limits // of the YAML that is printed, and that functions read
	Room   *budget.Room    // memory for reading what is printed as YAML; nil for any amount
}

// DefaultLimits are those that a zero field stands for.
func DefaultLimits() Limits {
	return Limits{Steps: 2_000_000, Output: 64 << 20, Calls: 500, Text: manifest.DefaultLimits()}
}

// orDefault fills what was not set.
func (l Limits) orDefault() Limits {
	def := DefaultLimits()
	for _, f := range []struct{ v, def *int }{{&l.Steps, &def.Steps}, {&l.Output, &def.Output}, {&l.Calls, &def.Calls}, {&l.Text.Nesting, &def.Text.Nesting}} {
		if *f.v <= 0 {
			*f.v = *f.def
		}
	}
	return l
}

// printedCost is how many bytes the record of what one action printed counts as.
const printedCost = 128

// step counts one node or round of a loop.
func (x *exec) step(n parse.Node) error { return x.spend(n, 1) }

// spend counts work, and ends what goes on for too long.
func (x *exec) spend(n parse.Node, steps int) error {
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
	if bytes < 0 || bytes > x.limits.Output-x.made {
		return x.stop(n, code.LimitOutput, "the template makes more than %d bytes of text on this CR, the limit; "+
			"raise it with --limit output=N if the template is right", x.limits.Output)
	}
	x.made += bytes
	return nil
}

// work is what is counted of an execution besides its own limits.
func (x *exec) work() int { return x.steps + x.made/64 }

// stop is errorf for what ends the execution also where failing actions are passed over.
func (x *exec) stop(n parse.Node, c code.Code, format string, args ...any) error {
	x.tolerant = false
	return x.errorf(n, c, format, args...)
}
