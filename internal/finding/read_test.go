package finding

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
)

// saved is a report as JSON: one CR drifts, one is missing.
func saved(t *testing.T) string {
	t.Helper()
	one := &Comparison{
		Object:   Object{Kind: "ConfigMap", Name: "not \xff UTF-8"},
		Template: Template{Path: "b.yaml"},
		Result:   Drifted,
		Counts:   Counts{Drift: 2, Extra: 1, Expected: 3},
		Differences: []Difference{
			{Category: Drift, Path: "data.a"},
			{Category: Drift, Path: "spec.list.0.b", Named: "spec.list.name.b"},
			{Category: Extra, Path: "data.c"},
		},
	}
	Identify(one.Differences, one.Object, one.Template.Path)
	run := &Run{
		Comparisons: []*Comparison{one},
		Rules: []Rule{{
			Rule:        "allOf",
			Code:        "VT3001",
			Templates:   []string{"a.yaml"},
			Missing:     []Missed{{Template: "a.yaml"}},
			Fingerprint: hashOf("", "", "allOf"),
		}},
	}
	run.Summary.Objects.Read = 1
	run.Conclude()
	r := &Report{Tool: Tool{ToolName, "1"}, Runs: []*Run{run}}
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
	first, rule := read.Runs[0].Comparisons[0].Differences[0].Fingerprint, read.Runs[0].Rules[0].Fingerprint
	for before, after := range map[string]string{
		first: rule, rule: first, `"path":"data.a"`: `"path":"data.b"`, `"kind":"ConfigMap"`: `"kind":"Secret"`, `"component":""`: `"component":"c"`,
	} {
		if _, err := Read([]byte(strings.ReplaceAll(text, before, after))); err != errOtherFingerprint {
			t.Errorf("with %s for %s: %v, want %v", after, before, err, errOtherFingerprint)
		}
	}
}

// TestEarlierFingerprintOfARule: reports of earlier versions identify a rule by its templates too.
func TestEarlierFingerprintOfARule(t *testing.T) {
	now, earlier := hashOf("", "", "allOf"), hashOf("", "", "allOf", "a.yaml")
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
	run := &Run{
		Rules: []Rule{
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
		if _, err := Read([]byte(text[:n])); err == nil {
			t.Errorf("the first %d of %d bytes are read as a report", n, len(text))
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
		`\u001b[31m<b>` + "`": "version (unknown) of", strings.Repeat("1", 101): "version (unknown) of"} {
		_, err := Read([]byte(`{"schemaVersion":99,"tool":{"name":"` + ToolName + `","version":"` + version + `"}}`))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", version, err)
		}
	}
}
