package formats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/lint"
	"github.com/validationtool/validationtool/refconfig"
)

// found is a report with findings of every place, n of them differences, in words that other
// formats read as their own.
func found(n int) *finding.Report {
	const hostile = "a<b>\x1b[31m\u202e[x](y) %20"
	c := &finding.Comparison{
		Object:   finding.Object{Kind: "ConfigMap", Name: hostile},
		Template: finding.Template{Path: "a.yaml"},
		Source: finding.Source{
			File: "in put/a#1.yaml",
			Line: 3,
		},
		Result: finding.Drifted,
		Counts: finding.Counts{Drift: n},
	}
	for i := range n {
		c.Differences = append(
			c.Differences,
			finding.Difference{Category: finding.Drift, Path: fmt.Sprint("data.", i), Fingerprint: fmt.Sprint(i),
				Reference: []byte(
					"1",
				), Input: []byte("2"), Line: 4, Rating: finding.Rating{Impact: finding.Impacting, Comment: hostile}},
		)
	}
	packed := *c
	packed.Source = finding.Source{File: "/tmp/x.tar.gz", Entry: hostile, Line: 3}
	run := &finding.Run{Comparisons: []*finding.Comparison{c, &packed},
		Rules: []finding.Rule{
			{
				Part:      "p",
				Component: "c",
				Rule:      "allOf",
				Code:      "VT3001",
				Templates: []string{"b.yaml"},
				Missing:   []finding.Missed{{Template: "b.yaml", Line: 12}},
			},
			{
				Part:      "p",
				Component: "c",
				Rule:      "noneOf",
				Code:      "VT3002",
				Message:   hostile,
				Templates: []string{"d.yaml"},
				Line:      14,
			},
		},
		Referenced: []finding.Referenced{
			{Template: "e.yaml", By: finding.Object{Kind: "Pod", Name: "p"}, How: "subject"},
		},
		Unmatched: []finding.Unmatched{
			{Object: finding.Object{Kind: "Pod", Name: "p"}},
		}, Inputs: []finding.Input{{Path: "in put"}},
		Unreadable: []refconfig.Problem{
			refconfig.Place{File: "b.yaml", Line: 1}.Problem("VT1005", "%s", hostile),
			{Code: "VT5030", Message: hostile},
		}, Alarms: []finding.Warning{{Code: "VT3006", Message: hostile}}}
	run.Summary.Objects.Read = 2
	run.Conclude()
	r := &finding.Report{
		Tool:      finding.Tool{Name: finding.ToolName, Version: "1"},
		Reference: finding.Reference{Metadata: "ref/metadata.yaml"},
		Runs:      []*finding.Run{run},
	}
	r.FailOn = finding.FailOn{"drift", "missing", "unmatched", "referenced"}
	r.Conclude()
	return r
}

// sarifSchema is the schema of SARIF 2.1.0 (errata 01) that OASIS publishes, without its descriptions.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif-2.1.0.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestWhatIsWrittenIsSARIF: it is valid by the schema, each result names a rule that is there,
// places are URIs, and a missing CR is at the line of the metadata file that asks for it.
func TestWhatIsWrittenIsSARIF(t *testing.T) {
	var out bytes.Buffer
	if err := SARIF(&out, found(2), ""); err != nil {
		t.Fatal(err)
	}
	got, places := readSARIF(t, out.Bytes())
	want := "in%20put/a%231.yaml:4:1 in%20put/a%231.yaml:4:1 file:///tmp/x.tar.gz:4:1 file:///tmp/x.tar.gz:4:1 ref/metadata.yaml:12:1 ref/metadata.yaml:14:1 " +
		"ref/metadata.yaml:1:1 in%20put:1:1 b.yaml:1:1 in%20put:1:1"
	if places != want {
		t.Errorf("the places are %s, want %s", places, want)
	}
	if text := out.String(); strings.Contains(text, "\x1b") || strings.Contains(text, "\u202e") ||
		strings.Contains(text, `\u202e`) && !strings.Contains(text, `\\u202e`) {
		t.Error("what acts on a terminal is in it")
	}
	if i := got.Invocations[0]; i.Successful || i.ExitCode != 2 {
		t.Errorf("the invocation is %+v, want one that is not to be relied on", i)
	}
}

// TestGitHubTakesWhatIsWritten: it refuses a whole file where a property is not there that its
// documentation calls required ("SARIF support for code scanning"), where two runs are of one
// category, and where a run has too many results.
func TestGitHubTakesWhatIsWritten(t *testing.T) {
	two := found(2)
	two.Runs = append(two.Runs, &finding.Run{Cluster: finding.Cluster{Name: "other"}, Inputs: two.Runs[0].Inputs})
	two.Runs[1].Conclude()
	annotated := found(2)
	annotated.Reference = finding.Reference{Path: "/home/me/ref", Format: "annotations"}
	for name, r := range map[string]*finding.Report{"two clusters": two, "many results": found(3000), "a reference without metadata": annotated} {
		var out bytes.Buffer
		if err := SARIF(&out, r, "/home/me"); err != nil {
			t.Fatal(err)
		}
		refused(t, name, out.Bytes())
	}
	var out bytes.Buffer
	if err := SARIFLint(&out, &lint.Document{Tool: finding.Tool{Name: finding.ToolName}, Flaws: []lint.Flaw{{Severity: lint.Wrong, Problem: refconfig.Place{File: "/home/me/r/a.yaml"}.Problem("VT2051", "a")}}}, "/home/me"); err != nil {
		t.Fatal(err)
	}
	refused(t, "lint", out.Bytes())
}

// refused tells what of a file GitHub does not take.
func refused(t *testing.T, name string, text []byte) {
	t.Helper()
	type words struct{ Text string }
	var doc struct {
		Version string
		Schema  string `json:"$schema"`
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct {
						ID                                      string
						ShortDescription, FullDescription, Help words
					}
				}
			}
			AutomationDetails struct{ ID string }
			Results           []struct {
				RuleIndex int
				Message   words
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
					}
				}
				PartialFingerprints map[string]string
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Version != "2.1.0" || !strings.Contains(doc.Schema, "sarif-2.1.0") || len(doc.Runs) == 0 ||
		len(doc.Runs) > 20 {
		t.Errorf("%s: version %q, schema %q, %d runs", name, doc.Version, doc.Schema, len(doc.Runs))
	}
	categories := map[string]bool{}
	for _, run := range doc.Runs {
		category := run.AutomationDetails.ID[:strings.LastIndex(run.AutomationDetails.ID, "/")+1]
		if categories[category] {
			t.Errorf("%s: two runs are of the category %q", name, category)
		}
		categories[category] = true
		if run.Tool.Driver.Name == "" || len(run.Results) > 25_000 || len(run.Results) == 0 && name != "two clusters" {
			t.Errorf("%s: %d results of %q", name, len(run.Results), run.Tool.Driver.Name)
		}
		for _, rule := range run.Tool.Driver.Rules {
			if rule.ID == "" || rule.ShortDescription.Text == "" || rule.FullDescription.Text == "" ||
				rule.Help.Text == "" {
				t.Errorf("%s: a rule is %+v", name, rule)
			}
		}
		for _, result := range run.Results {
			if result.Message.Text == "" || result.RuleIndex >= len(run.Tool.Driver.Rules) ||
				len(result.Locations) == 0 {
				t.Fatalf("%s: a result is %+v", name, result)
			}
			at := result.Locations[0].PhysicalLocation
			r := at.Region
			uri, err := url.Parse(at.ArtifactLocation.URI)
			if err != nil || uri.Path == "" || strings.HasPrefix(uri.Path, "/home/me") || r.StartLine < 1 ||
				r.StartColumn < 1 ||
				r.EndLine < r.StartLine ||
				r.EndColumn <= r.StartColumn {
				t.Errorf("%s: %q is at %+v: %v", name, result.Message.Text, at, err)
			}
		}
	}
}

// TestURIs: names of files are references that are seen from the folder, or URIs of files with
// three slashes, on Windows too.
func TestURIs(t *testing.T) {
	for _, c := range []struct {
		name     string
		absolute bool
		want     string
	}{
		{"in/a b.yaml", false, "in/a%20b.yaml"},
		{"a:b.yaml", false, "./a:b.yaml"},
		{"../in/a.yaml", false, "../in/a.yaml"},
		{"/tmp/a#1.yaml", true, "file:///tmp/a%231.yaml"},
		{"C:/Users/me/a.yaml", true, "file:///C:/Users/me/a.yaml"},
		{"//server/share/a.yaml", true, "file:////server/share/a.yaml"},
	} {
		if got := uri(c.name, c.absolute); got != c.want {
			t.Errorf("%s is %s, want %s", c.name, got, c.want)
		}
	}
}

// readSARIF reads what was written, after it was held against the schema: its run, and the places of the
// results.
func readSARIF(t *testing.T, text []byte) (sarifRun, string) {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := sarifSchema(t).Validate(document); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	var got sarifLog
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	one := got.Runs[0]
	var places []string
	for _, r := range one.Results {
		if one.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || one.Tool.Driver.Rules[r.RuleIndex].Short.Text == "" {
			t.Errorf("%s is not described at %d", r.RuleID, r.RuleIndex)
		}
		at := r.Locations[0].Physical
		places = append(places, fmt.Sprint(at.Artifact.URI, ":", at.Region.Line, ":", at.Region.Column))
	}
	return one, strings.Join(places, " ")
}

// TestWhatIsWrongWithAReferenceIsSARIF: it is valid by the schema too, errors and warnings are so,
// and places have a line and a column.
func TestWhatIsWrongWithAReferenceIsSARIF(t *testing.T) {
	d := &lint.Document{
		Tool:      finding.Tool{Name: finding.ToolName, Version: "1"},
		Reference: finding.Reference{Path: "a\x1b[31m b"},
		Flaws: []lint.Flaw{
			{Severity: lint.Wrong, Problem: refconfig.Place{File: "r/a b.yaml", Line: 3, Column: 4}.Problem("VT2051", "no \u202e")},
			{Severity: lint.Doubtful, Problem: refconfig.Place{File: "r/metadata.yaml", Line: 9}.Problem("VT2060", "<b>")},
			{Severity: lint.Doubtful, Problem: refconfig.Place{
				File:   "/tmp/r.tar.gz",
				Entry:  "r/c.yaml",
				Line:   5,
				Column: 6,
			}.Problem("VT2060", "there")},
			{Severity: lint.Wrong, Problem: refconfig.Place{File: "r"}.Problem("VT2001", "none")},
		},
	}
	d.Conclude(false)
	var out bytes.Buffer
	if err := SARIFLint(&out, d, "/home/me"); err != nil {
		t.Fatal(err)
	}
	got, places := readSARIF(t, out.Bytes())
	if want := "r/a%20b.yaml:3:4 r/metadata.yaml:9:1 file:///tmp/r.tar.gz:5:6 r:1:1"; places != want {
		t.Errorf("the places are %s, want %s", places, want)
	}
	var levels []string
	for _, r := range got.Results {
		levels = append(levels, r.Level)
	}
	if want := "error warning warning error"; strings.Join(levels, " ") != want {
		t.Errorf("the levels are %v, want %s", levels, want)
	}
	if at := got.Results[2].Locations[0].Logical[0].Name; at != "r/c.yaml" {
		t.Errorf("the entry is %s", at)
	}
	if i := got.Invocations[0]; i.Successful || i.ExitCode != 2 ||
		i.Notifications[0].Message.Text != "2 errors, 2 warnings in 0 templates" ||
		got.Properties.Findings != 4 {
		t.Errorf("the invocation is %+v, with %d findings", i, got.Properties.Findings)
	}
	if strings.ContainsAny(out.String(), "\x1b\u202e") {
		t.Error("what acts on a terminal is in it")
	}
	out.Reset()
	if err := SARIFLint(&out, &lint.Document{}, ""); err != nil {
		t.Fatal(err)
	}
	if got, _ := readSARIF(t, out.Bytes()); len(got.Results) != 0 || !got.Invocations[0].Successful {
		t.Errorf("of a reference without flaws: %+v", got)
	}
}

// TestResultsAreCapped: of many findings 5,000 are results, and all are counted.
func TestResultsAreCapped(t *testing.T) {
	var out bytes.Buffer
	if err := SARIF(&out, found(3000), ""); err != nil {
		t.Fatal(err)
	}
	var got sarifLog
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if r := got.Runs[0]; len(r.Results) != 5000 || r.Properties.Findings != 6006 {
		t.Errorf("%d results of %d findings, want 5000 of 6006", len(r.Results), r.Properties.Findings)
	}
}
