// Package sarif writes what was found in the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), for code scanning. A cluster is a
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
	"github.com/validationtool/validationtool/internal/remark"
	"github.com/validationtool/validationtool/internal/visible"
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
	Locations    []location        `json:"locations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
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
	Line int `json:"startLine"`
}

type logical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type properties struct {
	Verdict  string `json:"verdict"`
	Findings int    `json:"findings"` // of which at most mostResults are results
}

// Write writes a report.
func Write(w io.Writer, r *finding.Report) error {
	out := log{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []run{}}
	for _, one := range r.Runs {
		out.Runs = append(out.Runs, runOf(r, one))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// runOf is what was found about a cluster.
func runOf(r *finding.Report, one *finding.Run) run {
	found := append(one.Findings(r.FailOn), remark.Notes(one)...)
	status := one.ExitStatus(r.FailOn)
	out := run{Tool: tool{driver{r.Tool.Name, r.Tool.Version, []rule{}}}, Automation: automation{visible.Line(finding.ToolName + "/" + one.Name())},
		Invocations: []invocation{{status < 2, status, []notification{{levels()[status], message{visible.Line(one.Sentence(r.FailOn))}}}}},
		Results:     []result{}, Properties: properties{string(one.Summary.Verdict), len(found)}}
	for _, a := range one.Alarms {
		out.Invocations[0].Notifications = append(out.Invocations[0].Notifications, notification{"warning", message{visible.Line(a.String())}})
	}
	found = found[:min(len(found), mostResults)]
	index := map[string]int{}
	for _, f := range found {
		index[ruleID(f)] = 0
	}
	for i, id := range slices.Sorted(maps.Keys(index)) {
		index[id] = i
		out.Tool.Driver.Rules = append(out.Tool.Driver.Rules, describe(r, id))
	}
	for _, f := range found {
		out.Results = append(out.Results, resultOf(r.Reference, f, index[ruleID(f)]))
	}
	return out
}

// levels are the levels of findings, by their effect.
func levels() []string { return []string{"note", "error", "error"} }

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
		"extra": "a field is not in the reference"}[id], id)}}
}

// said is a message, if there is one.
func said(text string) *message {
	if text == "" {
		return nil
	}
	return &message{text}
}

// resultOf is a finding as a result.
func resultOf(reference finding.Reference, f finding.Finding, index int) result {
	out := result{RuleID: ruleID(f), RuleIndex: index, Level: levels()[f.Effect], Message: message{visible.Line(strings.TrimSpace(f.Object.String() + ": " + f.Words))},
		Fingerprints: map[string]string{finding.ToolName + "/v1": f.Fingerprint}}
	if f.Effect == finding.Informs && f.Class != finding.ClassExtra && f.Class != remark.Class {
		out.Level = "warning"
	}
	switch at := f.Source; {
	case at.File != "":
		out.Locations = []location{place(at.File, at.Line)}
		if at.Entry != "" { // the line is one of the entry
			out.Locations = []location{place(at.File, 0)}
			out.Locations[0].Logical = []logical{{visible.Line(finding.Source{File: at.Entry, Line: at.Line}.String()), "resource"}}
		}
	case f.Line > 0 && reference.Metadata != "":
		out.Locations = []location{place(reference.Metadata, f.Line)}
	}
	if f.Impact != "" {
		out.Properties = map[string]string{"impact": string(f.Impact), "comment": visible.Line(f.Comment), "link": visible.Line(f.Link)}
	}
	return out
}

// place is a line of a file; 0 is none. The name is a relative URI reference, or an absolute one (RFC 3986).
func place(file string, line int) location {
	uri := url.URL{Path: filepath.ToSlash(file)}
	if filepath.IsAbs(file) {
		uri.Scheme = "file"
	}
	out := location{Physical: physical{Artifact: artifact{uri.String()}}}
	if line > 0 {
		out.Physical.Region = &region{line}
	}
	return out
}
