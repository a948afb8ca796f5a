package report

import (
	"strings"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/refconfig"
)

// Report is what a command found: a result for each cluster of the inputs, and what of it counts as a failure.
type Report struct {
	Runs   []*compare.Result // at least one, in the order of the inputs
	FailOn FailOn
	Passed []compare.Passed // what of the inputs was passed over, by reason, sorted
}

// Exit is the exit status: the worst of the clusters', where 2 is worse than 1 and 1 worse than 0.
func (r Report) Exit() int {
	worst := 0
	for _, run := range r.Runs {
		worst = max(worst, exit(run, r.FailOn))
	}
	return worst
}

// Verdict is the worst of the clusters'.
func (r Report) Verdict() Verdict {
	counts := r.verdicts()
	for _, v := range []Verdict{Incomplete, Differs} {
		if counts[v] > 0 {
			return v
		}
	}
	return Compliant
}

// verdicts counts the clusters by verdict.
func (r Report) verdicts() map[Verdict]int {
	counts := map[Verdict]int{}
	for _, run := range r.Runs {
		counts[VerdictOf(run)]++
	}
	return counts
}

// sentence is what the clusters come to in words: "3 clusters: 1 compliant, 1 DRIFT, 1 INCOMPLETE".
func (r Report) sentence() string {
	counts := r.verdicts()
	var said []string
	for _, v := range []Verdict{Compliant, Differs, Incomplete} {
		if n := counts[v]; n > 0 {
			name := strings.ToUpper(string(v))
			if v == Compliant {
				name = string(v)
			}
			said = append(said, decimal(n)+" "+name)
		}
	}
	return plural(len(r.Runs), "cluster: ", "clusters: ") + strings.Join(said, ", ")
}

// reference is the reference that all clusters are compared with, nil where it is not known.
func (r Report) reference() *refconfig.Reference {
	if len(r.Runs) == 0 {
		return nil
	}
	return r.Runs[0].Reference
}

// clusterName is what to call the cluster of a result: its name, else where it lies.
func clusterName(r *compare.Result) string {
	if r.Cluster.Name != "" {
		return r.Cluster.Name
	}
	var places []string
	for _, in := range r.Inputs {
		places = append(places, inputPlace(in))
	}
	return "of " + strings.Join(places, ", ")
}
