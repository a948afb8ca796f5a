package compare

import (
	"fmt"
	"sync"

	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/patch"
	"github.com/validationtool/validationtool/internal/render"
)

// choice is an object with the templates that it was compared with.
type choice struct {
	*weighing
	candidates  []*render.Template
	correlation finding.Correlation
	err         error // set where the object cannot be decoded: then there is none of what follows
	input       map[string]any
	locator     manifest.Locator
	twice       []*kubeyaml.Node
	open        int        // the line of the first placeholder, where these are compared as text; 0 for none
	attempts    []*attempt // in the order of the reference; none where all candidates refuse the object
	refusals    []Refusal
	ranked      []*attempt // those to choose from, see closest
}

// compared is what comparing with a template came to, as far as it is to be shown.
func (c *choice) compared(a *attempt, show diff.Show) *compared {
	out := newCompared(c.of, c.correlation).with(a.template.Ref)
	out.twice, out.open, out.overrides = c.twice, c.open, a.accepted.Uses
	if a.accepted.Override != nil {
		override := *a.accepted.Override
		out.Override = &override
	}
	if a.err != nil {
		out.fail(a.err.Code, a.err.Error())
		return out
	}
	out.take(a, c.locator, show)
	if show.Accepted {
		out.accepted(a, c.locator, show)
	}
	out.keep(show)
	return out
}

// settle makes one of the attempts the object's comparison.
func (c *choice) settle(a *attempt) *compared {
	c.reveal(a)
	out := c.compared(a, c.opt.Show)
	if c.opt.Reached != nil {
		c.opt.Reached(a.reached)
	}
	out.Correlation.Candidates = candidatesOf(c.attempts, a)
	for _, other := range c.attempts {
		if a.err == nil && other.err != nil {
			out.failed = append(
				out.failed,
				finding.Warning{Code: other.err.Code, Place: other.err.Position, Message: fmt.Sprintf(
					"%s: %s; where this is so, a CR is compared with the other templates that it meets, as this one with %s",
					out.Object,
					other.err.Message,
					a.template.Ref.Path,
				)},
			)
		}
	}
	if c.opt.Suppressed != Untold && a.err == nil {
		out.suppressed = c.allSuppressed(a)
	}
	if c.opt.Fix && a.err == nil && out.Result == finding.Drifted {
		out.Fix = c.fix(c.input, a)
	}
	if scope, wanted := c.opt.Accept.Scope(out.template, out.Object); wanted && a.err == nil {
		m := patch.OverrideMaker{
			Object:   c.of.object.ID,
			Input:    a.input,
			Template: out.template,
			Active:   c.accepted,
			Scope:    scope,
			Extra:    c.opt.Accept.Extra,
			Searched: c.searched,
			Compare:  c.trying(a, c.input),
		}
		out.Acceptance = m.Make(a.trial())
	}
	return out
}

// refused says why all candidates refuse an object.
func (c *choice) refused() *finding.Unmatched {
	o := c.of.object
	out := &finding.Unmatched{Object: finding.Object(o.ID), Source: finding.SourceOf(o.Source())}
	for _, one := range c.refusals {
		out.Reasons = append(out.Reasons, finding.Refusal{Template: one.Template.Path, Reason: one.Reason})
	}
	return out
}

// ask settles the verdicts that are open. Questions are asked one at a time, in the order of the
// objects, when everything is compared. The answer is the index of a choice; false leaves this
// object and those of all further questions to the smallest difference. Where the context ends,
// they stay without a comparison.
func (r *run) ask(verdicts []verdict) {
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
		if asking && r.ctx.Err() == nil {
			question := v.open.question(number, total, r.opt.Show)
			chosen, asking = r.opt.Choose(question)
		}
		if r.ctx.Err() != nil {
			verdicts[i] = verdict{}
			continue
		}
		if asking {
			v.open.correlation.By = "interactive"
		}
		if !asking || chosen < 0 || chosen >= len(v.open.ranked) {
			chosen = 0
		}
		settled := v.open.settle(v.open.ranked[chosen])
		one := v.open.worst(verdict{comparison: settled})
		if r.ctx.Err() != nil {
			verdicts[i] = verdict{} // it may have been left in the middle
			continue
		}
		one.comparison.tree, one.comparison.differences = nil, nil
		verdicts[i] = one
	}
}

// question is what is asked about an object. The lines of each choice are made when they are asked
// for.
func (c *choice) question(number, of int, show diff.Show) finding.Question {
	show.Lines, show.NoValues = true, true
	q := finding.Question{
		Object: finding.Object(c.of.object.ID),
		Source: finding.SourceOf(c.of.object.Source()),
		Number: number,
		Of:     of,
	}
	for _, a := range c.ranked {
		shown := func() *finding.Comparison {
			return c.compared(a, show).Comparison
		}
		q.Choices = append(q.Choices, finding.Choice{
			Template: finding.TemplateOf(a.template.Ref),
			Counts:   a.counts(),
			Score:    a.score,
			Shown:    sync.OnceValue(shown),
		})
	}
	return q
}
