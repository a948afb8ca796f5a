package finding

import (
	"fmt"
	"slices"
	"strings"
)

// Change says what became of a finding since an earlier report.
type Change string

// The changes. A finding has none where there is no earlier report.
const (
	New       Change = "new"
	Changed   Change = "changed" // it was there with other values
	Unclear   Change = "unclear" // it was there, and hidden values do not tell whether they are the same
	Unchanged Change = "same"
	Gone      Change = "gone" // it was there, and is not any more
)

// isNews reports whether a finding counts as new. One without a change does, as nothing says that
// it was there before.
func (c Change) isNews() bool { return c == "" || c == New || c == Changed }

// Changes counts findings by what became of them: those that decide the verdict, and others where
// they make the run fail.
type Changes struct {
	New     int `json:"new"`
	Changed int `json:"changed"`
	Unclear int `json:"unclear"`
	Same    int `json:"same"`
	Gone    int `json:"gone"`
}

// Count adds a finding.
func (c *Changes) Count(change Change) {
	switch change {
	case New:
		c.New++
	case Changed:
		c.Changed++
	case Unclear:
		c.Unclear++
	case Unchanged:
		c.Same++
	case Gone:
		c.Gone++
	}
}

// String lists the numbers in words: "3 new, 2 gone, 4 the same". That nothing is new is said too.
func (c Changes) String() string {
	out := []string{"nothing new"}
	if c.New+c.Changed > 0 {
		out = nil
	}
	for _, one := range []struct {
		n    int
		what string
	}{{c.New, "new"}, {c.Changed, "changed"}, {c.Gone, "gone"}, {c.Same, "the same"},
		{c.Unclear, "there before with hidden values, of which it cannot be told whether they changed"}} {
		if one.n > 0 {
			out = append(out, fmt.Sprint(one.n, " ", one.what))
		}
	}
	return strings.Join(out, ", ")
}

// Baseline is what an earlier report says about a cluster, held against its run: the findings of
// the run have their Change.
type Baseline struct {
	Path       string   `json:"path"`
	Remarks    []string `json:"remarks,omitempty"`    // what else is other than in the run, such as the reference
	Incomplete []string `json:"incomplete,omitempty"` // why it does not tell for sure what is new
	Changes    Changes  `json:"changes"`
	// without values, which may be hidden in this report; in the order of the earlier one
	Gone []Finding `json:"gone,omitempty"`
}

// sentence says what became of the findings, as a part of the verdict in words.
func (b *Baseline) sentence() string {
	said := b.Changes.String() + " since " + b.Path
	if len(b.Remarks) > 0 {
		said += " (" + strings.Join(b.Remarks, ", ") + ")"
	}
	if len(b.Incomplete) > 0 {
		said += "; " + b.unsure()
	}
	return said
}

// unsure says why it cannot be told what is new.
func (b *Baseline) unsure() string {
	return "what is new cannot be told for sure, because " + b.Path + " is incomplete: " + strings.Join(
		b.Incomplete, ", ",
	)
}

// Mark keeps in the report what became of a finding.
func (f Finding) Mark(c Change) {
	if f.mark != nil {
		*f.mark = c
	}
}

// Counts reports whether a finding is one of Changes.
func (f Finding) Counts(failOn FailOn) bool {
	switch f.Class {
	case ClassExtra:
		return failOn.Has("extra") || failOn.Has("impacting") && f.Impact == Impacting
	case ClassReferenced, ClassUnmatched:
		return failOn.Has(string(f.Class))
	case ClassUnreadable, ClassIncomplete, ClassNote:
		return false
	}
	return true
}

// changes counts what became of the findings of a run and of its baseline.
func (r *Run) changes(failOn FailOn) (n Changes) {
	for f := range r.EachFinding(failOn) {
		if f.Counts(failOn) {
			n.Count(f.Change)
		}
	}
	for _, f := range r.Gone(failOn) {
		n.Count(f.Change)
	}
	return n
}

// Gone are the findings that are counted as gone since the baseline.
func (r *Run) Gone(failOn FailOn) []Finding {
	if r.Baseline == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Baseline.Gone), func(f Finding) bool { return !f.Counts(failOn) })
}

// Changes counts what was found about an object by what became of it. Extra content counts only
// where there is nothing else.
func (c *Comparison) Changes() (n Changes) {
	if c.Error != nil {
		n.Count(c.Error.Change)
	}
	for _, d := range c.Differences {
		if d.Category != Extra || c.Result == OnlyExtra {
			n.Count(d.Change)
		}
	}
	return n
}

// news returns New or Changed if findings are, else "".
func (c Changes) news() Change {
	switch {
	case c.New > 0:
		return New
	case c.Changed > 0:
		return Changed
	}
	return ""
}
