package text

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/explain"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/report/formats"
)

// TestExplanations prints the explanations that the archives in testdata/explain ask for. Files
// below ref/ are the reference, those below in/ the input; every other file is named like "text
// width=80: ConfigMap/a" and holds what is printed. Escape characters are written as ␛.
func TestExplanations(t *testing.T) {
	testkit.Each(t, "testdata/explain/*.txtar", func(t *testing.T, a *testkit.Archive) {
		outputs := 0
		for _, f := range a.Files {
			if how, subject, ok := strings.Cut(f.Name, ": "); ok {
				outputs++
				a.Want(t, f.Name, string(printedExplanation(t, a, how, subject)))
			}
		}
		if outputs == 0 {
			t.Fatal("nothing is printed")
		}
	})
}

// explained makes the explanation of a subject in an archive of a reference and an input.
func explained(t *testing.T, archive *testkit.Archive, opt compare.Options, what explain.Options) *explain.Explanation {
	t.Helper()
	fsys := fstest.MapFS{}
	in := compare.Collected{Inputs: []finding.Input{{Path: "in", Format: "directory"}}}
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "ref/"); ok {
			fsys[name] = &fstest.MapFile{Data: f.Data}
		}
		if strings.HasPrefix(f.Name, "in/") {
			c := manifest.Read(f.Name, "", f.Data, manifest.Hints{})
			in.Objects = append(in.Objects, c.Objects...)
			in.Unreadable = append(in.Unreadable, c.Problems...)
		}
	}
	ref, engine := given.Load(t, fsys, "ref")
	e, err := explain.Match(context.Background(), ref, engine, in, opt, what)
	if err != nil {
		t.Fatal(err)
	}
	e.Tool.Version = "1.2.3"
	return e
}

// printedExplanation prints an explanation as words ask for.
func printedExplanation(t *testing.T, archive *testkit.Archive, how, subject string) []byte {
	t.Helper()
	words := strings.Fields(how)
	var opt Options
	var options compare.Options
	what := explain.Options{Subject: subject}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "width":
			opt.Width, _ = strconv.Atoi(value)
		case "color":
			opt.Color = true
		case "summary":
			opt.Summary, what.NoDetail = true, true
		case "all":
			opt.AllCandidates, what.AllCandidates = true, true
		case "verbose":
			opt.Verbose = true
		case "nearest":
			options.Nearest = true
		default:
			t.Fatalf("%q: the word %q is unknown", how, word)
		}
	}
	e := explained(t, archive, options, what)
	var out bytes.Buffer
	var err error
	switch words[0] {
	case "text":
		err = Explanation(&out, e, opt)
	case "json":
		err = escape.WriteJSON(&out, e)
	case "yaml":
		err = formats.AnyYAML(&out, e)
	default:
		err = fmt.Errorf("the format %s is unknown", words[0])
	}
	if err != nil {
		t.Fatal(err)
	}
	return bytes.ReplaceAll(out.Bytes(), []byte("\x1b"), []byte("␛"))
}

// TestExplanationsKeepTheirPromises explains all CRs and templates of the test data, and checks
// that their documents keep the schema and are read back as they were written, that JSON and YAML
// are the same document, and that no line of a text is too long.
func TestExplanationsKeepTheirPromises(t *testing.T) {
	schema := schemaOf(t, "explain")
	documents := 0
	testkit.Each(t, "testdata/explain/*.txtar", func(t *testing.T, a *testkit.Archive) {
		for _, subject := range subjects(t, a) {
			for _, nearest := range []bool{false, true} {
				e := explained(
					t, a, compare.Options{Nearest: nearest}, explain.Options{Subject: subject, AllCandidates: nearest},
				)
				checkExplanation(t, schema, e, Options{AllCandidates: nearest})
				documents++
			}
		}
	})
	if documents < 20 {
		t.Errorf("only %d documents were checked", documents)
	}
}

// subjects names everything that an archive holds.
func subjects(t *testing.T, archive *testkit.Archive) []string {
	t.Helper()
	var all []string
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "ref/"); ok && strings.HasSuffix(name, ".yaml") &&
			name != "metadata.yaml" {
			all = append(all, name)
		}
		if strings.HasPrefix(f.Name, "in/") {
			for _, o := range manifest.Read(f.Name, "", f.Data, manifest.Hints{}).Objects {
				all = append(all, o.ID.Kind+"/"+o.ID.Name)
			}
		}
	}
	return all
}

func checkExplanation(t *testing.T, schema *jsonschema.Schema, e *explain.Explanation, opt Options) {
	t.Helper()
	var asJSON, asYAML, again bytes.Buffer
	if err := errors.Join(escape.WriteJSON(&asJSON, e), formats.AnyYAML(&asYAML, e)); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(decodeJSON(t, asJSON.Bytes())); err != nil {
		t.Errorf("%s: %v", e.Subject, err)
	}
	checkSame(t, asJSON.Bytes(), asYAML.Bytes())
	var read explain.Explanation
	if err := errors.Join(json.Unmarshal(asJSON.Bytes(), &read), escape.WriteJSON(&again, &read)); err != nil ||
		again.String() != asJSON.String() {
		t.Errorf("%s: it is not read back as it was written: %v", e.Subject, err)
	}
	for width := MinWidth; width < 120; width += 13 {
		opt.Width = width
		var text bytes.Buffer
		if err := Explanation(&text, e, opt); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(text.String(), "\n") {
			if n := newRuler().width(line); n > width {
				t.Errorf("%s: %d columns where %d are asked for: %q", e.Subject, n, width, line)
			}
			if strings.ContainsFunc(line, escape.Hidden) {
				t.Errorf("%s: %q holds what cannot be seen", e.Subject, line)
			}
		}
	}
}
