package finding

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
)

// missingRun is a run with so many missing CRs of each sort in random rules, and what the lists
// come to.
func missingRun(r *rand.Rand) (*Run, [3]int) {
	run := &Run{Summary: Summary{Objects: Objects{Read: 9}}}
	var want [3]int
	for range r.IntN(5) {
		b := Rule{
			Code: []code.Code{code.RuleMissing, code.RuleNotGathered, code.RuleOneRequired, code.RuleForbidden}[r.IntN(4)],
		}
		wanted := r.IntN(3) == 0
		for range 1 + r.IntN(3) {
			m := Missed{NotCollected: r.IntN(3) == 0}
			if wanted {
				m.WantedBy = &Object{Kind: "Other"}
			}
			b.Templates = append(b.Templates, "t")
			b.Missing = append(b.Missing, m)
			if b.IsMissing() {
				want[slices.Index([]Class{ClassAbsent, ClassNotCollected, ClassWanted}, m.Class())]++
			}
		}
		run.Rules = append(run.Rules, b)
	}
	run.Conclude()
	return run, want
}

// numberBefore reads the number that stands before words in a text, 0 where there is none.
func numberBefore(text, words string) int {
	found := regexp.MustCompile(`([0-9]+) ` + words).FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(found[1])
	return n
}

// TestWhatIsNotThereHasOneWord: in the overview and in lists of findings a CR that was not found is
// called so, and a field that the CR lacks missing.
func TestWhatIsNotThereHasOneWord(t *testing.T) {
	run := &Run{Rules: []Rule{{Rule: "allOf", Code: "VT3001", Templates: []string{"a.yaml", "b.yaml"},
		Missing: []Missed{{Template: "a.yaml"}, {Template: "b.yaml", NotCollected: true}}}}}
	run.Summary.Objects.Read = 1
	findings := run.Rules[0].findings(nil)
	for i, want := range []string{"not found (a.yaml)", "perhaps not collected (b.yaml)"} {
		entry := run.Entries(Grouping{}, nil)[i]
		if f := findings[i]; f.Words != want || f.Class.Word() != entry.Word() ||
			!strings.HasPrefix(entry.Word(), "NOT FOUND") {
			t.Errorf("it is %s and %s, and in the overview %s", f.Class.Word(), f.Words, entry.Word())
		}
	}
	if ClassMissing.Word() != "MISSING" {
		t.Errorf("a field is %s", ClassMissing.Word())
	}
}

// Each missing CR is of one sort, the summary counts them, and the sentence says these numbers.
func TestTheSentenceHasTheNumbersOfTheSummary(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 2000 {
		run, want := missingRun(r)
		s := run.Summary
		if got := [3]int{s.AbsentCRs, s.NotCollectedCRs, s.WantedCRs}; got != want ||
			s.MissingCRs != want[0]+want[1]+want[2] {
			t.Fatalf("%d missing, %v of the sorts; the rules have %v", s.MissingCRs, got, want)
		}
		said := run.Sentence(FailOn{"drift", "missing"})
		missing := numberBefore(said, "required CRs? (?:was|were) not found")
		absent, open, wanted := numberBefore(said, "absent"), numberBefore(
			said, "perhaps not collected",
		), numberBefore(said, "required by other CRs")
		switch {
		case missing == 0:
			open = numberBefore(said, "required CRs? (?:was|were) perhaps not collected")
			missing = open
		case absent+open+wanted > 0:
		case strings.Contains(said, "(required by other CRs)"):
			wanted = missing
		default:
			absent = missing
		}
		if missing != s.MissingCRs || absent != s.AbsentCRs || open != s.NotCollectedCRs || wanted != s.WantedCRs {
			t.Fatalf("%q, of %+v", said, s)
		}
		if broken := numberBefore(said, "rules? (?:is|are) broken"); broken != len(run.OtherRules()) {
			t.Fatalf("%q, and %d other rules are broken", said, len(run.OtherRules()))
		}
	}
}

// Only what is surely not there counts for absent.
func TestFailOnAbsent(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 6))
	seen := map[int]int{}
	for range 2000 {
		run, _ := missingRun(r)
		report := Report{Runs: []*Run{run}, FailOn: FailOn{"absent"}}
		report.Conclude()
		want := 0
		for _, b := range run.Rules {
			open := 0
			for _, m := range b.Missing {
				if m.NotCollected {
					open++
				}
			}
			if b.IsMissing() && open < len(b.Missing) || b.Code == code.RuleOneRequired && open == 0 {
				want = 1
			}
		}
		if run.Summary.Verdict == Incomplete {
			want = 2 // nothing was compared, and nothing is broken
		}
		if report.ExitStatus != want {
			t.Fatalf(
				"the exit status is %d, want %d: %s %+v",
				report.ExitStatus,
				want,
				run.Sentence(report.FailOn),
				run.Rules,
			)
		}
		if strings.Contains(run.Sentence(report.FailOn), "not counted") && want == 1 &&
			run.Summary.NotCollectedCRs == 0 &&
			len(run.OtherRules()) == 0 {
			t.Fatalf("everything counts: %s", run.Sentence(report.FailOn))
		}
		seen[want]++
	}
	if len(seen) != 3 {
		t.Errorf("exit statuses %v; all should occur", seen)
	}
}

func TestMissingInWords(t *testing.T) {
	for _, c := range []struct {
		absent, open, wanted int
		failOn, want         string
	}{
		{1, 0, 0, "missing", "DRIFT: 1 required CR was not found"},
		{0, 1, 0, "missing", "DRIFT: 1 required CR was perhaps not collected"},
		{0, 3, 0, "absent", "DRIFT: 3 required CRs were perhaps not collected; not counted as a failure (--fail-on absent)"},
		{0, 0, 2, "missing", "DRIFT: 2 required CRs were not found (required by other CRs)"},
		{12, 20, 4, "missing", "DRIFT: 36 required CRs were not found (12 absent, 20 perhaps not collected, 4 required by other CRs)"},
		{1, 2, 0, "absent", "DRIFT: 3 required CRs were not found (1 absent, 2 perhaps not collected); not counted as a failure (--fail-on absent): " +
			"2 required CRs were perhaps not collected"},
		{1, 2, 0, "drift", "DRIFT: 3 required CRs were not found (1 absent, 2 perhaps not collected); not counted as a failure (--fail-on drift)"},
		{1, 2, 0, "missing,absent", "DRIFT: 3 required CRs were not found (1 absent, 2 perhaps not collected)"},
	} {
		failOn, err := ParseFailOn(c.failOn)
		if err != nil {
			t.Fatal(err)
		}
		run := &Run{
			Summary: Summary{
				Verdict:         Differs,
				MissingCRs:      c.absent + c.open + c.wanted,
				AbsentCRs:       c.absent,
				NotCollectedCRs: c.open,
				WantedCRs:       c.wanted,
			},
		}
		if got := run.Sentence(failOn); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
