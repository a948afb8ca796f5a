package saved

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// Earlier is a saved report with which a newer report is compared.
type Earlier struct {
	Path   string
	Report *finding.Report
	Only   []string // globs for the names or IDs of clusters; nil for all clusters
}

// Meant returns the runs of clusters whose names or IDs match one of the globs; all runs if there
// are no globs. It includes runs of unknown clusters, such as a report that could not be read.
func Meant(runs []*finding.Run, globs []string) []*finding.Run {
	if len(globs) == 0 {
		return runs
	}
	return slice.Without(runs, func(run *finding.Run) bool {
		unknown := run.Cluster == (finding.Cluster{}) && run.Summary.Objects.Read == 0
		return !unknown && !slices.ContainsFunc(globs, func(glob string) bool {
			all := names(run.Cluster)
			return slices.ContainsFunc(
				all[:], func(name string) bool { return name != "" && finding.Globs(glob, name) },
			)
		})
	})
}

// withCRs returns the runs except those that lackingRun made.
func withCRs(runs []*finding.Run) []*finding.Run {
	return slice.Without(runs, func(run *finding.Run) bool {
		return slices.ContainsFunc(
			run.Unreadable, func(p refconfig.Problem) bool { return p.Code == code.ClusterLacking },
		)
	})
}

// lackingRun returns an incomplete run for a cluster that only the earlier report has.
func lackingRun(then Earlier, old *finding.Run) *finding.Run {
	run := &finding.Run{
		Inputs:  old.Inputs,
		Cluster: old.Cluster,
		Unreadable: []refconfig.Problem{refconfig.Place{File: then.Path}.Problem(
			code.ClusterLacking,
			"it has the cluster %s, but no input has a CR of it; add an input with its CRs, or select other clusters with --cluster",
			old.Name(),
		)},
	}
	run.Conclude()
	return run
}

// Mark sets the changes of all findings in a report since an earlier one. If only new findings make
// the report fail, clusters that only the earlier report has are added as incomplete runs. The
// caller must call Conclude again.
func Mark(now *finding.Report, then Earlier) {
	every := finding.FailOnWords() // with every word, the lists have all findings
	if rest := withCRs(now.Runs); len(rest) > 0 {
		now.Runs = rest
	}
	earlier := withCRs(then.Report.Runs)
	matched := match(now.Runs, earlier)
	for i, old := range matched {
		run := now.Runs[i]
		remarks, incomplete := compareConditions(now, run, then.Report, old)
		run.Baseline = &finding.Baseline{
			Path: then.Path, Remarks: remarks, Incomplete: incomplete, NotKnown: noLongerKnown(run, old),
		}
		all := pairFindings(
			run, old, every, causesOf(now, run, then.Report, old), otherReference(now, run, then.Report, old),
		)
		run.Baseline.Remarks = append(run.Baseline.Remarks, newExtra(all, now.FailOn)...)
		for _, f := range all {
			if f.Change == finding.Gone {
				// values of the earlier report may be secret in this one
				f.Words, f.Reference, f.Input, f.Source = withoutValues(f), nil, nil, finding.Source{}
				run.Baseline.Gone = append(run.Baseline.Gone, f)
				continue
			}
			f.Mark()
		}
	}
	if !now.FailOn.Has(finding.FailOnNew) {
		return
	}
	known := now.Runs
	for _, old := range unmatched(Meant(earlier, then.Only), matched) {
		if !mayHave(known, old) {
			now.Runs = append(now.Runs, lackingRun(then, old))
		}
	}
}

// noLongerKnown returns what is not known of a run, and was known in an earlier one.
func noLongerKnown(run, old *finding.Run) (messages []string) {
	for _, p := range run.NotKnown {
		same := func(q refconfig.Problem) bool { return p.Code == q.Code && p.Message == q.Message }
		if old == nil || !slices.ContainsFunc(old.NotKnown, same) {
			messages = append(messages, p.Message)
		}
	}
	return messages
}

// withoutValues describes a finding without values of the CR.
func withoutValues(f finding.Finding) string {
	switch f.Class {
	case finding.ClassRule,
		finding.ClassPerhapsBroken,
		finding.ClassAbsent,
		finding.ClassNotCollected,
		finding.ClassWanted,
		finding.ClassReferenced,
		finding.ClassUnmatched:
		return f.Words // the words have only values of the reference
	}
	return strings.TrimPrefix(f.Path+": ", ": ") + "was " + string(f.Class) + finding.Note(f.Code)
}

// mayBe reports whether two runs have a name in common and may be of the same cluster.
func mayBe(a, b *finding.Run) bool {
	for key, name := range names(a.Cluster) {
		if name != "" && name == names(b.Cluster)[key] {
			return !otherCluster(a, b)
		}
	}
	return false
}

// mayHave reports whether one of some runs may be of the same cluster as another run.
func mayHave(runs []*finding.Run, one *finding.Run) bool {
	return slices.ContainsFunc(runs, func(run *finding.Run) bool { return mayBe(run, one) })
}

// lacks says why runs have none that matches another one.
func lacks(runs []*finding.Run, one *finding.Run) string {
	if mayHave(runs, one) {
		return "does not tell which of its clusters is this one"
	}
	return "has nothing of this cluster"
}

// newExtra says how much extra content is new or has changed if it does not count, because then nothing
// else shows it.
func newExtra(all []finding.Finding, failOn finding.FailOn) []string {
	n := 0
	for _, f := range all {
		if f.Class == finding.ClassExtra && (f.Change == finding.New || f.Change == finding.Changed) {
			n++
		}
	}
	if n == 0 || failOn.Has(finding.FailOnExtra) {
		return nil
	}
	return []string{finding.Plural(n, "extra field is", "extra fields are") + " new or changed: --fail-on extra"}
}

// compareConditions lists other differences between a run and an earlier one, and why the changes
// are not certain.
func compareConditions(
	now *finding.Report, run *finding.Run, then *finding.Report, old *finding.Run,
) (remarks, incomplete []string) {
	if otherReference(now, run, then, old) {
		remarks = append(remarks, "of another reference")
	}
	switch {
	case old == nil:
		remarks = append(remarks, "which "+lacks(then.Runs, run))
		return remarks, nil
	case otherCluster(run, old):
		remarks = append(remarks, "of another cluster: "+old.Name())
	}
	if !slices.Equal(run.LeftOut, old.LeftOut) {
		remarks = append(remarks, "where other components were excluded")
	}
	switch {
	case run.Given && !old.Given:
		remarks = append(remarks, "where more than what is given here was judged")
	case old.Given && !run.Given:
		remarks = append(remarks, "where only what was given was judged")
	}
	switch {
	case run.Validated && !old.Validated:
		remarks = append(remarks, "where CRs were not validated")
	case old.Validated && !run.Validated:
		remarks = append(remarks, "where CRs were validated, unlike here")
	}
	if !slices.Equal(run.Options, old.Options) {
		remarks = append(remarks, "with other options: "+otherOptions(run.Options, old.Options))
	}
	return remarks, old.Obstacles()
}

// otherReference reports whether a run and an earlier one, which may be nil, are of different
// references. The reports of earlier versions have the reference of all runs only.
func otherReference(now *finding.Report, run *finding.Run, then *finding.Report, old *finding.Run) bool {
	is, was := cmp.Or(run.Reference, now.Reference), then.Reference
	if old != nil {
		was = cmp.Or(old.Reference, was)
	}
	return is.Hash != was.Hash
}

// otherOptions names the options that only one of two runs has, or with another value.
func otherOptions(now, then []string) string {
	var names []string
	for _, one := range slices.Concat(slice.Without(now, in(then)), slice.Without(then, in(now))) {
		name, _, _ := strings.Cut(one, "=")
		names = append(names, "--"+name)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}

// in returns a function that reports whether a list has a text.
func in(list []string) func(string) bool {
	return func(text string) bool { return slices.Contains(list, text) }
}

// pairFindings lists the findings of a run with their changes since an earlier run, then the
// findings that are gone. Findings on components that the run excludes do not count as gone, and
// neither do invalid fields of kinds that the run does not validate. A run in which no CR was read
// has no changes. If the reference is another one, the file of a template may have another name.
func pairFindings(
	run, old *finding.Run, failOn finding.FailOn, cause causes, otherReference bool,
) []finding.Finding {
	all := countedFindings(run, failOn)
	if run.IsBlank() {
		return nil
	}
	if old == nil {
		for i := range all {
			all[i].Change = finding.New
		}
		return all
	}
	before := countedFindings(old, failOn)
	used := make([]bool, len(before))
	// pair findings with the same values first
	ways := []func(finding.Finding) string{contents, fingerprint}
	if otherReference {
		ways = append(ways, withoutTemplate)
	}
	for _, sameAs := range ways {
		left := map[string][]int{}
		for i, f := range before {
			if key := sameAs(f); !used[i] {
				left[key] = append(left[key], i)
			}
		}
		for i, f := range all {
			key := sameAs(f)
			if f.Change != "" || key == "" || len(left[key]) == 0 {
				continue
			}
			earlier := left[key][0]
			left[key], used[earlier] = left[key][1:], true
			all[i].Change = changeOf(f, before[earlier])
			if all[i].Change == finding.Changed {
				all[i].Cause = cause.ofChanged(f, before[earlier])
			}
			if all[i].Change == finding.Changed && f.Wording() != before[earlier].Wording() {
				all[i].Was = before[earlier].Words
			}
		}
	}
	for i := range all {
		if all[i].Change == "" {
			all[i].Change, all[i].Cause = finding.New, cause.ofNew(all[i])
		}
	}
	for i, f := range before {
		known := !slices.Contains(run.LeftOut, f.Template.ComponentName()) &&
			(f.Class != finding.ClassInvalid && f.Class != finding.ClassInvalidCR || validates(run, f.Object))
		if known && !used[i] {
			f.Change = finding.Gone
			all = append(all, f)
		}
	}
	return all
}

// validates reports whether a run validates an object if it compares it.
func validates(r *finding.Run, o finding.Object) bool {
	return r.Validated && !slices.Contains(r.NotValidated, finding.Kind{APIVersion: o.APIVersion, Kind: o.Kind})
}

// fingerprint returns the part of the fingerprint that two reports of the same finding share: it
// drops the number that distinguishes several findings on one field.
func fingerprint(f finding.Finding) string {
	print, _, _ := strings.Cut(f.Fingerprint, "-")
	return print
}

// withoutTemplate returns a text that two findings on the same CR with the same values share whatever
// the file of the template is called; "" for a finding that the template alone identifies.
func withoutTemplate(f finding.Finding) string {
	words := ""
	switch {
	case f.Missed != nil && isFixed(f.Object.Name):
	case f.CR != nil && f.Class != finding.ClassError:
		one := []finding.Difference{{Category: finding.Category(f.Class), Path: f.Path, Code: f.Code}}
		finding.Identify(one, f.Object, f.Template.Path)
		if one[0].Fingerprint != fingerprint(f) {
			return "" // an item of a list that has a name, which the report does not tell
		}
		words = f.Wording()
	default:
		return ""
	}
	return strings.Join([]string{
		string(f.Class), f.Template.Part, f.Template.Component, f.Rule, f.Object.String(), f.Path, string(f.Code),
		string(f.Reference), string(f.Input), words,
	}, "\x00")
}

// contents returns a text that two findings with the same fingerprint and values share.
func contents(f finding.Finding) string {
	hash := f.ContentHash()
	return string(hash[:])
}

// countedFindings lists the findings of a run that count, without their changes.
func countedFindings(run *finding.Run, failOn finding.FailOn) (all []finding.Finding) {
	for f := range run.Findings(failOn, nil) {
		if f.News = (finding.News{}); f.Counts(failOn) {
			all = append(all, f)
		}
	}
	return all
}
