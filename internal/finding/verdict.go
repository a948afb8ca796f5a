package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	return slices.ContainsFunc(known.statements(failOn), func(s statement) bool { return s.fails })
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

// statement describes the findings of one kind, and whether they make the run fail.
type statement struct {
	n      int
	text   string
	fails  bool
	info   bool   // mention the findings only if they make the run fail
	passes string // the part of the text about findings that do not make the run fail
	of     func(Finding) bool
}

// statements describes the findings of a run: one statement for each kind that has findings.
func (r *Run) statements(failOn FailOn) []statement {
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
	all := slices.DeleteFunc([]statement{
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
	}, func(s statement) bool { return s.n == 0 })
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

// Sentence describes the verdict: "DRIFT: 2 of 14 CRs differ from the reference, 1 required CR was
// not found".
func (r *Run) Sentence(failOn FailOn) string {
	var told, passing, besides []string
	partly := false // some of the statements make the run fail
	for _, s := range r.statements(failOn) {
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

// Sentence describes the verdicts of all clusters: "3 clusters: 1 compliant, 1 DRIFT, 1
// INCOMPLETE". Inputs without CRs are no clusters. It also says what has changed since a baseline, and
// which clusters fail although they are compliant, or the other way round.
func (r *Report) Sentence() string {
	n := r.Summary.Clusters
	blank, unread := 0, 0 // the last is the number of inputs
	for _, run := range r.Runs {
		if run.IsCluster() {
			continue
		}
		n.Incomplete--
		if run.IsUnread() {
			unread += len(run.Inputs)
		} else {
			blank++
		}
	}
	said := Plural(r.CountClusters(), "cluster", "clusters") + Prefixed(": ", n.String())
	if blank > 0 {
		said += "; " + Incomplete.Short() + ": " + Plural(blank, "input gave no CR", "inputs gave no CR")
	}
	if unread > 0 {
		said += "; " + Plural(unread, "input was not read", "inputs were not read")
	}
	return said + Prefixed("; ", r.Since()) + r.effects()
}

// String lists the numbers in words: "1 compliant, 2 DRIFT".
func (n Clusters) String() string {
	return Shares(
		Share{N: n.Compliant, Text: Compliant.Short()},
		Share{N: n.Drift, Text: Differs.Short()},
		Share{N: n.Incomplete, Text: Incomplete.Short()},
	)
}

// Count adds a cluster.
func (n *Clusters) Count(v Verdict) {
	switch v {
	case Compliant:
		n.Compliant++
	case Differs:
		n.Drift++
	default:
		n.Incomplete++
	}
}

// IsUnread reports whether this Run is only a placeholder for inputs that an interrupted comparison
// did not read. Such a Run is no cluster.
func (r *Run) IsUnread() bool {
	return r.Interrupted && r.Cluster == (Cluster{}) && r.Summary.Objects.Read == 0
}

// IsCluster reports whether a run is of a cluster: it has CRs, or is known to lack them.
func (r *Run) IsCluster() bool { return r.Summary.Objects.Read > 0 || r.Cluster != (Cluster{}) }

// CountClusters counts the clusters. A cluster with several runs counts once.
func (r *Report) CountClusters() int {
	n := 0
	for i, first := range r.firsts() {
		if first == i && r.Runs[i].IsCluster() {
			n++
		}
	}
	return n
}

// firsts returns for each run the index of the first run of the same cluster: the id is the same, or the
// infrastructure if one of the two has no id. Several runs of a cluster are possible if saved reports are
// merged.
func (r *Report) firsts() []int {
	firsts, ids, infrastructures := make([]int, len(r.Runs)), map[string]int{}, map[string]int{}
	for i, run := range r.Runs {
		c := run.Cluster
		byID, hasID := ids[c.ID]
		other, hasOther := infrastructures[c.Infrastructure]
		switch firsts[i] = i; {
		case c.ID != "" && hasID:
			firsts[i] = byID
		case c.Infrastructure != "" && hasOther && (c.ID == "" || r.Runs[other].Cluster.ID == ""):
			firsts[i] = other
		default:
			ids[c.ID] = i
			if !hasOther {
				infrastructures[c.Infrastructure] = i
			}
		}
	}
	return firsts
}

// verdicts returns the worst verdict of each cluster, and of each run that is no cluster.
func (r *Report) verdicts() (all []Verdict) {
	at := map[int]int{}
	for i, first := range r.firsts() {
		verdict := r.Runs[i].Summary.Verdict
		if first == i {
			at[i] = len(all)
			all = append(all, verdict)
		} else if verdict.Severity() > all[at[first]].Severity() {
			all[at[first]] = verdict
		}
	}
	return all
}

// Heading returns the word before the Name of a run in its heading.
func (r *Run) Heading() string {
	switch {
	case r.IsUnread():
		return "Not read: "
	case r.Cluster.Name == "":
		return "Input "
	}
	return "Cluster "
}

// Severity orders verdicts, the best first.
func (v Verdict) Severity() int { return slices.Index([]Verdict{Compliant, Differs, Incomplete}, v) }

// WorstFirst orders clusters by verdict, then by the numbers of drifting CRs, missing CRs and
// broken rules.
func WorstFirst(a, b *Run) int {
	x, y := a.Summary, b.Summary
	return cmp.Or(
		y.Verdict.Severity()-x.Verdict.Severity(),
		y.Objects.Drift-x.Objects.Drift,
		y.MissingCRs-x.MissingCRs,
		y.BrokenRules-x.BrokenRules,
	)
}

// Short returns the verdict in one word, in capitals unless it is compliant.
func (v Verdict) Short() string {
	if v == Compliant {
		return string(v)
	}
	return strings.ToUpper(string(v))
}

// Name returns the name of a run's cluster, or at most eleven locations of its inputs if the
// cluster has no name.
func (r *Run) Name() string {
	if r.Cluster.Name != "" {
		return r.Cluster.Name
	}
	const most = 10
	return cmp.Or(r.Places(most), "input")
}

// Places names the locations of the inputs of a run: at most one more than most.
func (r *Run) Places(most int) string {
	var places []string
	for _, in := range r.Inputs {
		places = append(places, in.Place())
	}
	return Some(places, most)
}
