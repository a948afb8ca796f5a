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
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema(t).Validate(document); err != nil {
		t.Errorf("%v in\n%s", err, out.String())
	}
	var got log
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	var places []string
	for _, r := range got.Runs[0].Results {
		if got.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || got.Runs[0].Tool.Driver.Rules[r.RuleIndex].Short.Text == "" {
			t.Errorf("%s is not described at %d", r.RuleID, r.RuleIndex)
		}
		at := r.Locations[0].Physical
		place := at.Artifact.URI
		if at.Region != nil {
			place += fmt.Sprint(":", at.Region.Line)
		}
		places = append(places, place)
	}
	want := "in%20put/a%231.yaml:4 in%20put/a%231.yaml:4 file:///tmp/x.tar.gz file:///tmp/x.tar.gz ref/metadata.yaml:12 b.yaml:1"
	if strings.Join(places, " ") != want {
		t.Errorf("the places are %s, want %s", strings.Join(places, " "), want)
	}
	if text := out.String(); strings.Contains(text, "\x1b") || strings.Contains(text, "\u202e") || strings.Contains(text, `\u202e`) && !strings.Contains(text, `\\u202e`) {
		t.Error("what acts on a terminal is in it")
	}
	if i := got.Runs[0].Invocations[0]; i.Successful || i.ExitCode != 2 {
		t.Errorf("the invocation is %+v, want one that is not to be relied on", i)
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
