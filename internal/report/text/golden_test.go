package text

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/golden"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/report/formats"
)

// TestGolden prints the result.yaml of each archive in testdata as the names of its other files ask
// for, such as "text width=120 context=1" or "json expected", and compares. Escape characters are
// written as ␛.
func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", func(t *testing.T, a *golden.Archive) {
		if len(a.Files) < 2 || a.Files[0].Name != "result.yaml" {
			t.Fatal("the archive must begin with result.yaml, and hold an output")
		}
		for _, f := range a.Files[1:] {
			a.Want(t, f.Name, string(printed(t, a.Files[0].Data, f.Name)))
		}
	})
}

// printed prints a result as a line of words asks for.
func printed(t testing.TB, result []byte, how string) []byte {
	t.Helper()
	words := strings.Fields(how)
	opt, show, failOn := Options{Command: "validationTool"}, diff.Show{Context: 3, Lines: true}, finding.FailOn(nil)
	switches := map[string]*bool{
		"color":   &opt.Color,
		"full":    &show.Full,
		"summary": &opt.Summary,
		"verbose": &opt.Verbose,
		"unified": &opt.Unified,
		"secrets": &show.Secrets,
	}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "width":
			opt.Width = n
		case "context":
			show.Context = n
		case "expected":
			opt.ShowExpected, show.Expected = true, true
		case "command":
			opt.Command = strings.ReplaceAll(value, "_", " ")
		case "fail-on":
			var err error
			if failOn, err = finding.ParseFailOn(value); err != nil {
				t.Fatal(err)
			}
		default:
			set, known := switches[word]
			if !known {
				t.Fatalf("%q: the word %q is unknown", how, word)
			}
			*set = true
		}
	}
	r := build(t, result, show)
	r.FailOn, r.Summary, r.ExitStatus = failOn, finding.Overall{}, 0
	r.Conclude()
	var out bytes.Buffer
	var err error
	if words[0] == "text" {
		err = Report(&out, r, opt)
	} else {
		run := r.Runs[0]
		for _, c := range run.Comparisons {
			if !show.Full {
				c.Sides = ""
			}
		}
		// A run has them in this order.
		slices.SortStableFunc(run.Comparisons, func(a, b *finding.Comparison) int {
			return manifest.Compare(manifest.ID(a.Object), manifest.ID(b.Object))
		})
		slices.SortStableFunc(run.Unmatched, func(a, b finding.Unmatched) int {
			return manifest.Compare(manifest.ID(a.Object), manifest.ID(b.Object))
		})
		err = documents()[words[0]](&out, r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(out.Bytes(), []byte("\x1b"), []byte("␛"))
}

// documents writes documents by the name of their format.
func documents() map[string]func(io.Writer, *finding.Report) error {
	return map[string]func(io.Writer, *finding.Report) error{"json": formats.JSON, "yaml": formats.YAML}
}
