package finding

import (
	"fmt"
	"maps"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
)

// Merge combines several reports into one with all their clusters, in that order. The combined
// report has the reference of the first report that could be read. A run of another reference, or
// of a cluster that an earlier report has too, gets an alarm. A finding that makes one of the
// reports fail makes the combined report fail.
func Merge(tool Tool, all []*Report) *Report {
	out := &Report{Tool: tool}
	reports := slices.DeleteFunc(slices.Clone(all), func(r *Report) bool { return !isReport(r) })
	out.FailOn, out.Codes = failOn(reports), mergedCodes(reports)
	if len(reports) > 0 {
		out.Reference = reports[0].Reference
	}
	before := newKnownClusters()
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
			if old := before.add(run, i); old != nil {
				alarms = append(alarms, Warning{Code: code.ClusterTwice,
					Message: fmt.Sprintf(
						"the same cluster is in several of the reports, here and of %s; its inputs were not compared together",
						placeOf(old),
					)})
			}
			out.Runs = append(out.Runs, withAlarms(run, alarms))
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

// isReport reports whether a report was read, and is not one of Unusable.
func isReport(r *Report) bool { return r.Reference != (Reference{}) }

// Unusable returns a report that stands for a saved report that could not be read.
func Unusable(file, message string) *Report {
	run := &Run{Inputs: []Input{{Path: file, Format: "report"}},
		Unreadable: []Problem{{File: file, Code: code.ReportBroken, Message: message}}}
	run.Conclude()
	return &Report{Runs: []*Run{run}}
}

// withAlarms returns a copy of a run with more alarms.
func withAlarms(run *Run, alarms []Warning) *Run {
	if len(alarms) == 0 {
		return run
	}
	more := *run
	more.Alarms = slices.Concat(run.Alarms, alarms)
	return &more
}

// failOn returns the union of what makes each report fail. "new" and "none" count only if all
// reports have them.
func failOn(reports []*Report) (list FailOn) {
	for _, word := range FailOnWords() {
		has := func(r *Report) bool { return r.FailOn.Has(word) }
		hasNot := func(r *Report) bool { return !has(r) }
		restricts := word == FailOnNew || word == FailOnNone
		if restricts && !slices.ContainsFunc(reports, hasNot) || !restricts && slices.ContainsFunc(reports, has) {
			list = append(list, word)
		}
	}
	return list
}

// knownClusters indexes clusters by what is known of them.
type knownClusters struct {
	byID             clusterIndex
	byInfrastructure clusterIndex // clusters with and without an ID
	withoutID        clusterIndex // clusters without an ID
}

func newKnownClusters() knownClusters {
	return knownClusters{clusterIndex{}, clusterIndex{}, clusterIndex{}}
}

// add adds a cluster and returns the first earlier cluster of another report that is the
// same: they agree in something known and contradict each other in nothing. It returns nil if there
// is none.
func (c knownClusters) add(run *Run, report int) *Run {
	id, infrastructure := run.Cluster.ID, run.Cluster.Infrastructure
	alike := c.byInfrastructure
	if id != "" {
		alike = c.withoutID // a cluster with another ID is another cluster
	}
	same := c.byID.other(id, report)
	if same == nil {
		same = alike.other(infrastructure, report)
	}
	one := reportedRun{run, report}
	c.byID.add(id, one)
	c.byInfrastructure.add(infrastructure, one)
	if id == "" {
		c.withoutID.add(infrastructure, one)
	}
	return same
}

// clusterIndex has at most two clusters for each key: the first, and the first of another report.
type clusterIndex map[string][]reportedRun

// reportedRun is a cluster and the index of its report.
type reportedRun struct {
	run    *Run
	report int
}

// other returns the first cluster of another report, or nil.
func (s clusterIndex) other(key string, report int) *Run {
	for _, old := range s[key] {
		if old.report != report {
			return old.run
		}
	}
	return nil
}

// add adds a cluster if its key is known and seen has room for it.
func (s clusterIndex) add(key string, one reportedRun) {
	if all := s[key]; key != "" && (len(all) == 0 || len(all) == 1 && all[0].report != one.report) {
		s[key] = append(all, one)
	}
}

// placeOf returns the location of a run's input.
func placeOf(run *Run) string {
	if len(run.Inputs) == 0 {
		return run.Name()
	}
	return run.Inputs[0].Place()
}
