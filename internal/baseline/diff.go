package baseline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// SchemaVersion is the version of the document.
const SchemaVersion = 1

// Diff says what became of the findings of a report. It is the JSON document that
// docs/diff.schema.json describes.
type Diff struct {
	SchemaVersion int             `json:"schemaVersion"`
	Tool          finding.Tool    `json:"tool"`
	Old           Side            `json:"old"`
	New           Side            `json:"new"`
	FailOn        finding.FailOn  `json:"failOn"`
	ExitStatus    int             `json:"exitStatus"`
	Summary       finding.Changes `json:"summary"`
	// those of the new report in its order, then those that only the old one has
	Clusters []Cluster `json:"clusters"`
}

// Side is one of the reports.
type Side struct {
	Path      string            `json:"path"`
	Reference finding.Reference `json:"reference"`
}

// Cluster says what became of the findings of a cluster.
type Cluster struct {
	Name       string            `json:"name"`
	Remarks    []string          `json:"remarks,omitempty"`    // what else differs between the reports
	Incomplete []string          `json:"incomplete,omitempty"` // why the answer is not to be relied on
	Changes    finding.Changes   `json:"changes"`
	Findings   []finding.Finding `json:"findings"` // what is new first, then changed, unclear, gone and the same
}

// Of holds a report against an earlier one. failOn says which findings make the exit status 1 where
// they are new, and which are listed that are no drift.
func Of(tool finding.Tool, then, now Saved, failOn finding.FailOn) *Diff {
	failOn = slices.DeleteFunc(
		slices.Clone(failOn), func(word string) bool { return word == "new" },
	) // of which the whole document speaks
	d := &Diff{
		SchemaVersion: SchemaVersion,
		Tool:          tool,
		FailOn:        failOn,
		Old:           Side{then.Path, then.Report.Reference},
		New:           Side{now.Path, now.Report.Reference},
	}
	runs, earlier := there(now.Report.Runs), there(then.Report.Runs)
	matched := match(runs, earlier)
	for i, run := range runs {
		c := against(now.Report, run, then.Report, matched[i])
		d.add(
			Cluster{
				Name:       run.Name(),
				Remarks:    c.remarks,
				Incomplete: append(prefixed(then.Path, c.incomplete), prefixed(now.Path, run.Obstacles())...),
			},
			pair(run, matched[i], failOn),
		)
	}
	for _, old := range unmatched(earlier, matched) {
		d.add(
			Cluster{Name: old.Name(), Incomplete: prefixed(now.Path, []string{"it has nothing of this cluster"})}, nil,
		)
	}
	if len(d.Clusters) == 0 { // neither report has anything of a cluster that is meant
		d.ExitStatus = 2
	}
	return d
}

// prefixed says of which report reasons speak.
func prefixed(path string, reasons []string) []string {
	if len(reasons) == 0 {
		return nil
	}
	return []string{path + ": " + strings.Join(reasons, ", ")}
}

// add adds a cluster with its findings, and settles what they come to.
func (d *Diff) add(c Cluster, all []finding.Finding) {
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

// Status is 2 where the answer for a cluster is not to be relied on, else 1 where something is new,
// whether that counts as a failure or not.
func (c Cluster) Status() int {
	switch {
	case len(c.Incomplete) > 0:
		return 2
	case c.Changes.New+c.Changes.Changed > 0:
		return 1
	}
	return 0
}

// verdict returns what became of findings in a word or two: what matters most.
func verdict(c finding.Changes) string {
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

// Sentence returns the answer for a cluster in words: "NEW: 1 new, 2 the same since old.json".
func (d *Diff) Sentence(c Cluster) string {
	said := c.Changes.String() + " since " + d.Old.Path
	if len(c.Remarks) > 0 {
		said += " (" + strings.Join(c.Remarks, ", ") + ")"
	}
	if c.Status() == 2 {
		return "INCOMPLETE: what is new cannot be told for sure, " + strings.Join(c.Incomplete, "; ") + "; " + said
	}
	said = strings.TrimPrefix(said, "nothing new")
	if counts, ok := strings.CutPrefix(said, ", "); ok {
		return verdict(c.Changes) + ": " + counts
	}
	if c.Status() == 0 {
		return verdict(c.Changes) + said
	}
	return verdict(c.Changes) + ": " + said
}

// Overall returns the answer for all clusters in words.
func (d *Diff) Overall() string {
	var with [3]int
	for _, c := range d.Clusters {
		with[c.Status()]++
	}
	word := verdict(d.Summary)
	if with[2] > 0 {
		word = "INCOMPLETE"
	}
	return fmt.Sprintf(
		"%s: %s, %d with something new, %d incomplete; %s since %s",
		word,
		finding.Plural(len(d.Clusters), "cluster", "clusters"),
		with[1],
		with[2],
		d.Summary,
		d.Old.Path,
	)
}
