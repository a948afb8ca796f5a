package impact

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
)

// exampleRun has a finding of each sort.
func exampleRun() *finding.Run {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	return &finding.Run{
		Cluster: finding.Cluster{Version: "4.14.3"},
		Summary: finding.Summary{Objects: finding.Objects{Read: 9}},
		Comparisons: []*finding.Comparison{{
			Object:   finding.Object{APIVersion: "v2", Kind: "Profile", Namespace: "", Name: "node"},
			Template: finding.Template{Path: "platform/profile.yaml", Part: "ran", Component: "tuning"},
			Differences: []finding.Difference{
				{Category: finding.Drift, Path: "spec.rt.enabled", Reference: raw("true"), Input: raw("false")},
				{Category: finding.Drift, Path: "spec.rtx", Reference: raw("1"), Input: raw("2")},
				{
					Category:  finding.Missing,
					Path:      "spec.cpu",
					Reference: raw(`{"isolated": "1-3", "sets": [{"a": 1}]}`),
				},
				{Category: finding.Extra, Path: `metadata.labels."a.b"`, Input: raw(`"x"`)},
				{Category: finding.Extra, Path: "spec.list.3.name", Input: raw(`"x"`)},
				{Category: finding.Expected, Path: "spec.free", Reference: raw("1"), Input: raw("1")},
				{Category: finding.Drift, Path: ".", Message: "a check", Code: "NTP-A"},
			},
		}},
		Rules: []finding.Rule{
			{
				Part:      "ran",
				Component: "net",
				Rule:      "allOf",
				Code:      code.RuleMissing,
				Templates: []string{"net/a.yaml", "net/b.yaml"},
				Missing: []finding.Missed{
					{
						Template: "net/a.yaml",
						Object:   finding.Object{APIVersion: "v1", Kind: "Net", Namespace: "n", Name: "a"},
					},
					{Template: "net/b.yaml", Object: finding.Object{APIVersion: "v1", Kind: "Net"}},
				},
			},
			{
				Part:      "ran",
				Component: "debug",
				Rule:      "noneOf",
				Code:      code.RuleForbidden,
				Templates: []string{"debug.yaml"},
				Present: []finding.Present{
					{
						Template: "debug.yaml",
						Object:   finding.Object{APIVersion: "v1", Kind: "Pod", Namespace: "x", Name: "shell"},
					},
				},
			},
		},
	}
}

// rated says how the findings of the example are rated, in their order: a letter each, and - for
// none.
func rated(run *finding.Run) string {
	letter := func(r finding.Rating) string { return string((string(r.Impact) + "-")[0]) }
	var b strings.Builder
	for _, d := range run.Comparisons[0].Differences {
		b.WriteString(letter(d.Rating))
	}
	for _, r := range run.Rules {
		b.WriteString(" ")
		for _, m := range r.Missing {
			b.WriteString(letter(m.Rating))
		}
		b.WriteString(letter(r.Rating))
	}
	return b.String()
}

func TestWhichFindingsARuleFits(t *testing.T) {
	for _, c := range []struct{ conditions, want string }{
		{"path: spec.rt", "irrrr-r rrr r"}, // and not spec.rtx
		{"path: spec", "iiirI-r rrr r"},
		{"path: spec.cpu.isolated", "rrirr-r rrr r"}, // the whole map is missing, and this field in it
		{"path: spec.cpu.sets.*.a", "rrirr-r rrr r"},
		{"path: spec.cpu.reserved", "rrrrr-r rrr r"},
		{"path: spec.rt.enabled.deeper", "rrrrr-r rrr r"},
		{`path: metadata.labels."a.b"`, "rrrir-r rrr r"},
		{"path: metadata.labels.a", "rrrrr-r rrr r"},
		{"path: spec.list.*.name", "rrrrI-r rrr r"},
		{"path: spec.list.3", "rrrrI-r rrr r"},
		{"path: spec.list.30", "rrrrr-r rrr r"},
		{"path: .spec.free", "rrrrr-r rrr r"}, // an expected difference has no impact
		{"code: NTP-A", "rrrrr-i rrr r"},
		{"category: extra", "rrriI-r rrr r"},
		{"category: drift", "iirrr-i rrr r"},
		{"category: missing", "rrirr-r iii r"},
		{"category: rule", "rrrrr-r rrr i"},
		{"template: platform/*.yaml", "iiiiI-i rrr r"},
		{"template: ./net/b.yaml", "rrrrr-r rii r"},
		{"template: '*.yaml'", "rrrrr-r rrr i"}, // a glob knows folders
		{"component: tuning", "iiiiI-i rrr r"},
		{"component: ran/net", "rrrrr-r iii r"},
		{"component: ran", "rrrrr-r rrr r"},
		{"component: '*/*'", "iiiiI-i iii i"},
		{"cr: profile/no*", "iiiiI-i rrr r"},
		{"cr: Net/n/a", "rrrrr-r iri r"},
		{"cr: Pod/x/shell", "rrrrr-r rrr i"},
		{"cr: Pod/y/shell", "rrrrr-r rrr r"},
		{"clusterVersion: 4.14.x", "iiiiI-i iii i"},
		{"clusterVersion: '>=4.15'", "rrrrr-r rrr r"},
		{"cr: Profile, path: spec, category: drift", "iirrr-r rrr r"}, // all conditions have to hold
	} {
		rules, _, faults := parse("rules:\n- {impact: impacting, " + c.conditions + "}\n")
		run := exampleRun()
		rules.Rate(context.Background(), []*finding.Run{run})
		if got := rated(run); got != strings.ToLower(c.want) || len(faults) > 0 {
			t.Errorf("%s: %s, want %s %v", c.conditions, got, c.want, faults)
		}
	}
}

// A rule that says of a field that it does not matter does not say so of a whole map in which that
// field is, among others.
func TestAWholeMapIsNotWavedThroughByAFieldOfIt(t *testing.T) {
	rules, _, _ := parse(
		"default: impacting\nrules:\n- {impact: not-impacting, path: spec.cpu.isolated}\n- {impact: not-impacting, path: spec.rt.enabled}\n",
	)
	run := exampleRun()
	rules.Rate(context.Background(), []*finding.Run{run})
	if got := rated(run); got != "niiii-i iii i" {
		t.Error(got)
	}
}

func TestTheFirstRuleThatFitsCounts(t *testing.T) {
	first, _, _ := parse(
		"rules:\n- {impact: not-impacting, path: spec.rt, comment: first}\n- {impact: impacting, path: spec, comment: second}\n",
	)
	second, _, _ := parse(
		"default: not-impacting\nrules:\n- {impact: impacting, path: metadata, comment: third, link: https://example.com}\n- {impact: review, path: spec}\n",
	)
	third, _, _ := parse("default: impacting\n")
	run := exampleRun()
	first.And(second).And(third).Rate(context.Background(), []*finding.Run{run})
	if got := rated(run); got != "niiii-n nnn n" {
		t.Error(got)
	}
	var said []string
	for _, d := range run.Comparisons[0].Differences {
		said = append(said, d.Comment+d.Link)
	}
	if diff := cmp.Diff([]string{"first", "second", "second", "thirdhttps://example.com", "second", "", ""}, said); diff != "" {
		t.Error(diff)
	}
	if got := fmt.Sprint(run.Summary.Impact, "; ", run.Impact(), " ", run.Comparisons[0].Impact(), run.Comparisons[0].Ratings()); got !=
		"4 impacting, 5 not impacting; impacting impacting[{impacting second } {impacting third https://example.com} {not-impacting first } {not-impacting  }]" {
		t.Error(got)
	}
}

func TestARuleForVersionsDoesNotFitAnUnknownOne(t *testing.T) {
	rules, _, _ := parse("rules:\n- {impact: impacting, clusterVersion: '*'}\n")
	run := exampleRun()
	run.Cluster.Version = ""
	rules.Rate(context.Background(), []*finding.Run{run})
	if got := rated(run); got != "rrrrr-r rrr r" {
		t.Error(got)
	}
}

// TestRatingEndsWithTheContext: what was not rated is for somebody to look at, and the answer is
// incomplete.
func TestRatingEndsWithTheContext(t *testing.T) {
	rules, _, _ := parse("default: not-impacting\nrules:\n- {impact: not-impacting, path: spec}\n")
	run := exampleRun()
	run.Summary.Objects.Read = 1
	run.Conclude()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rules.Rate(ctx, []*finding.Run{run})
	if got := rated(run); got != "rrrrr-r rrr r" || run.Summary.Verdict != finding.Incomplete ||
		len(run.Unreadable) != 1 ||
		run.Unreadable[0].Code != code.Interrupted {
		t.Errorf("%s, %s, %v", got, run.Summary.Verdict, run.Unreadable)
	}
}
