package finding

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
)

// Earlier is a report that was read from a file, which findings are held against.
type Earlier struct {
	Path   string
	Report *Report
	Only   []string // globs that mean the clusters that are asked for; none for all
}

// Meant are the runs of clusters that one of some globs means by a name or its id; without globs
// all of them. One of which nothing is known, such as that of a report that cannot be read, may be
// of any cluster.
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

// there are the runs of clusters that a report has something of.
func there(runs []*Run) []*Run {
	return slices.DeleteFunc(slices.Clone(runs), func(run *Run) bool {
		return slices.ContainsFunc(
			run.Unreadable, func(p Problem) bool { return p.Code == code.ClusterLacking },
		)
	})
}

// lacking stands in a report for a cluster that only the earlier one has.
func lacking(then Earlier, old *Run) *Run {
	run := &Run{
		Inputs:  old.Inputs,
		Cluster: old.Cluster,
		Unreadable: []Problem{{File: then.Path, Code: code.ClusterLacking,
			Message: "it has the cluster " + old.Name() + ", and nothing of that is here; give what was collected of it, or name the clusters that are meant with --cluster"}},
	}
	run.Conclude()
	return run
}

// Mark says in a report what became of its findings since an earlier one. Where only what is new
// counts, clusters that only the earlier one has are in the report too, as such of which nothing is
// known. The caller has it concluded again.
func Mark(now *Report, then Earlier) {
	every := FailOn(FailOnWords()) // so that all findings are listed
	if rest := there(now.Runs); len(rest) > 0 {
		now.Runs = rest
	}
	earlier := there(then.Report.Runs)
	matched := match(now.Runs, earlier)
	for i, old := range matched {
		run := now.Runs[i]
		c := against(now, run, then.Report, old)
		run.Baseline = &Baseline{Path: then.Path, Remarks: c.remarks, Incomplete: c.incomplete}
		for _, f := range pair(run, old, every) {
			if f.Change == Gone {
				// Values of the earlier report may be secret here.
				f.Words, f.Reference, f.Input, f.Source = withoutValues(f), nil, nil, Source{}
				run.Baseline.Gone = append(run.Baseline.Gone, f)
				continue
			}
			f.Mark(f.Change)
		}
	}
	if !now.FailOn.Has("new") {
		return
	}
	for _, old := range unmatched(Meant(earlier, then.Only), matched) {
		now.Runs = append(now.Runs, lacking(then, old))
	}
}

// withoutValues says what a finding was about, without what the CR had.
func withoutValues(f Finding) string {
	switch f.Class {
	case ClassRule,
		ClassAbsent,
		ClassNotCollected,
		ClassWanted,
		ClassReferenced,
		ClassUnmatched:
		return f.Words // of the reference
	}
	return strings.TrimPrefix(f.Path+": ", ": ") + string(f.Class) + Note(f.Code)
}

// match finds for each of some runs the earlier one of the same cluster: by its id, else its
// infrastructure, else its name; and where there is one on each side, that one. It is nil where
// there is none.
func match(now, then []*Run) []*Run {
	if len(now) == 1 && len(then) == 1 {
		return then
	}
	found := make([]*Run, len(now))
	left := indexed(then)
	for key := range sorts {
		for i, run := range now {
			if found[i] == nil {
				found[i] = left.take(then, wanted(names(run.Cluster), key))
			}
		}
	}
	return found
}

// known is what is known of a cluster, or asked for: "=" and a name for that name, which is ""
// where there is none; "" for anything.
type known [sorts]string

// left are the indexes of earlier runs that no later one is of, ascending, by what may be asked
// for.
type left struct {
	by    map[known][]int
	taken map[int]bool
}

// indexed makes an index of earlier runs: one is found by each of its names, beside which any of
// the surer ones are asked for.
func indexed(then []*Run) left {
	index := left{map[known][]int{}, map[int]bool{}}
	for i, run := range then {
		all := names(run.Cluster)
		for key := range sorts {
			for mask := 1 << key; mask < 2<<key && all[key] != ""; mask++ {
				var one known
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

// wanted is what a cluster may be known by that has the same name of a sort, and is none of those
// that differ; nil where it has no such name.
func wanted(all [sorts]string, key int) (any []known) {
	if all[key] == "" {
		return nil
	}
	var one known
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

// take takes the first run that is known by any of what is asked for; nil if there is none.
func (l left) take(then []*Run, any []known) *Run {
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

// unmatched are the earlier runs that no later one is of.
func unmatched(then, matched []*Run) []*Run {
	met := map[*Run]bool{}
	for _, old := range matched {
		met[old] = true
	}
	return slices.DeleteFunc(slices.Clone(then), func(old *Run) bool { return met[old] })
}

// sorts is how many names there can be of a cluster.
const sorts = 3

// names are what tells a cluster from others, the surest first.
func names(c Cluster) [sorts]string { return [sorts]string{c.ID, c.Infrastructure, c.Name} }

// differ reports whether two runs are of different clusters, by the surest of what is known of
// both.
func differ(a, b *Run) bool {
	for key, name := range names(a.Cluster) {
		if other := names(b.Cluster)[key]; name != "" && other != "" {
			return name != other
		}
	}
	return false
}

// conditions is what there is to say about holding a run against another.
type conditions struct{ remarks, incomplete []string }

// against says what else is other than in an earlier run, and why that is not to be relied on.
func against(now *Report, run *Run, then *Report, old *Run) (c conditions) {
	if now.Reference.Hash != then.Reference.Hash {
		c.remarks = append(c.remarks, "of another reference")
	}
	switch {
	case old == nil:
		c.remarks = append(c.remarks, "which has nothing of this cluster")
		return c
	case differ(run, old):
		c.remarks = append(c.remarks, "of another cluster: "+old.Name())
	}
	if !slices.Equal(run.LeftOut, old.LeftOut) {
		c.remarks = append(c.remarks, "where other components were left out")
	}
	c.incomplete = old.Obstacles()
	return c
}

// pair lists the findings of a run with their changes since an earlier one, and behind them those
// that are gone. What was found in components that the run leaves out is not known to be gone.
func pair(run, old *Run, failOn FailOn) []Finding {
	all := counted(run, failOn)
	if old == nil {
		for i := range all {
			all[i].Change = New
		}
		return all
	}
	before := counted(old, failOn)
	left := newLeftOver(before)
	// so that of several those with the same values find each other
	for _, how := range []func(Finding) string{contents, anything} {
		for i := range all {
			if all[i].Change != "" {
				continue
			}
			if f := left.take(all[i], how); f != nil {
				all[i].Change = change(all[i], *f)
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
		if f := before[i]; !left.used[&before[i]] && !slices.Contains(run.LeftOut, f.Template.ComponentName()) {
			f.Change = Gone
			all = append(all, f)
		}
	}
	return all
}

// counted lists the findings of a run that a baseline is about, without what was said of them
// before.
func counted(run *Run, failOn FailOn) []Finding {
	all := slices.DeleteFunc(run.Findings(failOn), func(f Finding) bool { return !f.Counts(failOn) })
	for i := range all {
		all[i].Change = ""
	}
	return all
}
