package report

import (
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
)

// Verdict is what a run comes to.
type Verdict string

// The verdicts.
const (
	Compliant  Verdict = "compliant"  // everything was read and evaluated, and nothing was found that should fail
	Differs    Verdict = "drift"      // something was found that should fail
	Incomplete Verdict = "incomplete" // something could not be read or evaluated: the answer is not to be relied on
)

// Decide returns the verdict and the exit status that goes with it: 0, 1 or 2.
func Decide(r *compare.Result, failOn FailOn) (verdict Verdict, exit int) {
	if len(obstacles(r)) > 0 {
		return Incomplete, 2
	}
	for _, f := range findings(r, failOn) {
		if f.fails {
			return Differs, 1
		}
	}
	return Compliant, 0
}

// obstacles says in words what makes a result incomplete.
func obstacles(r *compare.Result) []string {
	var out []string
	if r.Counts.Read == 0 {
		out = append(out, "the input holds no CR")
	}
	if n := r.Counts.Error; n > 0 {
		out = append(out, plural(n, "CR could not be evaluated", "CRs could not be evaluated"))
	}
	n := r.Counts.Unreadable
	if r.Interrupted {
		out = append(out, "the run was interrupted")
		n-- // the entry that says so
	}
	if n > 0 {
		out = append(out, plural(n, "file could not be read", "files could not be read"))
	}
	return out
}

// finding is a kind of finding in words, and whether it makes the run fail.
type finding struct {
	text  string
	fails bool
	info  bool // worth a word only where it makes the run fail
}

func findings(r *compare.Result, failOn FailOn) []finding {
	failOn = failOn.effective()
	c := r.Counts
	var out []finding
	if c.Drift > 0 {
		text := fmt.Sprintf("%d of %d CRs differ from the reference", c.Drift, c.Compared)
		if c.Drift == 1 {
			text = fmt.Sprintf("1 of %s differs from the reference", plural(c.Compared, "CR", "CRs"))
		}
		d := c.Differences
		fails := failOn.Drift && d[compare.Drift] > 0 || failOn.Missing && d[compare.Missing] > 0
		out = append(out, finding{text: text, fails: fails})
	}
	if n := c.MissingCRs; n > 0 {
		out = append(out, finding{text: plural(n, "required CR is missing", "required CRs are missing"), fails: failOn.Missing})
	}
	if n := len(otherRules(r)); n > 0 {
		out = append(out, finding{text: plural(n, "rule is broken", "rules are broken"), fails: failOn.Missing})
	}
	if c.Differences[compare.Extra] > 0 {
		text := plural(c.Differences[compare.Extra], "field is extra", "fields are extra")
		out = append(out, finding{text: text, fails: failOn.Extra, info: true})
	}
	if n := c.Unmatched; n > 0 {
		out = append(out, finding{text: plural(n, "CR is unmatched", "CRs are unmatched"), fails: failOn.Unmatched, info: true})
	}
	if n := c.Referenced; n > 0 {
		text := plural(n, "CR is referenced but not in the input", "CRs are referenced but not in the input")
		out = append(out, finding{text: text, fails: failOn.Referenced, info: true})
	}
	return out
}

// isMissing reports whether a rule is broken because CRs are missing.
func isMissing(b compare.BrokenRule) bool {
	return b.Code == code.RuleMissing || b.Code == code.RuleNotGathered
}

// otherRules are the broken rules that are not about missing CRs.
func otherRules(r *compare.Result) []compare.BrokenRule {
	var out []compare.BrokenRule
	for _, b := range r.Rules {
		if !isMissing(b) {
			out = append(out, b)
		}
	}
	return out
}

// sentence is the verdict in words: "DRIFT: 2 of 14 CRs differ from the reference, 1 required CR is missing".
func sentence(r *compare.Result, failOn FailOn) string {
	verdict, _ := Decide(r, failOn)
	var failing, passing []string
	for _, f := range findings(r, failOn) {
		switch {
		case f.fails:
			failing = append(failing, f.text)
		case !f.info:
			passing = append(passing, f.text)
		}
	}
	head := strings.ToUpper(string(verdict)) + ": "
	allowed := ""
	if len(passing) > 0 {
		allowed = "; not counted as failures (--fail-on " + failOn.String() + "): " + strings.Join(passing, ", ")
	}
	switch verdict {
	case Incomplete:
		said := head + strings.Join(obstacles(r), ", ")
		if len(failing) > 0 {
			said += "; besides, " + strings.Join(failing, ", ")
		}
		return said + allowed
	case Differs:
		return head + strings.Join(failing, ", ") + allowed
	}
	if len(passing) > 0 {
		return head + "no failure was found" + allowed
	}
	if r.Counts.Compared == 0 {
		return head + "nothing was compared, and the reference requires nothing"
	}
	extra := ""
	if n := r.Counts.Extra; n > 0 {
		extra = ", " + decimal(n) + " of them with extra content"
	}
	masked := ""
	if n := r.Counts.Masked; n > 0 {
		masked = "; " + plural(n, "value was", "values were") + " masked by the collector and not compared"
	}
	return head + plural(r.Counts.Compared, "CR agrees", "CRs agree") + " with the reference" + extra + "; nothing is missing" + masked
}

// plural writes a number with the words that go with it.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
