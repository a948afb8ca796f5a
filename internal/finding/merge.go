package finding

import (
	"fmt"
	"maps"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
)

// Merge makes one report of several: of all their clusters, in that order. It has the reference of
// the first that was read; that a report is of another reference, or that a cluster was told of
// before, is an alarm of the run. What counts as a failure in one of them counts.
func Merge(tool Tool, all []*Report) *Report {
	out := &Report{Tool: tool}
	reports := slices.DeleteFunc(slices.Clone(all), func(r *Report) bool { return !isReport(r) })
	out.FailOn, out.Codes = failOn(reports), mergedCodes(reports)
	if len(reports) > 0 {
		out.Reference = reports[0].Reference
	}
	before := newClusters()
	passed := map[string]int{}
	for i, r := range all {
		for _, run := range r.Runs {
			var alarms []Warning
			if r.Reference.Hash != out.Reference.Hash && isReport(r) {
				alarms = append(alarms, Warning{Code: code.OtherReference,
					Message: fmt.Sprintf(
						"this is of another reference than the first report: %s (%s)",
						r.Reference.Path,
						r.Reference.Hash,
					)})
			}
			if old := before.met(run, i); old != nil {
				alarms = append(alarms, Warning{Code: code.ClusterTwice,
					Message: fmt.Sprintf(
						"the same cluster is in several of the reports, here and of %s; its inputs were not compared together",
						placeOf(old),
					)})
			}
			out.Runs = append(out.Runs, alarmed(run, alarms))
		}
		for _, p := range r.Passed {
			passed[p.Reason] += p.Count
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(passed)) {
		out.Passed = append(out.Passed, Passed{Reason: reason, Count: passed[reason]})
	}
	return out
}

// isReport tells a report from what stands for one that cannot be used.
func isReport(r *Report) bool { return r.Reference != (Reference{}) }

// Unusable stands in a report for a saved one that could not be read.
func Unusable(file, message string) *Report {
	run := &Run{Inputs: []Input{{Path: file, Format: "report"}},
		Unreadable: []Problem{{File: file, Code: code.ReportBroken, Message: message}}}
	run.Conclude()
	return &Report{Runs: []*Run{run}}
}

// alarmed is a run with more alarms. The run itself stays as it is.
func alarmed(run *Run, alarms []Warning) *Run {
	if len(alarms) == 0 {
		return run
	}
	more := *run
	more.Alarms = slices.Concat(run.Alarms, alarms)
	return &more
}

// failOn is what makes several reports fail: what makes any of them. That only what is new counts
// is so where it is so in all of them.
func failOn(reports []*Report) (list FailOn) {
	for _, word := range FailOnWords() {
		has := func(r *Report) bool { return r.FailOn.Has(word) }
		hasNot := func(r *Report) bool { return !has(r) }
		restricts := word == "new" || word == "none"
		if restricts && !slices.ContainsFunc(reports, hasNot) || !restricts && slices.ContainsFunc(reports, has) {
			list = append(list, word)
		}
	}
	return list
}

// clusters are those that were met, by what is known of them.
type clusters struct {
	byID             seen
	byInfrastructure seen // those with an id too
	withoutID        seen // those without one alone, by their infrastructure
}

func newClusters() clusters { return clusters{seen{}, seen{}, seen{}} }

// met takes in a cluster, and returns the first of another report that it is the same as: something
// is known of both, and nothing contradicts. It is nil where there is none.
func (c clusters) met(run *Run, report int) *Run {
	id, infrastructure := run.Cluster.ID, run.Cluster.Infrastructure
	alike := c.byInfrastructure
	if id != "" {
		alike = c.withoutID // one with another id is another cluster
	}
	same := c.byID.other(id, report)
	if same == nil {
		same = alike.other(infrastructure, report)
	}
	one := met{run, report}
	c.byID.add(id, one)
	c.byInfrastructure.add(infrastructure, one)
	if id == "" {
		c.withoutID.add(infrastructure, one)
	}
	return same
}

// seen has clusters by a key: of each the first, and the first of another report.
type seen map[string][]met

// met is a cluster of the report with a number.
type met struct {
	run    *Run
	report int
}

// other returns the first cluster of another report, nil for none.
func (s seen) other(key string, report int) *Run {
	for _, old := range s[key] {
		if old.report != report {
			return old.run
		}
	}
	return nil
}

// add takes in a cluster, if its key is known and it is one of the two to keep.
func (s seen) add(key string, one met) {
	if all := s[key]; key != "" && (len(all) == 0 || len(all) == 1 && all[0].report != one.report) {
		s[key] = append(all, one)
	}
}

// placeOf says where a run was read.
func placeOf(run *Run) string {
	if len(run.Inputs) == 0 {
		return run.Name()
	}
	return run.Inputs[0].Place()
}
