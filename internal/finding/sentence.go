package finding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// Obstacles describes why a result is incomplete; it returns nil for a complete one.
func (r *Run) Obstacles() []string {
	var out []string
	objects := r.Summary.Objects
	barren := r.countUnreadable(code.InputNoObjects)
	broken := slices.IndexFunc(r.Unreadable, func(p refconfig.Problem) bool { return p.Code == code.ReportBroken })
	switch {
	case broken >= 0:
		return []string{"the saved report cannot be used: " + r.Unreadable[broken].Message}
	case r.countUnreadable(code.ClusterLacking) > 0:
		return []string{"the baseline has this cluster, but the input has no CR of it"}
	case objects.Read == 0 && r.Interrupted: // described below
	case objects.Read == 0:
		out = append(out, "the input holds no CR")
	case barren > 0:
		out = append(out, Plural(barren, "input holds no CR", "inputs hold no CR"))
	}
	if n := objects.Error; n > 0 {
		out = append(out, Plural(n, "CR could not be evaluated", "CRs could not be evaluated"))
	}
	n := r.Summary.Unreadable - barren
	if r.Interrupted {
		why := "the run was interrupted"
		switch {
		case r.countUnreadable(code.Interrupted) > 0:
		case r.countUnreadable(code.LimitTime) > 0:
			why = "the run took more time than its limit"
		case r.countUnreadable(code.LimitMemory) > 0:
			why = "the run took more memory than its limit"
		}
		if objects.Read == 0 {
			why += " before a CR was read"
		}
		out = append(out, why)
		n-- // do not count the problem that records the interruption
	}
	for _, one := range []refconfig.Problem{
		{Code: code.ClusterUnclear, Message: "it is not clear which CRs are of this cluster"},
		{Code: code.ComponentLacking, Message: "a component that was named has no CR in the input"},
	} {
		if count := r.countUnreadable(one.Code); count > 0 {
			out = append(out, one.Message)
			n -= count
		}
	}
	if n > 0 {
		out = append(out, Plural(n, "file could not be read", "files could not be read"))
	}
	if len(out) == 0 && r.nothingCompared() {
		out = append(
			out,
			"no CR that the reference describes was compared; check that the input is complete and of the right cluster, "+
				"and that the reference is the right one",
		)
	}
	if len(out) == 0 && len(r.NotKnown) > 0 && !r.deviates() {
		out = append(out, r.Unknown())
	}
	return out
}

// Unknown counts what is not known because the input may lack CRs, or because kinds have no schema.
func (r *Run) Unknown() string {
	rules, lookups, kinds, schemas, rest := 0, 0, 0, 0, 0
	for _, p := range r.NotKnown {
		switch p.Code {
		case code.RuleUnknown:
			rules++
		case code.LookupUnknown:
			lookups++
		case code.ValidateUnknown:
			kinds++
		case code.Unvalidated:
			schemas++
		default:
			rest++
		}
	}
	if kinds > 0 {
		schemas = 0 // the reason why a kind has none
	}
	why := ""
	if rules+lookups+rest > 0 {
		why = ": the input may not show all CRs"
	}
	return Shares(
		Share{N: kinds, Text: "kinds have no schema to validate their CRs", One: "kind has no schema to validate its CRs"},
		Share{N: schemas, Text: "schemas cannot be used to validate CRs", One: "schema cannot be used to validate CRs"},
		Share{N: rules, Text: "rules are not known", One: "rule is not known"},
		Share{N: lookups, Text: "lookups of templates may lack CRs", One: "lookup of a template may lack CRs"},
		Share{N: rest, Text: "collections of CRs of the reference failed", One: "collection of CRs of the reference failed"},
	) + why
}

// Sentence describes the verdict: "DRIFT: 2 of 14 CRs differ from the reference, 1 required CR was
// not found".
func (r *Run) Sentence(failOn FailOn) string {
	var told, passing, besides []string
	partly := false // some of the statements make the run fail
	for _, s := range r.tallies(failOn) {
		switch {
		case !s.info:
			told = append(told, s.text)
			switch {
			case !s.fails:
				passing = append(passing, s.text)
			case s.passes != "":
				passing = append(passing, s.passes)
				partly = true
			}
		case s.fails:
			besides = append(besides, s.text)
		}
	}
	said, verdict := "", r.Summary.Verdict
	agrees := r.verdict() == Compliant
	switch {
	case agrees && verdict == Incomplete:
		said = r.Baseline.unsure() + "; besides, " + r.agreement()
	case agrees:
		said = r.agreement()
	case verdict == Incomplete:
		said = strings.Join(r.Obstacles(), ", ")
		if len(told) > 0 && !r.IsBlank() {
			said += "; besides, " + strings.Join(told, ", ")
		}
	default:
		said = strings.Join(told, ", ")
	}
	if !agrees {
		said += Prefixed("; ", r.accepted()) + Prefixed("; ", r.given())
	}
	said += Prefixed("; ", r.more())
	if n := r.Summary.Impact; n != nil && *n != (Impacts{}) {
		said += "; impact: " + n.String()
	}
	switch {
	case r.Baseline == nil:
	case r.IsBlank():
		said += "; not compared with " + r.Baseline.Path
	default:
		said += "; " + r.Baseline.sentence()
		if len(r.Baseline.Incomplete) > 0 && (!agrees || verdict == Compliant && r.fails(failOn)) {
			said += "; " + r.Baseline.unsure()
		}
	}
	switch {
	case len(passing) > 0 && len(passing) == len(told) && !partly:
		said += "; not counted as a failure (--fail-on " + failOn.said() + ")"
	case len(passing) > 0:
		said += "; not counted as a failure (--fail-on " + failOn.said() + "): " + strings.Join(passing, ", ")
	}
	if r.mayFail(failOn) {
		said += "; incomplete: " + r.Unknown()
	}
	if len(besides) > 0 {
		said += "; counted as a failure (--fail-on " + failOn.said() + "): " + strings.Join(besides, ", ")
	}
	return strings.ToUpper(string(verdict)) + ": " + said
}

// accepted counts the accepted deviations in words; "" if there are none.
func (r *Run) accepted() string {
	n, crs := r.Summary.AcceptedDeviations+r.Summary.AcceptedCRs, r.Summary.Objects.Overridden+r.Summary.AcceptedCRs
	if n == 0 {
		return ""
	}
	return Plural(n, "deviation is accepted", "deviations are accepted") + " (" + Plural(crs, "CR", "CRs") + ")"
}

// given says that only the CRs of the input were judged, and how many of these were not; "" if this is
// not so.
func (r *Run) given() string {
	if !r.Given {
		return ""
	}
	said := "only what was given was judged"
	if n := r.Summary.Objects.Unmatched + r.Summary.Objects.Ignored; n > 0 {
		said += ", without " + Plural(n, "CR that has no template", "CRs that have no template")
	}
	return said
}

// more describes what a cluster has in addition to the one that it was compared with. Where there is a
// reference, nobody misses it there.
func (r *Run) more() string {
	var all []string
	if n := r.Summary.Objects.Extra; n > 0 && r.Base != nil && r.Summary.Verdict != Compliant {
		all = append(all, Plural(n, "CR has extra content only", "CRs have extra content only"))
	}
	if n := r.Summary.Objects.Unmatched; n > 0 && r.Base != nil {
		all = append(all, Plural(n, "CR is not in the first cluster", "CRs are not in the first cluster"))
	}
	return strings.Join(all, ", ")
}

// agreement describes the verdict on a compliant cluster.
func (r *Run) agreement() string {
	o := r.Summary.Objects
	if o.Compared == 0 {
		return "nothing was compared: the input has no CR of the named components, and these require none"
	}
	extra, masked := "", ""
	if o.Extra > 0 {
		extra = ", with extra content"
	}
	if o.Extra > 0 && o.Compared > 1 {
		extra = fmt.Sprintf(", %d of them with extra content", o.Extra)
	}
	if n := r.Summary.Masked; n > 0 {
		masked = "; " + Plural(n, "value was", "values were") + " masked by the collector and not compared"
	}
	if o.Overridden > 0 {
		extra += fmt.Sprintf(", %d of them by ", o.Overridden)
		switch n := r.Summary.AcceptedDeviations; n {
		case 0: // the report is of an earlier version
			extra += "accepted deviations"
		case 1:
			extra += "an accepted deviation"
		default:
			extra += fmt.Sprintf("%d accepted deviations", n)
		}
	}
	missing := "; nothing is missing"
	if r.Given {
		missing = "; " + r.given()
	}
	if o.Referenced > 0 {
		missing = "; " + Plural(o.Referenced, "CR is only named by others and was not compared",
			"CRs are only named by others and were not compared") + "; nothing else is missing"
	}
	there := len(slice.Filter(r.AcceptedCRs, func(a AcceptedCR) bool { return a.Present }))
	if absent := len(r.AcceptedCRs) - there; absent > 0 {
		missing += " except " + Plural(absent, "accepted CR", "accepted CRs")
	}
	if there > 0 {
		missing += "; " + Plural(there, "accepted CR is there against a rule", "accepted CRs are there against a rule")
	}
	return Plural(o.Compared, "CR agrees", "CRs agree") + " with the reference" + extra + missing + masked
}

// Short returns the verdict in one word, in capitals unless it is compliant.
func (v Verdict) Short() string {
	if v == Compliant {
		return string(v)
	}
	return strings.ToUpper(string(v))
}
