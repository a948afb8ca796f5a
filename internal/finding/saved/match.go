package saved

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/slice"
)

// match returns for each run the earlier run of the same cluster, or nil. It compares IDs, then
// infrastructures, then names. Clusters with the same name do not match if both have a surer name
// of the same kind, or if one could be several of the other side. If each side has only one run,
// these two match. The order of the runs decides nothing.
func match(now, then []*finding.Run) []*finding.Run {
	if len(now) == 1 && len(then) == 1 {
		return then
	}
	m := matching{found: make([]*finding.Run, len(now)), taken: map[*finding.Run]bool{}}
	for level := range nameCount {
		m.pairAll(now, then, level, true)
		m.pairAll(now, then, level, false)
	}
	return m.found
}

// matching is what match has found so far.
type matching struct {
	found []*finding.Run // by the index of the later run
	taken map[*finding.Run]bool
}

// pairAll pairs clusters by their names at a level: those that have no surer name, or those of which
// one side may have one.
func (m matching) pairAll(now, then []*finding.Run, level int, nameOnly bool) {
	later, earlier := keyedRuns{}, keyedRuns{}
	for i, run := range now {
		if m.found[i] == nil {
			later.add(run, i, level)
		}
	}
	for i, run := range then {
		if !m.taken[run] {
			earlier.add(run, i, level)
		}
	}
	for key, runs := range later {
		other := key
		if nameOnly {
			if key.surer != 0 {
				continue
			}
		} else if other = earlier.only(key.same()); other.name == "" || later.only(other.same()) != key {
			continue
		}
		if olds := earlier[other]; olds != nil {
			m.pair(now, runs.at, then, olds.at)
		}
	}
}

// keyedRuns has the indexes of runs by the keys of their clusters.
type keyedRuns map[clusterKey]*sameKey

// sameKey has the indexes of runs with the same key, and whether they are of several clusters.
type sameKey struct {
	at    []int
	first [nameCount]string // the names of the first one
	many  bool
}

func (k keyedRuns) add(run *finding.Run, at, level int) {
	key, ok := keyOf(run.Cluster, level)
	if !ok {
		return
	}
	all := names(run.Cluster)
	clear(all[level:]) // less sure names do not tell clusters apart
	if k[key] == nil {
		k[key] = &sameKey{first: all}
	}
	k[key].at = append(k[key].at, at)
	k[key].many = k[key].many || k[key].first != all
}

// only returns the one of some keys that has runs if these are of one cluster, else the zero key.
func (k keyedRuns) only(keys []clusterKey) (one clusterKey) {
	for _, key := range keys {
		switch runs := k[key]; {
		case runs == nil:
		case runs.many || one.name != "":
			return clusterKey{}
		default:
			one = key
		}
	}
	return one
}

// pair pairs runs of one cluster: those of the same inputs first, then the rest in a fixed order.
func (m matching) pair(now []*finding.Run, later []int, then []*finding.Run, earlier []int) {
	sortRuns(now, later)
	sortRuns(then, earlier)
	left := map[string][]int{}
	for _, at := range earlier {
		left[inputsOf(then[at])] = append(left[inputsOf(then[at])], at)
	}
	take := func(i, at int) { m.found[i], m.taken[then[at]] = then[at], true }
	for _, i := range later {
		if all := left[inputsOf(now[i])]; len(all) > 0 {
			left[inputsOf(now[i])] = all[1:]
			take(i, all[0])
		}
	}
	rest := slice.Without(earlier, func(at int) bool { return m.taken[then[at]] })
	for _, i := range later {
		if m.found[i] == nil && len(rest) > 0 {
			take(i, rest[0])
			rest = rest[1:]
		}
	}
}

// sortRuns sorts the indexes of runs by their inputs, then by their findings.
func sortRuns(runs []*finding.Run, at []int) {
	if len(at) == 1 {
		return
	}
	found := map[int]string{}
	findings := func(i int) string {
		if _, known := found[i]; !known {
			var all []string
			for _, f := range countedFindings(runs[i], finding.FailOnWords()) {
				all = append(all, contents(f))
			}
			slices.Sort(all)
			found[i] = strings.Join(all, "")
		}
		return found[i]
	}
	slices.SortFunc(at, func(a, b int) int {
		if by := cmp.Compare(inputsOf(runs[a]), inputsOf(runs[b])); by != 0 {
			return by
		}
		return cmp.Compare(findings(a), findings(b))
	})
}

// inputsOf joins the places of a run's inputs.
func inputsOf(run *finding.Run) string { return run.Places(len(run.Inputs)) }

// clusterKey is one of the names of a cluster, with the information which surer names the cluster
// has.
type clusterKey struct {
	level int // the index of the name in the result of names
	name  string
	surer int // a bit for each surer name that the cluster has
}

// keyOf returns the key of a cluster's name at a level; ok is false if the cluster has no such
// name.
func keyOf(c finding.Cluster, level int) (key clusterKey, ok bool) {
	all := names(c)
	key = clusterKey{level: level, name: all[level]}
	for i, name := range all[:level] {
		if name != "" {
			key.surer |= 1 << i
		}
	}
	return key, key.name != ""
}

// same returns the keys of clusters with the same name that have none of this cluster's surer
// names: a surer name that both have would already have decided.
func (k clusterKey) same() (all []clusterKey) {
	for surer := range 1 << k.level {
		if surer&k.surer == 0 {
			all = append(all, clusterKey{k.level, k.name, surer})
		}
	}
	return all
}

// unmatched returns the earlier runs that match no later one.
func unmatched(then, matched []*finding.Run) []*finding.Run {
	met := map[*finding.Run]bool{}
	for _, old := range matched {
		met[old] = true
	}
	return slice.Without(then, func(old *finding.Run) bool { return met[old] })
}

// nameCount is the number of names of a cluster.
const nameCount = 3

// names returns the names that identify a cluster, the surest first.
func names(c finding.Cluster) [nameCount]string {
	return [nameCount]string{c.ID, c.Infrastructure, c.Name}
}

// otherCluster reports whether two runs are of different clusters. The surest name that both have
// decides.
func otherCluster(a, b *finding.Run) bool {
	for key, name := range names(a.Cluster) {
		if other := names(b.Cluster)[key]; name != "" && other != "" {
			return name != other
		}
	}
	return false
}
