// Package sarif writes what was found, or what is wrong with a reference, in the Static Analysis
// Results Interchange Format, version 2.1.0 (OASIS), for code scanning. A cluster is a run, a
// finding a result; fingerprints tell a finding from others over many archives.
package sarif

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

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/lint"
	"github.com/validationtool/validationtool/internal/places"
	"github.com/validationtool/validationtool/internal/remark"
	"github.com/validationtool/validationtool/internal/visible"
)

// mostResults is how many results a run has: GitHub, for one, shows no more than 5,000 of it. The
// rest are counted.
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
	ID    string  `json:"id"`
	Short message `json:"shortDescription"`
	Full  message `json:"fullDescription"` // GitHub wants all three
	Help  message `json:"help"`
}

type message struct {
	Text string `json:"text"`
}

type automation struct {
	ID string `json:"id"` // up to the last slash the category, which only one run of a file may have
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
	Locations    []location        `json:"locations"` // one: GitHub refuses a file with a result without
	Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
	Properties   map[string]string `json:"properties,omitempty"`
}

type location struct {
	Physical physical  `json:"physicalLocation"`
	Logical  []logical `json:"logicalLocations,omitempty"`
}

type physical struct {
	Artifact artifact `json:"artifactLocation"`
	Region   region   `json:"region"`
}

type artifact struct {
	URI string `json:"uri"`
}

// region is a character, the first of a line where nothing is known of the column.
type region struct {
	Line      int `json:"startLine"`
	Column    int `json:"startColumn"`
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"` // of the character behind it
}

type logical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type properties struct {
	Verdict  string `json:"verdict,omitempty"`
	Findings int    `json:"findings"` // of which at most mostResults are results
}

// Write writes a report. Files in a folder, "" for none, are named as seen from there.
func Write(w io.Writer, r *finding.Report, folder string) error {
	runs := []run{}
	for _, one := range r.Runs {
		runs = append(runs, runOf(r, one, folder))
	}
	return encode(w, runs)
}

// Lint writes what is wrong with a reference, with names of files as Write has them.
func Lint(w io.Writer, d *lint.Document, folder string) error {
	out := newRun(
		d.Tool, finding.ToolName+" reference lint/"+d.Name(), d.ExitStatus, d.Sentence(), len(d.Flaws),
	)
	for _, f := range d.Flaws[:min(len(d.Flaws), mostResults)] {
		one := result{
			RuleID: string(f.Code), Level: string(f.Severity), Message: message{visible.Line(f.Message)},
			Locations: []location{place(folder, f.File, f.Entry, f.Line, f.Column)},
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
	return encode(w, []run{out})
}

func encode(w io.Writer, runs []run) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(log{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: runs})
}

// newRun is a run without results yet, which says in words what so many findings come to.
func newRun(t finding.Tool, id string, status int, told string, findings int) run {
	return run{Tool: tool{driver{t.Name, t.Version, []rule{}}}, Automation: automation{visible.Line(id) + "/"},
		Invocations: []invocation{
			{
				status < 2,
				status,
				[]notification{{[]string{"note", "error", "error"}[status], message{visible.Line(told)}}},
			},
		},
		Results: []result{}, Properties: properties{Findings: findings}}
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
func runOf(r *finding.Report, one *finding.Run, folder string) run {
	out := newRun(r.Tool, finding.ToolName+"/"+one.Name(), one.ExitStatus(r.FailOn), one.Sentence(r.FailOn), 0)
	out.Properties.Verdict = string(one.Summary.Verdict)
	for _, a := range one.Alarms {
		out.Invocations[0].Notifications = append(
			out.Invocations[0].Notifications, notification{"warning", message{visible.Line(a.String())}},
		)
	}
	for f := range one.EachFinding(r.FailOn) {
		if out.Properties.Findings++; len(out.Results) < mostResults {
			out.Results = append(out.Results, resultOf(r.Reference, one, f, folder))
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
		return rule{id, message{e.Title}, message{cmp.Or(e.Cause, e.Title)}, message{cmp.Or(e.Do, e.Title)}}
	}
	title := message{
		cmp.Or(
			map[string]string{"drift": "a field differs from the reference", "missing": "a field of the reference is missing",
				"extra": "a field is not in the reference", "referenced": "a CR that others point at is not in the input", "unmatched": "CRs match no template",
				"incomplete": "the answer is not to be relied on"}[id],
			id,
		),
	}
	return rule{id, title, title, title}
}

// resultOf is a finding of a run as a result.
func resultOf(reference finding.Reference, of *finding.Run, f finding.Finding, folder string) result {
	out := result{
		RuleID:  ruleID(f),
		Level:   []string{"note", "warning", "error"}[f.Level()],
		Message: message{visible.Line(strings.TrimPrefix(f.Object.Stated()+": "+f.Words, ": "))},
		Fingerprints: map[string]string{
			finding.ToolName + "/v1": f.Fingerprint,
		},
		Properties: map[string]string{"class": string(f.Class)},
		Baseline:   map[finding.Change]string{finding.New: "new", finding.Changed: "updated", finding.Unchanged: "unchanged"}[f.Change],
	}
	switch at := f.Source; {
	case at.File != "":
		out.Locations = []location{place(folder, at.File, at.Entry, at.Line, 0)}
	case f.Template != (finding.Template{}) || len(of.Inputs) == 0:
		out.Locations = []location{
			place(
				folder,
				cmp.Or(reference.Metadata, path.Join(filepath.ToSlash(reference.Path), f.Template.Path)),
				"",
				f.Line,
				0,
			),
		}
	default:
		out.Locations = []location{place(folder, of.Inputs[0].Path, "", 0, 0)}
	}
	for name, text := range map[string]string{"impact": string(f.Impact), "comment": f.Comment, "link": f.Link, "wrapper": f.Source.Wrapper} {
		if text != "" {
			out.Properties[name] = visible.Line(text)
		}
	}
	return out
}

// place is a line and column of a file, or of an entry of an archive, which stands beside the
// archive then; 0 is for what is not known.
func place(folder, file, entry string, line, column int) location {
	name := places.Relative(folder, file)
	line, column = max(line, 1), max(column, 1)
	out := location{
		Physical: physical{
			artifact{uri(filepath.ToSlash(name), filepath.IsAbs(name))},
			region{line, column, line, column + 1},
		},
	}
	if entry != "" {
		out.Logical = []logical{{visible.Line(entry), "resource"}}
	}
	return out
}

// uri is the name of a file, with slashes, as a relative reference (RFC 3986), or as a URI of the
// scheme file (RFC 8089): file:///C:/a for C:/a.
func uri(name string, absolute bool) string {
	if !absolute {
		return (&url.URL{Path: name}).String()
	}
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(name, "/")}).String()
}
