package text

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/saved"
)

// TestGolden prints the saved report of each archive in testdata as the names of its other files
// ask for, such as "text width=120 context=1", and compares. Escape characters are written as ␛.
func TestGolden(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		if len(a.Files) < 2 || a.Files[0].Name != "report.json" {
			t.Fatal("the archive must begin with report.json, and hold an output")
		}
		for _, f := range a.Files[1:] {
			a.Want(t, f.Name, string(printed(t, a.Files[0].Data, f.Name)))
		}
	})
}

// printed prints a saved report as a line of words asks for.
func printed(t testing.TB, document []byte, how string) []byte {
	t.Helper()
	r, err := saved.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	opt, fold, full := Options{Command: "validationTool"}, diff.Folding{Context: 3}, false
	switches := map[string]*bool{
		"color":       &opt.Color,
		"full":        &full,
		"summary":     &opt.Summary,
		"verbose":     &opt.Verbose,
		"expected":    &opt.ShowExpected,
		"input-order": &opt.InputOrder,
	}
	for _, word := range strings.Fields(how)[1:] {
		name, value, _ := strings.Cut(word, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "width":
			opt.Width = n
		case "context":
			fold.Context = n
		case "command":
			opt.Command = strings.ReplaceAll(value, "_", " ")
		case "fail-on":
			if r.FailOn, err = finding.ParseFailOn(value); err != nil {
				t.Fatal(err)
			}
			r.Summary, r.ExitStatus = finding.Overall{}, 0
			r.Conclude()
		default:
			set, known := switches[word]
			if !known {
				t.Fatalf("%q: the word %q is unknown", how, word)
			}
			*set = true
		}
	}
	if fold.Expected = opt.ShowExpected; !full {
		opt.Fold = &fold
	}
	var out bytes.Buffer
	if err := Report(&out, r, opt); err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(out.Bytes(), []byte("\x1b"), []byte("␛"))
}
