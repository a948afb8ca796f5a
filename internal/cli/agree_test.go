package cli

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/tree"
)

// TestVerdictStatusAndCountsAgree: whatever is missing or changed of an input, and whatever counts
// as a failure, the exit status, the verdict, the counts of JSON, its lists, and the text say the
// same.
func TestVerdictStatusAndCountsAgree(t *testing.T) {
	besideOthers(t)
	seen := map[int]int{}
	eachExample(t, func(t *testing.T, reference string, objects []map[string]any) {
		r := rand.New(rand.NewPCG(8, uint64(len(objects))))
		for round := range 6 {
			w := &forms{r, nil}
			for _, o := range objects {
				if round == 0 || r.IntN(4) > 0 {
					w.objects = append(w.objects, damagedInput(r, o, round))
				}
			}
			files := w.each("%d.yaml", tree.YAML)
			if round%5 == 4 {
				files = append(files, inputFile{"broken.yaml", "apiVersion: v1\nkind: [Thing\n"})
			}
			failOn := []string{"drift,missing", "none", "extra", "unmatched,referenced", "missing", "drift"}[round%6]
			seen[agree(t, reference, write(t, files), failOn)]++
		}
	})
	if seen[0] == 0 || seen[1] == 0 || seen[2] == 0 {
		t.Errorf("the exit statuses were %v; all should occur", seen)
	}
}

// damaged changes some scalars of an object below its spec and data.
func damagedInput(r *rand.Rand, o map[string]any, round int) map[string]any {
	o = tree.Copy(o).(map[string]any)
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range tree.Keys(v) {
				switch r.IntN(40) {
				case 0:
					v[k] = "damaged"
				case 1:
					delete(v, k)
				case 2:
					v["damaged"] = true
				default:
					walk(v[k])
				}
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	if round%3 > 0 {
		walk(o["spec"])
		walk(o["data"])
	}
	return o
}

// jsonReport is what of a JSON report the test looks at.
type jsonReport struct {
	Summary struct {
		Verdict                                                   string
		Objects, Differences                                      map[string]int
		MissingCRs, AbsentCRs, WantedCRs, BrokenRules, Unreadable int
	}
	Comparisons []struct {
		Result      string
		Differences []struct{ Category string }
	}
	Rules []struct {
		Code      string
		Templates []string
	}
	Unmatched, Unreadable, Referenced, Refused []any
}

// agree checks one input and returns the exit status.
func agree(t *testing.T, reference, input, failOn string) int {
	t.Helper()
	args := []string{reference, input, "--show-expected", "--fail-on", failOn}
	status, out, errs := outcome(append(args, "-o", "json", "-v")...)
	var r jsonReport
	if err := readRun(out, &r); err != nil {
		t.Fatalf("status %d: %s%s", status, out, errs)
	}
	counts := map[string]int{}
	for _, c := range r.Comparisons {
		counts["result "+c.Result]++
		worst := "clean"
		for _, d := range c.Differences {
			counts[d.Category]++
			if d.Category == "drift" || d.Category == "missing" {
				worst = "drift"
			} else if d.Category == "extra" && worst == "clean" {
				worst = "extra"
			}
		}
		if c.Result != "error" && c.Result != worst {
			t.Errorf("the result %s has differences that make %s", c.Result, worst)
		}
	}
	missing := 0
	for _, rule := range r.Rules {
		if rule.Code == "VT3001" {
			missing += len(rule.Templates)
		}
	}
	s := r.Summary
	want := map[string]int{
		"compared":   len(r.Comparisons),
		"clean":      counts["result clean"],
		"extra":      counts["result extra"],
		"drift":      counts["result drift"],
		"error":      counts["result error"],
		"unmatched":  len(r.Unmatched),
		"referenced": len(r.Referenced),
	}
	for what, n := range want {
		if s.Objects[what] != n {
			t.Errorf("%d objects are %s in the summary, and %d in the lists", s.Objects[what], what, n)
		}
	}
	if n := s.Objects; n["read"] != n["compared"]+n["unmatched"]+n["ignored"]+n["copies"] {
		t.Errorf("the figures do not add up: %v", n)
	}
	for _, what := range []string{"drift", "missing", "extra", "expected"} {
		if s.Differences[what] != counts[what] {
			t.Errorf(
				"%d differences are %s in the summary, and %d in the lists", s.Differences[what], what, counts[what],
			)
		}
	}
	if s.MissingCRs != missing || s.BrokenRules != len(r.Rules)-missingRules(r) || s.Unreadable != len(r.Unreadable) {
		t.Errorf(
			"missing %d, broken %d, unreadable %d in the summary; %d, %d, %d in the lists",
			s.MissingCRs,
			s.BrokenRules,
			s.Unreadable,
			missing,
			len(r.Rules)-missingRules(r),
			len(r.Unreadable),
		)
	}
	fails := func(what string, n int) bool { return strings.Contains(failOn, what) && n > 0 }
	expected, verdict := 0, "compliant"
	deviates := s.Objects["drift"]+len(r.Rules) > 0
	switch nothing := s.Objects["compared"]+s.Objects["referenced"] == 0; {
	case s.Objects["error"]+s.Unreadable > 0 || s.Objects["read"] == 0 || nothing && !deviates:
		verdict = "incomplete"
	case deviates:
		verdict = "drift"
	}
	switch {
	case verdict == "incomplete":
		expected = 2
	case fails("drift", counts["drift"]),
		fails("missing", counts["missing"]+len(r.Rules)),
		fails("extra", counts["extra"]),
		fails("unmatched", len(r.Unmatched)),
		fails("referenced", len(r.Referenced)):
		expected = 1
	}
	if status != expected || s.Verdict != verdict {
		t.Errorf(
			"--fail-on %s: status %d, verdict %s, where the lists make %d, %s",
			failOn,
			status,
			s.Verdict,
			expected,
			verdict,
		)
	}
	agreeText(t, args, r, status)
	agreeFindings(t, out, status, counts, s.MissingCRs)
	return status
}

// agreeFindings checks that the findings, one by one, are those of the lists, and that the worst of
// them is the exit status.
func agreeFindings(t *testing.T, saved string, status int, counts map[string]int, missing int) {
	t.Helper()
	found, err := finding.Read([]byte(saved))
	if err != nil {
		t.Fatal(err)
	}
	worst, seen := finding.Informs, map[finding.Class]int{}
	for f := range found.Runs[0].Findings(found.FailOn, nil) {
		worst = max(worst, f.Effect)
		seen[f.Class]++
		if f.Words == "" || f.Fingerprint == "" {
			t.Errorf("a finding lacks its words or its fingerprint: %+v", f)
		}
	}
	if int(worst) != status {
		t.Errorf("the worst finding makes the exit status %d, which is %d", worst, status)
	}
	for _, class := range []finding.Class{finding.ClassDrift, finding.ClassMissing, finding.ClassExtra} {
		if seen[class] != counts[string(class)] {
			t.Errorf("%d findings are %s, and %d differences", seen[class], class, counts[string(class)])
		}
	}
	if n := seen[finding.ClassAbsent] + seen[finding.ClassNotCollected] + seen[finding.ClassWanted]; n != missing {
		t.Errorf("%d findings are missing CRs, and the summary has %d", n, missing)
	}
}

// agreeText checks the text of the same run, in both layouts.
func agreeText(t *testing.T, args []string, r jsonReport, status int) {
	t.Helper()
	s := r.Summary
	for _, layout := range [][]string{{"--width", "120"}, {"--width", "60", "--unified"}} {
		got, out, _ := outcome(append(append(slices.Clone(args), "--no-group"), layout...)...)
		if got != status {
			t.Errorf("the text ends with status %d, and JSON with %d", got, status)
		}
		text := strings.Join(strings.Fields(out), " ")
		for _, line := range []string{
			differencesLine(s.Objects, s.Differences),
			comparedLine(s.Objects),
			sharesLine(s.Objects, len(r.Refused)),
		} {
			if !strings.Contains(text, line) {
				t.Errorf("the text lacks %q:\n%s", line, out[max(0, len(out)-600):])
			}
		}
		agreeOverview(t, out, map[string]int{
			"FAILED":    s.Objects["error"],
			"DRIFT":     s.Objects["drift"],
			"NOT FOUND": s.AbsentCRs,
			"REQUIRED":  s.WantedCRs,
			"RULE":      len(r.Rules) - missingRules(r),
		})
		if !strings.HasPrefix(text, strings.ToUpper(s.Verdict)+": ") {
			t.Errorf("the verdict is %s, and the text begins with %.60q", s.Verdict, text)
		}
	}
}

// agreeOverview checks that the overview has as many lines of each word as there are findings.
func agreeOverview(t *testing.T, out string, want map[string]int) {
	t.Helper()
	_, overview, _ := strings.Cut(out, "\nOverview")
	for word, n := range want {
		if got := strings.Count(overview, "\n"+word+" "); got != n {
			t.Errorf("the overview has %d lines of %s, and JSON %d of them:\n%s", got, word, n, overview)
		}
	}
}

// missingRules is how many of the broken rules are about missing CRs.
func missingRules(r jsonReport) int {
	n := 0
	for _, rule := range r.Rules {
		if rule.Code == "VT3001" {
			n++
		}
	}
	return n
}

// comparedLine is the text's line of what comparing came to, where what is zero is left out.
func comparedLine(n map[string]int) string {
	noun := "CRs"
	if n["compared"] == 1 {
		noun = "CR"
	}
	var parts []string
	for _, share := range []struct {
		n    int
		text string
	}{{n["clean"], "clean"}, {n["extra"], "with extra content only"}, {n["drift"], "with drift"}, {n["error"], "failed"}} {
		if share.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", share.n, share.text))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("Compared %d %s: %s", n["compared"], noun, strings.Join(parts, ", "))
}

// sharesLine is the text's line of what became of the CRs that were read, where what is zero is
// left out.
func sharesLine(n map[string]int, refused int) string {
	noun := "CRs"
	if n["read"] == 1 {
		noun = "CR"
	}
	line := fmt.Sprintf("Read %d %s: %d compared", n["read"], noun, n["compared"])
	byTemplates, copies := "refused by their templates", "further copies"
	if refused == 1 {
		byTemplates = "refused by its template"
	}
	if n["copies"] == 1 {
		copies = "further copy"
	}
	for _, share := range []struct {
		n    int
		text string
	}{{n["unmatched"], "unmatched"}, {refused, byTemplates}, {n["ignored"] - refused, "of kinds that the reference does not have"}, {n["copies"], copies}} {
		if share.n > 0 {
			line += fmt.Sprintf(", %d %s", share.n, share.text)
		}
	}
	return line
}

// differencesLine is the text's line of counts, where those that are zero are left out.
func differencesLine(objects, counts map[string]int) string {
	if objects["compared"] == 0 {
		return ""
	}
	var parts []string
	for _, what := range []string{"drift", "missing", "extra", "expected"} {
		if counts[what] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[what], what))
		}
	}
	return "Differences: " + strings.Join(parts, ", ")
}
