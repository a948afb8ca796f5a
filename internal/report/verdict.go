package report

import (
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
)

// Verdict is what was found out about a cluster, or about several.
type Verdict string

// The verdicts.
const (
	Compliant  Verdict = "compliant"  // everything was read and evaluated, and no required content differs or is missing
	Differs    Verdict = "drift"      // something differs or is missing, or a rule is broken
	Incomplete Verdict = "incomplete" // something could not be read or evaluated: the answer is not to be relied on
)

// VerdictOf says what is so, whatever the user wants to fail on.
func VerdictOf(r *compare.Result) Verdict {
	switch {
	case len(obstacles(r)) > 0:
		return Incomplete
	case deviates(r):
		return Differs
	}
	return Compliant
}

// deviates reports whether a cluster is not as the reference says.
func deviates(r *compare.Result) bool { return r.Counts.Drift+r.Counts.BrokenRules > 0 }

// exit is the exit status for one cluster: 0, 1 or 2.
func exit(r *compare.Result, failOn FailOn) int {
	if VerdictOf(r) == Incomplete {
		return 2
	}
	for _, f := range findings(r, failOn) {
		if f.fails {
			return 1
		}
	}
	return 0
}

// obstacles says in words what makes a result incomplete.
func obstacles(r *compare.Result) []string {
	var out []string
	barren := countUnreadable(r, code.InputNoObjects)
	switch {
	case r.Counts.Read == 0:
		out = append(out, "the input holds no CR")
	case barren > 0:
		out = append(out, plural(barren, "input holds no CR", "inputs hold no CR"))
	}
	if n := r.Counts.Error; n > 0 {
		out = append(out, plural(n, "CR could not be evaluated", "CRs could not be evaluated"))
	}
	n := r.Counts.Unreadable - barren
	if r.Interrupted {
		out = append(out, "the run was interrupted")
		n-- // the entry that says so
	}
	if unclear := countUnreadable(r, code.ClusterUnclear); unclear > 0 {
		out = append(out, "it is not clear which CRs are of this cluster")
		n -= unclear
	}
	if n > 0 {
		out = append(out, plural(n, "file could not be read", "files could not be read"))
	}
	if len(out) == 0 && nothingCompared(r) {
		out = append(out, "nothing of what the reference speaks of was compared; check that the input is of the cluster and collected whole, "+
			"and that this is its reference")
	}
	return out
}

// nothingCompared reports whether a cluster would be compliant although nothing of it was looked at. That components which the user
// named are not there is an answer: those that have to be there are missing.
func nothingCompared(r *compare.Result) bool {
	return r.Counts.Compared+r.Counts.Referenced == 0 && !deviates(r) && !r.Chosen
}

// countUnreadable counts what could not be read, or be told apart, for the reason that a code stands for.
func countUnreadable(r *compare.Result, c code.Code) int {
	n := 0
	for _, u := range r.Unreadable {
		if u.Code == c {
			n++
		}
	}
	return n
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
	var told, passing, besides []string
	for _, f := range findings(r, failOn) {
		switch {
		case !f.info:
			told = append(told, f.text)
			if !f.fails {
				passing = append(passing, f.text)
			}
		case f.fails:
			besides = append(besides, f.text)
		}
	}
	verdict, said := VerdictOf(r), ""
	switch verdict {
	case Incomplete:
		said = strings.Join(obstacles(r), ", ")
		if len(told) > 0 {
			said += "; besides, " + strings.Join(told, ", ")
		}
	case Differs:
		said = strings.Join(told, ", ")
	default:
		said = agreement(r)
	}
	switch {
	case len(passing) > 0 && len(passing) == len(told):
		said += "; not counted as a failure (--fail-on " + failOn.String() + ")"
	case len(passing) > 0:
		said += "; not counted as a failure (--fail-on " + failOn.String() + "): " + strings.Join(passing, ", ")
	}
	if len(besides) > 0 {
		said += "; counted as a failure (--fail-on " + failOn.String() + "): " + strings.Join(besides, ", ")
	}
	return strings.ToUpper(string(verdict)) + ": " + said
}

// agreement is the verdict on a cluster that is compliant.
func agreement(r *compare.Result) string {
	if r.Counts.Compared == 0 {
		return "nothing was compared: nothing of the components that were named is there, and nothing of them has to be"
	}
	extra, masked := "", ""
	if n := r.Counts.Extra; n > 0 {
		extra = ", " + decimal(n) + " of them with extra content"
	}
	if n := r.Counts.Masked; n > 0 {
		masked = "; " + plural(n, "value was", "values were") + " masked by the collector and not compared"
	}
	return plural(r.Counts.Compared, "CR agrees", "CRs agree") + " with the reference" + extra + "; nothing is missing" + masked
}

// plural writes a number with the words that go with it.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
