package cli

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/destination"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/refconfig"
)

// everyKind are reports with a finding of each class, each of which has a word of its own, and an
// alarm: the first about CRs, the second about the rest, as some formats list no more than ten, and the
// third incomplete for a reason that is no problem of a file.
func everyKind() (all []*finding.Report, words map[string]string) {
	object := func(name string) finding.Object {
		return finding.Object{APIVersion: "v1", Kind: "ConfigMap", Namespace: "app", Name: name}
	}
	compared := func(name string, result finding.Result, all ...finding.Difference) *finding.Comparison {
		c := &finding.Comparison{
			Object:      object(name),
			Source:      finding.Source{File: name + ".yaml", Line: 1},
			Template:    finding.Template{Path: "t/" + name + ".yaml", Part: "p", Component: "c"},
			Result:      result,
			Differences: all,
			Fix:         &finding.Fix{CR: "kind: ConfigMap\n", Patch: "{}"},
		}
		for _, d := range all {
			c.Counts.Count(d.Category, 1)
		}
		if result == finding.Drifted {
			c.Acceptance = &finding.Acceptance{Overrides: []refconfig.Override{{Kind: "ConfigMap", Name: name}}}
		}
		finding.Identify(c.Differences, c.Object, c.Template.Path)
		return c
	}
	failed := compared("of-error", finding.Failed)
	failed.Error = &finding.Error{Code: code.EvalTemplate, Message: "says-error"}
	noted := compared("of-note", finding.Clean)
	noted.Notes = []finding.Statement{{Code: "OWN-NOTE", Path: ".", Message: "says-note"}}
	rule := func(name string, c code.Code, message string, missing ...finding.Missed) finding.Rule {
		one := finding.Rule{
			Part: "p", Component: "c", Rule: name, Code: c, Message: message, Missing: missing, Fingerprint: name + message,
		}
		for i, m := range missing {
			one.Templates = append(one.Templates, m.Template)
			one.Missing[i].Fix = &finding.Fix{CR: "kind: ConfigMap\n"}
		}
		one.Acceptance = &finding.Acceptance{Left: []finding.NotAccepted{{Message: "left"}}}
		for _, m := range missing {
			accepted := refconfig.Override{Missing: true, Kind: "ConfigMap", Name: m.Object.Name}
			one.Acceptance.Overrides = append(one.Acceptance.Overrides, accepted)
		}
		return one
	}
	inputs := []finding.Input{{Path: "in", Format: "directory"}}
	first := &finding.Run{
		Inputs: inputs,
		Alarms: []finding.Warning{{Code: code.WrongReference, Message: "says-alarm"}},
		Comparisons: []*finding.Comparison{
			failed,
			compared("of-drift", finding.Drifted, finding.Difference{
				Category: finding.Drift, Path: "data.a", Reference: []byte(`1`), Input: []byte(`2`),
			}),
			compared("of-missing", finding.Drifted, finding.Difference{
				Category: finding.Missing, Path: "data.a", Reference: []byte(`1`),
			}),
			compared("of-extra", finding.OnlyExtra, finding.Difference{
				Category: finding.Extra, Path: "data.a", Input: []byte(`1`),
			}),
			compared("of-violation", finding.Drifted, finding.Difference{
				Category: finding.Drift, Path: "data.b", Code: "OWN-CODE", Message: "says-violation",
			}),
			compared("of-invalid", finding.OnlyInvalid, finding.Difference{
				Category: finding.Invalid, Path: "data.a", Code: code.InvalidValue, Message: "data.a: says-invalid",
			}),
			noted,
		},
	}
	second := &finding.Run{
		Inputs: inputs,
		Rules: []finding.Rule{
			rule("noneOf", code.RuleForbidden, "says-rule"),
			rule("allOf", code.RuleMissing, "m",
				finding.Missed{Template: "t/absent.yaml", Object: object("of-absent")},
				finding.Missed{Template: "t/wanted.yaml", Object: object("of-wanted"), WantedBy: &finding.Object{Kind: "A"}},
				finding.Missed{Template: "t/not-collected.yaml", Object: object("of-not-collected"), NotCollected: true}),
		},
		Referenced: []finding.Referenced{{Template: "t/referenced.yaml", By: object("of-referenced"), How: "subject"}},
		Unmatched:  []finding.Unmatched{{Object: finding.Object{APIVersion: "v1", Kind: "OfUnmatched", Name: "a"}}},
		Unreadable: []refconfig.Problem{refconfig.Place{File: "bad.yaml"}.Problem(code.DocumentBroken, "says-unreadable")},
	}
	third := &finding.Run{Inputs: inputs} // nothing was compared
	for _, run := range []*finding.Run{first, second, third} {
		run.Summary.Objects.Read = 9
		run.Conclude()
		r := &finding.Report{
			Tool:   finding.Tool{Name: finding.ToolName, Version: "1"},
			FailOn: finding.FailOn{"drift", "missing", "invalid", "extra", "unmatched", "referenced"},
			Runs:   []*finding.Run{run},
		}
		r.Conclude()
		all = append(all, r)
	}
	return all, map[string]string{
		"alarm": "says-alarm", "error": "says-error", "drift": "of-drift", "missing": "of-missing", "extra": "of-extra",
		"violation": "says-violation", "invalid": "says-invalid", "rule": "says-rule", "absent": "of-absent", "wanted": "of-wanted",
		"not collected": "of-not-collected", "referenced": "of-referenced", "unmatched": "OfUnmatched",
		"unreadable": "says-unreadable", "note": "says-note", "incomplete": "no CR that the reference describes",
	}
}

// leftOut has a row for each format: the kinds of findings that it is not about, or that it has only
// what they are made of.
func leftOut() map[string][]string {
	whole := []string{"unmatched", "referenced", "note", "unreadable"}
	return map[string][]string{
		"text": nil, "json": {"incomplete"}, "yaml": {"incomplete"}, "diff": nil, "html": nil, "csv": nil, "github": nil, "gitlab": nil, "markdown": nil,
		"sarif": nil, "junit": nil,
		"fix":       append(whole, "error", "violation", "invalid", "extra"),
		"overrides": append(whole, "invalid", "extra", "violation"), // it accepts a violation without its message
	}
}

// writtenAs is a report in a format, with the files of one that is a folder.
func writtenAs(t *testing.T, f format, r *finding.Report) string {
	t.Helper()
	var out, errs bytes.Buffer
	p := &program{io: IO{Out: &out, Err: &errs, Env: func(string) (string, bool) { return "", false }}, name: finding.ToolName}
	to := output{format: f}
	reporting := newReporting(nil)
	o := &reporting
	o.color, o.screen.Verbose = "never", true
	o.outputs = []output{to}
	if !f.folder {
		if err := p.writeFormat(&out, r, o, to, formats.OverrideOptions{}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	at := filepath.Join(t.TempDir(), "out")
	dir, err := destination.MakeFolder(at)
	if err != nil {
		t.Fatal(err)
	}
	to.dir = dir
	if err := p.writeFormat(nil, r, o, to, formats.OverrideOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := dir.Commit(); err != nil {
		t.Fatal(err)
	}
	all := errs.String()
	err = filepath.WalkDir(at, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		all += name + "\n" + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestEveryFormatTellsEveryKindOfFinding: each row of the table of formats tells each alarm and each
// kind of finding that it is about, by its name.
func TestEveryFormatTellsEveryKindOfFinding(t *testing.T) {
	all, words := everyKind()
	seen := map[string]bool{"alarm": true, "violation": true}
	for _, r := range all {
		for f := range r.Runs[0].Findings(r.FailOn, nil) {
			if _, known := words[string(f.Class)]; !known {
				t.Errorf("the reports have no word for %s", f.Class)
			}
			seen[string(f.Class)] = true
		}
	}
	for kind := range words {
		if !seen[kind] {
			t.Errorf("the reports have no finding that is %s", kind)
		}
	}
	for _, f := range allFormats() {
		without, known := leftOut()[f.name]
		if !known {
			t.Errorf("%s has no row that says what it leaves out", f.name)
		}
		text := ""
		for _, r := range all {
			text += html.UnescapeString(writtenAs(t, f, r))
		}
		for kind, word := range words {
			if told := strings.Contains(text, word); !told && !slices.Contains(without, kind) {
				t.Errorf("%s does not tell of %s:\n%.3000s", f.name, kind, text)
			}
		}
	}
}

// TestEveryFormatTellsWhyItIsIncomplete: each reason that makes an answer incomplete is in every format.
func TestEveryFormatTellsWhyItIsIncomplete(t *testing.T) {
	for _, c := range []code.Code{"", code.InputNoObjects, code.Interrupted, code.LimitTime, code.LimitMemory,
		code.ClusterUnclear, code.ComponentLacking, code.InputUnreadable, code.ReportBroken, code.ClusterLacking} {
		run := &finding.Run{Inputs: []finding.Input{{Path: "in", Format: "directory"}}}
		run.Summary.Objects.Read = 1
		if c != "" {
			run.Unreadable = []refconfig.Problem{refconfig.Place{File: "x"}.Problem(c, "says-why")}
		}
		run.Interrupted = c == code.Interrupted || c == code.LimitTime || c == code.LimitMemory
		run.Conclude()
		r := &finding.Report{Tool: finding.Tool{Name: finding.ToolName, Version: "1"}, Runs: []*finding.Run{run}}
		r.Conclude()
		why := run.Obstacles()
		if len(why) == 0 {
			t.Errorf("%s makes nothing incomplete", c)
		}
		for _, f := range allFormats() {
			text := strings.Join(strings.Fields(html.UnescapeString(writtenAs(t, f, r))), " ")
			want := why[0]
			if f.name == "json" || f.name == "yaml" { // they have what the reason is made of
				text, want = strings.ReplaceAll(text, `"`, ""), "verdict: incomplete"
				if c != "" && !strings.Contains(text, "code: "+string(c)) {
					t.Errorf("%s does not have %s:\n%.2000s", f.name, c, text)
				}
			}
			if !strings.Contains(strings.ReplaceAll(text, "# ", ""), want) {
				t.Errorf("%s does not say %s:\n%.2000s", f.name, fmt.Sprint(why), text)
			}
		}
	}
}
