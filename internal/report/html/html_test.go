package html_test

import (
	"bytes"
	"context"
	"fmt"
	stdhtml "html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/cli"
	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/saved"
	"github.com/validationtool/validationtool/internal/report/html"
)

// example is the path of something among the examples.
func example(name string) string { return filepath.Join("..", "..", "..", "examples", name) }

// written runs the command, and returns the page and the report that it writes.
func written(t testing.TB, args ...string) (page string, r *finding.Report) {
	t.Helper()
	dir := t.TempDir()
	at, asJSON := filepath.Join(dir, "report.html"), filepath.Join(dir, "report.json")
	var errs bytes.Buffer
	none := func(string) (string, bool) { return "", false }
	cli.Run(
		context.Background(),
		slices.Concat([]string{"validationTool"}, args, []string{"-o", "html=" + at, "-o", "json=" + asJSON}),
		cli.IO{In: strings.NewReader(""), Out: &errs, Err: &errs, Env: none},
	)
	text, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err, errs.String())
	}
	document, err := os.ReadFile(asJSON)
	if err != nil {
		t.Fatal(err)
	}
	if r, err = saved.Read(document); err != nil {
		t.Fatal(err)
	}
	return string(text), r
}

// configMaps is a reference for ConfigMaps and n of them that drift: one in every so many like the
// others of these, each of the rest like no other.
func configMaps(t testing.TB, n, every int) (reference, input string) {
	t.Helper()
	all := map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts:\n- name: part\n  components:\n  - name: component\n    anyOf:\n    - path: cm.yaml\n",
		"ref/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .metadata.name }}', namespace: app}\ndata:\n" +
			"  mode: strict\n  a: a\n  b: b\n  c: c\n  d: d\n  e: e\n  f: f\n  g: g\n  h: h\n",
	}
	for i := range n {
		mode := fmt.Sprint("other-", i)
		if i%every == 0 {
			mode = "same"
		}
		all[fmt.Sprintf("in/%d.yaml", i/100)] += fmt.Sprintf(
			"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm-%d, namespace: app}\ndata:\n"+
				"  mode: %s\n  a: a\n  b: b\n  c: c\n  d: d\n  e: e\n  f: f\n  g: g\n  more: x\n",
			i,
			mode,
		)
	}
	dir := pack.Folder(t, all)
	return filepath.Join(dir, "ref"), filepath.Join(dir, "in")
}

// chips are the figures at the top of a page.
func chips(page string) map[string]int {
	all := map[string]int{}
	for _, m := range regexp.MustCompile(`data-class="([^"]+)"[^>]*><b>(\d+)</b>`).FindAllStringSubmatch(page, -1) {
		all[m[1]], _ = strconv.Atoi(m[2])
	}
	return all
}

// entryCounts are the sums of what the entries of a page count.
func entryCounts(page string) map[string]int {
	all := map[string]int{}
	for _, m := range regexp.MustCompile(`data-n="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		words := strings.Fields(m[1])
		for i := 0; i+1 < len(words); i += 2 {
			n, _ := strconv.Atoi(words[i+1])
			all[words[i]] += n
		}
	}
	return all
}

// figuresOf are the figures of a report by the names that pages have for them.
func figuresOf(r *finding.Report) map[string]int {
	all := map[string]int{}
	for _, run := range r.Runs {
		s := run.Summary
		for name, n := range map[string]int{"error": s.Objects.Error, "unreadable": s.Unreadable, "drift": s.Differences.Drift, "missing": s.Differences.Missing,
			"extra": s.Differences.Extra, "invalid": s.Differences.Invalid, "absent": s.AbsentCRs, "wanted": s.WantedCRs, "not-collected": s.NotCollectedCRs, "rule": len(run.OtherRules()) - s.PerhapsBrokenRules,
			"perhaps-broken": s.PerhapsBrokenRules, "not-known": len(run.NotKnown), "invalid-CR": len(run.InvalidCRs)} {
			all[name] += n
		}
	}
	return all
}

// TestThePageSaysWhatTheDocumentSays: the figures are those of the summary, the entries add up to
// them, and each finding can be linked to.
func TestThePageSaysWhatTheDocumentSays(t *testing.T) {
	reference, input := configMaps(t, 30, 3)
	for name, args := range map[string][]string{
		"quickstart": {example("quickstart/reference"), example("quickstart/cluster")},
		"an archive": {example("ran-du/reference"), example("ran-du/must-gather.tar.gz")},
		"the whole":  {"--full", example("ran-du/reference"), example("ran-du/must-gather.tar.gz")},
		"no groups":  {"--no-group", reference, input},
		"groups":     {"--fail-on", "extra,unmatched,referenced", reference, input},
		"unreadable": {reference, input, pack.Folder(t, map[string]string{"broken.yaml": "apiVersion: v1\nkind: [Thing\n"})},
	} {
		t.Run(name, func(t *testing.T) {
			page, r := written(t, args...)
			if name == "quickstart" && !strings.Contains(page, "<b>1</b> CR not found</button>") {
				t.Error("of one there are several")
			}
			if name == "quickstart" && !strings.Contains(page, "    limits.memory: 32Gi<td><td class=no>") {
				t.Error("the line that the CR lacks is not there")
			}
			for _, left := range []string{"… and ", "are left out"} { // nothing of these is too large
				if strings.Contains(page, left) {
					t.Errorf("the page says %q", left)
				}
			}
			top, entries := chips(page), entryCounts(page)
			for class, n := range figuresOf(r) {
				if top[class] != n || entries[class] != n {
					t.Errorf(
						"%s: the summary has %d, the top of the page %d, its entries %d",
						class,
						n,
						top[class],
						entries[class],
					)
				}
			}
			if len(top) != len(figuresOf(r)) {
				t.Errorf("the top of the page has %v", top)
			}
			for _, run := range r.Runs {
				if !strings.Contains(page, run.Sentence(r.FailOn)) {
					t.Errorf("the verdict is not on the page: %s", run.Sentence(r.FailOn))
				}
				for f := range run.Findings(r.FailOn, nil) {
					if strings.Count(page, ` id="`+f.Fingerprint+`"`) != 1 {
						t.Errorf("nothing, or more than one thing, is called by the fingerprint of %+v", f)
					}
				}
			}
		})
	}
}

// TestClustersHaveLinksOfTheirOwn: the same finding in several clusters has the number of the
// cluster behind its fingerprint.
func TestClustersHaveLinksOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	saved := filepath.Join(dir, "one.json")
	none := func(string) (string, bool) { return "", false }
	streams := cli.IO{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Env: none}
	cli.Run(
		context.Background(),
		[]string{
			"validationTool",
			"-o",
			"json=" + saved,
			example("quickstart/reference"),
			example("quickstart/cluster"),
		},
		streams,
	)
	page, r := written(t, "report", saved, saved)
	if len(r.Runs) != 2 || !strings.Contains(page, "Found in several clusters") ||
		strings.Count(page, "<section ") != 2 {
		t.Errorf("%d runs: %.2000s", len(r.Runs), page)
	}
	for f := range r.Runs[1].Findings(r.FailOn, nil) {
		if !strings.Contains(page, ` id="`+f.Fingerprint+`.2"`) {
			t.Errorf("there is no link to %+v", f)
		}
	}
}

// TestThePageNeedsNothingElse: it names no other file, and its policy allows nothing but its own
// style and script.
func TestThePageNeedsNothingElse(t *testing.T) {
	page, _ := written(t, example("ran-du/reference"), example("ran-du/must-gather.tar.gz"))
	for _, foreign := range []string{" src=", "url(", "@import", "<link", "<iframe", "<img", " style=", " onclick="} {
		if strings.Contains(page, foreign) {
			t.Errorf("the page has %q", foreign)
		}
	}
	policy := regexp.MustCompile(
		`content="default-src 'none'; style-src 'sha256-[^';]+'; script-src 'sha256-[^';]+'; base-uri 'none'; form-action 'none'"`,
	)
	if !policy.MatchString(stdhtml.UnescapeString(page)) {
		t.Errorf("the policy is another: %.600s", page)
	}
}

// hostile is text that a browser would act on.
const hostile = `"'><script>document.title="owned"</script><img src=x onerror=alert(1)>{{.}}</title></style>&lt;b&gt;` + "`${1}`\u202e\x07\u200b"

// hostileInput has hostile text wherever a CR and a reference can have it.
func hostileInput(t *testing.T) (reference, input string) {
	t.Helper()
	quoted := strconv.Quote(hostile)
	dir := pack.Folder(t, map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts:\n- name: " + quoted + "\n  components:\n  - name: " + quoted + "\n    description: " + quoted +
			"\n    allOf:\n    - path: cm.yaml\n      description: " + quoted + "\n    - path: gone.yaml\n    - path: fails.yaml\n",
		"ref/cm.yaml":    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '{{ .metadata.name }}'}\ndata:\n  mode: " + quoted + "\n  lines: |\n    one\n    two\n",
		"ref/gone.yaml":  "apiVersion: v1\nkind: Gone\nmetadata: {name: " + quoted + "}\n",
		"ref/fails.yaml": "apiVersion: v1\nkind: Fails\nmetadata: {name: '{{ .metadata.name }}'}\n{{ fail .data.a }}\n",
		"in/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + quoted + ", namespace: " + quoted + "}\ndata:\n  " + quoted + ": " + quoted +
			"\n  mode: x\n  lines: |\n    one\n    <script>alert(1)</script>\n",
		"in/b.yaml":      "apiVersion: v1\nkind: Fails\nmetadata: {name: b}\ndata: {a: " + quoted + "}\n",
		"in/c.yaml":      "apiVersion: v1\nkind: " + quoted + "\nmetadata: {name: c}\n",
		"overrides.yaml": "- kind: ConfigMap\n  name: " + quoted + "\n  type: mergepatch\n  reason: " + quoted + "\n  patch: '{}'\n",
		"impact.yaml":    "default: review\nrules:\n- impact: impacting\n  path: data\n  comment: " + quoted + "\n  link: \"https://example.com/?a=1&b=2\"\n",
	})
	return filepath.Join(dir, "ref"), filepath.Join(dir, "in")
}

// TestHostileTextIsText: whatever a CR, a reference, an override or a rule of impact says stands as
// text on the page.
func TestHostileTextIsText(t *testing.T) {
	reference, input := hostileInput(t)
	beside := filepath.Dir(input)
	for _, more := range [][]string{nil, {"--full", "-v"}, {"--overrides", filepath.Join(beside, "overrides.yaml"), "--impact", filepath.Join(beside, "impact.yaml")}} {
		page, _ := written(t, append(more, reference, input)...)
		if strings.Count(page, "<script") != 1 || strings.Count(page, "</script") != 1 ||
			strings.Count(page, "</style") != 1 ||
			strings.Count(page, "<img") > 0 {
			t.Errorf("%v: the page has elements of the input", more)
		}
		if strings.ContainsAny(page, "\u202e\u200b\x07") || !strings.Contains(page, `\u202e`) {
			t.Errorf("%v: what nobody sees is not made visible", more)
		}
		if !strings.Contains(page, "&lt;script&gt;") || !strings.Contains(page, "onerror=alert(1)&gt;") {
			t.Errorf("%v: the text of the input is not there", more)
		}
	}
}

// TestManyNotesAreCounted: of notes on CRs without findings there are as many on the page as leave
// it small, and the others are counted.
func TestManyNotesAreCounted(t *testing.T) {
	run := &finding.Run{}
	for i := range 300 {
		c := &finding.Comparison{Object: finding.Object{Kind: "A", Name: strconv.Itoa(i)}, Result: finding.Clean}
		for range 10 {
			c.Notes = append(c.Notes, finding.Statement{Code: "ORG-1", Message: strings.Repeat("x", 1000)})
		}
		run.Comparisons = append(run.Comparisons, c)
	}
	var page strings.Builder
	if err := html.Write(&page, &finding.Report{Runs: []*finding.Run{run}}, html.Options{}); err != nil {
		t.Fatal(err)
	}
	shown, more := strings.Count(page.String(), "<tr><th>"), 0
	if _, rest, ok := strings.Cut(page.String(), `<p class="q">… and `); ok {
		more, _ = strconv.Atoi(rest[:strings.IndexByte(rest, ' ')])
	}
	if shown < 1500 || shown+more != 3000 || page.Len() > 3<<20 {
		t.Errorf("%d notes on %d bytes, and %d more", shown, page.Len(), more)
	}
}
