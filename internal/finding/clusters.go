package finding

import (
	"cmp"
)

// Sentence describes the verdicts of all clusters: "3 clusters: 1 compliant, 1 DRIFT, 1
// INCOMPLETE". Inputs without CRs are no clusters. It also says what has changed since a baseline, and
// which clusters fail although they are compliant, or the other way round.
func (r *Report) Sentence() string {
	n := r.Summary.Clusters
	blank, unread := 0, 0 // the last is the number of inputs
	for _, run := range r.Runs {
		if run.IsCluster() {
			continue
		}
		n.Incomplete--
		if run.IsUnread() {
			unread += len(run.Inputs)
		} else {
			blank++
		}
	}
	said := Plural(r.CountClusters(), "cluster", "clusters") + Prefixed(": ", n.String())
	if blank > 0 {
		said += "; " + Incomplete.Short() + ": " + Plural(blank, "input gave no CR", "inputs gave no CR")
	}
	if unread > 0 {
		said += "; " + Plural(unread, "input was not read", "inputs were not read")
	}
	return said + Prefixed("; ", r.Since()) + r.effects()
}

// String lists the numbers in words: "1 compliant, 2 DRIFT".
func (n Clusters) String() string {
	return Shares(
		Share{N: n.Compliant, Text: Compliant.Short()},
		Share{N: n.Drift, Text: Differs.Short()},
		Share{N: n.Incomplete, Text: Incomplete.Short()},
	)
}

// Count adds a cluster.
func (n *Clusters) Count(v Verdict) {
	switch v {
	case Compliant:
		n.Compliant++
	case Differs:
		n.Drift++
	default:
		n.Incomplete++
	}
}

// IsUnread reports whether this Run is only a placeholder for inputs that an interrupted comparison
// did not read. Such a Run is no cluster.
func (r *Run) IsUnread() bool {
	return r.Interrupted && r.Cluster == (Cluster{}) && r.Summary.Objects.Read == 0
}

// IsCluster reports whether a run is of a cluster: it has CRs, or is known to lack them.
func (r *Run) IsCluster() bool { return r.Summary.Objects.Read > 0 || r.Cluster != (Cluster{}) }

// CountClusters counts the clusters. A cluster with several runs counts once.
func (r *Report) CountClusters() int {
	n := 0
	for i, first := range r.firsts() {
		if first == i && r.Runs[i].IsCluster() {
			n++
		}
	}
	return n
}

// firsts returns for each run the index of the first run of the same cluster: the id is the same, or the
// infrastructure if one of the two has no id. Several runs of a cluster are possible if saved reports are
// merged. The order of the runs does not matter for what belongs together.
func (r *Report) firsts() []int {
	ids := map[string]string{} // of infrastructures: the least id
	for _, run := range r.Runs {
		if c := run.Cluster; c.ID != "" && c.Infrastructure != "" {
			ids[c.Infrastructure] = min(c.ID, cmp.Or(ids[c.Infrastructure], c.ID))
		}
	}
	firsts, known := make([]int, len(r.Runs)), map[Cluster]int{}
	for i, run := range r.Runs {
		same := Cluster{ID: cmp.Or(run.Cluster.ID, ids[run.Cluster.Infrastructure])}
		if same.ID == "" {
			same.Infrastructure = run.Cluster.Infrastructure
		}
		first, isKnown := known[same]
		if !isKnown || same == (Cluster{}) {
			first, known[same] = i, i
		}
		firsts[i] = first
	}
	return firsts
}

// verdicts returns the worst verdict of each cluster, and of each run that is no cluster.
func (r *Report) verdicts() (all []Verdict) {
	at := map[int]int{}
	for i, first := range r.firsts() {
		verdict := r.Runs[i].Summary.Verdict
		if first == i {
			at[i] = len(all)
			all = append(all, verdict)
		} else if verdict.Severity() > all[at[first]].Severity() {
			all[at[first]] = verdict
		}
	}
	return all
}

// Heading returns the word before the Name of a run in its heading.
func (r *Run) Heading() string {
	switch {
	case r.IsUnread():
		return "Not read: "
	case r.Cluster.Name == "":
		return "Input "
	}
	return "Cluster "
}

// WorstFirst orders clusters by verdict, then by the numbers of drifting CRs, missing CRs and
// broken rules.
func WorstFirst(a, b *Run) int {
	x, y := a.Summary, b.Summary
	return cmp.Or(
		y.Verdict.Severity()-x.Verdict.Severity(),
		y.Objects.Drift-x.Objects.Drift,
		y.MissingCRs-x.MissingCRs,
		y.BrokenRules-x.BrokenRules,
	)
}

// Name returns the name of a run's cluster, or at most eleven locations of its inputs if the
// cluster has no name.
func (r *Run) Name() string {
	if r.Cluster.Name != "" {
		return r.Cluster.Name
	}
	const most = 10
	return cmp.Or(r.Places(most), "input")
}

// Places names the locations of the inputs of a run: at most one more than most.
func (r *Run) Places(most int) string {
	var places []string
	for _, in := range r.Inputs {
		places = append(places, in.Place())
	}
	return Some(places, most)
}
