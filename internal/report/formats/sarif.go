package formats

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/author/lint"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/finding/places"
	"github.com/validationtool/validationtool/internal/template/remark"
	"github.com/validationtool/validationtool/refconfig"
)

// mostResults is the maximum number of results of a run, because GitHub shows no more. The other
// findings are only counted.
const mostResults = 5000

// homePage says more about the tool.
const homePage = "https://github.com/validationtool/validationtool"

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Automation  sarifAutomation   `json:"automationDetails"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
	Properties  sarifProperties   `json:"properties"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitempty"`
	Home    string      `json:"informationUri"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string       `json:"id"`
	Short sarifMessage `json:"shortDescription"`
	Full  sarifMessage `json:"fullDescription"` // GitHub requires name, shortDescription and fullDescription
	Help  sarifMessage `json:"help"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifAutomation struct {
	ID string `json:"id"` // ends with a slash, so that GitHub takes all of it as the category
}

// sarifInvocation says whether the result is reliable.
type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	ExitCode      int                 `json:"exitCode"`
	Notifications []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Kind         string            `json:"kind,omitempty"` // "" is "fail"
	Level        string            `json:"level"`
	Message      sarifMessage      `json:"message"`
	Baseline     string            `json:"baselineState,omitempty"`
	Locations    []sarifLocation   `json:"locations"` // exactly one; GitHub rejects a result without a location
	Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
	Properties   map[string]string `json:"properties,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

// sarifRegion is a region of one character: the first one of the line if the column is unknown.
type sarifRegion struct {
	Line      int `json:"startLine"`
	Column    int `json:"startColumn"`
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"` // exclusive
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type sarifProperties struct {
	Verdict  string `json:"verdict,omitempty"`
	Findings int    `json:"findings"` // the number of findings; at most mostResults of them are results
}

// SARIF writes a report in the Static Analysis Results Interchange Format, version 2.1.0 (OASIS),
// for code scanning. A cluster is a run, and a finding a result. A fingerprint identifies the same
// finding in later archives. Names of files are relative to folder, unless that is "".
func SARIF(w io.Writer, r *finding.Report, folder string) error {
	runs := []sarifRun{}
	for _, one := range r.Runs {
		runs = append(runs, sarifRunOf(r, one, folder))
	}
	return encodeSARIF(w, runs)
}

// SARIFLint writes the problems of a reference in the same way.
func SARIFLint(w io.Writer, d *lint.Document, folder string) error {
	out := newSARIFRun(
		d.Tool, finding.ToolName+" lint/"+d.Name(), d.ExitStatus, d.Sentence(), len(d.Flaws),
	)
	for _, f := range d.Flaws[:min(len(d.Flaws), mostResults)] {
		one := sarifResult{
			RuleID: string(f.Code), Level: string(f.Severity), Message: sarifMessage{escape.Line(f.Message)},
			Locations: []sarifLocation{sarifPlace(folder, f.Place)},
		}
		switch {
		case f.Known:
			one.Baseline = "unchanged"
		case d.Baseline != nil:
			one.Baseline = "new"
		}
		out.Results = append(out.Results, one)
	}
	out.describeRules(&finding.Report{})
	return encodeSARIF(w, []sarifRun{out})
}

func encodeSARIF(w io.Writer, runs []sarifRun) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: runs})
}

// newSARIFRun returns a run without results. told summarizes the findings.
func newSARIFRun(t finding.Tool, id string, status int, told string, findings int) sarifRun {
	level := []string{"note", "error", "error"}[status]
	return sarifRun{
		Tool:       sarifTool{sarifDriver{t.Name, t.Version, homePage, []sarifRule{}}},
		Automation: sarifAutomation{escape.Line(id) + "/"},
		Invocations: []sarifInvocation{
			{status < 2, status, []sarifNotification{{level, sarifMessage{escape.Line(told)}}}},
		},
		Results:    []sarifResult{},
		Properties: sarifProperties{Findings: findings},
	}
}

// describeRules adds the descriptions of the results' rules. A rule is a code of the tool, a code
// of the reference, or a class.
func (r *sarifRun) describeRules(from *finding.Report) {
	index := map[string]int{}
	for _, one := range r.Results {
		index[one.RuleID] = 0
	}
	for i, id := range slices.Sorted(maps.Keys(index)) {
		index[id] = i
		r.Tool.Driver.Rules = append(r.Tool.Driver.Rules, describeRule(from, id))
	}
	for i := range r.Results {
		r.Results[i].RuleIndex = index[r.Results[i].RuleID]
	}
}

// sarifRunOf returns the run of a cluster.
func sarifRunOf(r *finding.Report, one *finding.Run, folder string) sarifRun {
	out := newSARIFRun(r.Tool, finding.ToolName+"/"+one.Name(), one.ExitStatus(r.FailOn), one.Sentence(r.FailOn), 0)
	out.Properties.Verdict = string(one.Summary.Verdict)
	for _, a := range one.Alarms {
		out.Invocations[0].Notifications = append(
			out.Invocations[0].Notifications, sarifNotification{"warning", sarifMessage{escape.Line(a.String())}},
		)
	}
	for f := range one.Findings(r.FailOn, nil) {
		if out.Properties.Findings++; len(out.Results) < mostResults {
			out.Results = append(out.Results, sarifResultOf(r, one, f, folder))
		}
	}
	for _, f := range one.Gone(r.FailOn) {
		if len(out.Results) < mostResults {
			out.Results = append(out.Results, sarifResultOf(r, one, f, folder))
		}
	}
	out.describeRules(r)
	return out
}

// ruleID returns the code of a finding, or its class if it has no code.
func ruleID(f finding.Finding) string {
	if f.Code != "" {
		return string(f.Code)
	}
	return string(f.Class)
}

// describeRule describes a rule.
func describeRule(r *finding.Report, id string) sarifRule {
	if e, ok := remark.Entry(r, id); ok {
		cause, do := cmp.Or(e.Cause, e.Title), cmp.Or(e.Do, e.Title)
		return sarifRule{id, sarifMessage{e.Title}, sarifMessage{cause}, sarifMessage{do}}
	}
	title := sarifMessage{
		cmp.Or(
			map[string]string{"drift": "a field differs from the reference", "missing": "a field of the reference is missing",
				"extra": "a field is not in the reference", "referenced": "a CR that others refer to is not in the input", "unmatched": "CRs match no template",
				"incomplete": "the result is unreliable"}[id],
			id,
		),
	}
	return sarifRule{id, title, title, title}
}

// sarifResultOf returns the result of a finding.
func sarifResultOf(r *finding.Report, of *finding.Run, f finding.Finding, folder string) sarifResult {
	out := sarifResult{
		RuleID:  ruleID(f),
		Level:   []string{"note", "warning", "error"}[f.Level()],
		Message: sarifMessage{escape.Line(strings.TrimPrefix(f.Object.Stated()+": "+f.Words, ": "))},
		Fingerprints: map[string]string{
			finding.ToolName + "/v1": f.Fingerprint,
		},
		Properties: map[string]string{"class": string(f.Class)},
		Baseline: map[finding.Change]string{
			finding.New: "new", finding.Changed: "updated", finding.Unclear: "updated", finding.Unchanged: "unchanged",
			finding.Gone: "absent",
		}[f.Change],
	}
	if f.Change == finding.Gone {
		out.Kind, out.Level = "pass", "none"
	}
	at := located(r, of, f)
	out.Locations = []sarifLocation{sarifPlace(folder, at.Place())}
	for name, text := range map[string]string{"impact": string(f.Impact), "comment": f.Comment, "link": f.Link, "wrapper": f.Source.Wrapper} {
		if text != "" {
			out.Properties[name] = escape.Line(text)
		}
	}
	return out
}

// located returns the location of a finding: in its file, or in the reference where it requires the
// missing CR, or at the start of the first input.
func located(r *finding.Report, of *finding.Run, f finding.Finding) finding.Source {
	reference := cmp.Or(of.Reference, r.Reference)
	switch {
	case f.Source.File != "":
		return f.Source
	case f.Template != (finding.Template{}) || len(of.Inputs) == 0:
		file := cmp.Or(reference.Metadata, path.Join(filepath.ToSlash(reference.Path), f.Template.Path))
		return finding.Source{File: file, Line: f.Line}
	}
	return finding.Source{File: of.Inputs[0].Path}
}

// sarifPlace formats a location. For an entry of an archive, it adds a logical location.
func sarifPlace(folder string, p refconfig.Place) sarifLocation {
	name := places.Relative(folder, p.File)
	line, column := max(p.Line, 1), max(p.Column, 1)
	out := sarifLocation{
		Physical: sarifPhysical{
			sarifArtifact{uri(filepath.ToSlash(name), filepath.IsAbs(name))},
			sarifRegion{line, column, line, column + 1},
		},
	}
	if p.Entry != "" {
		out.Logical = []sarifLogical{{escape.Line(p.Entry), "resource"}}
	}
	return out
}

// uri formats a file name with slashes: a relative one as a relative reference (RFC 3986), and an
// absolute one as a file URI (RFC 8089), such as file:///C:/a for C:/a.
func uri(name string, absolute bool) string {
	if !absolute {
		return (&url.URL{Path: name}).String()
	}
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(name, "/")}).String()
}
