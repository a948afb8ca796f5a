package finding

import (
	"slices"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// Verdict is the result for one cluster or several.
type Verdict string

// The verdicts.
const (
	// everything was read and evaluated, and nothing required differs or is missing
	Compliant  Verdict = "compliant"
	Differs    Verdict = "drift"      // something required differs or is missing, or a rule is broken
	Incomplete Verdict = "incomplete" // something could not be read or evaluated, so that the result is unreliable
)

// Conclude counts the findings on a cluster and sets the verdict. The caller sets the numbers of
// objects that were read, ignored, copied or masked.
func (r *Run) Conclude() {
	counted, _ := r.SplitUnmatched()
	r.Summary.Objects.Unmatched = len(counted)
	r.UnmatchedKinds = CountKinds(counted)
	r.Count()
	r.fill()
}

// Count counts the lists of a run and sets the verdict.
func (r *Run) Count() {
	s := &r.Summary
	o := &s.Objects
	o.Compared, o.Referenced, s.Unreadable = len(r.Comparisons), len(r.Referenced), len(r.Unreadable)
	for _, c := range r.Comparisons {
		switch c.Result {
		case Clean:
			o.Clean++
		case OnlyExtra:
			o.Extra++
		case OnlyInvalid:
			o.Invalid++
		case Drifted:
			o.Drift++
		case Failed:
			o.Error++
		}
		if c.Override != nil && !c.Override.Void {
			o.Overridden++
			s.AcceptedDeviations += c.Override.Deviations
		}
		s.Differences.Add(c.Counts)
	}
	for _, b := range r.Rules {
		if r.IsBlank() { // each required CR is missing, which says nothing about the cluster
			break
		}
		if !b.IsMissing() {
			s.BrokenRules++
			if b.PerhapsBroken() {
				s.PerhapsBrokenRules++
			}
			continue
		}
		s.MissingCRs += len(b.Templates)
		for _, m := range b.Missing {
			switch m.Class() {
			case ClassNotCollected:
				s.NotCollectedCRs++
			case ClassWanted:
				s.WantedCRs++
			}
		}
	}
	s.AbsentCRs = s.MissingCRs - s.NotCollectedCRs - s.WantedCRs
	s.AcceptedCRs = len(r.AcceptedCRs)
	s.InvalidCRs = r.countInvalid()
	s.Verdict = r.verdict()
}

// countInvalid counts the CRs of InvalidCRs, which are sorted.
func (r *Run) countInvalid() (n int) {
	for i, one := range r.InvalidCRs {
		if i == 0 || one.Object != r.InvalidCRs[i-1].Object {
			n++
		}
	}
	return n
}

// SplitUnmatched returns the listed CRs without a template that count as unmatched, and those of kinds that
// the reference does not have.
func (r *Run) SplitUnmatched() (counted, others []Unmatched) {
	isOther := func(u Unmatched) bool { return u.OtherKind }
	return slice.Without(r.Unmatched, isOther), slice.Filter(r.Unmatched, isOther)
}

// CountKinds counts CRs by kind, sorted by kind and apiVersion.
func CountKinds(list []Unmatched) []KindCount {
	n := map[Kind][]string{}
	for _, u := range list {
		k := Kind{u.Object.APIVersion, u.Object.Kind}
		n[k] = append(n[k], u.Object.String())
	}
	var out []KindCount
	for k, names := range n {
		slices.Sort(names)
		out = append(out, KindCount{
			APIVersion: k.APIVersion, Kind: k.Kind, Count: len(names), Hash: hashOf(names...),
		})
	}
	slices.SortFunc(out, func(a, b KindCount) int {
		return CompareKinds(Kind{a.APIVersion, a.Kind}, Kind{b.APIVersion, b.Kind})
	})
	return out
}

// fill replaces nil lists, which JSON would print as null, with empty ones.
func (r *Run) fill() {
	fill(&r.Inputs)
	fill(&r.Alarms)
	fill(&r.Comparisons)
	fill(&r.Rules)
	fill(&r.UnmatchedKinds)
	fill(&r.Unreadable)
	fill(&r.Warnings)
}

func fill[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}

// verdict returns the verdict, which does not depend on FailOn.
func (r *Run) verdict() Verdict {
	switch {
	case len(r.Obstacles()) > 0:
		return Incomplete
	case r.deviates():
		return Differs
	}
	return Compliant
}

// Judge sets the verdict of a run that was compared with an earlier report. It is incomplete if it would
// be compliant, and it is not certain whether a finding fails.
func (r *Run) Judge(failOn FailOn) {
	if r.Summary.Verdict = r.verdict(); r.Summary.Verdict == Compliant && r.unsure(failOn) {
		r.Summary.Verdict = Incomplete
	}
}

// deviates reports whether a CR drifts or is invalid, or a rule is broken.
func (r *Run) deviates() bool {
	return r.Summary.Objects.Drift+r.Summary.Objects.Invalid+len(r.Rules)+len(r.InvalidCRs) > 0
}

// Conclude sets the verdict on all clusters and the exit status. Both are the worst of the single
// clusters.
func (r *Report) Conclude() {
	r.SchemaVersion = SchemaVersion
	if len(r.FailOn) == 0 {
		r.FailOn = usual()
	}
	for _, run := range r.Runs {
		if run.Baseline != nil {
			run.Judge(r.FailOn)
			run.Baseline.Changes = run.CountChanges(r.FailOn)
		}
		r.ExitStatus = max(r.ExitStatus, run.ExitStatus(r.FailOn))
	}
	n := &r.Summary.Clusters
	for _, verdict := range r.verdicts() {
		n.Count(verdict)
	}
	switch {
	case n.Incomplete > 0:
		r.Summary.Verdict = Incomplete
	case n.Drift > 0:
		r.Summary.Verdict = Differs
	default:
		r.Summary.Verdict = Compliant
	}
}

// ExitStatus returns the exit status for one cluster: 0, 1 or 2.
func (r *Run) ExitStatus(failOn FailOn) int {
	if r.Summary.Verdict == Incomplete || r.unsure(failOn) {
		return 2
	}
	if r.fails(failOn) {
		return 1
	}
	if r.mayFail(failOn) {
		return 2
	}
	return 0
}

// fails reports whether a finding counts as a failure. What is not known is no finding.
func (r *Run) fails(failOn FailOn) bool {
	known := *r
	known.NotKnown = nil
	return slices.ContainsFunc(known.tallies(failOn), func(s tally) bool { return s.fails })
}

// mayFail reports whether no finding counts as a failure, but something that is not known may hide
// one. If only new findings count, what was not known in the baseline does not.
func (r *Run) mayFail(failOn FailOn) bool {
	hides := func(p refconfig.Problem) bool {
		switch p.Code {
		case code.RuleUnknown:
			return failOn.Has(FailOnMissing)
		case code.ValidateUnknown, code.Unvalidated:
			return failOn.Has(FailOnInvalid)
		}
		return failOn.Has(FailOnDrift) || failOn.Has(FailOnMissing) || failOn.Has(FailOnAbsent)
	}
	if r.Summary.Verdict != Differs || !slices.ContainsFunc(r.NotKnown, hides) || r.fails(failOn) {
		return false
	}
	return !failOn.Has(FailOnNew) || r.Baseline == nil || len(r.Baseline.NotKnown) > 0
}

// unsure reports whether only new findings make the run fail and it is not certain which are new. A
// run without a finding that could be new is certain.
func (r *Run) unsure(failOn FailOn) bool {
	return failOn.Has(FailOnNew) && r.Baseline != nil && len(r.Baseline.Incomplete) > 0 &&
		(r.Summary.Verdict != Compliant || r.fails(slice.Without(failOn, isNewWord)))
}

func isNewWord(word FailOnWord) bool { return word == FailOnNew }

// nothingCompared reports whether a cluster would be compliant although nothing was compared. If
// the user selected components by a glob and the input has none of their CRs, it is false: this is
// a result, because required CRs would be missing. Even then it is true if templates refuse all
// CRs, or if CRs refer to CRs that are not in the input.
func (r *Run) nothingCompared() bool {
	answered := r.Chosen && !r.Given && len(r.Refused)+r.Summary.Objects.Referenced == 0
	return r.Summary.Objects.Compared == 0 && !r.deviates() && !answered
}

// countUnreadable counts the problems with a code.
func (r *Run) countUnreadable(c code.Code) int {
	n := 0
	for _, u := range r.Unreadable {
		if u.Code == c {
			n++
		}
	}
	return n
}

// Severity orders verdicts, the best first.
func (v Verdict) Severity() int { return slices.Index([]Verdict{Compliant, Differs, Incomplete}, v) }
