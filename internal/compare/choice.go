package compare

import (
	"context"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
)

// Question asks which of several templates that fit an object it is to be compared with. Questions are asked one at a
// time, in the order of the objects, when everything is compared. The answer is the index of a choice; false leaves this
// object and those of all further questions to the smallest difference.
type Question struct {
	Object     manifest.ID
	Source     manifest.Place
	Number, Of int      // which question this is, from 1, of how many
	Choices    []Choice // at least two; the smallest difference first, then the order of the reference
}

// Choice is what comparing the object with one of the templates comes to.
type Choice struct {
	Comparison *Comparison
	Score      int // changed characters
}

// choice is an object with the templates that it was compared with.
type choice struct {
	stored      *stored
	candidates  []*render.Template
	correlation Correlation
	err         error // set where the object cannot be decoded: then there is none of what follows
	input       map[string]any
	locator     manifest.Locator
	twice       []*manifest.Node
	attempts    []*attempt // in the order of the reference; none where all candidates refuse the object
	refusals    []Refusal
	steps       int64      // that the attempts took
	ranked      []*attempt // those to choose from, see closest
}

// comparison returns what comparing with a template came to; nil for a comparison still without template.
func (c *choice) comparison(a *attempt) *Comparison {
	out := &Comparison{Object: c.stored.object.ID, Source: c.stored.object.Place,
		Correlation: c.correlation, twice: c.twice}
	if a == nil {
		return out
	}
	out.Template, out.Override, out.overrides = a.template.Ref, a.override, a.overrides
	if a.err != nil {
		out.fail(a.err.Code, a.err.Error())
		return out
	}
	out.take(a, c.locator)
	return out
}

// settle makes one of the attempts the object's comparison.
func (r *run) settle(c *choice, a *attempt) *Comparison {
	out := c.comparison(a)
	out.Correlation.Candidates = candidatesOf(c.attempts, a)
	if r.opt.Accept != nil && a.err == nil && (r.opt.Accept.For == nil || r.opt.Accept.For(out.Template)) {
		out.Acceptance = r.accept(c.stored, c.input, a)
	}
	return out
}

// ask settles the verdicts that are open. Where the context ends, they stay without a comparison.
func (r *run) ask(ctx context.Context, verdicts []verdict) {
	total, number, asking := 0, 0, true
	for _, v := range verdicts {
		if v.open != nil {
			total++
		}
	}
	for i, v := range verdicts {
		if v.open == nil {
			continue
		}
		number++
		chosen := 0
		if asking && ctx.Err() == nil {
			chosen, asking = r.opt.Choose(v.open.question(number, total))
		}
		if ctx.Err() != nil {
			verdicts[i] = verdict{}
			continue
		}
		if asking {
			v.open.correlation.By = "interactive"
		}
		if !asking || chosen < 0 || chosen >= len(v.open.ranked) {
			chosen = 0
		}
		settled := verdict{comparison: r.settle(v.open, v.open.ranked[chosen])}
		if r.opt.Each != nil {
			r.opt.Each(settled.comparison)
		}
		verdicts[i] = r.take(i, settled)
	}
}

// question is what is asked about an object.
func (c *choice) question(number, of int) Question {
	q := Question{Object: c.stored.object.ID, Source: c.stored.object.Place, Number: number, Of: of}
	for _, a := range c.ranked {
		q.Choices = append(q.Choices, Choice{Comparison: c.comparison(a), Score: a.score})
	}
	return q
}
