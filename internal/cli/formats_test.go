package cli

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// markup has characters that one of the formats uses as its own markup.
const markup = "=cmd|' /C x'!A1 <script>alert(1)</script> @octocat #1 ]]> ``` | \x1b[31m \u202e ::error::x %0A\n::error file=x::y\n+++ z\n</details>\n```\n# h"

// hostileTree writes a reference and CRs whose keys, values, names and statements are markup.
func hostileTree(t *testing.T) string {
	quoted := func(s string) string {
		return `"` + strings.NewReplacer(
			"\\", `\\`, `"`, `\"`, "\n", `\n`, "\x1b", `\x1b`, "\u202e", `\u202e`,
		).Replace(s) + `"`
	}
	cm := func(name, data string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: app, name: " + name + "}\ndata: " + data + "\n"
	}
	m := quoted(markup)
	return pack.Folder(t, map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: " + quoted("c "+markup) +
			"\n    allOf:\n    - {path: a.yaml}\n    - {path: b.yaml}\n    - {path: c.yaml}\n",
		"ref/codes.yaml": "codes:\n  T-A: {title: " + quoted(strings.ReplaceAll(markup, "\n", " ")) + ", cause: " + m + ", triage: " + m + "}\n",
		"ref/a.yaml":     cm("a", "{"+m+": v}") + `{{ violation "T-A" "data.a" ` + m + ` }}{{ note "T-A" ` + m + " }}\n",
		"ref/b.yaml":     cm("{{ .metadata.name | toJson }}", "{mode: strict}"),
		"ref/c.yaml":     cm(quoted("gone "+markup), "{x: y}"),
		"in/a.yaml":      cm("a", "{"+m+": "+quoted("v "+markup)+"}"),
		"in/b.yaml":      cm(m, "{mode: "+quoted("=1+1")+", more: "+quoted("-"+markup)+", wide: "+quoted("＝1+1")+"}"),
		"in/broken.yaml": "apiVersion: v1\nkind: [\n",
	})
}

// formatChecks returns a check for each format with markup: texts of inputs are plain text in it.
func formatChecks() map[string]func(t *testing.T, out string) {
	valid := func(t *testing.T, out string) {
		if !json.Valid([]byte(out)) {
			t.Error("that is no JSON")
		}
	}
	return map[string]func(t *testing.T, out string){
		"json":  valid,
		"sarif": valid,
		"ndjson": func(t *testing.T, out string) {
			for line := range strings.Lines(out) {
				valid(t, line)
			}
		},
		"html": func(t *testing.T, out string) {
			if strings.Count(out, "<script>") != 1 {
				t.Error("the page has markup of the reference")
			}
		},
		"csv": func(t *testing.T, out string) {
			rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				for _, cell := range row {
					if cell != "" && strings.ContainsRune("=+-@\t\r＝＋－＠", []rune(cell)[0]) {
						t.Errorf("a cell is %q", cell)
					}
				}
			}
		},
		"github": func(t *testing.T, out string) {
			command := regexp.MustCompile(`^::(error|warning|notice) (file=[^:,]*,(line=\d+,)?)?title=[^:,]*::.`)
			for line := range strings.SplitSeq(strings.TrimSuffix(out, "\n"), "\n") {
				if !command.MatchString(line) {
					t.Errorf("a line is %q", line)
				}
			}
		},
		"gitlab": func(t *testing.T, out string) {
			for _, one := range gitlabIssues(t, out) {
				if strings.ContainsAny(one.Description+one.Location.Path, "\n\x1b\u202e") {
					t.Errorf("an issue acts on a terminal: %+v", one)
				}
			}
		},
		"diff": func(t *testing.T, out string) {
			heads := 0
			for line := range strings.SplitSeq(strings.TrimSuffix(out, "\n"), "\n") {
				if strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ") {
					heads++
				} else if line == "" || !strings.ContainsRune(" +-@#", rune(line[0])) {
					t.Errorf("a line is %q", line)
				}
			}
			if heads%2 != 0 {
				t.Errorf("there are %d heads of files, and each CR has two", heads)
			}
		},
		"junit": func(t *testing.T, out string) {
			if err := xml.Unmarshal([]byte(out), new(struct{})); err != nil {
				t.Error(err)
			}
		},
		"markdown": func(t *testing.T, out string) {
			// What is left without code is ours: no tag but that of folding, no mention, no heading
			// but that of the cluster.
			fenced := regexp.MustCompile("(?ms)^(````*)diff\n.*?^````*\n").ReplaceAllString(out, "")
			plain := withoutCode(regexp.MustCompile(`<code>[^<]*</code>`).ReplaceAllString(fenced, ""))
			for _, bad := range []string{"<script", "@octocat", "#1", "::error", "\n# "} {
				if strings.Contains(plain, bad) {
					t.Errorf("%q is in %s", bad, plain)
				}
			}
			if n := strings.Count(plain, "</details>"); n != strings.Count(plain, "<details>") {
				t.Errorf("%d folds end", n)
			}
		},
	}
}

// TestEveryFormatIsCheckedForMarkup checks that each format has a check, and stands in the golden file of
// hostile words, or has a reason why not.
func TestEveryFormatIsCheckedForMarkup(t *testing.T) {
	checks, golden := formatChecks(), read(t, "../report/formats/testdata/hostile.txtar")
	const ownTests = "it has tests of its own"
	unchecked := map[string]string{textFormat: ownTests, "yaml": "it is JSON in other words", "fix": ownTests, overridesFormat: ownTests}
	elsewhere := map[string]string{"json": "it is the input of that file", "diff": ownTests, "html": ownTests}
	for _, f := range allFormats() {
		if checks[f.name] == nil && unchecked[f.name] == "" {
			t.Errorf("formatChecks has no check of %s; add one that tells that text of the input is no markup in it", f.name)
		}
		if unchecked[f.name] == "" && elsewhere[f.name] == "" && !strings.Contains(golden, "\n-- "+f.name+" --\n") {
			t.Errorf("internal/report/formats/testdata/hostile.txtar has no document of %s; add `-- %s --`, and run make golden", f.name, f.name)
		}
	}
}

// TestNoFormatReadsTheInputAsItsOwn checks that markup in keys, values, names and statements is
// plain text in every format.
func TestNoFormatReadsTheInputAsItsOwn(t *testing.T) {
	t.Chdir(hostileTree(t))
	for format, check := range formatChecks() {
		t.Run(format, func(t *testing.T) {
			status, out, errs := typed("ref in -o " + format)
			if status != 2 || out == "" {
				t.Fatalf("exit status %d: %s%s", status, out, errs)
			}
			for _, raw := range []string{"\x1b", "\u202e"} {
				if strings.Contains(out, raw) {
					t.Errorf("%q is in it raw", raw)
				}
			}
			check(t, out)
		})
	}
}

// withoutCode removes the code spans of Markdown: text between equal numbers of backquotes.
func withoutCode(text string) string {
	runs := regexp.MustCompile("`+").FindAllStringIndex(text, -1)
	for len(runs) > 0 {
		for _, end := range runs[1:] {
			if end[1]-end[0] == runs[0][1]-runs[0][0] {
				return text[:runs[0][0]] + withoutCode(text[end[1]:])
			}
		}
		runs = runs[1:]
	}
	return text
}

// TestMarkdownFits checks that a long report in Markdown fits into a comment, keeps every verdict,
// and counts the findings that it leaves out.
func TestMarkdownFits(t *testing.T) {
	t.Chdir(hostileTree(t))
	pack.Files(t, ".", map[string]string{"in/more.yaml": numbered(
		600, "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: app, name: n"+strings.Repeat("x", 60)+"%}\ndata: {mode: lax%}\n",
	)})
	status, out, errs := typed("-o markdown ref in")
	if status != 2 || len(out) > 65000 || len(out) < 50000 {
		t.Errorf("exit status %d, %d bytes: %s", status, len(out), errs)
	}
	for _, want := range []string{"**INCOMPLETE: ", " more |", "which do not fit here."} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// TestFormatsAreTheSameBesideOthers checks that the output of a format does not depend on the other
// formats of the run.
func TestFormatsAreTheSameBesideOthers(t *testing.T) {
	besideOthers(t)
	dir := t.TempDir()
	ref, in := "../../examples/ran-du/reference", "../../examples/ran-du/cluster"
	for _, more := range [][]string{nil, {"--full"}, {"--show-expected"}, {"--context", "0", "-v"}} {
		args, alone := more, map[string]string{}
		for _, f := range allFormats() {
			if f.needsCRs {
				continue
			}
			_, alone[f.name], _ = outcome(append(more, "-o", f.name, "--width", "150", ref, in)...)
			args = append(args, "-o", f.name+"="+filepath.Join(dir, f.name))
		}
		if status, out, errs := outcome(append(args, "-q", ref, in)...); status != 1 || out+errs != "" {
			t.Fatalf("exit status %d: %s%s", status, out, errs)
		}
		for name, want := range alone {
			if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
				t.Errorf("%v: beside others %s has %d bytes, and alone %d: %v", more, name, len(got), len(want), err)
			}
		}
	}
}

// TestNoOptionOfTheTextChangesTheResult checks that options which decide what the text shows change no
// verdict, count, finding or exit status.
func TestNoOptionOfTheTextChangesTheResult(t *testing.T) {
	inFolder(t, everyKind)
	result := func(more ...string) (int, string) {
		status, out, errs := outcome(append(strings.Fields("-o text -o json=out.json --fail-on unmatched,extra ref/rest.yaml rest"), more...)...)
		var doc struct {
			ExitStatus int
			Runs       []struct {
				Summary  json.RawMessage
				Findings json.RawMessage
				Options  []string
			}
		}
		if err := json.Unmarshal([]byte(read(t, "out.json")), &doc); err != nil {
			t.Fatal(more, out, errs, err)
		}
		all, err := json.MarshalIndent(doc, "", " ")
		must(err)
		return status, string(all)
	}
	wantStatus, want := result()
	values := map[string]string{"color": "always", "width": "90", "category": "drift", "sort": "input", "context": "0"}
	more := []string{"--summary", "--verbose", "--cr=ConfigMap/*", "--show-overridden"}
	for _, c := range new(program).commands() {
		for _, f := range c.Flags {
			if name := f.Names()[0]; c.Name == comparison && f.(cli.CategorizableFlag).GetCategory() == ofText {
				more = append(more, strings.TrimSuffix("--"+name+"="+values[name], "="))
			}
		}
	}
	for _, option := range more {
		if status, got := result(option); status != wantStatus || got != want {
			t.Errorf("%s: exit status %d, want %d\n%s", option, status, wantStatus, cmp.Diff(want, got))
		}
	}
	if len(more) < 12 {
		t.Errorf("only %q were tried", more)
	}
}
