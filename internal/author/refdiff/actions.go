package refdiff

import (
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/refconfig"
)

// actions reports the other changes: fields that are computed differently, and actions that no
// change of a field explains.
func (p *pair) actions() {
	for _, m := range p.others {
		was, is := p.old.readsIn(m.old), p.new.readsIn(m.new)
		isSame := withoutDefault(m.old.Text()) == withoutDefault(m.new.Text())
		if was == Must || is == Must || isSame && (was == May || is == May) {
			p.old.covers(m.old)
			p.new.covers(m.new)
		} else {
			p.change(Must, Computed, "is computed differently", m.path, m.old, m.new)
		}
	}
	p.checks()
	isPartial := !p.old.whole || !p.new.whole
	before, after := p.old.Body.Actions(isPartial), p.new.Body.Actions(isPartial)
	was, is := p.unexplained(before, after)
	isNote := func(a template.Action) bool { return a.Calls == "note" }
	oldNotes, was := split(was, isNote)
	newNotes, is := split(is, isNote)
	if len(oldNotes)+len(newNotes) > 0 {
		p.otherwise(Authors, "the template has other notes", oldNotes, newNotes)
	}
	isMessage := func(a template.Action) bool { return isCheck(a) && a.States }
	oldSaid, oldRest := split(was, isMessage)
	newSaid, newRest := split(is, isMessage)
	if len(was) == len(is) && len(oldSaid) > 0 && len(oldSaid) == len(newSaid) {
		p.otherwise(Authors, "a check has another message", oldSaid, newSaid)
		was, is = oldRest, newRest
	}
	switch {
	case len(is) == 0 && areChecks(was, before):
		isElse := func(a template.Action) bool { return p.old.read[a.At] != Dropped }
		if !slices.ContainsFunc(was, isElse) {
			break // "is no longer read" says it
		}
		p.otherwise(May, "the template no longer checks this", was, is)
	case len(was)+len(is) > 0:
		p.otherwise(Must, "the template computes its expected values or its checks in another way", was, is)
	case rejectsElse(before, after) && !slices.ContainsFunc(p.changes, Change.isMust):
		p.otherwise(Must, "the template rejects CRs in another case", unlike(before, after), unlike(after, before))
	case (p.old.asked.Incomplete || p.new.asked.Incomplete) && p.old.text() != p.new.text():
		p.otherwise(Must, "the text changed, and is too large to be analysed to its end; read it", nil, nil)
	case len(p.changes) == 0 && assignments(before) != assignments(after):
		p.otherwise(Must, "the template sets its variables in another order", nil, nil)
	}
	p.named()
}

// faults reports that the new version fails for CRs which the old one can evaluate. Sample says which
// these are.
func (p *pair) faults() {
	if p.old.text() == p.new.text() {
		return
	}
	ctx := p.searched.Context
	old := probe.Sample(ctx, p.old.Template, p.old.asked).Faults
	for _, f := range probe.Sample(ctx, p.new.Template, p.new.asked).Faults {
		isOld := func(o probe.SampleFault) bool { return o.Field == f.Field && o.Code == f.Code }
		if slices.ContainsFunc(old, isOld) {
			continue
		}
		c := p.add(Must, Computed, "CRs cannot be evaluated any more: "+f.Message, "", "")
		if f.Field != "" {
			c.Words, c.Paths = "must be absent, because a CR with it cannot be evaluated any more: "+f.Message, []string{f.Field}
		}
		c.NewAt = refconfig.Place{File: f.At.File, Line: f.At.Line}.String()
	}
}

// withoutDefault returns the text of a part without fixed defaults, quotes and parentheses.
func withoutDefault(text string) string {
	other := regexp.MustCompile(`[()]|\bquote\b|\bdefault ("[^"]*"|[\w-]\S*)|\|`).ReplaceAllString(text, " ")
	return strings.Join(strings.Fields(other), " ")
}

// readsIn returns how the lines of a part read fields with a reported change, as in side.read.
func (s *side) readsIn(p *probe.Part) (group Group) {
	for _, at := range p.Lines {
		if one := s.read[at]; one == Must || one == Dropped && group != Must || group == "" {
			group = one
		}
	}
	return group
}

// text returns the text of a template and of all function files.
func (e *entry) text() string {
	text := string(e.Ref.Source)
	for _, f := range e.ref.Functions {
		text += "\x00" + string(f.Source)
	}
	return text
}

// checks reports checks that lost a condition and kept their text, which explains that the condition is
// gone.
func (p *pair) checks() {
	text := func(c probe.Check) string { return c.Text }
	old, new := p.old.asked.Checks, p.new.asked.Checks
	for _, m := range partners(old, new, func(c probe.Check) string { return c.Text + strings.Join(c.When, "\n") }, text) {
		if m.A < 0 || m.B < 0 {
			continue
		}
		was, is := old[m.A], new[m.B]
		isNew := func(w string) bool { return !slices.Contains(was.When, w) }
		if len(is.When) < len(was.When) && !slices.ContainsFunc(is.When, isNew) {
			before := []template.Action{{Text: strings.Join(was.When, " and "), At: was.At}}
			after := []template.Action{{Text: strings.Join(is.When, " and "), At: is.At}}
			p.otherwise(Must, "a check has fewer conditions", before, after)
			p.values = append(p.values, slice.Without(was.When, isNew)...)
		}
	}
}

// isCheck reports whether an action calls a function that rejects a CR.
func isCheck(a template.Action) bool {
	return a.Calls == "fail" || a.Calls == "doNotMatch" || a.Calls == "violation"
}

// areChecks reports whether actions are complete checks: conditions, each with the call that
// rejects a CR.
func areChecks(some, all []template.Action) bool {
	for i := 0; i < len(some); i += 2 {
		at := slices.Index(all, some[i])
		if some[i].Calls != "if" || i+1 == len(some) || !isCheck(some[i+1]) || all[at+1] != some[i+1] {
			return false
		}
	}
	return len(some) > 0
}

// rejectsElse reports whether the new version has a check more, or one with another condition.
func rejectsElse(before, after []template.Action) bool {
	was, _ := split(before, isCheck)
	is, _ := split(after, isCheck)
	more := unlike(after, before)
	for i, a := range after[:max(0, len(after)-1)] {
		if a.Calls == "if" && isCheck(after[i+1]) && slices.Contains(more, a) {
			return true
		}
	}
	return len(is) > len(was)
}

// split separates the actions for which a function returns true from the others.
func split(all []template.Action, is func(template.Action) bool) (some, others []template.Action) {
	for _, a := range all {
		if is(a) {
			some = append(some, a)
		} else {
			others = append(others, a)
		}
	}
	return some, others
}

// assignments returns the texts of the actions that set variables.
func assignments(all []template.Action) string {
	some, _ := split(all, func(a template.Action) bool { return strings.HasPrefix(a.Text, "{{$") })
	return joined(some)
}

// otherwise adds a change of computed content.
func (p *pair) otherwise(group Group, words string, was, is []template.Action) *Change {
	c := p.add(group, Computed, words, joined(was), joined(is))
	if len(was) > 0 {
		c.OldAt = was[0].At
	}
	if len(is) > 0 {
		c.NewAt = is[0].At
	}
	if p.hides() {
		c.hide()
	}
	return c
}

// joined returns the texts of actions, a line each.
func joined(all []template.Action) string {
	return strings.Join(each(all, func(a template.Action) string { return a.Text }), "\n")
}

// unlike returns the actions that others lack, or have less often.
func unlike(all, others []template.Action) (more []template.Action) {
	counts := map[string]int{}
	for _, a := range others {
		counts[a.Text]++
	}
	for _, a := range all {
		if counts[a.Text]--; counts[a.Text] < 0 {
			more = append(more, a)
		}
	}
	return more
}

// unexplained returns the actions that only one version has, and that no change of a field explains. What
// only the old version read was replaced, if what changed in the new version is explained.
func (p *pair) unexplained(before, after []template.Action) (was, is []template.Action) {
	more := unlike(after, before)
	mustRead := slices.ContainsFunc(more, func(a template.Action) bool { return p.new.read[a.At] == Must })
	was, is = p.unreported(p.old, unlike(before, after)), p.unreported(p.new, more)
	if mustRead && len(is) == 0 {
		was = slices.DeleteFunc(was, func(a template.Action) bool { return p.old.read[a.At] == Dropped })
	}
	return was, is
}

// unreported returns the actions of a version that no change of a field explains, by its lines or
// its values.
func (p *pair) unreported(s *side, all []template.Action) []template.Action {
	const most = 200 // values
	values := p.values[:min(most, len(p.values))]
	return slices.DeleteFunc(all, func(a template.Action) bool {
		return s.reported[a.At] || s.read[a.At] == Must || s.read[a.At] == May ||
			slices.ContainsFunc(values, func(v string) bool { return v != "" && strings.Contains(a.Text, v) })
	})
}

// named reports named templates that both versions call and that changed without a change of a
// field.
func (p *pair) named() {
	before := p.old.Named()
	for _, name := range p.new.Named() {
		if !slices.Contains(before, name) {
			continue
		}
		old, new := p.old.Find(name), p.new.Find(name)
		was, is := old.Actions(true), new.Actions(true)
		order := joined(was) != joined(is)
		known := len(unlike(was, is))+len(unlike(is, was)) > 0
		less, more := p.unexplained(was, is)
		if !order || known && len(less)+len(more) == 0 {
			continue
		}
		c := p.otherwise(Must, "the named template "+name+" computes its output differently", less, more)
		c.OldAt, c.NewAt = old.Place().String(), new.Place().String()
		if p.searched.In(joined(was) + joined(is)) {
			c.hide()
		}
	}
}
