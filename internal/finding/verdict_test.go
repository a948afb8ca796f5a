package finding

import (
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

func TestVerdictAndExit(t *testing.T) {
	differences := func(drift, missing, extra int) Counts { return Counts{Drift: drift, Missing: missing, Extra: extra} }
	tests := []struct {
		name    string
		counts  Summary
		rules   []code.Code
		failOn  string
		chosen  bool
		refused int
		verdict Verdict
		exit    int
		say     string // a part of the sentence
	}{
		{
			name:    "all agree",
			counts:  Summary{Objects: Objects{Read: 3, Compared: 2, Clean: 2}},
			verdict: Compliant,
			exit:    0,
			say:     "COMPLIANT: 2 CRs agree with",
		},
		{
			name:    "nothing compared",
			counts:  Summary{Objects: Objects{Read: 3}},
			verdict: Incomplete,
			exit:    2,
			say:     "INCOMPLETE: no CR that the reference describes was compared",
		},
		{
			name:    "nothing compared, whatever counts",
			counts:  Summary{Objects: Objects{Read: 3, Unmatched: 3}},
			failOn:  "none",
			verdict: Incomplete,
			exit:    2,
			say:     "no CR that the reference describes",
		},
		{
			name:    "nothing compared of what was named",
			counts:  Summary{Objects: Objects{Read: 3}},
			chosen:  true,
			verdict: Compliant,
			exit:    0,
			say:     "nothing was compared",
		},
		{
			name:    "nothing compared of what was named, for it was refused",
			counts:  Summary{Objects: Objects{Read: 3}},
			chosen:  true,
			refused: 1,
			verdict: Incomplete,
			exit:    2,
			say:     "no CR that the reference describes",
		},
		{
			name:    "only referenced",
			counts:  Summary{Objects: Objects{Read: 3, Referenced: 1}},
			verdict: Incomplete,
			exit:    2,
			say:     "no CR that the reference describes",
		},
		{
			name:    "only referenced of what was named",
			counts:  Summary{Objects: Objects{Read: 3, Referenced: 1}},
			chosen:  true,
			verdict: Incomplete,
			exit:    2,
			say:     "no CR that the reference describes",
		},
		{
			name:    "drift",
			counts:  Summary{Objects: Objects{Read: 1, Compared: 1, Drift: 1}, Differences: differences(1, 0, 0)},
			verdict: Differs,
			exit:    1,
			say:     "DRIFT: 1 of 1 CR differs",
		},
		{
			name:    "missing field",
			counts:  Summary{Objects: Objects{Read: 1, Compared: 3, Drift: 2}, Differences: differences(0, 1, 0)},
			verdict: Differs,
			exit:    1,
			say:     "2 of 3 CRs differ",
		},
		{
			name:    "missing field, only drift counts",
			counts:  Summary{Objects: Objects{Read: 1, Compared: 3, Drift: 2}, Differences: differences(0, 1, 0)},
			failOn:  "drift",
			verdict: Differs,
			exit:    0,
			say:     "DRIFT: 2 of 3 CRs differ from the reference; not counted as a failure (--fail-on drift)",
		},
		{
			name:    "extra is information",
			counts:  Summary{Objects: Objects{Read: 1, Compared: 1, Extra: 1}, Differences: differences(0, 0, 1)},
			verdict: Compliant,
			exit:    0,
		},
		{
			name:    "extra on demand",
			counts:  Summary{Objects: Objects{Read: 1, Compared: 1, Extra: 1}, Differences: differences(0, 0, 1)},
			failOn:  "drift,extra",
			verdict: Compliant,
			exit:    1,
			say:     "COMPLIANT: 1 CR agrees with the reference, with extra content; nothing is missing; counted as a failure (--fail-on drift,extra): 1 field is extra",
		},
		{
			name:    "missing CR",
			counts:  Summary{Objects: Objects{Read: 1}, MissingCRs: 2, BrokenRules: 1},
			rules:   []code.Code{code.RuleMissing},
			verdict: Differs,
			exit:    1,
			say:     "DRIFT: 2 required CRs were not found",
		},
		{
			name:    "other rule",
			counts:  Summary{Objects: Objects{Read: 1}, BrokenRules: 1},
			rules:   []code.Code{code.RuleForbidden},
			verdict: Differs,
			exit:    1,
			say:     "1 rule is broken",
		},
		{
			name:    "rules don't count",
			counts:  Summary{Objects: Objects{Read: 1}, BrokenRules: 1},
			rules:   []code.Code{code.RuleForbidden},
			failOn:  "none",
			verdict: Differs,
			exit:    0,
			say:     "DRIFT: 1 rule is broken; not counted",
		},
		{
			name:    "unmatched is information",
			counts:  Summary{Objects: Objects{Read: 2, Compared: 1, Unmatched: 1}},
			verdict: Compliant,
			exit:    0,
		},
		{
			name:    "unmatched on demand",
			counts:  Summary{Objects: Objects{Read: 2, Compared: 1, Unmatched: 1}},
			failOn:  "unmatched",
			verdict: Compliant,
			exit:    1,
			say:     "1 CR is unmatched",
		},
		{
			name:    "referenced on demand",
			counts:  Summary{Objects: Objects{Read: 2, Compared: 1, Clean: 1, Referenced: 1}},
			failOn:  "referenced",
			verdict: Compliant,
			exit:    1,
			say:     "referenced but not",
		},
		{name: "nothing read", verdict: Incomplete, exit: 2, say: "INCOMPLETE: the input holds no CR"},
		{
			name:    "unreadable",
			counts:  Summary{Objects: Objects{Read: 1}, Unreadable: 1},
			failOn:  "none",
			verdict: Incomplete,
			exit:    2,
			say:     "1 file could not be read",
		},
		{
			name: "failed beats drift",
			counts: Summary{
				Objects:     Objects{Read: 1, Compared: 2, Error: 1, Drift: 1},
				Differences: differences(1, 0, 0),
			},
			verdict: Incomplete,
			exit:    2,
			say:     "1 CR could not be evaluated; besides, 1 of 2 CRs differs",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := &Run{Summary: test.counts, Chosen: test.chosen, Refused: make([]Unmatched, test.refused)}
			for _, c := range test.rules {
				r.Rules = append(r.Rules, Rule{Code: c})
			}
			var failOn FailOn
			if test.failOn != "" {
				var err error
				if failOn, err = ParseFailOn(test.failOn); err != nil {
					t.Fatal(err)
				}
			}
			r.Summary.Verdict = r.verdict()
			report := Report{Runs: []*Run{r}, FailOn: failOn}
			report.Conclude()
			verdict, exit := report.Summary.Verdict, report.ExitStatus
			if verdict != test.verdict || exit != test.exit {
				t.Errorf("got %s and %d, want %s and %d", verdict, exit, test.verdict, test.exit)
			}
			if said := r.Sentence(report.FailOn); !strings.Contains(said, test.say) {
				t.Errorf("the sentence is %q, want %q in it", said, test.say)
			}
		})
	}
}

func TestParseFailOn(t *testing.T) {
	for list, want := range map[string]string{
		"drift,missing": "drift,missing", " Extra , drift": "drift,extra", "none": "none", "referenced,unmatched": "unmatched,referenced",
	} {
		f, err := ParseFailOn(list)
		if err != nil || f.String() != want {
			t.Errorf("ParseFailOn(%q) is %s, %v; want %s", list, f, err, want)
		}
		if again, err := ParseFailOn(f.String()); err != nil || !slices.Equal(again, f) {
			t.Errorf("%s does not read back: %v", f, err)
		}
	}
	for list, want := range map[string]string{"": "empty", "drft": `"drft" is unknown`, "none,drift": "cannot be combined", "drift,,extra": `"" is unknown`} {
		if _, err := ParseFailOn(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseFailOn(%q) gives the error %v, want one with %q", list, err, want)
		}
	}
}

// TestWhatWasNotReadIsNoCluster: inputs that an interrupted run did not come to are counted as
// inputs.
func TestWhatWasNotReadIsNoCluster(t *testing.T) {
	read := &Run{Cluster: Cluster{Name: "a"}, Interrupted: true, Unreadable: []refconfig.Problem{{Code: code.Interrupted}}}
	read.Summary.Objects.Read = 3
	unread := &Run{Inputs: []Input{{Path: "b.tar"}, {Path: "c.tar"}}, Interrupted: true, Unreadable: read.Unreadable}
	r := Report{Runs: []*Run{read, unread}}
	for _, run := range r.Runs {
		run.Conclude()
	}
	r.Conclude()
	if got, want := r.Sentence(), "1 cluster: 1 INCOMPLETE; 2 inputs were not read"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got, want := unread.Heading()+unread.Name(), "Not read: b.tar, c.tar"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got, want := unread.Sentence(nil), "INCOMPLETE: the run was interrupted before a CR was read"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got, want := read.Heading()+read.Name(), "Cluster a"; got != want || r.ExitStatus != 2 {
		t.Errorf("%q instead of %q, exit status %d", got, want, r.ExitStatus)
	}
}
