package finding

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/refconfig"
)

// Impact says what a finding means to the user's organisation. Impact rules (--impact) set it.
type Impact string

// The impacts. Without impact rules, findings have no impact.
const (
	Impacting    Impact = "impacting"
	Review       Impact = "review" // somebody has to look at it
	NotImpacting Impact = "not-impacting"
)

// Severity orders impacts, the least serious first; no impact is 0.
func (i Impact) Severity() int {
	return 1 + slices.Index([]Impact{NotImpacting, Review, Impacting}, i)
}

// Rating is the impact that a rule gives a finding, with the rule's explanation.
type Rating struct {
	Impact  Impact `json:"impact,omitempty"`
	Comment string `json:"comment,omitempty"`
	Link    string `json:"link,omitempty"`
}

// Words describes the rating: "IMPACTING: The fronthaul loses its timing. https://example.com/rt".
func (r Rating) Words() string {
	return strings.ToUpper(string(r.Impact)) + Prefixed(": ", strings.TrimSpace(r.Comment+" "+r.Link))
}

// Impacts counts findings by impact.
type Impacts struct {
	Impacting    int `json:"impacting"`
	NotImpacting int `json:"notImpacting"`
	Review       int `json:"review"`
}

// count adds a finding if it has an impact.
func (n *Impacts) count(i Impact) {
	switch i {
	case Impacting:
		n.Impacting++
	case NotImpacting:
		n.NotImpacting++
	case Review:
		n.Review++
	}
}

// String lists the numbers in words, the most serious first; "" if all are zero.
func (n Impacts) String() string {
	return Shares(
		Share{N: n.Impacting, Text: "impacting"},
		Share{N: n.Review, Text: "to review"},
		Share{N: n.NotImpacting, Text: "not impacting"},
	)
}

// Impact returns the most serious impact of an object's differences, "" if they have none.
func (c *Comparison) Impact() Impact {
	var worst Impact
	for i := range c.Differences { // reports sort by it: most differences have none, and are large
		if one := c.Differences[i].Impact; one != "" && one.Severity() > worst.Severity() {
			worst = one
		}
	}
	return worst
}

// Impact returns the most serious impact of a run's findings, "" if they have none.
func (r *Run) Impact() Impact {
	switch n := r.Summary.Impact; {
	case n == nil:
		return ""
	case n.Impacting > 0:
		return Impacting
	case n.Review > 0:
		return Review
	case n.NotImpacting > 0:
		return NotImpacting
	}
	return ""
}

// Ratings returns the ratings of an object's differences without duplicates: the most serious
// first, then in the order of the object.
func (c *Comparison) Ratings() []Rating {
	var all []Rating
	met := map[Rating]bool{}
	for _, d := range c.Differences {
		if d.Impact != "" && !met[d.Rating] {
			met[d.Rating] = true
			all = append(all, d.Rating)
		}
	}
	slices.SortStableFunc(all, func(a, b Rating) int { return b.Impact.Severity() - a.Impact.Severity() })
	return all
}

// CountImpacts counts the findings of a run by impact.
func (r *Run) CountImpacts() {
	n := &Impacts{}
	for f := range r.Findings(nil, nil) {
		n.count(f.Impact)
	}
	r.Summary.Impact = n
}

// AddProblem adds a problem that occurred after Conclude.
func (r *Run) AddProblem(p refconfig.Problem) {
	r.Unreadable = append(r.Unreadable, p)
	r.Summary.Unreadable++
	r.Summary.Verdict = r.verdict()
}
