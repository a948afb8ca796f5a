package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// pathsOf returns a path for each input, in a common folder "". If the two folders of one root are
// given separately, they are in the path of the first, as they are if the root is given.
func pathsOf(inputs []source.Input) []string {
	first := map[string]string{} // path of each root
	all := make([]string, len(inputs))
	for i, in := range inputs {
		all[i] = strconv.Itoa(i)
		root, name := path.Split(filepath.ToSlash(filepath.Clean(in.Path)))
		if collector.IsScope(name) {
			first[root] = cmp.Or(first[root], all[i])
			all[i] = first[root] + "/" + name
		}
	}
	return all
}

// path returns the path of a file or folder of an input.
func (c *clusters) path(input int, name string) string { return path.Join(c.paths[input], name) }

// unite merges clusters that have no kind of identity in common, because only a contradiction keeps
// clusters apart. It merges inside the innermost folders first: what is in one folder is more likely
// to be of one cluster.
func (c *clusters) unite() {
	levels := map[string][]*Cluster{}
	for _, one := range c.all {
		home := c.path(one.units[0].input, one.units[0].folder)
		for _, u := range one.units[1:] {
			home = commonFolder(home, c.path(u.input, u.folder))
		}
		for folder := range foldersAbove(home + "/") {
			levels[folder] = append(levels[folder], one)
		}
	}
	inward := func(a, b string) int { return len(b) - len(a) } // the path of an inner folder is longer
	for _, level := range slices.SortedFunc(maps.Keys(levels), inward) {
		c.uniteAmong(levels[level])
	}
}

// byKinds is a list of clusters for each set of known kinds of identity.
type byKinds [1 << len(Identity{})][]*Cluster

// strangers returns the clusters whose known kinds are disjoint from these, and whether some of
// them contradict each other.
func (of *byKinds) strangers(kinds int) (all []*Cluster, contradict bool) {
	seen := 0
	for other, list := range of {
		if other&kinds == 0 && len(list) > 0 {
			all = append(all, list...)
			contradict = contradict || len(list) > 1 || seen&other != 0
			seen |= other
		}
	}
	return all, contradict
}

// rivals is two clusters that share no kind of identity, and an object that has a different UID in
// each.
type rivals struct {
	clusters []*Cluster
	pair
}

// uniteAmong merges some clusters, regardless of all others, and removes those that were merged into
// others. It returns the clusters that could be merged with several, together with their candidates,
// and the pairs that UIDs keep apart.
func (c *clusters) uniteAmong(some []*Cluster) (unclear []*Cluster, apart []rivals) {
	var of byKinds
	for _, one := range some {
		if kinds := one.Identity.kinds(); kinds != 0 && len(one.units) > 0 {
			of[kinds] = append(of[kinds], one)
		}
	}
	var certain []*Cluster
	for kinds, list := range of {
		others, contradict := of.strangers(kinds)
		switch {
		case len(list) == 0 || len(others) == 0:
		case contradict:
			unclear = append(append(unclear, list...), others...)
		case len(list) == 1: // several contradict each other, so the others are unclear
			certain = append(certain, list...)
		}
	}
	for i, into := range certain {
		for _, from := range certain[i+1:] {
			if into.Identity.kinds()&from.Identity.kinds() != 0 || len(into.units) == 0 || len(from.units) == 0 {
				continue
			}
			if odd := otherUIDs(into, from); odd != nil {
				apart = append(apart, rivals{[]*Cluster{into, from}, *odd})
				continue
			}
			for _, u := range from.units {
				u.cluster = into
			}
			into.units, from.units = append(into.units, from.units...), nil
			into.Identity = into.Identity.with(from.Identity)
		}
	}
	if len(certain) > 0 {
		c.all = slices.DeleteFunc(c.all, func(one *Cluster) bool { return len(one.units) == 0 })
	}
	return unclear, apart
}

// otherUIDs returns an object, if possible a Namespace, that has different UIDs in two clusters;
// nil if no such object exists, or if both clusters share an object with the same UID.
func otherUIDs(a, b *Cluster) (found *pair) {
	first := map[manifest.ID]*manifest.Object{}
	for o := range objects(a.units...) {
		first[o.ID] = o
	}
	for o := range objects(b.units...) {
		before := first[o.ID]
		switch {
		case before == nil:
		case before.UID == o.UID:
			return nil
		default:
			found = found.or(pair{before, o})
		}
	}
	return found
}

// or returns the pair p, or the other one if that is better evidence. p may be nil.
func (p *pair) or(other pair) *pair {
	if keepsUID(other.here.ID.Kind) && (p == nil || other.here.ID.Kind == "Namespace" && p.here.ID.Kind != "Namespace") {
		return &other
	}
	return p
}

// uniteKept merges the selected clusters, regardless of all others, and records which could still
// be one cluster.
func (c *clusters) uniteKept() {
	unclear, apart := c.uniteAmong(c.kept())
	doubted := map[*Cluster]bool{}
	for _, one := range unclear {
		doubted[one] = true
	}
	if len(doubted) > 0 {
		all := slices.Collect(maps.Keys(doubted))
		doubt(all, alike(all))
	}
	for _, two := range apart {
		doubt(two.clusters, twoUIDs(two.pair))
	}
}

// alike returns the problem for several clusters if some of them could be one.
func alike(clusters []*Cluster) refconfig.Problem {
	var places []refconfig.Place
	for _, one := range clusters {
		for _, u := range one.units {
			places = append(places, u.facts[0].place)
		}
	}
	return slices.MinFunc(places, refconfig.Place.Compare).Problem(
		code.ClusterUnclear,
		"the identities of the clusters %s have no part in common, so some of them may be one: "+
			"select the names of one cluster with --cluster GLOB, once for each name, or treat all inputs as one cluster with --join",
		named(clusters),
	)
}

// named returns the names of clusters as an enumeration, with the IDs of those that share a name.
func named(clusters []*Cluster) string {
	const most = 10
	names, count := make([]string, len(clusters)), map[string]int{}
	for _, one := range clusters {
		count[one.Identity.name()]++
	}
	for i, one := range clusters {
		names[i] = one.Identity.name()
		if id := cmp.Or(one.Identity[clusterID], one.Identity[systemUID]); count[names[i]] > 1 && id != "" {
			names[i] += " (ID " + id + ")"
		}
	}
	slices.Sort(names)
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
