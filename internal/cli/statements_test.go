package cli

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"path/filepath"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// TestStatementsAreNoMarkup: what a reference says with codes of its own, and what it says about
// these codes, is text in every format, whatever other programs would make of it.
func TestStatementsAreNoMarkup(t *testing.T) {
	hostile := []string{
		"=1+1|cmd",
		"::error::owned%0A",
		"<script>alert(1)</script>&amp;",
		"``` | `x` @team [a](http://b) **b**",
		"--- a\n+++ b\n@@ -1 +1 @@",
		"]]>-->{{.}}",
	}
	says, explains := "", "codes:\n"
	for i, text := range hostile {
		quoted, _ := json.Marshal(text)
		code := "T-" + string(rune('A'+i))
		says += "{{ violation \"" + code + "\" \"data.a\" " + string(
			quoted,
		) + " }}{{ note \"" + code + "\" " + string(quoted) + " }}\n"
		title, _ := json.Marshal(strings.ReplaceAll(text, "\n", " "))
		explains += "  " + code + ": {title: " + string(title) + ", cause: " + string(
			quoted,
		) + ", triage: " + string(quoted) + "}\n"
	}
	cr := func(name string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: app}\ndata: {a: b}\n"
	}
	dir := t.TempDir()
	pack.Files(t, dir, map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}, {path: b.yaml}]}]}]\n",
		"ref/a.yaml": cr(
			"a",
		) + says, "ref/b.yaml": cr("b") + "{{ note \"T-A\" \"=1+1\" }}{{ note \"T-B\" \"::error::x\" }}\n", "ref/codes.yaml": explains,
		"in/a.yaml": cr("a"), "in/b.yaml": cr("b"),
	})
	write := func(format string) string {
		t.Helper()
		status, out, errs := runIn(t, "", "--output", format, filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
		if status != 1 || errs != "" {
			t.Fatalf("%s: status %d, %s", format, status, errs)
		}
		return out
	}
	rows, err := csv.NewReader(strings.NewReader(write("csv"))).ReadAll()
	if err != nil || len(rows) != 2+2*len(hostile)+2 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if strings.HasPrefix(cell, "=") {
				t.Errorf("%q is a formula", cell)
			}
		}
	}
	for line := range strings.Lines(write("github")) {
		if !strings.HasPrefix(line, "::error ") && !strings.HasPrefix(line, "::notice ") {
			t.Errorf("%q is no annotation of ours", line)
		}
	}
	for line := range strings.Lines(write("diff")) {
		if strings.HasPrefix(line, "--- ") != strings.HasPrefix(line, "--- reference/a.yaml") ||
			strings.HasPrefix(line, "@@") {
			t.Errorf("%q is a line of a diff", line)
		}
	}
	page := write("html")
	if strings.Count(page, "<script>") != 1 || strings.Contains(page, `href="http://b`) {
		t.Error("the page has markup of the reference")
	}
	for x := xml.NewDecoder(strings.NewReader(write("junit"))); ; {
		if _, err := x.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if !json.Valid([]byte(write("sarif"))) || !json.Valid([]byte(write("gitlab"))) || !json.Valid([]byte(write("json"))) {
		t.Error("that is no JSON")
	}
	fenced := 0
	for line := range strings.Lines(write("markdown")) {
		if strings.HasPrefix(line, "`````diff") || strings.HasPrefix(line, "````diff") {
			fenced++
		}
		if strings.HasPrefix(line, "#") && fenced == 0 && !strings.HasPrefix(line, "### Input `") ||
			strings.HasPrefix(line, "<script") {
			t.Errorf("%q is markup", line)
		}
	}
	if fenced != 1 {
		t.Errorf("%d fences are long enough", fenced)
	}
	for _, format := range []string{"text", "json", "yaml", "html", "sarif", "markdown", "gitlab"} {
		if out := write(format); !strings.Contains(out, "T-F") || !strings.Contains(out, "owned%0A") {
			t.Errorf("%s does not say what the codes mean: %s", format, out)
		}
	}
}
