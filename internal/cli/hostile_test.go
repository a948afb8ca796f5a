package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/watch"
)

// hostile is a broken or hostile input. Exactly one of archive, files and template is set.
type hostile struct {
	name     string
	archive  []byte            // the input itself; it holds goodCR
	files    map[string]string // beside good.yaml in a folder
	template string            // of another CR, which is beside good.yaml
	victim   string            // the spec of that CR; "" for one of a few values
	args     string
	lost     bool   // something is lost, so that the exit status is 2
	codes    string // that the report must hold
	gone     bool   // there is no report; the code is on the error stream
}

// reportOf is the part of a report that tests use.
type reportOf struct {
	Summary     struct{ Verdict string }
	Comparisons []struct {
		Object      struct{ Kind, Name string }
		Result      string
		Error       *struct{ Code, Message string }
		Differences []struct{ Path, Code string }
	}
	Unreadable, Warnings, NotRead []struct{ Code, Message string }
}

// readRun reads the only cluster of a JSON report.
func readRun(text string, into any) error {
	var doc struct{ Runs []json.RawMessage }
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		return err
	}
	if len(doc.Runs) != 1 {
		return fmt.Errorf("the report has %d runs", len(doc.Runs))
	}
	return json.Unmarshal(doc.Runs[0], into)
}

// codes returns all codes of a report.
func (r reportOf) codes() []string {
	var all []string
	for _, c := range r.Comparisons {
		if c.Error != nil {
			all = append(all, c.Error.Code)
		}
		for _, d := range c.Differences {
			all = append(all, d.Code)
		}
	}
	for _, p := range slices.Concat(r.Unreadable, r.Warnings, r.NotRead) {
		all = append(all, p.Code)
	}
	return all
}

// TestHostileInputs compares each hostile input next to a valid CR: the drift of that CR must be
// found, the exit status must be 2 exactly if something was lost, and no output may act on a
// terminal.
func TestHostileInputs(t *testing.T) {
	for _, c := range slices.Concat(hostileArchives(), hostileFiles(), hostileTemplates()) {
		t.Run(c.name, c.check)
	}
}

func (c hostile) check(t *testing.T) {
	const victim = "apiVersion: v1\nkind: Victim\nmetadata: {name: victim, namespace: app}\n"
	metadata := "parts:\n- name: p\n  components:\n  - name: c\n    requiredTemplates:\n    - path: good.yaml\n"
	files := map[string]string{"ref/good.yaml": strictCR, "hostile.bin": string(c.archive)}
	if c.template != "" {
		metadata += "    - path: victim.yaml\n"
		files["ref/victim.yaml"] = victim + c.template + "\n"
		files["in/victim.yaml"] = victim + cmp.Or(c.victim, "spec: {n: 3, text: some text, list: [a, b]}\n")
	}
	files["ref/metadata.yaml"] = metadata
	input := "hostile.bin"
	if c.archive == nil {
		input = "in"
		files["in/good.yaml"] = goodCR
		for name, data := range c.files {
			files["in/"+name] = data
		}
	}
	t.Chdir(pack.Folder(t, files))
	args := append(strings.Fields(c.args), "--output", "text", "--output", "json=report.json", "--verbose", "ref", input)
	status, out, errs := within(t, 20*time.Second, args...)
	report := ""
	if !c.gone {
		report = read(t, "report.json")
		c.checkReport(t, report)
	}
	for _, all := range []string{out + errs, report + errs} {
		checkQuiet(t, all)
		c.checkStatus(t, status, all)
	}
}

// within runs the command with limits of time and memory. The run must end at these by itself,
// before the watch would end the process.
func within(t *testing.T, limit time.Duration, args ...string) (status int, out, errs string) {
	t.Helper()
	exit := func(int) { t.Errorf("%q: the process would be ended", args) }
	begin, before := time.Now(), watch.Processor()
	args = append(args, "--limit", "memory=2GiB", "--limit", "time="+limit.String())
	status, out, errs = run(t.Context(), IO{Exit: exit}, args...)
	if most := limit + 5*time.Second; time.Since(begin) > most && watch.Processor()-before > most {
		t.Errorf("%q: it took more than %s", args, most)
	}
	return status, out, errs
}

func (c hostile) checkStatus(t *testing.T, status int, all string) {
	t.Helper()
	want := 1
	if c.lost {
		want = 2
	}
	if status != want {
		t.Errorf("exit status %d, want %d: %.6000s", status, want, all)
	}
	if strings.Contains(all, "VT5005") || strings.Contains(all, "goroutine ") {
		t.Errorf("a panic: %.6000s", all)
	}
	for code := range strings.FieldsSeq(c.codes) {
		if !strings.Contains(all, code) {
			t.Errorf("%s is nowhere: %.6000s", code, all)
		}
	}
}

// checkReport looks for the drift of the good CR, and for the codes.
func (c hostile) checkReport(t *testing.T, out string) {
	t.Helper()
	var r reportOf
	if err := readRun(out, &r); err != nil {
		t.Fatalf("%v: %.6000s", err, out)
	}
	found := false
	for _, one := range r.Comparisons {
		if one.Object.Name == "good" {
			found = one.Result == "drift" && len(one.Differences) > 0
			for _, d := range one.Differences { // several copies may differ there
				found = found && d.Path == "data.mode"
			}
		}
	}
	if !found {
		t.Errorf("the drift of the good CR is not in the report: %.6000s", out)
	}
	for code := range strings.FieldsSeq(c.codes) {
		if !slices.Contains(r.codes(), code) {
			t.Errorf("the report has the codes %q, and not %s", r.codes(), code)
		}
	}
	if (r.Summary.Verdict == "incomplete") != c.lost {
		t.Errorf("verdict %s, lost %v", r.Summary.Verdict, c.lost)
	}
}

// checkQuiet looks for characters that a terminal or a viewer acts on.
func checkQuiet(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Error("the output is no UTF-8")
	}
	for i, r := range out {
		if ' ' <= r && r < 0x7f {
			continue
		}
		ignorable := unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
			strings.ContainsRune("\u2800\U00016fe4\U0001d159", r)
		if r != '\n' &&
			(unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' || ignorable) {
			t.Errorf("%U is in the output: %q", r, out[max(0, i-60):min(len(out), i+60)])
			return
		}
	}
}
