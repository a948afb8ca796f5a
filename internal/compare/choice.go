package compare

import (
	"slices"
	"sync"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template/correlate"
	"github.com/validationtool/validationtool/internal/template/render"
)

// attempts compares an object with all candidates. Of several entries for one template, only the
// one with the smallest difference counts. It returns the candidates that refuse the object as
// refusals.
func (c *comparer) attempts(s subject, all []*render.Template) (tried []*attempt, refusals []Refusal) {
	for _, t := range all {
		var entries []*attempt
		for _, entry := range c.templates.entries[t] {
			if c.ctx.Err() != nil {
				return nil, nil
			}
			a, no := c.attempt(s, entry)
			if no != nil {
				refusals = append(refusals, *no)
				break // a template that refuses the object does so for all of its entries
			}
			if a.err == nil && (len(all) > 1 || len(c.templates.entries[t]) > 1) {
				a.score = a.distance(s.secretive)
			}
			entries = append(entries, a)
		}
		if len(entries) > 0 {
			tried = append(tried, closest(entries)[0])
		}
	}
	return tried, refusals
}

// closest returns the attempts without an error, the smallest difference first; of equal attempts,
// the first in the reference. If all have errors, it returns the first.
func closest(all []*attempt) []*attempt {
	evaluated := slice.Without(all, func(a *attempt) bool { return a.err != nil })
	if len(evaluated) == 0 {
		return all[:1]
	}
	slices.SortStableFunc(evaluated, func(a, b *attempt) int { return a.score - b.score })
	return evaluated
}

// choice is an object with the templates that it was compared with.
type choice struct {
	subject     subject
	candidates  candidates
	err         error      // set if the object cannot be decoded; the following fields are then empty
	placeholder int        // line of the first placeholder that is compared as text; 0 for none
	attempts    []*attempt // in the order of the reference; empty if all candidates refuse the object
	refusals    []Refusal
	ranked      []*attempt // the attempts to choose from, see closest
}

// weigh finds the candidates of an object and compares it with each.
func (c *comparer) weigh(s subject) *choice {
	one := &choice{subject: s, candidates: s.found}
	if one.candidates.by.By == finding.ByNearest {
		one.candidates.all = append(one.candidates.all, c.alternatives[s.stored]...)
	}
	if len(one.candidates.all) == 0 || !c.opt.Nearest && c.templates.leavesOut(one.candidates.all) {
		return one
	}
	if one.subject, one.err = c.open(s); one.err != nil {
		return one
	}
	if path, found := diff.FirstOpen(any(one.subject.value)); found && !c.opt.Placeholders {
		one.placeholder = max(1, one.subject.locator.Line(path))
	}
	one.attempts, one.refusals = c.attempts(one.subject, one.candidates.all)
	if len(one.attempts) > 0 {
		one.ranked = closest(one.attempts)
		slices.SortStableFunc(one.ranked, func(a, b *attempt) int { // among alternatives, the nearest first
			return compareBools(a.template != s.nearest, b.template != s.nearest)
		})
	}
	if a := slices.IndexFunc(one.attempts, func(a *attempt) bool {
		return !c.templates.leftOut[c.templates.byRef(a.template.Ref)]
	}); a > 0 && one.ranked[0].err != nil {
		one.ranked = one.attempts[a : a+1] // of failed ones, the first that is analysed
	}
	return one
}

// others lists the attempts without an error, the chosen one first and the others in the order of
// the reference. It returns nil if there was no choice.
func (one *choice) others(chosen *attempt) []finding.Candidate {
	first, rest := []finding.Candidate{}, []finding.Candidate{}
	for _, a := range one.attempts {
		candidate := finding.Candidate{Path: a.template.Ref.Path, Score: a.score}
		switch {
		case a == chosen:
			first = append(first, candidate)
		case a.err == nil:
			rest = append(rest, candidate)
		}
	}
	if chosen.err != nil || len(rest) == 0 {
		return nil
	}
	return append(first, rest...)
}

// failed returns warnings about templates that match an object and have errors, if another template
// was chosen.
func (one *choice) failed(chosen *attempt) (all []warning) {
	for _, a := range one.attempts {
		if chosen.err == nil && a.err != nil {
			w := warningOf(a.err.At.Problem(
				a.err.Code,
				"%s: %s; a CR for which a template fails is compared with the others that match it, this CR with %s",
				finding.Object(one.subject.stored.object.ID), a.err.Message, chosen.template.Ref.Path,
			))
			w.once = w.Place
			all = append(all, w)
		}
	}
	return all
}

// refused returns the reasons for which all candidates refuse an object.
func (one *choice) refused() *finding.Refused {
	o := one.subject.stored.object
	out := &finding.Refused{Object: finding.Object(o.ID), Source: finding.SourceOf(o.Source())}
	for _, no := range one.refusals {
		out.Reasons = append(out.Reasons, finding.Refusal{Template: no.Template.Path, Reason: no.Reason})
	}
	return out
}

// question returns the question that asks the user which template to choose for an object. It makes
// the lines of a choice when they are shown.
func (c *comparer) question(one *choice, number, of int) finding.Question {
	show := c.opt.Show
	show.Lines, show.NoValues = true, true
	o := one.subject.stored.object
	q := finding.Question{
		Object: finding.Object(o.ID),
		Source: finding.SourceOf(o.Source()),
		Number: number,
		Of:     of,
	}
	for _, a := range one.ranked {
		shown := func() *finding.Comparison { return one.verdict(a.shown(), show).found }
		q.Choices = append(q.Choices, finding.Choice{
			Template: finding.TemplateOf(a.template.Ref),
			Counts:   a.shown().counts(),
			Score:    a.score,
			Shown:    sync.OnceValue(shown),
		})
	}
	return q
}

// ask asks the user to choose templates, one question at a time in the order of the objects, after
// all comparisons. An answer is the index of a choice; false leaves this and all further questions
// to the smallest difference. If the context ends, the objects have no comparison.
func (c *comparer) ask(verdicts []*verdict) {
	total, number, asking := 0, 0, true
	for _, v := range verdicts {
		if v != nil && v.open != nil {
			total++
		}
	}
	for i, v := range verdicts {
		if v == nil || v.open == nil {
			continue
		}
		number++
		one, chosen := *v.open, 0
		if asking && c.ctx.Err() == nil {
			chosen, asking = c.opt.Choose(c.question(&one, number, total))
		}
		if asking {
			one.candidates.by.By = finding.ByInteractive
		}
		if !asking || chosen < 0 || chosen >= len(one.ranked) {
			chosen = 0
		}
		verdicts[i] = nil
		if c.ctx.Err() != nil {
			continue
		}
		if s := &one.subject; s.nearest != nil {
			s.nearest = one.ranked[chosen].template
			one.candidates.by.Fields = correlate.Agree(s.nearest.Identity, s.stored.object.ID).Names()
			delete(c.alternatives, s.stored)
		}
		settled := c.worst(one.subject, c.chosen(&one, chosen))
		if c.ctx.Err() == nil { // if the context ended, the comparison may be incomplete
			verdicts[i] = settled
		}
	}
}
