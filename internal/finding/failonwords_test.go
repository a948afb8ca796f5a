package finding

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/run/code"
)

// TestEveryWordOfFailOnCounts: each word makes a run with such a finding fail, other words do not, and
// the manual explains it. What makes a run fail counts as a change, and what is of interest only to those
// who ask for it counts if they do.
func TestEveryWordOfFailOnCounts(t *testing.T) {
	manual, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	differing := func(d Difference) *Run {
		c := &Comparison{Differences: []Difference{d}}
		c.Counts.Count(d.Category, 1)
		c.Result = c.Counts.Result()
		return &Run{Comparisons: []*Comparison{c}}
	}
	missing := func(m Missed) *Run {
		m.Template = "t.yaml"
		return &Run{Rules: []Rule{{Code: code.RuleMissing, Templates: []string{m.Template}, Missing: []Missed{m}}}}
	}
	for _, word := range FailOnWords() {
		if !strings.Contains(string(manual), "`"+string(word)+"`") {
			t.Errorf("docs/formats.md does not explain %s", word)
		}
		run, also := &Run{}, FailOnWord("") // also is another word that counts the same finding
		switch word {
		case FailOnDrift, FailOnInvalid, FailOnExtra:
			run = differing(Difference{Category: Category(word)})
		case FailOnMissing:
			run = missing(Missed{NotCollected: true})
		case FailOnAbsent:
			run, also = missing(Missed{}), FailOnMissing
		case FailOnUnmatched:
			run.Unmatched, also = []Unmatched{{}}, FailOnUnmatchedAll
		case FailOnUnmatchedAll: // the comparison decides which kinds count
			run.Unmatched, also = []Unmatched{{}, {OtherKind: true}}, FailOnUnmatched
		case FailOnReferenced:
			run.Referenced = []Referenced{{}}
		case FailOnImpacting:
			run, also = differing(Difference{Category: Extra, Rating: Rating{Impact: Impacting}}), FailOnExtra
		case FailOnNew, FailOnNone: // count nothing by themselves
			continue
		default:
			t.Errorf("%s has no row", word)
		}
		run.Summary.Objects.Read = 1
		run.Conclude()
		run.CountImpacts()
		for _, other := range FailOnWords() {
			fails := slices.ContainsFunc(slices.Collect(run.Findings(FailOn{other}, nil)), func(f Finding) bool { return f.Effect == Fails })
			want := other == word || other == also
			if fails != want || run.Summary.Verdict != Incomplete && (run.ExitStatus(FailOn{other}) > 0) != want {
				t.Errorf("a run with a finding that is %s fails on %s: %v", word, other, fails)
			}
			for f := range run.Findings(FailOn{other}, nil) {
				asked := f.Class == ClassExtra || f.Class == ClassReferenced || f.Class == ClassUnmatched
				if counts, fails := f.Counts(FailOn{other}), f.Effect == Fails; counts != fails && (fails || asked) {
					t.Errorf("a finding that is %s counts as a change on %s: %v", word, other, counts)
				}
			}
		}
	}
}

// TestEveryCategoryIsCounted: each category has a count of its own, which its name tells.
func TestEveryCategoryIsCounted(t *testing.T) {
	for _, category := range Categories() {
		var c Counts
		c.Count(category, 3)
		if c.Of(category) != 3 || c.String() != "3 "+string(category) {
			t.Errorf("%s: %d, %q", category, c.Of(category), c)
		}
		var sum Counts
		sum.Add(c)
		if sum != c {
			t.Errorf("%s is lost in a sum", category)
		}
	}
}
