package saved

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/slice"
)

// diffVersion is the schema version of a Diff.
const diffVersion = 1

// Diff compares the findings of two reports. It is the JSON document that docs/diff.schema.json
// describes.
type Diff struct {
	SchemaVersion int             `json:"schemaVersion"`
	Tool          finding.Tool    `json:"tool"`
	Old           ReportSide      `json:"old"`
	New           ReportSide      `json:"new"`
	FailOn        finding.FailOn  `json:"failOn"`
	ExitStatus    int             `json:"exitStatus"`
	Summary       finding.Changes `json:"summary"`
	// the clusters of the new report, in its order, then clusters that are only in the old report
	Clusters []ClusterChanges `json:"clusters"`
}

// ReportSide is one of the two reports.
type ReportSide struct {
	Path      string            `json:"path"`
	Reference finding.Reference `json:"reference"`
}

// ClusterChanges lists the findings of a cluster with their changes.
type ClusterChanges struct {
	Name       string            `json:"name"`
	Remarks    []string          `json:"remarks,omitempty"`    // other differences between the reports
	Incomplete []string          `json:"incomplete,omitempty"` // why the changes are not certain
	Changes    finding.Changes   `json:"changes"`
	Findings   []finding.Finding `json:"findings"` // new findings first, then changed, unclear, gone and unchanged ones
}

// DiffOf compares a report with an earlier one. failOn says which findings make the exit status 1
// if they are new. Extra, unmatched and referenced findings are listed only if failOn names them.
func DiffOf(tool finding.Tool, then, now Earlier, failOn finding.FailOn) *Diff {
	// the whole document is about changes
	isNew := func(word finding.FailOnWord) bool { return word == finding.FailOnNew }
	failOn = slice.Without(failOn, isNew)
	d := &Diff{
		SchemaVersion: diffVersion,
		Tool:          tool,
		FailOn:        failOn,
		Old:           ReportSide{then.Path, then.Report.Reference},
		New:           ReportSide{now.Path, now.Report.Reference},
	}
	runs, earlier := withCRs(now.Report.Runs), withCRs(then.Report.Runs)
	matched := match(runs, earlier)
	for i, run := range runs {
		remarks, incomplete := compareConditions(now.Report, run, then.Report, matched[i])
		causes, isOther := causesOf(now.Report, run, then.Report, matched[i]),
			otherReference(now.Report, run, then.Report, matched[i])
		if matched[i] != nil {
			withExtra := append(slices.Clone(failOn), finding.FailOnExtra)
			remarks = append(remarks, newExtra(pairFindings(run, matched[i], withExtra, causes, isOther), failOn)...)
		}
		obstacles := run.Obstacles()
		if obstacles == nil && len(noLongerKnown(run, matched[i])) > 0 {
			obstacles = []string{run.Unknown()}
		}
		d.add(
			ClusterChanges{
				Name:       run.Name(),
				Remarks:    remarks,
				Incomplete: append(prefixed(then.Path, incomplete), prefixed(now.Path, obstacles)...),
			},
			pairFindings(run, matched[i], failOn, causes, isOther),
		)
	}
	for _, old := range unmatched(earlier, matched) {
		d.add(
			ClusterChanges{Name: old.Name(), Incomplete: prefixed(now.Path, []string{"it " + lacks(runs, old)})}, nil,
		)
	}
	if len(d.Clusters) == 0 { // neither report has a selected cluster
		d.ExitStatus = 2
	}
	return d
}

// prefixed puts the path of a report before reasons.
func prefixed(path string, reasons []string) []string {
	if len(reasons) == 0 {
		return nil
	}
	return []string{path + ": " + strings.Join(reasons, ", ")}
}

// add adds a cluster with its findings, and updates the summary and the exit status.
func (d *Diff) add(c ClusterChanges, all []finding.Finding) {
	c.Findings = []finding.Finding{}
	for _, change := range []finding.Change{finding.New, finding.Changed, finding.Unclear, finding.Gone,
		finding.Unchanged} {
		for _, f := range all {
			if f.Change != change {
				continue
			}
			c.Findings = append(c.Findings, f)
			c.Changes.Count(change)
			d.Summary.Count(change)
			if isNew := change == finding.New || change == finding.Changed; isNew && f.Effect == finding.Fails {
				d.ExitStatus = max(d.ExitStatus, 1)
			}
		}
	}
	if len(c.Incomplete) > 0 {
		d.ExitStatus = 2
	}
	d.Clusters = append(d.Clusters, c)
}

// Status returns 2 if the changes are not certain, else 1 if a finding is new or changed, else 0.
func (c ClusterChanges) Status() int {
	switch {
	case len(c.Incomplete) > 0:
		return 2
	case c.Changes.New+c.Changes.Changed > 0:
		return 1
	}
	return 0
}

// inWords summarizes changes in a word or two.
func inWords(c finding.Changes) string {
	switch {
	case c.New > 0:
		return "NEW"
	case c.Changed > 0:
		return "CHANGED"
	case c.Gone > 0 && c.Unclear == 0:
		return "RESOLVED"
	}
	return "NOTHING NEW"
}

// Sentence describes the changes on a cluster: "NEW: 1 new, 2 the same since old.json".
func (d *Diff) Sentence(c ClusterChanges) string {
	remarks := ""
	if len(c.Remarks) > 0 {
		remarks = " (" + strings.Join(c.Remarks, ", ") + ")"
	}
	said := c.Changes.String() + " since " + d.Old.Path + remarks
	switch why := strings.Join(c.Incomplete, "; "); {
	case c.Status() == 2 && c.Changes == (finding.Changes{}):
		return "INCOMPLETE: " + why + finding.Prefixed("; compared with "+d.Old.Path, remarks)
	case c.Status() == 2:
		return "INCOMPLETE: it is not certain which findings are new, " + why + "; " + said
	}
	said = strings.TrimPrefix(said, "nothing new")
	if counts, ok := strings.CutPrefix(said, ", "); ok {
		return inWords(c.Changes) + ": " + counts
	}
	if c.Status() == 0 {
		return inWords(c.Changes) + said
	}
	return inWords(c.Changes) + ": " + said
}

// Overall describes the changes on all clusters.
func (d *Diff) Overall() string {
	var with [3]int
	for _, c := range d.Clusters {
		with[c.Status()]++
	}
	word := inWords(d.Summary)
	if with[2] > 0 {
		word = "INCOMPLETE"
	}
	said := word + ": " + finding.Plural(len(d.Clusters), "cluster", "clusters")
	for status, text := range []string{"", "with something new", "incomplete"} {
		if n := with[status]; n > 0 && text != "" {
			said += fmt.Sprint(", ", n, " ", text)
		}
	}
	return said + "; " + d.Summary.String() + " since " + d.Old.Path
}
