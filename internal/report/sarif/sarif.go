// Package sarif writes what was found, or what is wrong with a reference, in the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), for code scanning. A cluster is a
// run, a finding a result; fingerprints tell a finding from others over many archives.
package sarif

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/lint"
	"github.com/validationtool/validationtool/internal/remark"
	"github.com/validationtool/validationtool/internal/visible"
	"github.com/validationtool/validationtool/refconfig"
)

// mostResults is how many results a run has: GitHub, for one, shows no more than 5,000 of it. The rest are counted.
const mostResults = 5000

type log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool        tool         `json:"tool"`
	Automation  automation   `json:"automationDetails"`
	Invocations []invocation `json:"invocations"`
	Results     []result     `json:"results"`
	Properties  properties   `json:"properties"`
}

type tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Rules   []rule `json:"rules"`
}

type rule struct {
	ID    string   `json:"id"`
	Short message  `json:"shortDescription"`
	Full  *message `json:"fullDescription,omitempty"`
	Help  *message `json:"help,omitempty"`
}

type message struct {
	Text string `json:"text"`
}

type automation struct {
	ID string `json:"id"`
}

// invocation says whether the answer is to be relied on.
type invocation struct {
	Successful    bool           `json:"executionSuccessful"`
	ExitCode      int            `json:"exitCode"`
	Notifications []notification `json:"toolExecutionNotifications"`
}

type notification struct {
	Level   string  `json:"level"`
	Message message `json:"message"`
}

type result struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      message           `json:"message"`
	Baseline     string            `json:"baselineState,omitempty"`
	Locations    []location        `json:"locations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
	Properties   map[string]string `json:"properties,omitempty"`
}

type location struct {
	Physical physical  `json:"physicalLocation"`
	Logical  []logical `json:"logicalLocations,omitempty"`
}

type physical struct {
	Artifact artifact `json:"artifactLocation"`
	Region   *region  `json:"region,omitempty"`
}

type artifact struct {
	URI string `json:"uri"`
}

type region struct {
	Line   int `json:"startLine"`
	Column int `json:"startColumn,omitempty"`
}

type logical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type properties struct {
	Verdict  string `json:"verdict,omitempty"`
	Findings int    `json:"findings"` // of which at most mostResults are results
}

// Write writes a report.
func Write(w io.Writer, r *finding.Report) error {
	runs := []run{}
	for _, one := range r.Runs {
		runs = append(runs, runOf(r, one))
	}
	return encode(w, runs)
}

// Lint writes what is wrong with a reference.
func Lint(w io.Writer, d *lint.Document) error {
	out := newRun(d.Tool, finding.ToolName+" reference lint/"+d.Reference.Path, d.ExitStatus, d.Sentence(), len(d.Flaws))
	for _, f := range d.Flaws[:min(len(d.Flaws), mostResults)] {
		out.Results = append(out.Results, result{RuleID: string(f.Code), Level: string(f.Severity), Message: message{visible.Line(f.Message)},
			Locations: []location{place(f.File, f.Entry, f.Line, f.Column)}})
	}
	out.describeRules(&finding.Report{})
	return encode(w, []run{out})
}

func encode(w io.Writer, runs []run) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(log{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: runs})
}

// newRun is a run without results yet, which says in words what so many findings come to.
func newRun(t finding.Tool, id string, status int, told string, findings int) run {
	return run{Tool: tool{driver{t.Name, t.Version, []rule{}}}, Automation: automation{visible.Line(id)},
		Invocations: []invocation{{status < 2, status, []notification{{[]string{"note", "error", "error"}[status], message{visible.Line(told)}}}}},
		Results:     []result{}, Properties: properties{Findings: findings}}
}

// describeRules describes the rules that the results name, which may be codes of a report.
func (r *run) describeRules(from *finding.Report) {
	index := map[string]int{}
	for _, one := range r.Results {
		index[one.RuleID] = 0
	}
	for i, id := range slices.Sorted(maps.Keys(index)) {
		index[id] = i
		r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, describe(from, id))
	}
	for i := range r.Results {
		r.Results[i].RuleIndex = index[r.Results[i].RuleID]
	}
}

// runOf is what was found about a cluster.
func runOf(r *finding.Report, one *finding.Run) run {
	out := newRun(r.Tool, finding.ToolName+"/"+one.Name(), one.ExitStatus(r.FailOn), one.Sentence(r.FailOn), 0)
	out.Properties.Verdict = string(one.Summary.Verdict)
	for _, a := range one.Alarms {
		out.Invocations[0].Notifications = append(out.Invocations[0].Notifications, notification{"warning", message{visible.Line(a.String())}})
	}
	for f := range remark.Behind(one.EachFinding(r.FailOn), one) {
		if out.Properties.Findings++; len(out.Results) < mostResults {
			out.Results = append(out.Results, resultOf(r.Reference, f))
		}
	}
	out.describeRules(r)
	return out
}

// ruleID is the code of a finding, or its class where it has none.
func ruleID(f finding.Finding) string {
	if f.Code != "" {
		return string(f.Code)
	}
	return string(f.Class)
}

// describe says what a rule is about.
func describe(r *finding.Report, id string) rule {
	if e, ok := remark.Entry(r, id); ok {
		return rule{id, message{e.Title}, said(e.Cause), said(e.Do)}
	}
	return rule{ID: id, Short: message{cmp.Or(map[string]string{"drift": "a field differs from the reference", "missing": "a field of the reference is missing",
		"extra": "a field is not in the reference", "referenced": "a CR that others point at is not in the input", "unmatched": "CRs match no template",
		"incomplete": "the answer is not to be relied on"}[id], id)}}
}

// said is a message, if there is one.
func said(text string) *message {
	if text == "" {
		return nil
	}
	return &message{text}
}

// resultOf is a finding as a result.
func resultOf(reference finding.Reference, f finding.Finding) result {
	out := result{RuleID: ruleID(f), Level: []string{"note", "warning", "error"}[remark.Level(f)], Message: message{visible.Line(strings.TrimPrefix(f.Object.Stated()+": "+f.Words, ": "))},
		Fingerprints: map[string]string{finding.ToolName + "/v1": f.Fingerprint}, Properties: map[string]string{"class": string(f.Class)},
		Baseline: map[finding.Change]string{finding.New: "new", finding.Changed: "updated", finding.Unchanged: "unchanged"}[f.Change]}
	switch at := f.Source; {
	case at.File != "":
		out.Locations = []location{place(at.File, at.Entry, at.Line, 0)}
	case f.Line > 0 && reference.Metadata != "":
		out.Locations = []location{place(reference.Metadata, "", f.Line, 0)}
	}
	for name, text := range map[string]string{"impact": string(f.Impact), "comment": f.Comment, "link": f.Link, "wrapper": f.Source.Wrapper} {
		if text != "" {
			out.Properties[name] = visible.Line(text)
		}
	}
	return out
}

// place is a line and column of a file, 0 where there is none; of an entry of an archive the archive, with the entry beside it. The name is a relative URI
// reference, or an absolute one (RFC 3986).
func place(file, entry string, line, column int) location {
	uri := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		uri.Scheme = "file"
	}
	out := location{Physical: physical{Artifact: artifact{uri.String()}}}
	switch {
	case entry != "": // the line is one of the entry
		out.Logical = []logical{{visible.Line(refconfig.Place{File: entry, Line: line, Column: column}.String()), "resource"}}
	case line > 0:
		out.Physical.Region = &region{line, column}
	}
	return out
}
