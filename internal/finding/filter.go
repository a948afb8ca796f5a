package finding

import (
	"fmt"
	"slices"
	"strings"
)

// Filter selects the findings to show. It changes neither the verdict nor the counts. The zero
// value shows all findings.
type Filter struct {
	Selectors  []Selector // show the CRs that at least one of these selects; nil for all CRs
	Categories []Category // show the CRs that have a difference in one of these; nil for all CRs
	OnlyNew    bool       // show only what is new, changed or unclear since an earlier report, and failures
	// the user asks for OnlyNew; else what is hidden is only counted
	AskedNew bool
}

// ParseCategories parses a list of categories such as "drift,missing". onlyNew is set if it has the word
// new.
func ParseCategories(list string) (found []Category, onlyNew bool, err error) {
	for name := range strings.SplitSeq(list, ",") {
		c := Category(strings.ToLower(strings.TrimSpace(name)))
		switch {
		case c == Category(New):
			onlyNew = true
		case slices.Contains(Categories(), c):
			found = append(found, c)
		default:
			return nil, false, fmt.Errorf("%q is unknown; it can be drift, missing, invalid, extra, expected or new", c)
		}
	}
	return found, onlyNew, nil
}

// IsSet reports whether the filter can hide anything.
func (f Filter) IsSet() bool { return len(f.Selectors)+len(f.Categories) > 0 || f.AskedNew }

// mayHide reports whether the filter can hide a finding, also one that an earlier report has.
func (f Filter) mayHide() bool { return f.IsSet() || f.OnlyNew }

// Shows reports whether a CR is shown. A CR that could not be evaluated belongs to every category.
func (f Filter) Shows(c *Comparison) bool {
	return f.ShowsObject(c.Object) && (!f.OnlyNew || !c.isAsBefore()) &&
		(c.Result == Failed || f.showsCategory(func(category Category) bool { return c.Counts.Of(category) > 0 }))
}

// ShowsObject reports whether the selectors select an object.
func (f Filter) ShowsObject(o Object) bool {
	return len(f.Selectors) == 0 || slices.ContainsFunc(f.Selectors, func(s Selector) bool { return s.Matches(o) })
}

// ShowsMissed reports whether a missing CR is shown. A selector can match the fields that its
// template leaves open.
func (f Filter) ShowsMissed(m Missed) bool {
	return !f.hides(m.News) && f.showsCategory(func(c Category) bool { return c == Missing }) &&
		f.MayShowObject(m.Object)
}

// hides reports whether a finding is hidden because an earlier report has it.
func (f Filter) hides(n News) bool { return f.OnlyNew && n.Change == Unchanged }

// AsBefore counts the findings on a cluster that the filter hides because an earlier report has them; ""
// for none.
func (f Filter) AsBefore(r *Run) string {
	if !f.OnlyNew || r.Baseline == nil || r.Baseline.Changes.Same == 0 {
		return ""
	}
	return Plural(r.Baseline.Changes.Same, "finding", "findings") + " as before"
}

// isAsBefore reports whether an earlier report has all findings on an object that was evaluated.
func (c *Comparison) isAsBefore() bool {
	if c.Result == Failed {
		return false
	}
	before := false
	for i := range c.Differences { // without Findings, because this is asked for each finding
		d := &c.Differences[i]
		if d.Category == Expected || d.Category == Extra && c.Result != OnlyExtra {
			continue
		}
		if before = d.Change == Unchanged; !before {
			return false
		}
	}
	return before
}

// MayShowObject reports whether the selectors can select an object if only some fields of its
// identity are known.
func (f Filter) MayShowObject(stated Object) bool {
	may := func(s Selector) bool { return s.MayMeet(stated) }
	return len(f.Selectors) == 0 || slices.ContainsFunc(f.Selectors, may)
}

// ShowsRule reports whether a broken rule is shown. It belongs to the category missing, and to the
// CRs that break it.
func (f Filter) ShowsRule(r Rule) bool {
	return !f.hides(r.News) && f.showsCategory(func(c Category) bool { return c == Missing }) &&
		(len(f.Selectors) == 0 || slices.ContainsFunc(r.Present,
			func(p Present) bool { return f.ShowsObject(p.Object) }) ||
			slices.ContainsFunc(r.Missing, f.ShowsMissed))
}

// shows reports whether a finding is shown. A finding that is about no CR and no rule is always
// shown.
func (f Filter) shows(one Finding) bool {
	switch {
	case one.Missed != nil:
		return f.ShowsMissed(*one.Missed)
	case one.Broken != nil:
		return f.ShowsRule(*one.Broken)
	}
	return one.CR == nil && !f.hides(one.News) || one.CR != nil && f.Shows(one.CR)
}

// Idle returns the indexes of the selectors that select nothing in the runs: no compared CR, no
// missing CR and no CR that breaks a rule.
func (f Filter) Idle(runs []*Run) []int {
	var idle []int
	for i, s := range f.Selectors {
		one := Filter{Selectors: []Selector{s}}
		means := func(r *Run) bool {
			return slices.ContainsFunc(r.Rules, one.ShowsRule) ||
				slices.ContainsFunc(r.Comparisons, func(c *Comparison) bool { return one.ShowsObject(c.Object) })
		}
		if !slices.ContainsFunc(runs, means) {
			idle = append(idle, i)
		}
	}
	return idle
}

func (f Filter) showsCategory(has func(Category) bool) bool {
	return len(f.Categories) == 0 || slices.ContainsFunc(f.Categories, has)
}
