package finding

import (
	"fmt"
	"slices"
	"testing"

	"github.com/validationtool/validationtool/refconfig"
)

// said is a report of one CR, of which a template says something with codes of the reference's own.
func said() *Report {
	c := &Comparison{
		Object:   Object{APIVersion: "v1", Kind: "Node", Name: "a"},
		Template: Template{Path: "a.yaml"},
		Source: Source{
			File: "in.yaml",
			Line: 3,
		},
		Differences: []Difference{
			{Category: Drift, Path: "x", Code: "A-B"},
			{Category: Drift, Path: "y", Code: "VT4002"},
		},
		Override: &Override{Accepted: []Difference{{Code: "A-D"}}},
		Notes: []Statement{
			{Code: "A-C", Path: ".", Message: "m"},
			{Code: "A-C", Path: "x", Message: "n", Line: 7},
		},
	}
	return &Report{Runs: []*Run{{Comparisons: []*Comparison{c}}}}
}

func TestOnlyTheCodesThatAreToldAreExplained(t *testing.T) {
	all := []refconfig.OwnCode{
		{Code: "Z-Z", Title: "never"},
		{Code: "A-D", Title: "d"},
		{Code: "A-C", Title: "c"},
		{Code: "A-B", Title: "b"},
	}
	got := ""
	for _, c := range said().UsedCodes(all) {
		got += c.Code + " "
	}
	if got != "A-B A-C A-D " || all[0].Code != "Z-Z" {
		t.Errorf("%s, of %v", got, all)
	}
}

// TestReportsOfSeveralReferencesKeepWhatEachSays: the same is told once.
func TestReportsOfSeveralReferencesKeepWhatEachSays(t *testing.T) {
	a, b := refconfig.OwnCode{Code: "A", Title: "one"}, refconfig.OwnCode{Code: "A", Title: "other"}
	got := MergedCodes([]*Report{
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
	all := slices.Collect(r.Runs[0].Findings(nil, Class.IsNote))
	if len(all) != 2 || all[0].Fingerprint == all[1].Fingerprint || all[0].Fingerprint == "" {
		t.Fatalf("%+v", all)
	}
	got := fmt.Sprint(all[0].Class, all[0].Effect, all[0].Words, all[0].Source.Line, all[1].Words, all[1].Source.Line)
	if got != "note0m (A-C)3x: n (A-C)7" {
		t.Error(got)
	}
	every := FailOnWords()
	for f := range r.Runs[0].Findings(every, nil) {
		if f.Class == ClassNote && (f.Effect != Informs || f.Counts(every)) {
			t.Errorf("%+v counts", f)
		}
	}
}
