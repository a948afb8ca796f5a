package remark_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/remark"
	"github.com/validationtool/validationtool/refconfig"
)

// said is a report of one CR, of which a template says something with codes of the reference's own.
func said() *finding.Report {
	c := &finding.Comparison{
		Object:   finding.Object{APIVersion: "v1", Kind: "Node", Name: "a"},
		Template: finding.Template{Path: "a.yaml"},
		Source: finding.Source{
			File: "in.yaml",
			Line: 3,
		},
		Differences: []finding.Difference{
			{Category: finding.Drift, Path: "x", Code: "A-B"},
			{Category: finding.Drift, Path: "y", Code: "VT4002"},
		},
		Override: &finding.Override{Accepted: []finding.Difference{{Code: "A-D"}}},
		Notes: []finding.Statement{
			{Code: "A-C", Path: ".", Message: "m"},
			{Code: "A-C", Path: "x", Message: "n", Line: 7},
		},
	}
	return &finding.Report{Runs: []*finding.Run{{Comparisons: []*finding.Comparison{c}}}}
}

func TestOnlyTheCodesThatAreToldAreExplained(t *testing.T) {
	all := []refconfig.OwnCode{
		{Code: "Z-Z", Title: "never"},
		{Code: "A-D", Title: "d"},
		{Code: "A-C", Title: "c"},
		{Code: "A-B", Title: "b"},
	}
	got := ""
	for _, c := range remark.Told(said(), all) {
		got += c.Code + " "
	}
	if got != "A-B A-C A-D " || all[0].Code != "Z-Z" {
		t.Errorf("%s, of %v", got, all)
	}
}

// TestReportsOfSeveralReferencesKeepWhatEachSays: the same is told once.
func TestReportsOfSeveralReferencesKeepWhatEachSays(t *testing.T) {
	a, b := refconfig.OwnCode{Code: "A", Title: "one"}, refconfig.OwnCode{Code: "A", Title: "other"}
	got := remark.Merged([]*finding.Report{
		{Codes: []refconfig.OwnCode{b}},
		{},
		{Codes: []refconfig.OwnCode{a, {Code: "B"}}},
		{Codes: []refconfig.OwnCode{a}},
	})
	if len(got) != 3 || got[0] != a || got[1] != b || got[2].Code != "B" {
		t.Errorf("%v", got)
	}
}

func TestNotesAreFindingsThatCountForNothing(t *testing.T) {
	r := said()
	all := slices.Collect(remark.Behind(slices.Values([]finding.Finding(nil)), r.Runs[0]))
	if len(all) != 2 || all[0].Fingerprint == all[1].Fingerprint || all[0].Fingerprint == "" {
		t.Fatalf("%+v", all)
	}
	got := fmt.Sprint(all[0].Class, all[0].Effect, all[0].Words, all[0].Source.Line, all[1].Words, all[1].Source.Line)
	if got != "note0m (A-C)3x: n (A-C)7" {
		t.Error(got)
	}
	every := finding.FailOn(finding.FailOnWords())
	for _, f := range r.Runs[0].Findings(every) {
		if f.Class == remark.Class {
			t.Errorf("%+v counts", f)
		}
	}
}

// TestTheMeaningOfACodeIsSafeToShow: what a terminal would act on is visible, lines stay lines.
func TestTheMeaningOfACodeIsSafeToShow(t *testing.T) {
	r := &finding.Report{
		Codes: []refconfig.OwnCode{{Code: "A", Title: "t\x1b", Cause: "c\u202e\nd  \r", Triage: "e\a"}},
	}
	e, ok := remark.Entry(r, "A")
	if !ok || strings.ContainsAny(e.Title+e.Cause+e.Do, "\x1b\u202e\a\r") || strings.Count(e.Cause, "\n") != 1 {
		t.Errorf("%+v", e)
	}
	if e, ok := remark.Entry(r, "VT4002"); !ok || e.Title == "" {
		t.Error("a code of the tool is not known")
	}
	if _, ok := remark.Entry(r, "B"); ok {
		t.Error("a code that nobody explains is known")
	}
}
