package sarif

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/lint"
)

// found is a report with findings of every place, n of them differences, in words that other formats read as their own.
func found(n int) *finding.Report {
	const hostile = "a<b>\x1b[31m\u202e[x](y) %20"
	c := &finding.Comparison{Object: finding.Object{Kind: "ConfigMap", Name: hostile}, Template: finding.Template{Path: "a.yaml"},
		Source: finding.Source{File: "in put/a#1.yaml", Line: 3}, Result: finding.Drifted, Counts: finding.Counts{Drift: n}}
	for i := range n {
		c.Differences = append(c.Differences, finding.Difference{Category: finding.Drift, Path: fmt.Sprint("data.", i), Fingerprint: fmt.Sprint(i),
			Reference: []byte("1"), Input: []byte("2"), Line: 4, Rating: finding.Rating{Impact: finding.Impacting, Comment: hostile}})
	}
	packed := *c
	packed.Source = finding.Source{File: "/tmp/x.tar.gz", Entry: hostile, Line: 3}
	run := &finding.Run{Comparisons: []*finding.Comparison{c, &packed},
		Rules:      []finding.Rule{{Part: "p", Component: "c", Rule: "allOf", Code: "VT3001", Templates: []string{"b.yaml"}, Missing: []finding.Missed{{Template: "b.yaml", Line: 12}}}},
		Unreadable: []finding.Problem{{File: "b.yaml", Line: 1, Code: "VT1005", Message: hostile}}, Alarms: []finding.Warning{{Code: "VT3006", Message: hostile}}}
	run.Summary.Objects.Read = 2
	run.Conclude()
	r := &finding.Report{Tool: finding.Tool{Name: finding.ToolName, Version: "1"}, Reference: finding.Reference{Metadata: "ref/metadata.yaml"}, Runs: []*finding.Run{run}}
	r.Conclude()
	return r
}

// schema is the schema of SARIF, as a package of another project has it: in a constant that it does not export.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	at, err := build.Import(reflect.TypeFor[sarif.Report]().PkgPath(), ".", build.FindOnly)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(at.Dir, "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING && len(literal.Value) > len(text) {
			text = literal.Value
		}
		return true
	})
	if text, err = strconv.Unquote(text); err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// TestWhatIsWrittenIsSARIF: it is valid by the schema, each result names a rule that is there, places are URIs, and a missing CR is at the
// line of the metadata file that asks for it.
func TestWhatIsWrittenIsSARIF(t *testing.T) {
	var out bytes.Buffer
	if err := Write(&out, found(2)); err != nil {
		t.Fatal(err)
	}
	got, places := read(t, out.Bytes())
	want := "in%20put/a%231.yaml:4 in%20put/a%231.yaml:4 file:///tmp/x.tar.gz file:///tmp/x.tar.gz ref/metadata.yaml:12 b.yaml:1"
	if places != want {
		t.Errorf("the places are %s, want %s", places, want)
	}
	if text := out.String(); strings.Contains(text, "\x1b") || strings.Contains(text, "\u202e") || strings.Contains(text, `\u202e`) && !strings.Contains(text, `\\u202e`) {
		t.Error("what acts on a terminal is in it")
	}
	if i := got.Invocations[0]; i.Successful || i.ExitCode != 2 {
		t.Errorf("the invocation is %+v, want one that is not to be relied on", i)
	}
}

// read reads what was written, after it was held against the schema: its run, and the places of the results.
func read(t *testing.T, text []byte) (run, string) {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema(t).Validate(document); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	var got log
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
		place := at.Artifact.URI
		if at.Region != nil {
			place += fmt.Sprint(":", at.Region.Line)
			if at.Region.Column > 0 {
				place += fmt.Sprint(":", at.Region.Column)
			}
		}
		places = append(places, place)
	}
	return one, strings.Join(places, " ")
}

// TestWhatIsWrongWithAReferenceIsSARIF: it is valid by the schema too, errors and warnings are so, and places have a line and a column.
func TestWhatIsWrongWithAReferenceIsSARIF(t *testing.T) {
	d := &lint.Document{Tool: finding.Tool{Name: finding.ToolName, Version: "1"}, Reference: finding.Reference{Path: "a\x1b[31m b"}, Flaws: []lint.Flaw{
		{Severity: lint.Wrong, File: "r/a b.yaml", Line: 3, Column: 4, Code: "VT2051", Message: "no \u202e"},
		{Severity: lint.Doubtful, File: "r/metadata.yaml", Line: 9, Code: "VT2060", Message: "<b>"},
		{Severity: lint.Doubtful, File: "/tmp/r.tar.gz", Entry: "r/c.yaml", Line: 5, Column: 6, Code: "VT2060", Message: "there"},
		{Severity: lint.Wrong, File: "r", Code: "VT2001", Message: "none"},
	}}
	d.Conclude(false)
	var out bytes.Buffer
	if err := Lint(&out, d); err != nil {
		t.Fatal(err)
	}
	got, places := read(t, out.Bytes())
	if want := "r/a%20b.yaml:3:4 r/metadata.yaml:9 file:///tmp/r.tar.gz r"; places != want {
		t.Errorf("the places are %s, want %s", places, want)
	}
	var levels []string
	for _, r := range got.Results {
		levels = append(levels, r.Level)
	}
	if want := "error warning warning error"; strings.Join(levels, " ") != want {
		t.Errorf("the levels are %v, want %s", levels, want)
	}
	if at := got.Results[2].Locations[0].Logical[0].Name; at != "r/c.yaml:5:6" {
		t.Errorf("the entry is %s", at)
	}
	if i := got.Invocations[0]; i.Successful || i.ExitCode != 2 || i.Notifications[0].Message.Text != "2 errors, 2 warnings in 0 templates" || got.Properties.Findings != 4 {
		t.Errorf("the invocation is %+v, with %d findings", i, got.Properties.Findings)
	}
	if strings.ContainsAny(out.String(), "\x1b\u202e") {
		t.Error("what acts on a terminal is in it")
	}
	out.Reset()
	if err := Lint(&out, &lint.Document{}); err != nil {
		t.Fatal(err)
	}
	if got, _ := read(t, out.Bytes()); len(got.Results) != 0 || !got.Invocations[0].Successful {
		t.Errorf("of a reference without flaws: %+v", got)
	}
}

// TestResultsAreCapped: of many findings 5,000 are results, and all are counted.
func TestResultsAreCapped(t *testing.T) {
	var out bytes.Buffer
	if err := Write(&out, found(3000)); err != nil {
		t.Fatal(err)
	}
	var got log
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if r := got.Runs[0]; len(r.Results) != 5000 || r.Properties.Findings != 6002 {
		t.Errorf("%d results of %d findings, want 5000 of 6002", len(r.Results), r.Properties.Findings)
	}
}
