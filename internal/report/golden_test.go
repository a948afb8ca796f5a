package report

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/golden"
)

// TestGolden prints the result.yaml of each archive in testdata as the names of its other files ask for, such as
// "text width=120 context=1" or "json expected", and compares. Escape characters are written as ␛.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", func(t *testing.T, a *golden.Archive) {
		if len(a.Files) < 2 || a.Files[0].Name != "result.yaml" {
			t.Fatal("the archive must begin with result.yaml, and hold an output")
		}
		for _, f := range a.Files[1:] {
			a.Want(t, f.Name, string(printed(t, build(t, a.Files[0].Data), f.Name)))
		}
	})
}

// printed prints a result as a line of words asks for.
func printed(t testing.TB, r *compare.Result, how string) []byte {
	t.Helper()
	report := alone(r)
	words := strings.Fields(how)
	text, doc := TextOptions{Context: 3, Command: "validationTool"}, DocOptions{ToolVersion: "1.2.3"}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "width":
			text.Width = n
		case "context":
			text.Context = n
		case "color":
			text.Color = true
		case "full":
			text.Full = true
		case "summary":
			text.Summary = true
		case "verbose":
			text.Verbose = true
		case "unified":
			text.Unified = true
		case "expected":
			text.ShowExpected, doc.ShowExpected = true, true
		case "secrets":
			text.ShowSecrets, doc.ShowSecrets = true, true
		case "command":
			text.Command = strings.ReplaceAll(value, "_", " ")
		case "fail-on":
			failOn, err := ParseFailOn(value)
			if err != nil {
				t.Fatal(err)
			}
			report.FailOn = failOn
		default:
			t.Fatalf("%q: the word %q is unknown", how, word)
		}
	}
	print := func() []byte {
		var out bytes.Buffer
		var err error
		switch words[0] {
		case "text":
			err = Text(&out, report, text)
		case "json":
			err = JSON(&out, report, doc)
		case "yaml":
			err = YAML(&out, report, doc)
		default:
			t.Fatalf("%q: the format is unknown", how)
		}
		if err != nil {
			t.Fatal(err)
		}
		return bytes.ReplaceAll(out.Bytes(), []byte("\x1b"), []byte("␛"))
	}
	straight := print()
	ahead := DocAhead(doc)
	if words[0] == "text" {
		ahead = TextAhead(text)
	}
	for i := range r.Comparisons {
		if ahead(&r.Comparisons[i]); r.Comparisons[i].Tree != nil {
			t.Errorf("%s: the tree of %s is kept", how, r.Comparisons[i].Object)
		}
	}
	if diff := cmp.Diff(string(straight), string(print())); diff != "" {
		t.Errorf("%s: made ahead, it is another report (-straight +ahead):\n%s", how, diff)
	}
	return straight
}
