package finding

import (
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/run/slice"
)

// tally describes the findings of one kind, and whether they make the run fail.
type tally struct {
	n      int
	text   string
	fails  bool
	info   bool   // mention the findings only if they make the run fail
	passes string // the part of the text about findings that do not make the run fail
	of     func(Finding) bool
}

// tallies describes the findings of a run: one tally for each kind that has findings.
func (r *Run) tallies(failOn FailOn) []tally {
	d, o := r.Summary.Differences, r.Summary.Objects
	differ := Plural(o.Compared, "CR", "CRs")
	if o.Drift == 1 {
		differ = "1 of " + differ + " differs from the reference"
	} else {
		differ = fmt.Sprintf("%d of %d CRs differ from the reference", o.Drift, o.Compared)
	}
	other, perhaps, impacting := r.OtherRules(), r.Summary.PerhapsBrokenRules, 0
	if n := r.Summary.Impact; n != nil {
		impacting = n.Impacting
	}
	all := slices.DeleteFunc([]tally{
		{
			n:     o.Drift,
			of:    ofClass(ClassDrift, ClassMissing),
			text:  differ,
			fails: failOn.Has(FailOnDrift) && d.Drift > 0 || failOn.Has(FailOnMissing) && d.Missing > 0,
		},
		{
			n:     d.Invalid,
			of:    ofClass(ClassInvalid),
			text:  Plural(d.Invalid, "field is invalid", "fields are invalid"),
			fails: failOn.Has(FailOnInvalid),
		},
		{
			n:  r.Summary.InvalidCRs,
			of: ofClass(ClassInvalidCR),
			text: Plural(
				r.Summary.InvalidCRs, "CR without a template is invalid", "CRs without a template are invalid",
			),
			fails: failOn.Has(FailOnInvalid),
		},
		r.missing(failOn),
		{
			n:    len(other) - perhaps,
			of:   ofClass(ClassRule),
			text: Plural(len(other)-perhaps, "rule is broken", "rules are broken"),
			fails: failOn.Has(FailOnMissing) ||
				failOn.Has(FailOnAbsent) && slices.ContainsFunc(other, Rule.SurelyMissing),
		},
		{
			n:  perhaps,
			of: ofClass(ClassPerhapsBroken),
			text: Plural(
				perhaps, "rule is perhaps broken (not collected)", "rules are perhaps broken (not collected)",
			),
			fails: failOn.Has(FailOnMissing),
		},
		{
			n:     d.Extra,
			of:    ofClass(ClassExtra),
			text:  Plural(d.Extra, "field is extra", "fields are extra"),
			fails: failOn.Has(FailOnExtra),
			info:  true,
		},
		{
			n:     o.Unmatched,
			of:    ofClass(ClassUnmatched),
			text:  Plural(o.Unmatched, "CR is unmatched", "CRs are unmatched"),
			fails: failOn.HasUnmatched(),
			info:  true,
		},
		{
			n:  o.Referenced,
			of: ofClass(ClassReferenced),
			text: Plural(
				o.Referenced, "CR is referenced but not in the input", "CRs are referenced but not in the input",
			),
			fails: failOn.Has(FailOnReferenced),
			info:  true,
		},
		{n: impacting, of: func(f Finding) bool { return f.Impact == Impacting },
			text: Plural(
				impacting, "finding is impacting", "findings are impacting",
			), fails: failOn.Has(FailOnImpacting), info: true},
	}, func(s tally) bool { return s.n == 0 })
	if !failOn.Has(FailOnNew) {
		return all
	}
	failing := make([]bool, len(all))
	for f := range r.Findings(failOn, nil) {
		for i, s := range all {
			failing[i] = failing[i] || f.Effect == Fails && s.of(f)
		}
	}
	for i := range all {
		all[i].fails = all[i].fails && failing[i]
	}
	return all
}

// ofClass reports whether a finding has one of some classes.
func ofClass(classes ...Class) func(Finding) bool {
	return func(f Finding) bool { return slices.Contains(classes, f.Class) }
}

// OtherRules returns the broken rules that are not about missing CRs.
func (r *Run) OtherRules() []Rule {
	return slice.Without(r.Rules, Rule.IsMissing)
}
