package saved

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// Merge combines several reports into one with all their clusters, in that order. The combined
// report has the reference of the first report that could be read. A run gets an alarm if its
// reference is not the first report's, or if an earlier report has the same cluster. The combined
// report fails for every kind of finding for which one of the reports fails.
func Merge(tool finding.Tool, all []*finding.Report) *finding.Report {
	out := &finding.Report{Tool: tool}
	reports := slice.Filter(all, isReport)
	out.FailOn, out.Codes = failOn(reports), finding.MergedCodes(reports)
	if len(reports) > 0 {
		out.Reference = reports[0].Reference
	}
	before := clusterIndex{}
	passed := map[string]finding.Passed{}
	for i, r := range all {
		for _, run := range r.Runs {
			run.Reference = cmp.Or(run.Reference, r.Reference)
			var alarms []finding.Warning
			if r.Reference.Hash != out.Reference.Hash && isReport(r) {
				alarms = append(alarms, finding.Warning{Code: code.OtherReference,
					Message: fmt.Sprintf(
						"the reference is not that of the first report: %s (%s)",
						r.Reference.Path,
						r.Reference.Hash,
					)})
			}
			if old := before.add(run, i); old != nil {
				alarms = append(alarms, finding.Warning{Code: code.ClusterTwice,
					Message: fmt.Sprintf(
						"the same cluster is in several of the reports, here and of %s; its inputs were not compared together",
						placeOf(old),
					)})
			}
			out.Runs = append(out.Runs, withAlarms(run, alarms))
		}
		for _, p := range r.Passed {
			passed[p.Reason] = joined(passed[p.Reason], p)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(passed)) {
		out.Passed = append(out.Passed, passed[reason])
	}
	return out
}

// joined adds what two reports passed over for the same reason.
func joined(p, more finding.Passed) finding.Passed {
	names := slices.Concat(p.Names, more.Names)
	slices.Sort(names)
	return finding.Passed{
		Reason: more.Reason, Count: p.Count + more.Count, Files: p.Files + more.Files,
		Names: names[:min(len(names), finding.PassedNames)],
	}
}

// isReport reports whether a report was really read, and was not made by Unusable.
func isReport(r *finding.Report) bool { return r.Reference != (finding.Reference{}) }

// Unusable returns a report that stands for a saved report that could not be read.
func Unusable(file, message string) *finding.Report {
	run := &finding.Run{Inputs: []finding.Input{{Path: file, Format: "report"}},
		Unreadable: []refconfig.Problem{refconfig.Place{File: file}.Problem(code.ReportBroken, "%s", message)}}
	run.Conclude()
	return &finding.Report{Runs: []*finding.Run{run}}
}

// withAlarms returns a copy of a run with more alarms.
func withAlarms(run *finding.Run, alarms []finding.Warning) *finding.Run {
	if len(alarms) == 0 {
		return run
	}
	more := *run
	more.Alarms = slices.Concat(run.Alarms, alarms)
	return &more
}

// failOn returns all kinds of findings that make one of the reports fail. "new" and "none" count
// only if all reports have them.
func failOn(reports []*finding.Report) (list finding.FailOn) {
	for _, word := range finding.FailOnWords() {
		has := func(r *finding.Report) bool { return r.FailOn.Has(word) }
		hasNot := func(r *finding.Report) bool { return !has(r) }
		restricts := word == finding.FailOnNew || word == finding.FailOnNone
		if restricts && !slices.ContainsFunc(reports, hasNot) || !restricts && slices.ContainsFunc(reports, has) {
			list = append(list, word)
		}
	}
	return list
}

// clusterIndex has at most two clusters for each key: the first one, and the first one of another
// report.
type clusterIndex map[clusterKey][]reportedRun

// reportedRun is a cluster and the index of its report.
type reportedRun struct {
	run    *finding.Run
	report int
}

// add adds a cluster and returns an earlier one of another report with the same ID or
// infrastructure, or nil. The name alone does not identify a cluster here.
func (c clusterIndex) add(run *finding.Run, report int) (same *finding.Run) {
	for level := range nameCount - 1 {
		key, ok := keyOf(run.Cluster, level)
		if !ok {
			continue
		}
		for _, other := range key.same() {
			for _, old := range c[other] {
				if same == nil && old.report != report {
					same = old.run
				}
			}
		}
		if all := c[key]; len(all) == 0 || len(all) == 1 && all[0].report != report {
			c[key] = append(all, reportedRun{run, report})
		}
	}
	return same
}

// placeOf returns the location of a run's input.
func placeOf(run *finding.Run) string {
	if len(run.Inputs) == 0 {
		return run.Name()
	}
	return run.Inputs[0].Place()
}
