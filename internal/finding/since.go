package finding

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
)

// Earlier is a saved report that another report is compared with.
type Earlier struct {
	Path   string
	Report *Report
	Only   []string // globs for the names or IDs of clusters; nil for all clusters
}

// Meant returns the runs of clusters whose names or IDs match one of the globs; all runs if there
// are no globs. It includes runs of unknown clusters, such as a report that could not be read.
func Meant(runs []*Run, globs []string) []*Run {
	if len(globs) == 0 {
		return runs
	}
	return slices.DeleteFunc(slices.Clone(runs), func(run *Run) bool {
		unknown := run.Cluster == (Cluster{}) && run.Summary.Objects.Read == 0
		return !unknown && !slices.ContainsFunc(globs, func(glob string) bool {
			all := names(run.Cluster)
			return slices.ContainsFunc(
				all[:], func(name string) bool { return name != "" && Globs(glob, name) },
			)
		})
	})
}

// withCRs returns the runs that have something of their cluster.
func withCRs(runs []*Run) []*Run {
	return slices.DeleteFunc(slices.Clone(runs), func(run *Run) bool {
		return slices.ContainsFunc(
			run.Unreadable, func(p Problem) bool { return p.Code == code.ClusterLacking },
		)
	})
}

// lackingRun returns a run that stands for a cluster that only the earlier report has.
func lackingRun(then Earlier, old *Run) *Run {
	run := &Run{
		Inputs:  old.Inputs,
		Cluster: old.Cluster,
		Unreadable: []Problem{{File: then.Path, Code: code.ClusterLacking,
			Message: "it has the cluster " + old.Name() + ", and nothing of that is here; give what was collected of it, or name the clusters that are meant with --cluster"}},
	}
	run.Conclude()
	return run
}

// Mark sets the changes of all findings in a report since an earlier one. If only new findings make
// it fail, clusters that only the earlier report has are added as incomplete runs. The caller
// concludes the report again.
func Mark(now *Report, then Earlier) {
	every := FailOnWords() // lists all findings
	if rest := withCRs(now.Runs); len(rest) > 0 {
		now.Runs = rest
	}
	earlier := withCRs(then.Report.Runs)
	matched := match(now.Runs, earlier)
	for i, old := range matched {
		run := now.Runs[i]
		c := compareConditions(now, run, then.Report, old)
		run.Baseline = &Baseline{Path: then.Path, Remarks: c.remarks, Incomplete: c.incomplete}
		for _, f := range pairFindings(run, old, every) {
			if f.Change == Gone {
				// values of the earlier report may be secret in this one
				f.Words, f.Reference, f.Input, f.Source = withoutValues(f), nil, nil, Source{}
				run.Baseline.Gone = append(run.Baseline.Gone, f)
				continue
			}
			f.Mark(f.Change)
		}
	}
	if !now.FailOn.Has(FailOnNew) {
		return
	}
	for _, old := range unmatched(Meant(earlier, then.Only), matched) {
		now.Runs = append(now.Runs, lackingRun(then, old))
	}
}

// withoutValues describes a finding without values of the CR.
func withoutValues(f Finding) string {
	switch f.Class {
	case ClassRule,
		ClassAbsent,
		ClassNotCollected,
		ClassWanted,
		ClassReferenced,
		ClassUnmatched:
		return f.Words // they have only values of the reference
	}
	return strings.TrimPrefix(f.Path+": ", ": ") + string(f.Class) + Note(f.Code)
}

// match returns for each run the earlier run of the same cluster, or nil. It compares IDs, then
// infrastructures, then names. If each side has only one run, these match.
func match(now, then []*Run) []*Run {
	if len(now) == 1 && len(then) == 1 {
		return then
	}
	found := make([]*Run, len(now))
	left := indexRuns(then)
	for key := range nameCount {
		for i, run := range now {
			if found[i] == nil {
				found[i] = left.take(then, nameKeys(names(run.Cluster), key))
			}
		}
	}
	return found
}

// nameKey is a combination of names: "=" and a name for that name, "=" for no name, and "" for any.
type nameKey [nameCount]string

// runIndex has the indexes of earlier runs that are not matched yet, ascending, by combinations of
// names.
type runIndex struct {
	by    map[nameKey][]int
	taken map[int]bool
}

// indexRuns indexes earlier runs: each run by each of its names, combined with any of its surer
// names.
func indexRuns(then []*Run) runIndex {
	index := runIndex{map[nameKey][]int{}, map[int]bool{}}
	for i, run := range then {
		all := names(run.Cluster)
		for key := range nameCount {
			for mask := 1 << key; mask < 2<<key && all[key] != ""; mask++ {
				var one nameKey
				for k := range key + 1 {
					if mask>>k&1 == 1 {
						one[k] = "=" + all[k]
					}
				}
				index.by[one] = append(index.by[one], i)
			}
		}
	}
	return index
}

// nameKeys returns the combinations that match a cluster's name at key and contradict none of its
// surer names; nil if it has no such name.
func nameKeys(all [nameCount]string, key int) (any []nameKey) {
	if all[key] == "" {
		return nil
	}
	var one nameKey
	one[key] = "=" + all[key]
	for k := range key {
		if all[k] != "" {
			same := one
			same[k] = "=" + all[k]
			any = append(any, same)
			one[k] = "="
		}
	}
	return append(any, one)
}

// take returns the first run that one of the combinations matches, or nil.
func (l runIndex) take(then []*Run, any []nameKey) *Run {
	first := len(then)
	for _, one := range any {
		all := l.by[one]
		for len(all) > 0 && l.taken[all[0]] {
			all = all[1:]
		}
		if l.by[one] = all; len(all) > 0 {
			first = min(first, all[0])
		}
	}
	if first == len(then) {
		return nil
	}
	l.taken[first] = true
	return then[first]
}

// unmatched returns the earlier runs that match no later one.
func unmatched(then, matched []*Run) []*Run {
	met := map[*Run]bool{}
	for _, old := range matched {
		met[old] = true
	}
	return slices.DeleteFunc(slices.Clone(then), func(old *Run) bool { return met[old] })
}

// nameCount is the number of names of a cluster.
const nameCount = 3

// names returns the names that identify a cluster, the surest first.
func names(c Cluster) [nameCount]string { return [nameCount]string{c.ID, c.Infrastructure, c.Name} }

// otherCluster reports whether two runs are of different clusters, by the surest name that both
// have.
func otherCluster(a, b *Run) bool {
	for key, name := range names(a.Cluster) {
		if other := names(b.Cluster)[key]; name != "" && other != "" {
			return name != other
		}
	}
	return false
}

// conditions restrict what a comparison of two runs says.
type conditions struct{ remarks, incomplete []string }

// compareConditions lists other differences between a run and an earlier one, and why the changes
// are not certain.
func compareConditions(now *Report, run *Run, then *Report, old *Run) (c conditions) {
	if now.Reference.Hash != then.Reference.Hash {
		c.remarks = append(c.remarks, "of another reference")
	}
	switch {
	case old == nil:
		c.remarks = append(c.remarks, "which has nothing of this cluster")
		return c
	case otherCluster(run, old):
		c.remarks = append(c.remarks, "of another cluster: "+old.Name())
	}
	if !slices.Equal(run.LeftOut, old.LeftOut) {
		c.remarks = append(c.remarks, "where other components were left out")
	}
	switch {
	case run.Validated && !old.Validated:
		c.remarks = append(c.remarks, "where CRs were not validated")
	case old.Validated && !run.Validated:
		c.remarks = append(c.remarks, "where CRs were validated, which they are not here")
	}
	c.incomplete = old.Obstacles()
	return c
}

// pairFindings lists the findings of a run with their changes since an earlier run, then the
// findings that are gone. Findings on components that the run leaves out are not gone, and neither
// are invalid fields if the run does not validate.
func pairFindings(run, old *Run, failOn FailOn) []Finding {
	all := countedFindings(run, failOn)
	if old == nil {
		for i := range all {
			all[i].Change = New
		}
		return all
	}
	before := countedFindings(old, failOn)
	left := newLeftOver(before)
	// first those with the same values find each other
	for _, how := range []func(Finding) string{contents, anything} {
		for i := range all {
			if all[i].Change != "" {
				continue
			}
			if f := left.take(all[i], how); f != nil {
				all[i].Change = changeOf(all[i], *f)
				if all[i].Change == Changed && wording(all[i]) != wording(*f) {
					all[i].Was = f.Words
				}
			}
		}
	}
	for i := range all {
		all[i].Change = cmp.Or(all[i].Change, New)
	}
	for i := range before {
		f := before[i]
		known := !slices.Contains(run.LeftOut, f.Template.ComponentName()) && (run.Validated || f.Class != ClassInvalid)
		if known && !left.used[&before[i]] {
			f.Change = Gone
			all = append(all, f)
		}
	}
	return all
}

// countedFindings lists the findings of a run that count, without their changes.
func countedFindings(run *Run, failOn FailOn) []Finding {
	all := slices.DeleteFunc(run.Findings(failOn), func(f Finding) bool { return !f.Counts(failOn) })
	for i := range all {
		all[i].Change = ""
	}
	return all
}
