package saved

import (
	"fmt"
	"maps"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/remark"
)

// merge makes one report of several: of all their clusters, in that order. It has the reference of the first that was read; that a report
// is of another reference, or that a cluster was told of before, is an alarm of the run. What counts as a failure in one of them counts.
func merge(tool finding.Tool, all []*finding.Report) *finding.Report {
	out := &finding.Report{Tool: tool}
	reports := slices.DeleteFunc(slices.Clone(all), func(r *finding.Report) bool { return !isReport(r) })
	out.FailOn, out.Codes = failOn(reports), remark.Merged(reports)
	if len(reports) > 0 {
		out.Reference = reports[0].Reference
	}
	before := clusters{}
	passed := map[string]int{}
	for i, r := range all {
		for _, run := range r.Runs {
			var alarms []finding.Warning
			if r.Reference.Hash != out.Reference.Hash && isReport(r) {
				alarms = append(alarms, finding.Warning{Code: code.OtherReference,
					Message: fmt.Sprintf("this is of another reference than the first report: %s (%s)", r.Reference.Path, r.Reference.Hash)})
			}
			if old := before.met(run, i); old != nil {
				alarms = append(alarms, finding.Warning{Code: code.ClusterTwice,
					Message: fmt.Sprintf("the same cluster is in several of the reports, here and of %s; its inputs were not compared together", place(old))})
			}
			out.Runs = append(out.Runs, alarmed(run, alarms))
		}
		for _, p := range r.Passed {
			passed[p.Reason] += p.Count
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(passed)) {
		out.Passed = append(out.Passed, finding.Passed{Reason: reason, Count: passed[reason]})
	}
	return out
}

// isReport tells a report from what stands for one that cannot be used.
func isReport(r *finding.Report) bool { return r.Reference != (finding.Reference{}) }

// unusable stands in a report for a saved one that could not be read.
func unusable(file, message string) *finding.Report {
	run := &finding.Run{Inputs: []finding.Input{{Path: file, Format: "report"}},
		Unreadable: []finding.Problem{{File: file, Code: code.ReportBroken, Message: message}}}
	run.Conclude()
	return &finding.Report{Runs: []*finding.Run{run}}
}

// alarmed is a run with more alarms. The run itself stays as it is.
func alarmed(run *finding.Run, alarms []finding.Warning) *finding.Run {
	if len(alarms) == 0 {
		return run
	}
	more := *run
	more.Alarms = slices.Concat(run.Alarms, alarms)
	return &more
}

// failOn is what makes several reports fail: what makes any of them. That only what is new counts is so where it is so in all of them.
func failOn(reports []*finding.Report) (list finding.FailOn) {
	for _, word := range finding.FailOnWords() {
		has := func(r *finding.Report) bool { return r.FailOn.Has(word) }
		hasNot := func(r *finding.Report) bool { return !has(r) }
		restricts := word == "new" || word == "none"
		if restricts && !slices.ContainsFunc(reports, hasNot) || !restricts && slices.ContainsFunc(reports, has) {
			list = append(list, word)
		}
	}
	return list
}

// clusters are those that were met, by what tells them from others: of each the first, and the first of another report.
type clusters map[known][]met

// known is what is known of a cluster: its id, or its infrastructure, which may be all that is known of it.
type known struct {
	id, infrastructure string
	alone              bool
}

// met is a cluster of the report with a number.
type met struct {
	run    *finding.Run
	report int
}

// met takes in a cluster, and returns the first of another report that it is the same as: something is known of both, and nothing
// contradicts. It is nil where there is none.
func (c clusters) met(run *finding.Run, report int) (same *finding.Run) {
	id, infrastructure := run.Cluster.ID, run.Cluster.Infrastructure
	asked := []known{{id: id}, {infrastructure: infrastructure, alone: id != ""}} // of one with an id, those with another id are not asked for
	is := append(asked[:1:1], known{infrastructure: infrastructure}, known{infrastructure: infrastructure, alone: true})
	if id != "" {
		is = is[:2]
	}
	for _, one := range asked {
		for _, old := range c[one] {
			if same == nil && old.report != report && one.id+one.infrastructure != "" {
				same = old.run
			}
		}
	}
	for _, one := range is {
		if all := c[one]; len(all) == 0 || len(all) == 1 && all[0].report != report {
			c[one] = append(all, met{run, report})
		}
	}
	return same
}

// place says where a run was read.
func place(run *finding.Run) string {
	if len(run.Inputs) == 0 {
		return run.Name()
	}
	return run.Inputs[0].Place()
}
