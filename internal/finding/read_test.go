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
	run := &Run{
		Comparisons: []*Comparison{{
			Object:      Object{Kind: "ConfigMap"},
			Template:    Template{Path: "b.yaml"},
			Result:      Drifted,
			Counts:      Counts{Drift: 1},
			Differences: []Difference{},
		}},
		Rules: []Rule{{
			Rule:        "allOf",
			Code:        "VT3001",
			Templates:   []string{"a.yaml"},
			Missing:     []Missed{{Template: "a.yaml"}},
			Fingerprint: "f",
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

// TestAReportThatWasChangedIsNotRead: a verdict, an exit status or a count that does not follow
// from what is listed is found.
func TestAReportThatWasChangedIsNotRead(t *testing.T) {
	text := saved(t)
	if _, err := Read([]byte(text)); err != nil {
		t.Fatal(err)
	}
	for before, after := range map[string]string{
		`"exitStatus":1`:                      `"exitStatus":0`,
		`"verdict":"drift"`:                   `"verdict":"compliant"`,
		`"result":"drift"`:                    `"result":"clean"`,
		`"missingCRs":1`:                      `"missingCRs":0`,
		`"brokenRules":0`:                     `"brokenRules":2`,
		`"compared":1`:                        `"compared":2`,
		`"failOn":["drift","missing"]`:        `"failOn":["extra"]`,
		`"clusters":{"compliant":0,"drift":1`: `"clusters":{"compliant":1,"drift":0`,
		`"comparisons":[{`:                    `"comparisons":[null,{`,
	} {
		changed := strings.ReplaceAll(text, before, after)
		if changed == text {
			t.Errorf("%s is not in %s", before, text)
		}
		if _, err := Read([]byte(changed)); err != errChanged {
			t.Errorf("with %s: %v, want %v", after, err, errChanged)
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
	for _, other := range []string{text + text, text + "x", "null", "[]", "{}", strings.Replace(text, `"runs":[`, `"was":[`, 1), strings.Replace(text, `"runs":[{`, `"runs":[null,{`, 1)} {
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
