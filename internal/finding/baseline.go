package finding

import (
	"strings"

	"github.com/validationtool/validationtool/internal/run/slice"
)

// Change compares a finding with an earlier report.
type Change string

// The changes. Without an earlier report, findings have no change.
const (
	New       Change = "new"
	Changed   Change = "changed" // the earlier report has it with other values
	Unclear   Change = "unclear" // the earlier report has it, and hidden values may or may not differ
	Unchanged Change = "same"
	Gone      Change = "gone" // only the earlier report has it
)

// News compares a finding with an earlier report, and says why it is new or changed.
type News struct {
	Change Change `json:"change,omitempty"`
	Cause  Cause  `json:"cause,omitempty"` // "" if the two reports do not show it
}

// Cause is why a finding is new or has changed.
type Cause string

// The causes.
const (
	CauseCR        Cause = "cr"        // the value in the CR
	CauseInput     Cause = "input"     // nothing but the input: this CR or others, or what was collected
	CauseReference Cause = "reference" // the reference requires the CR, and did not before
	// the value that the reference expects, which may be computed from CRs
	CauseExpected Cause = "expected"
	CauseBoth     Cause = "both" // both values
)

// Causes returns all causes, the unknown one last.
func Causes() []Cause {
	return []Cause{CauseCR, CauseInput, CauseReference, CauseExpected, CauseBoth, ""}
}

// Words describes a cause; "" if it is not known.
func (c Cause) Words() string {
	return map[Cause]string{
		CauseCR: "the CR changed", CauseInput: "the input changed", CauseReference: "the reference changed",
		CauseExpected: "the expected value changed", CauseBoth: "CR and expected value changed",
	}[c]
}

// Words describes what is new or has changed: "NEW (the CR changed)"; only the cause if the change is not
// set, and "" for other findings.
func (n News) Words() string {
	said := ""
	switch n.Change {
	case New, Changed:
		said = strings.ToUpper(string(n.Change))
	case "":
	default:
		return ""
	}
	if why := n.Cause.Words(); why != "" {
		said = strings.TrimSpace(said + " (" + why + ")")
	}
	return said
}

// isNews reports whether a finding counts as new. A finding without a change does, because nothing
// shows that an earlier report has it.
func (c Change) isNews() bool { return c == "" || c == New || c == Changed }

// Changes counts findings by their change. It counts those that decide the verdict, and those that
// make the run fail.
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

// String lists the numbers in words: "3 new, 2 resolved, 4 the same", or "nothing new, 4 the same".
func (c Changes) String() string {
	said := Shares(
		Share{N: c.New, Text: "new"},
		Share{N: c.Changed, Text: "changed"},
		Share{N: c.Gone, Text: "resolved"},
		Share{N: c.Same, Text: "the same"},
		Share{N: c.Unclear, Text: "there before with hidden values, which may have changed"},
	)
	if c.New+c.Changed == 0 {
		return "nothing new" + Prefixed(", ", said)
	}
	return said
}

// Baseline is the comparison of a run with an earlier report on its cluster. The findings of the
// run themselves have their Change.
type Baseline struct {
	Path       string   `json:"path"`
	Remarks    []string `json:"remarks,omitempty"`    // other differences between the reports, such as another reference
	Incomplete []string `json:"incomplete,omitempty"` // why the changes are not certain
	NotKnown   []string `json:"notKnown,omitempty"`   // what is not known of the run, and was known
	Changes    Changes  `json:"changes"`
	// in the order of the earlier report; without values, which may be hidden in this report
	Gone []Finding `json:"gone,omitempty"`
}

// sentence describes the changes for the sentence about the verdict.
func (b *Baseline) sentence() string {
	said := b.Changes.String() + " since " + b.Path
	if len(b.Remarks) > 0 {
		said += " (" + strings.Join(b.Remarks, ", ") + ")"
	}
	return said
}

// unsure says why the changes are not certain.
func (b *Baseline) unsure() string {
	return "it is not certain which findings are new, because " + b.Path + " is incomplete: " + strings.Join(
		b.Incomplete, ", ",
	)
}

// Mark sets the News of a finding in its report.
func (f Finding) Mark() { *f.mark = f.News }

// Counts reports whether a finding is counted in Changes.
func (f Finding) Counts(failOn FailOn) bool {
	switch f.Class {
	case ClassExtra:
		return failOn.Has(FailOnExtra) || failOn.Has(FailOnImpacting) && f.Impact == Impacting
	case ClassReferenced:
		return failOn.Has(FailOnReferenced)
	case ClassUnmatched:
		return failOn.HasUnmatched()
	case ClassUnreadable, ClassUnknown, ClassIncomplete, ClassNote:
		return false
	}
	return true
}

// CountChanges counts the findings of a run and of its baseline by their change.
func (r *Run) CountChanges(failOn FailOn) (n Changes) {
	for f := range r.Findings(failOn, nil) {
		if f.Counts(failOn) {
			n.Count(f.Change)
		}
	}
	for _, f := range r.Gone(failOn) {
		n.Count(f.Change)
	}
	return n
}

// Gone returns the findings of the baseline that count and are gone.
func (r *Run) Gone(failOn FailOn) []Finding {
	if r.Baseline == nil {
		return nil
	}
	return slice.Filter(r.Baseline.Gone, func(f Finding) bool { return f.Counts(failOn) })
}

// Changes counts the findings on an object by their change. Extra content counts only if the object
// has no other findings.
func (c *Comparison) Changes() (n Changes) {
	for _, f := range c.Findings(nil) {
		if f.Class != ClassExtra || c.Result == OnlyExtra {
			n.Count(f.Change)
		}
	}
	return n
}

// news returns the change of a CR with these findings: New if one is new, else Changed if one has
// changed, and so on.
func (c Changes) news() Change {
	for _, one := range []struct {
		n      int
		change Change
	}{{c.New, New}, {c.Changed, Changed}, {c.Unclear, Unclear}, {c.Same, Unchanged}} {
		if one.n > 0 {
			return one.change
		}
	}
	return ""
}
