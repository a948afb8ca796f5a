package finding

import (
	"cmp"
	"slices"

	"github.com/validationtool/validationtool/internal/run/slice"
)

// Changes returns what is new, changed or gone on some of the clusters since the baseline, as far as the
// filter shows it: new findings first, of those with the same change the rarest first. hidden is the number
// of others.
func (f *Fleet) Changes() (all []Common, hidden int) {
	type key struct {
		hash ContentHash
		news News
	}
	found := map[key]*Common{}
	add := func(one Finding, place int) {
		at := key{hash: one.ContentHash(), news: one.News}
		if found[at] == nil {
			c := commonOf(one)
			c.News, c.Hidden = one.News, true
			found[at] = &c
		}
		c := found[at]
		c.places = append(c.places, f.first[place])
		shown := f.filter.shows(one)
		if one.Change == Gone {
			shown = f.filter.MayShowObject(one.Object)
		}
		c.Hidden = c.Hidden && !shown
	}
	failOn := f.report.FailOn
	for place, i := range f.order {
		run := f.report.Runs[i]
		if run.Baseline == nil || run.IsBlank() {
			continue
		}
		for one := range run.Findings(failOn, nil) {
			if one.Counts(failOn) && (one.Change == New || one.Change == Changed) {
				add(one, place)
			}
		}
		for _, one := range run.Gone(failOn) {
			add(one, place)
		}
	}
	var sorted []*Common
	for _, c := range found {
		slices.Sort(c.places)
		c.places = slices.Compact(c.places)
		sorted = append(sorted, c)
	}
	slices.SortFunc(sorted, func(a, b *Common) int {
		rank := func(c *Common) int { return slices.Index([]Change{New, Changed, Gone}, c.Change) }
		return cmp.Or(rank(a)-rank(b), cmp.Compare(a.Cause, b.Cause), compareCommon(a, b))
	})
	every := folded(sorted)
	all = slice.Without(every, func(c Common) bool { return c.Hidden })
	return all, len(every) - len(all)
}

// since returns the path of the baseline and the sum of the changes of all clusters; "" without a baseline.
func (r *Report) since() (path string, sum Changes) {
	for _, run := range r.Runs {
		if b := run.Baseline; b != nil && !run.IsBlank() {
			path = b.Path
			sum.New += b.Changes.New
			sum.Changed += b.Changes.Changed
			sum.Unclear += b.Changes.Unclear
			sum.Same += b.Changes.Same
			sum.Gone += b.Changes.Gone
		}
	}
	return path, sum
}

// Since counts the changes of all clusters since the baseline in words; "" without a baseline.
func (r *Report) Since() string {
	path, sum := r.since()
	if path == "" {
		return ""
	}
	return sum.String() + " since " + path
}

// effects says of how many clusters the exit status is not what their verdict says, and why.
func (r *Report) effects() (said string) {
	if len(r.FailOn) == 0 {
		return ""
	}
	statuses := map[int]int{}
	firsts := r.firsts()
	verdicts := map[int]Verdict{}
	for i, run := range r.Runs {
		at := firsts[i]
		statuses[at] = max(statuses[at], run.ExitStatus(r.FailOn))
		if v := run.Summary.Verdict; verdicts[at] == "" || v.Severity() > verdicts[at].Severity() {
			verdicts[at] = v
		}
	}
	passes, fails, unsure := 0, 0, 0
	for at, status := range statuses {
		switch {
		case status == 0 && verdicts[at] == Differs:
			passes++
		case status == 1 && verdicts[at] == Compliant:
			fails++
		case status == 2 && verdicts[at] != Incomplete:
			unsure++
		}
	}
	for _, one := range []struct {
		n    int
		text string
	}{
		{n: passes, text: "not counted as a failure"},
		{n: fails, text: "counted as a failure"},
		{n: unsure, text: "perhaps a failure"},
	} {
		switch {
		case one.n == 0:
			continue
		case one.n < len(statuses):
			said += "; " + Plural(one.n, "cluster is ", "clusters are ") + one.text
		default:
			said += "; " + one.text
		}
		said += " (--fail-on " + r.FailOn.said() + ")"
	}
	return said
}
