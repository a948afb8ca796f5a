package refdiff

import (
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// Add adds the results of comparing a cluster with each version. Both runs are concluded.
func (d *Diff) Add(old, new *finding.Run) {
	c := Cluster{Name: new.Name(), New: []Finding{}, Gone: []Finding{}}
	before, after := d.findings(old, d.renamed), d.findings(new, nil)
	c.New, c.Gone = without(after, before), without(before, after)
	c.Both = len(after) - len(c.New)
	for _, run := range []*finding.Run{old, new} {
		if run.Summary.Verdict == finding.Incomplete {
			c.Incomplete, d.ExitStatus = true, 2
		}
	}
	d.Clusters = append(d.Clusters, c)
}

// findings returns the findings of a run, with the paths of templates in the new version.
func (d *Diff) findings(run *finding.Run, renamed map[string]string) []Finding {
	all := []Finding{}
	isNoNote := func(c finding.Class) bool { return !c.IsNote() }
	for f := range run.Findings(finding.FailOn{}, isNoNote) {
		if name, ok := renamed[f.Template.Path]; ok {
			f.Template.Path = name
		}
		one := Finding{Class: f.Class, Object: f.Object, Template: f.Template.Path, Path: f.Path, Message: f.Words}
		what := string(f.Class)
		switch f.Class {
		case finding.ClassAbsent, finding.ClassNotCollected, finding.ClassWanted:
			what = "missing CR"
		case finding.ClassRule, finding.ClassPerhapsBroken:
			what = "rule " + f.Rule + " " + f.Template.ComponentName() + " " + f.Words
		case finding.ClassUnreadable, finding.ClassUnknown, finding.ClassIncomplete:
			what += " " + f.Source.String() + " " + f.Words
		}
		one.key = strings.Join([]string{what, f.Object.String(), one.Template, f.Path, string(f.Code)}, "\x00")
		if what == "missing CR" { // the identity of the object may have changed
			one.key = what + "\x00" + one.Template
		}
		if f.Class.IsRule() {
			one.Template = f.Template.ComponentName()
		}
		all = append(all, one)
	}
	return all
}

// without returns the findings that are not in others.
func without(all, others []Finding) []Finding {
	known := map[string]bool{}
	for _, f := range others {
		known[f.key] = true
	}
	more := []Finding{}
	for _, f := range all {
		if !known[f.key] {
			more = append(more, f)
		}
	}
	return more
}
