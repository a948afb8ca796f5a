package saved

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// saved is a report as JSON: one CR drifts, one is missing.
func saved(t *testing.T) string {
	t.Helper()
	one := &finding.Comparison{
		Object:   finding.Object{Kind: "ConfigMap", Name: "not \xff UTF-8"},
		Template: finding.Template{Path: "b.yaml"},
		Result:   finding.Drifted,
		Counts:   finding.Counts{Drift: 2, Extra: 1, Expected: 3},
		Differences: []finding.Difference{
			{Category: finding.Drift, Path: "data.a"},
			{Category: finding.Drift, Path: "spec.list.0.b", Named: "spec.list.name.b"},
			{Category: finding.Extra, Path: "data.c"},
		},
	}
	finding.Identify(one.Differences, one.Object, one.Template.Path)
	run := &finding.Run{
		Comparisons: []*finding.Comparison{one},
		Rules: []finding.Rule{{
			Rule:        "allOf",
			Code:        "VT3001",
			Templates:   []string{"a.yaml"},
			Missing:     []finding.Missed{{Template: "a.yaml"}},
			Fingerprint: finding.Rule{Rule: "allOf"}.Identity(),
		}},
	}
	run.Summary.Objects.Read = 1
	run.Conclude()
	r := &finding.Report{
		Tool:      finding.Tool{Name: finding.ToolName, Version: "1"},
		Reference: finding.Reference{Path: "ref", Format: "v2", Hash: "sha256:1"},
		Runs:      []*finding.Run{run},
	}
	r.Conclude()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestAReportThatWasChangedIsNotRead: a verdict, an exit status, a count, a category or a
// fingerprint that does not follow from what is listed is found.
func TestAReportThatWasChangedIsNotRead(t *testing.T) {
	text := saved(t)
	read, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	differences, err := json.Marshal(read.Runs[0].Comparisons[0].Differences)
	if err != nil {
		t.Fatal(err)
	}
	for before, after := range map[string]string{
		string(differences):                   `[]`,
		`"category":"drift","path":"data.a"`:  `"category":"extra","path":"data.a"`,
		`"category":"extra","path":"data.c"`:  `"category":"expected","path":"data.c"`,
		`"expected":3`:                        `"expected":-1`,
		`"unmatchedKinds":[]`:                 `"unmatchedKinds":[{"kind":"A","count":1}]`,
		`"exitStatus":1`:                      `"exitStatus":0`,
		`"verdict":"drift"`:                   `"verdict":"compliant"`,
		`"result":"drift"`:                    `"result":"clean"`,
		`"missingCRs":1`:                      `"missingCRs":0`,
		`"brokenRules":0`:                     `"brokenRules":2`,
		`"compared":1`:                        `"compared":2`,
		`"failOn":["drift","missing"]`:        `"failOn":["none"]`,
		`"clusters":{"compliant":0,"drift":1`: `"clusters":{"compliant":1,"drift":0`,
	} {
		changed := strings.ReplaceAll(text, before, after)
		if changed == text {
			t.Errorf("%s is not in %s", before, text)
		}
		if _, err := Read([]byte(changed)); err != errChanged {
			t.Errorf("with %s: %v, want %v", after, err, errChanged)
		}
	}
	for name, replacer := range map[string]*strings.Replacer{
		"an agreeing CR with differences": strings.NewReplacer(`"result":"drift"`, `"result":"clean"`, `"clean":0`, `"clean":1`, `"drift":1,"error":0`, `"drift":0,"error":0`),
		"a failed CR without an error": strings.NewReplacer(`"result":"drift"`, `"result":"error"`, `"drift":1,"error":0`, `"drift":0,"error":1`,
			`"verdict":"drift"`, `"verdict":"incomplete"`, `"exitStatus":1`, `"exitStatus":2`, `"drift":1,"incomplete":0`, `"drift":0,"incomplete":1`),
		"an error of a CR that did not fail": strings.NewReplacer(`"result":"drift"`, `"result":"drift","error":{"code":"VT4001"}`),
	} {
		if _, err := Read([]byte(replacer.Replace(text))); err != errChanged {
			t.Errorf("%s: %v, want %v", name, err, errChanged)
		}
	}
	if ListsExpected(read) {
		t.Error("it lists expected differences")
	}
	read.Runs[0].Comparisons[0].Differences[0].Category = finding.Expected
	if !ListsExpected(read) {
		t.Error("it lists no expected differences")
	}
	first, rule := read.Runs[0].Comparisons[0].Differences[0].Fingerprint, read.Runs[0].Rules[0].Fingerprint
	for before, after := range map[string]string{
		first: rule, rule: first, `"path":"data.a"`: `"path":"data.b"`, `"kind":"ConfigMap"`: `"kind":"Secret"`, `"component":""`: `"component":"c"`,
	} {
		if _, err := Read([]byte(strings.ReplaceAll(text, before, after))); err != errOtherFingerprint {
			t.Errorf("with %s for %s: %v, want %v", after, before, err, errOtherFingerprint)
		}
	}
}

// TestChangesAndImpactsOfAReportAreCounted: as the verdict, they follow from what is listed.
func TestChangesAndImpactsOfAReportAreCounted(t *testing.T) {
	r, err := Read([]byte(saved(t)))
	if err != nil {
		t.Fatal(err)
	}
	run := r.Runs[0]
	run.Comparisons[0].Differences[0].Impact = finding.Review
	Mark(r, Earlier{Path: "old", Report: r})
	*r = finding.Report{SchemaVersion: r.SchemaVersion, Tool: r.Tool, Reference: r.Reference, FailOn: r.FailOn, Runs: r.Runs}
	run.Summary = finding.Summary{Objects: finding.Objects{Read: 1}}
	run.Conclude()
	run.CountImpacts()
	r.Conclude()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		before, after string
		want          error
	}{
		{"{", "{", nil}, {`"review":1`, `"review":2`, errChanged}, {`"new":0`, `"new":1`, errChanged}, {`"impact":"review"`, `"impact":"impacting"`, errChanged},
	} {
		changed := strings.ReplaceAll(string(text), c.before, c.after)
		if _, err := Read([]byte(changed)); err != c.want || (changed == string(text)) != (c.want == nil) {
			t.Errorf("with %s: %v, want %v: %s", c.after, err, c.want, changed)
		}
	}
}

// TestAReportNamesItsReference: without it, a report would count as one of a file that could not be
// read, which fails nothing.
func TestAReportNamesItsReference(t *testing.T) {
	text := saved(t)
	const reference = `"reference":{"path":"ref","format":"v2","hash":"sha256:1"}`
	for _, damaged := range []string{`"other":1`, `"reference":null`, `"reference":{}`, `"reference":{"path":"ref","format":"v2"}`} {
		if _, err := Read([]byte(strings.Replace(text, reference, damaged, 1))); err == nil ||
			!strings.Contains(err.Error(), "with which reference") {
			t.Errorf("%s: %v", damaged, err)
		}
	}
}

// TestEarlierFingerprintOfARule: reports of earlier versions identify a rule by its templates too.
func TestEarlierFingerprintOfARule(t *testing.T) {
	rule := finding.Rule{Rule: "allOf", Templates: []string{"a.yaml"}}
	now, earlier := rule.Identity(), rule.EarlierIdentity()
	read, err := Read([]byte(strings.ReplaceAll(saved(t), now, earlier)))
	if err != nil || read.Runs[0].Rules[0].Fingerprint != now {
		t.Errorf("%v: %+v, want %s", err, read, now)
	}
}

// TestCodesAndFingerprintsOfReports: formats write codes and fingerprints as they are, so no other
// text is read as one.
func TestCodesAndFingerprintsOfReports(t *testing.T) {
	text := saved(t)
	read, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	fingerprint := read.Runs[0].Rules[0].Fingerprint
	for _, hostile := range []string{"", `\u001b[2J`, "VT1\\u202e", "vt3001", "a b", "<b>", "A_B", "-A", strings.Repeat("1", 33)} {
		for what, changed := range map[string]string{
			"a code":                 strings.Replace(text, `"code":"VT3001"`, `"code":"`+hostile+`"`, 1),
			"the code of a warning":  strings.Replace(text, `"warnings":[]`, `"warnings":[{"message":"a","code":"`+hostile+`"}]`, 1),
			"a code of a reference":  strings.Replace(text, `"runs":`, `"codes":[{"code":"`+hostile+`"}],"runs":`, 1),
			"a fingerprint":          strings.Replace(text, fingerprint, hostile, 1),
			"that of an indexed one": strings.Replace(text, read.Runs[0].Comparisons[0].Differences[1].Fingerprint, hostile, 1),
		} {
			if _, err := Read([]byte(changed)); err == nil || changed == text {
				t.Errorf("%q is read as %s", hostile, what)
			}
		}
	}
}

// TestABrokenRuleIsCountedAsTheVerdictDoes: rules about missing CRs are not counted.
func TestABrokenRuleIsCountedAsTheVerdictDoes(t *testing.T) {
	run := &finding.Run{
		Rules: []finding.Rule{
			{Code: code.RuleMissing, Templates: []string{"a.yaml"}},
			{Code: code.RuleForbidden},
			{Code: code.RuleOneRequired},
		},
	}
	run.Summary.Objects.Read = 1
	run.Conclude()
	if said := run.Sentence(nil); run.Summary.BrokenRules != 2 || !strings.Contains(said, "2 rules are broken") {
		t.Errorf("%d rules, and %s", run.Summary.BrokenRules, said)
	}
}

// TestNoReportIsReadFromElse: a text that is cut anywhere, has something behind it, or is another
// document is an error.
func TestNoReportIsReadFromElse(t *testing.T) {
	text := saved(t)
	for n := range text {
		if _, err := Read([]byte(text[:n])); err == nil || n > 0 && err.Error() != "it is cut short" {
			t.Errorf("the first %d of %d bytes are read as a report: %v", n, len(text), err)
		}
	}
	for other, want := range map[string]string{
		text + text: "it must have only one report", "\n\nx": "line 3: it is not JSON: invalid", "x": "line 1: it is not JSON", "": "it is not a report of",
		strings.Replace(text, `"name":"validationTool"`, `"name":"another"`, 1): "it is not a report of",
		strings.Replace(text, `"schemaVersion":2`, `"schemaVersion":1`, 1):      "with version 1 of the schema; this one knows version 2: compare again",
		strings.Replace(text, `"schemaVersion":2`, `"schemaVersion":3`, 1):      "with version 3 of the schema; this one knows version 2: use a newer release",
		strings.Replace(text, `"schemaVersion":2,`, ``, 1):                      "it is not a report of",
		strings.Replace(text, `"exitStatus":1`, `"exitStatus":"1"`, 1):          "it is not a report: json: cannot",
		strings.Replace(text, `"hash":"sha256:1"`, `"hash":""`, 1):              "with which reference",
		strings.Replace(text, `"path":"ref"`, `"path":""`, 1):                   "with which reference",
	} {
		if _, err := Read([]byte(other)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", other, err, want)
		}
	}
	for _, other := range []string{text + text, text + "x", "null", "[]", "{}", strings.Replace(text, `"runs":[`, `"was":[`, 1), strings.Replace(text, `"runs":[{`, `"runs":[null,{`, 1), strings.Replace(text, `"comparisons":[{`, `"comparisons":[null,{`, 1)} {
		if _, err := Read([]byte(other)); err == nil {
			t.Errorf("%s is read as a report", other)
		}
	}
}

// TestWhatWroteAReportIsNoMarkup: the version that a file states is told only where it is one.
func TestWhatWroteAReportIsNoMarkup(t *testing.T) {
	for version, want := range map[string]string{"v1.2.3-rc.1+x": "version v1.2.3-rc.1+x of", "(devel)": "version (devel) of", "": "version (unknown) of",
		`\u001b[31m<b>` + "`": "version (unknown) of", strings.Repeat("1", 100): "version 111", strings.Repeat("1", 101): "version (unknown) of"} {
		_, err := Read([]byte(`{"schemaVersion":99,"tool":{"name":"` + finding.ToolName + `","version":"` + version + `"}}`))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", version, err)
		}
	}
}

// TestAReportLacksNothingMandatory: a run without one of its mandatory texts, or with a code or a
// fingerprint that is none, is not read.
func TestAReportLacksNothingMandatory(t *testing.T) {
	fingerprint := finding.Rule{}.Identity()
	whole := func() *finding.Run {
		c, o := "VT1005", finding.Object{Kind: "A"}
		d := finding.Difference{Category: finding.Drift, Fingerprint: fingerprint}
		return &finding.Run{
			Inputs: []finding.Input{{Path: "a"}}, Alarms: []finding.Warning{{Code: c}}, Warnings: []finding.Warning{{Code: c}},
			Unreadable: []refconfig.Problem{{Code: c}}, NotRead: []refconfig.Problem{{Code: c}}, NotKnown: []refconfig.Problem{{Code: c}},
			Unmatched: []finding.Unmatched{{Object: o}}, Refused: []finding.Refused{{Object: o}}, UnmatchedKinds: []finding.KindCount{{Kind: "A"}},
			Referenced: []finding.Referenced{{Template: "t"}}, AcceptedCRs: []finding.AcceptedCR{{Template: "t"}}, Overrides: []finding.OverrideUse{{File: "f"}},
			Suppressed: []finding.Suppressed{{Fields: []finding.SuppressedField{{Path: "p"}}}},
			Baseline:   &finding.Baseline{Gone: []finding.Finding{{Class: finding.ClassDrift, Fingerprint: fingerprint}}},
			Comparisons: []*finding.Comparison{{
				Object: o, Template: finding.Template{Path: "t"}, Result: finding.Drifted, Notes: []finding.Statement{{Code: c}}, Error: &finding.Error{Code: c},
				Differences: []finding.Difference{d}, Override: &finding.Override{Accepted: []finding.Difference{d}},
			}},
			Rules: []finding.Rule{{
				Rule: "allOf", Code: c, Fingerprint: fingerprint, Templates: []string{"t"}, Missing: []finding.Missed{{Template: "t"}},
				Present: []finding.Present{{Template: "t"}}, Descriptions: []finding.Described{{Template: "t"}},
			}},
		}
	}
	if !(wholeness{}).isWhole(reflect.ValueOf(whole())) {
		t.Fatal("a whole run lacks something")
	}
	for i, damage := range []func(r *finding.Run){
		func(r *finding.Run) { r.Inputs[0].Path = "" }, func(r *finding.Run) { r.Alarms[0].Code = "" }, func(r *finding.Run) { r.Warnings[0].Code = "x" },
		func(r *finding.Run) { r.Unreadable[0].Code = "" }, func(r *finding.Run) { r.NotRead[0].Code = "" }, func(r *finding.Run) { r.NotKnown[0].Code = "" },
		func(r *finding.Run) { r.Unmatched[0].Object.Kind = "" }, func(r *finding.Run) { r.Refused[0].Object.Kind = "" },
		func(r *finding.Run) { r.UnmatchedKinds[0].Kind = "" }, func(r *finding.Run) { r.Referenced[0].Template = "" },
		func(r *finding.Run) { r.AcceptedCRs[0].Template = "" }, func(r *finding.Run) { r.Overrides[0].File = "" },
		func(r *finding.Run) { r.Suppressed[0].Fields[0].Path = "" }, func(r *finding.Run) { r.Baseline.Gone[0].Class = "" },
		func(r *finding.Run) { r.Baseline.Gone[0].Fingerprint = "" }, func(r *finding.Run) { r.Baseline.Gone[0].Code = "x" },
		func(r *finding.Run) { r.Comparisons[0] = nil }, func(r *finding.Run) { r.Comparisons[0].Object.Kind = "" },
		func(r *finding.Run) { r.Comparisons[0].Template.Path = "" }, func(r *finding.Run) { r.Comparisons[0].Result = "x" },
		func(r *finding.Run) { r.Comparisons[0].Notes[0].Code = "" }, func(r *finding.Run) { r.Comparisons[0].Error.Code = "" },
		func(r *finding.Run) { r.Comparisons[0].Differences[0].Category = "x" }, func(r *finding.Run) { r.Comparisons[0].Differences[0].Code = "x" },
		func(r *finding.Run) { r.Comparisons[0].Differences[0].Fingerprint = fingerprint + "-" },
		func(r *finding.Run) { r.Comparisons[0].Override.Accepted[0].Fingerprint = "" },
		func(r *finding.Run) { r.Rules[0].Rule = "" }, func(r *finding.Run) { r.Rules[0].Code = "" }, func(r *finding.Run) { r.Rules[0].Fingerprint = "" },
		func(r *finding.Run) { r.Rules[0].Templates[0] = "" }, func(r *finding.Run) { r.Rules[0].Missing[0].Template = "" },
		func(r *finding.Run) { r.Rules[0].Present[0].Template = "" }, func(r *finding.Run) { r.Rules[0].Descriptions[0].Template = "" },
	} {
		run := whole()
		if damage(run); (wholeness{}).isWhole(reflect.ValueOf(run)) {
			t.Errorf("damage %d is not noticed", i)
		}
	}
}

// TestThePlaceOfAWarningIsSplit from its end, at most twice.
func TestThePlaceOfAWarningIsSplit(t *testing.T) {
	for place, want := range map[string]string{
		"a": "a []", "a:1": "a [1]", "a:12:3": "a [12 3]", "a:1:2:3": "a:1 [2 3]", "a:b:3": "a:b [3]", "a:1:b": "a:1:b []", "": " []", "1": "1 []",
	} {
		file, numbers := finding.SplitPlace(place)
		if got := fmt.Sprint(file, " ", numbers); got != want {
			t.Errorf("%q: %s, want %s", place, got, want)
		}
	}
	if finding.CompareWarnings(finding.Warning{Place: "a:9"}, finding.Warning{Place: "a:10"}) >= 0 {
		t.Error("lines are ordered as texts")
	}
}
