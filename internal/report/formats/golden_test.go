package formats

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/validationtool/validationtool/internal/author/lint"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/finding/saved"
)

// home is the folder to which names of files are relative.
const home = "/home/me"

// TestGolden writes the saved report, or the result of lint, of each archive in testdata in the
// formats that the other files are named after.
func TestGolden(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		write := writers(t, a.Files[0].Name, a.Files[0].Data)
		for _, f := range a.Files[1:] {
			var out bytes.Buffer
			one, known := write[f.Name]
			if !known {
				t.Fatalf("writers has no writer of %s, which %s asks for", f.Name, t.Name())
			}
			if err := one(&out); err != nil {
				t.Fatal(err)
			}
			a.Want(t, f.Name, out.String())
			if strings.ContainsFunc(strings.ReplaceAll(out.String(), "\n", ""), escape.Hidden) {
				t.Errorf("%s has characters that cannot be seen", f.Name)
			}
			switch f.Name {
			case "sarif":
				checkSARIF(t, out.Bytes())
			case "gitlab":
				checkGitLab(t, out.Bytes())
			}
		}
	})
}

// writers returns the writers of a document by the names of their formats.
func writers(t *testing.T, name string, document []byte) map[string]func(io.Writer) error {
	t.Helper()
	if name == "lint.json" {
		var d lint.Document
		if err := json.Unmarshal(document, &d); err != nil {
			t.Fatal(err)
		}
		return map[string]func(io.Writer) error{
			"sarif":  func(w io.Writer) error { return SARIFLint(w, &d, home) },
			"github": func(w io.Writer) error { return GitHubLint(w, &d, home) },
			"gitlab": func(w io.Writer) error { return GitLabLint(w, &d, home) },
		}
	}
	r, err := saved.Read(document)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]func(io.Writer) error{
		"sarif":    func(w io.Writer) error { return SARIF(w, r, home) },
		"github":   func(w io.Writer) error { return GitHub(w, r, home) },
		"gitlab":   func(w io.Writer) error { return GitLab(w, r, home) },
		"ndjson":   func(w io.Writer) error { return NDJSON(w, r) },
		"csv":      func(w io.Writer) error { return CSV(w, r) },
		"junit":    func(w io.Writer) error { return JUnit(w, r) },
		"markdown": func(w io.Writer) error { return Markdown(w, r, nil, true) },
	}
}

// checkSARIF holds a text against the schema of SARIF 2.1.0 (errata 01) that OASIS publishes,
// without its descriptions, and against what GitHub requires.
func checkSARIF(t *testing.T, text []byte) {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sarif-2.1.0", "github-sarif"} {
		schema, err := jsonschema.NewCompiler().Compile("testdata/" + name + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document); err != nil {
			t.Error(err)
		}
	}
}

// checkGitLab checks that each issue has a path, a line, and a fingerprint that no other has.
func checkGitLab(t *testing.T, text []byte) {
	t.Helper()
	var issues []gitlabIssue
	if err := json.Unmarshal(text, &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, one := range issues {
		if one.Location.Lines.Begin < 1 || one.Location.Path == "" || seen[one.Fingerprint] {
			t.Errorf("GitLab refuses %+v", one)
		}
		seen[one.Fingerprint] = true
	}
}
