package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
)

// said is the content of a report in one format. counts lacks what the format does not contain.
type said struct {
	sentences []string // the verdict on each cluster in words
	status    int      // the exit status; -1 where it does not say
	counts    map[string]int
	prints    []string // the fingerprints of the findings, sorted; nil where it does not have all of them
}

// recordsSay tells what the lines of a flat list of findings say, by their columns.
func recordsSay(t *testing.T, records []map[string]string) said {
	t.Helper()
	out := said{prints: []string{}}
	out.begin(classesOf(true), classesOf(false), effects(), impacts(), marks(), []string{"alarms", "note"})
	for _, one := range records {
		class, fails := one["class"], one["fails"]
		switch {
		case class == "verdict":
			out.sentences = append(out.sentences, one["finding"])
			out.status = max(out.status, slices.Index([]string{"no", "yes", "incomplete"}, fails))
			continue
		case class == "alarm":
			out.count("alarms", 1)
			continue
		case class == "note":
			out.count(class, 1)
			if fails != "no" {
				t.Errorf("a note fails: %q", one)
			}
		default:
			level := map[string]string{"incomplete": "spoils", "yes": "fails", "no": "others that inform"}[fails]
			if fails == "no" && class == "extra" {
				level = "extra that informs"
			}
			out.counted(class, level, one["impact"], one["change"])
		}
		out.prints = append(out.prints, one["fingerprint"])
	}
	slices.Sort(out.prints)
	return out
}

// columns returns the scalars of JSON objects as texts.
func columns(objects []map[string]any) (all []map[string]string) {
	for _, one := range objects {
		texts := map[string]string{}
		for key, value := range one {
			texts[key] = fmt.Sprint(value)
		}
		all = append(all, texts)
	}
	return all
}

// count adds to a count. The count exists afterwards, even if it is 0.
func (s *said) count(what string, n int) {
	if s.counts == nil {
		s.counts = map[string]int{}
	}
	s.counts[what] += n
}

// classesOf returns the classes of findings about fields, or the other classes.
func classesOf(fields bool) []string {
	if fields {
		return []string{"drift", "missing", "invalid", "extra"}
	}
	return []string{"error", "rule", "perhaps broken", "absent", "not collected", "wanted", "referenced", "unmatched",
		"unreadable", "not known", "incomplete", "invalid CR"}
}

// sayings returns a reader for each format. All formats except JSON and YAML have the verdict on
// each cluster in words, with the numbers of CRs, rules, impacts and new findings.
func sayings() map[string]func(t *testing.T, text string) said {
	return map[string]func(t *testing.T, text string) said{
		"text": textSays, "json": documentSays, "diff": diffSays, "html": pageSays, "csv": csvSays, "ndjson": ndjsonSays, "github": githubSays, "gitlab": gitlabSays,
		"markdown": markdownSays, "sarif": sarifSays, "junit": junitSays, "fix": fixSays, overridesFormat: overridesSay,
		"yaml": func(t *testing.T, text string) said {
			asJSON, err := yaml.YAMLToJSON([]byte(text))
			must(err)
			return documentSays(t, string(asJSON))
		},
	}
}

// verdicts returns the sentences that an expression finds, one for each cluster.
func verdicts(text string, each *regexp.Regexp) (all []string) {
	for _, m := range each.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

// number returns the number that an expression finds in a text, or 0.
func number(text, pattern string) int {
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// fromSentences returns the exit status and the numbers that the verdicts in words contain.
func fromSentences(t *testing.T, sentences []string, failOn string) said {
	t.Helper()
	out := said{sentences: sentences}
	words, err := finding.ParseFailOn(failOn)
	if err != nil {
		t.Fatal(err)
	}
	failOn = words.String() // sentences list the words in their usual order
	for _, s := range sentences {
		verdict, rest, _ := strings.Cut(s, ": ")
		if strings.HasPrefix(rest, "it is not certain which findings are new, ") { // the run has extra content or the like
			_, rest, _ = strings.Cut(rest, "; besides, ") // what is before is about the baseline
		}
		out.count(strings.ToLower(verdict)+" clusters", 1)
		besides := strings.Contains(rest, "; counted as a failure (")
		passing := strings.Contains(rest, "; not counted as a failure ("+"--fail-on "+failOn+")")
		some := strings.Contains(rest, "; not counted as a failure (--fail-on "+failOn+"): ")
		switch {
		case verdict == "INCOMPLETE", strings.Contains(rest, "; incomplete: "),
			strings.Contains(rest, "; it is not certain which findings are new") && strings.Contains(failOn, "new"):
			out.status = 2
		case besides, verdict == "DRIFT" && (!passing || some):
			out.status = max(out.status, 1)
		}
		rest, _, _ = strings.Cut(rest, "; it is not certain which findings are new") // what follows is about the baseline
		for what, pattern := range map[string]string{
			"CRs drift": `(\d+) of \d+ CRs? differs? from`, "missing CRs": `(\d+) required CRs? (?:is|are|was|were) `, "rule": `(\d+) rules? (?:is|are) broken`,
			"perhaps broken": `(\d+) rules? (?:is|are) perhaps broken`,
			"error":          `(\d+) CRs? could not be evaluated`, "impacting": `; impact: (\d+) impacting`, "review": `; impact: (?:\d+ impacting, )?(\d+) to review`,
			"not-impacting": `; impact: [a-z0-9, ]*?(\d+) not impacting`, "new": `; (\d+) new[, ]`, "changed": `[;,] (\d+) changed[, ]`, "gone": `[;,] (\d+) resolved[, ]`,
			"same": `[;,] (\d+) the same[, ]`, "unclear": `[;,] (\d+) there before with hidden values`,
		} {
			out.count(what, number(rest, pattern))
		}
	}
	return out
}

// documentRun is the part of a run in JSON that decides about findings. It does not use the package
// that wrote it.
type documentRun struct {
	Summary struct {
		Verdict                             string
		Objects, Differences, Impact        map[string]int
		MissingCRs, BrokenRules, Unreadable int
	}
	Alarms      []any
	Findings    []map[string]any // the flat list, which the others are held against
	Comparisons []struct {
		Result      string
		Error       *struct{ Change string }
		Differences []documentFinding
		Notes       []any // which count for nothing
	}
	Rules []struct {
		documentFinding
		Code      string
		Templates []string
		Missing   []struct {
			documentFinding
			NotCollected bool
			WantedBy     any
		}
	}
	Referenced, UnmatchedKinds []documentFinding
	InvalidCRs                 []documentFinding
	Unreadable                 []any
	Unmatched                  []struct{ OtherKind bool }
	NotKnown                   []struct{ Code string }
	Interrupted                bool
	Baseline                   *struct {
		Incomplete, NotKnown []string
		Changes              map[string]int
	}
}

type documentFinding struct{ Category, Impact, Change string }

// documentSays counts the elements of the lists of a JSON report. All other formats are compared
// with these counts.
func documentSays(t *testing.T, text string) said {
	var doc struct {
		ExitStatus int
		FailOn     []string
		Runs       []documentRun
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	c := &classes{said: said{status: doc.ExitStatus}, failOn: doc.FailOn}
	if slices.Contains(doc.FailOn, "unmatched-all") {
		c.failOn = append(c.failOn, "unmatched")
	}
	c.begin(
		classesOf(true),
		classesOf(false),
		effects(),
		impacts(),
		marks(),
		[]string{"new", "changed", "unclear", "same", "gone", "CRs drift", "missing CRs", "alarms", "note",
			"not compared", "compliant clusters", "drift clusters", "incomplete clusters"},
	)
	var listed []map[string]any
	for _, run := range doc.Runs {
		c.run(run)
		addsUp(t, run)
		seen := map[string]bool{}
		for _, f := range run.Findings {
			key := fmt.Sprint(f["fingerprint"], f["file"], f["entry"]) // a CR may be there several times
			if seen[key] {
				t.Errorf("two findings have the fingerprint of %v", f)
			}
			seen[key] = true
		}
		listed = append(listed, run.Findings...)
	}
	flat := recordsSay(t, columns(listed))
	c.prints = flat.prints
	delete(flat.counts, "alarms") // they stand beside it
	compareCounts(t, nil, "the list of findings", flat.counts, c.counts)
	c.count("spoils or fails", c.counts["spoils"]+c.counts["fails"])
	c.count("extra that informs, and notes", c.counts["extra that informs"]+c.counts["note"])
	c.count("others that inform, and alarms", c.counts["others that inform"]+c.counts["alarms"])
	if worst := min(c.counts["fails"], 1) + 2*min(c.counts["spoils"], 1); min(worst, 2) != doc.ExitStatus {
		t.Errorf("the findings of JSON make the exit status %d, and it says %d", min(worst, 2), doc.ExitStatus)
	}
	return c.said
}

// classes counts findings by class, effect, impact and change.
type classes struct {
	said
	failOn []string
}

// run counts the findings of a run.
func (c *classes) run(r documentRun) {
	failed := c.counts["fails"]
	c.count(r.Summary.Verdict+" clusters", 1)
	c.count("CRs drift", r.Summary.Objects["drift"])
	c.count("alarms", len(r.Alarms))
	for _, one := range r.Comparisons {
		c.count("note", len(one.Notes))
		if one.Error != nil {
			c.add("error", documentFinding{Change: one.Error.Change}, true)
		}
		for _, d := range one.Differences {
			if d.Category == "expected" {
				c.count("expected", 1)
				continue
			}
			c.add(d.Category, d, slices.Contains(c.failOn, d.Category))
		}
	}
	all, absent := slices.Contains(c.failOn, "missing"), slices.Contains(c.failOn, "absent")
	rules := r.Rules
	if r.Summary.Objects["read"] == 0 {
		rules = nil // each required CR is missing, which says nothing
	}
	for _, rule := range rules {
		open := false
		for _, m := range rule.Missing {
			open = open || m.NotCollected
		}
		if rule.Code != string(code.RuleMissing) && rule.Code != string(code.RuleNotGathered) {
			one := rule.Code == string(code.RuleOneRequired)
			if one && open {
				c.add("perhaps broken", rule.documentFinding, all)
			} else {
				c.add("rule", rule.documentFinding, all || absent && one)
			}
			continue
		}
		c.count("missing CRs", len(rule.Templates))
		for _, m := range rule.Missing {
			class := "absent"
			switch {
			case m.NotCollected:
				class = "not collected"
			case m.WantedBy != nil:
				class = "wanted"
			}
			c.add(class, m.documentFinding, all || absent && class != "not collected")
		}
	}
	if !slices.Contains(c.failOn, "referenced") {
		c.count("not compared", len(r.Referenced)) // only JUnit has cases for those that do not count
	}
	for _, f := range r.InvalidCRs {
		c.add("invalid CR", f, slices.Contains(c.failOn, "invalid"))
	}
	for class, found := range map[string][]documentFinding{"referenced": r.Referenced, "unmatched": r.UnmatchedKinds} {
		for _, f := range found {
			if slices.Contains(c.failOn, class) {
				c.add(class, f, true)
			}
		}
	}
	c.spoils(r, c.counts["fails"] > failed)
}

// addsUp compares the summary of a run with its lists.
func addsUp(t *testing.T, r documentRun) {
	t.Helper()
	objects, differences := map[string]int{}, map[string]int{}
	for _, c := range r.Comparisons {
		objects[c.Result]++
		worst := "clean"
		for _, d := range c.Differences {
			differences[d.Category]++
			switch {
			case d.Category == "drift" || d.Category == "missing":
				worst = "drift"
			case worst != "drift" && d.Category == "invalid", worst == "clean" && d.Category == "extra":
				worst = d.Category
			}
		}
		if c.Result != "error" && c.Result != worst {
			t.Errorf("the result %s has differences that make %s", c.Result, worst)
		}
	}
	missing, broken := 0, 0
	for _, rule := range r.Rules {
		if r.Summary.Objects["read"] == 0 { // each required CR is missing, which says nothing
			break
		}
		if rule.Code == string(code.RuleMissing) || rule.Code == string(code.RuleNotGathered) {
			missing += len(rule.Templates)
		} else {
			broken++
		}
	}
	objects["compared"], objects["referenced"] = len(r.Comparisons), len(r.Referenced)
	for _, u := range r.Unmatched {
		if !u.OtherKind {
			objects["unmatched"]++
		}
	}
	s, got, want := r.Summary, map[string]int{}, map[string]int{}
	for _, what := range []string{"compared", "clean", "extra", "invalid", "drift", "error", "unmatched", "referenced"} {
		got["objects "+what], want["objects "+what] = s.Objects[what], objects[what]
	}
	for _, what := range []string{"drift", "missing", "invalid", "extra"} {
		got["differences "+what], want["differences "+what] = s.Differences[what], differences[what]
	}
	got["missing"], got["broken"], got["unreadable"] = s.MissingCRs, s.BrokenRules, s.Unreadable
	want["missing"], want["broken"], want["unreadable"] = missing, broken, len(r.Unreadable)
	if !r.Interrupted {
		got["read"] = s.Objects["read"]
		want["read"] = s.Objects["compared"] + s.Objects["unmatched"] + s.Objects["ignored"] + s.Objects["copies"]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the summary differs from the lists: %s", diff)
	}
}

// hides reports whether what is not known of a run that drifts may be a finding that fails.
func (c *classes) hides(r documentRun) bool {
	counts := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(c.failOn, word) })
	}
	for _, p := range r.NotKnown {
		words := []string{"drift", "missing", "absent"}
		switch code.Code(p.Code) {
		case code.RuleUnknown:
			words = []string{"missing"}
		case code.ValidateUnknown, code.Unvalidated:
			words = []string{"invalid"}
		}
		if counts(words...) {
			return r.Summary.Verdict == "drift" && (!counts("new") || r.Baseline == nil || len(r.Baseline.NotKnown) > 0)
		}
	}
	return false
}

// spoils counts the reasons that make a cluster incomplete, and findings that are gone.
func (c *classes) spoils(r documentRun, fails bool) {
	c.count("unreadable", len(r.Unreadable))
	spoiled := len(r.Unreadable)
	c.count("not known", len(r.NotKnown))
	if len(r.Rules)+len(r.InvalidCRs)+r.Summary.Objects["drift"]+r.Summary.Objects["invalid"] == 0 || !fails && c.hides(r) {
		spoiled += len(r.NotKnown)
	} else {
		c.count("others that inform", len(r.NotKnown))
	}
	uncertain := r.Baseline != nil && len(r.Baseline.Incomplete) > 0 && slices.Contains(c.failOn, "new") && c.mayHaveNew(r)
	if r.Summary.Verdict == "incomplete" && spoiled+r.Summary.Objects["error"] == 0 && (!uncertain || r.Summary.Objects["compared"] == 0) {
		c.count("incomplete", 1)
		spoiled++
	}
	if b := r.Baseline; b != nil {
		for what, n := range b.Changes {
			c.count(what, n)
		}
	}
	if uncertain {
		c.count("incomplete", 1)
		spoiled++
	}
	c.count("spoils", spoiled)
}

// mayHaveNew reports whether a run has findings that would fail if they were new.
func (c *classes) mayHaveNew(r documentRun) bool {
	return r.Summary.Verdict != "compliant" ||
		slices.Contains(c.failOn, "unmatched") && len(r.UnmatchedKinds) > 0 ||
		slices.Contains(c.failOn, "referenced") && len(r.Referenced) > 0 ||
		slices.Contains(c.failOn, "extra") && r.Summary.Differences["extra"] > 0 ||
		slices.Contains(c.failOn, "impacting") && r.Summary.Impact["impacting"] > 0
}

// add counts a finding, which makes the run fail or not.
func (c *classes) add(class string, f documentFinding, fails bool) {
	c.count(class, 1)
	if f.Impact != "" {
		c.count(f.Impact, 1)
		fails = fails || f.Impact == "impacting" && slices.Contains(c.failOn, "impacting")
	}
	if f.Change != "" {
		c.count("marked "+f.Change, 1)
		fails = fails && (!slices.Contains(c.failOn, "new") || f.Change == "new" || f.Change == "changed")
	}
	switch {
	case class == "error":
		c.count("spoils", 1)
	case fails:
		c.count("fails", 1)
	case class == "extra":
		c.count("extra that informs", 1)
	default:
		c.count("others that inform", 1)
	}
}

// effects returns the effects of findings, in formats that list findings one by one.
func effects() []string {
	return []string{"spoils", "fails", "extra that informs", "others that inform"}
}
func impacts() []string { return []string{"impacting", "review", "not-impacting"} }
func marks() []string {
	return []string{"marked new", "marked changed", "marked unclear", "marked same"}
}

// begin adds counts with the value 0.
func (s *said) begin(names ...[]string) {
	for _, name := range slices.Concat(names...) {
		s.count(name, 0)
	}
}

// TestEveryFormatSaysTheSame makes random runs and checks that all formats agree with the lists of
// JSON on verdicts, exit status and counts, in the run and from the saved report.
func TestEveryFormatSaysTheSame(t *testing.T) {
	besideOthers(t)
	seed, made, ofEach := uint64(7), 25, 1 // few of most others have all there is
	if pack.Whole() {
		seed, made, ofEach = 7, 125, 12
	}
	r := rand.New(rand.NewPCG(16, seed))
	dir := t.TempDir()
	runs := slices.Concat(manifoldRuns(t, r, dir, made), []randomRun{hostileRun(t), hostileRun(t)}, exampleRuns(t, r, dir, ofEach))
	pack.Files(t, dir, map[string]string{"core.json": `{"openapi": "3.0.0", "components": {"schemas": {"ConfigMap": {
		"type": "object", "properties": {"data": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 3}}},
		"x-kubernetes-group-version-kind": [{"group": "", "kind": "ConfigMap", "version": "v1"}]},
		"ReplicaSet": {"type": "object", "required": ["spec"], "x-kubernetes-group-version-kind": [{"group": "apps", "kind": "ReplicaSet", "version": "v1"}]}}}}`})
	pack.Files(t, dir, map[string]string{"blank/a.yaml": "apiVersion: v1\nkind: ["})
	runs = append(runs, randomRun{reference: "../../examples/quickstart/reference", inputs: []string{filepath.Join(dir, "blank")}})
	e := &everyFormat{dir: dir, seen: map[string]int{}, run: outcome}
	for _, one := range runs {
		e.check(t, r, one)
		if t.Failed() {
			return
		}
	}
	for _, what := range slices.Concat(classesOf(true), classesOf(false), effects(), impacts(), marks(), []string{"gone", "alarms", "note", "compliant clusters", "drift clusters", "incomplete clusters",
		"status 0", "status 1", "status 2", "several clusters", "several reports", "accepted"}) {
		if e.seen[what] == 0 {
			t.Errorf("no run has %s: %v", what, e.seen)
		}
	}
	t.Logf("%d runs: %v", len(runs), e.seen)
}

// everyFormat makes runs and reads their reports in all formats.
type everyFormat struct {
	dir   string
	saved string // the last report, for a baseline
	run   func(args ...string) (status int, out, errs string)
	seen  map[string]int // what there was in all runs
}

// check makes a run with random options, and again from its saved report, and compares the content of
// the formats.
func (e *everyFormat) check(t *testing.T, r *rand.Rand, run randomRun) {
	t.Helper()
	failOn := []string{"drift,missing", "none", "extra", "unmatched,referenced", "missing", "drift", "absent", "drift,missing,absent,extra,unmatched,referenced"}[r.IntN(8)]
	var marking []string // what a saved report can be marked with too
	args := append([]string{run.reference, "--full", "-v"}, run.inputs...)
	if run.impact != "" && r.IntN(3) == 0 {
		args = append(args, "--impact", run.impact)
		if failOn != "none" && r.IntN(2) == 0 {
			failOn += ",impacting"
		}
	}
	if r.IntN(3) == 0 {
		args = append(args, "--validate", "--crds", filepath.Join(e.dir, "core.json"))
		if failOn != "none" && r.IntN(2) == 0 {
			failOn += ",invalid"
		}
	}
	if e.saved != "" && r.IntN(2) == 0 {
		marking = append(marking, "--baseline", e.saved)
		if failOn != "none" && r.IntN(2) == 0 {
			failOn += ",new"
		}
	}
	if r.IntN(4) == 0 {
		overrides := filepath.Join(e.dir, "accept.yaml")
		outcome(append(args, "-o", "overrides="+overrides, "--override-reason", "agreed")...)
		if _, err := os.Stat(overrides); err == nil {
			args = append(args, "--overrides", overrides)
			e.seen["accepted"]++
		}
	}
	if r.IntN(4) == 0 {
		args = append(args, "--skip-unreadable")
	}
	if r.IntN(3) == 0 { // limits that are reached, other ways to compare, and parts of the reference, which only the manifold one has
		some := []string{"--limit steps=12", "--limit nesting=3", "--correlation nearest", "--placeholders", "--join", "--wrapped"}
		if run.impact != "" {
			some = append(some, "--component base", "--skip-component any")
		}
		args = append(args, strings.Fields(some[r.IntN(len(some))])...)
	}
	counting := []string{"--fail-on", failOn, "--width", "1000", "--no-group"}
	plain := filepath.Join(e.dir, "plain.json")
	first := e.write(t, "run", allFormats(), slices.Concat(args, counting, marking)...)
	if len(marking) > 0 {
		outcome(slices.Concat(args, []string{"-o", "json=" + plain})...)
	} else {
		plain = first["json"].path
	}
	saved := slices.DeleteFunc(allFormats(), func(f format) bool { return f.needsCRs })
	again := e.write(t, "saved", saved, slices.Concat([]string{"report", "-v", plain}, counting, marking)...)
	for name, out := range again {
		if name == "html" { // only a run knows the CRs to create
			before := first[name]
			before.text = regexp.MustCompile(`(?s)<div class="y">.*?</div>`).ReplaceAllString(before.text, "")
			first[name] = before
		}
		if out.text != first[name].text {
			t.Errorf("%v: %s of the saved report is other than in the run:\n%s", args, name, cmp.Diff(first[name].text, out.text))
		}
	}
	e.agree(t, args, failOn, first)
	if e.saved != "" && !strings.Contains(failOn, "new") && !strings.Contains(failOn, "invalid") && r.IntN(8) == 0 {
		pack.Files(t, e.dir, map[string]string{"cut.json": "{"})
		several := slices.Concat([]string{"report", plain, e.saved, filepath.Join(e.dir, "cut.json")}, counting)
		e.agree(t, several, failOn, e.write(t, "several", saved, several...))
		e.seen["several reports"]++
	}
	if e.saved = filepath.Join(e.dir, "earlier.json"); os.Rename(first["json"].path, e.saved) != nil {
		t.Error("the report is not there")
	}
}

// wrote is the output of one format: its path, its text, and the exit status of the run.
type wrote struct {
	path, text string
	status     int
}

// write makes a run in some formats.
func (e *everyFormat) write(t *testing.T, name string, all []format, args ...string) map[string]wrote {
	t.Helper()
	dir := filepath.Join(e.dir, name)
	must(errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)))
	args = append(args, "--color", "never")
	for _, f := range all {
		args = append(args, "-o", f.name+"="+filepath.Join(dir, f.name))
		if f.name == overridesFormat {
			args = append(args, "--override-reason", "agreed")
		}
	}
	status, out, errs := e.run(args...)
	written := map[string]wrote{}
	for _, f := range all {
		one := wrote{path: filepath.Join(dir, f.name), status: status}
		paths := []string{one.path}
		if f.folder {
			paths, _ = filepath.Glob(filepath.Join(one.path, "commands.sh"))
			more, _ := filepath.Glob(filepath.Join(one.path, "*", "commands.sh"))
			paths = append(paths, more...)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v: exit status %d: %s%s: %v", args, status, out, errs, err)
			}
			one.text += string(text)
		}
		written[f.name] = one
	}
	return written
}

// agree compares the content of the formats.
func (e *everyFormat) agree(t *testing.T, args []string, failOn string, written map[string]wrote) {
	t.Helper()
	truth := documentSays(t, written["json"].text)
	truth.sentences = csvSays(t, written["csv"].text).sentences
	if truth.status != written["json"].status {
		t.Errorf("%v: the exit status is %d, and JSON says %d", args, written["json"].status, truth.status)
	}
	for format, one := range written {
		read, known := sayings()[format]
		if !known {
			t.Fatalf("sayings has no reader of %s; add one that tells what a document of this format says", format)
		}
		got := read(t, one.text)
		if got.status >= 0 && got.status != truth.status {
			t.Errorf("%v --fail-on %s: %s says that the exit status is %d, want %d", args, failOn, format, got.status, truth.status)
		}
		if got.sentences != nil {
			want := truth.sentences
			if format == "fix" { // a folder for each cluster, which have no order
				want = slices.Sorted(slices.Values(want))
				slices.Sort(got.sentences)
			}
			if !slices.EqualFunc(got.sentences, want, sameSentence) {
				t.Errorf("%v: %s says %q, want %q", args, format, got.sentences, want)
			}
			words := fromSentences(t, got.sentences, failOn)
			if words.status != truth.status {
				t.Errorf("%v --fail-on %s: %s means that the exit status is %d, want %d: %q",
					args, failOn, format, words.status, truth.status, got.sentences)
			}
			compareCounts(t, append(args, got.sentences...), format+" in words", words.counts, truth.counts)
		}
		compareCounts(t, args, format, got.counts, truth.counts)
		if diff := cmp.Diff(truth.prints, got.prints); got.prints != nil && diff != "" {
			t.Errorf("%v: %s has other fingerprints than JSON (-JSON +%s):\n%s", args, format, format, diff)
		}
	}
	for what, n := range truth.counts {
		e.seen[what] += n
	}
	e.seen[fmt.Sprint("status ", truth.status)]++
	if len(truth.sentences) > 1 {
		e.seen["several clusters"]++
	}
}

// sameSentence reports whether a format has a sentence, whose end may be cut.
func sameSentence(got, want string) bool {
	begin, cut := strings.CutSuffix(got, "…")
	return got == want || cut && len(begin) > 900 && strings.HasPrefix(want, begin)
}

// compareCounts compares counts with those of JSON.
func compareCounts(t *testing.T, args []string, name string, got, want map[string]int) {
	t.Helper()
	for _, what := range slices.Sorted(maps.Keys(got)) {
		if n, known := want[what]; !known || n != got[what] {
			t.Errorf("%v: %s counts %d %s, and JSON %d", args, name, got[what], what, n)
		}
	}
}
