package cluster

import (
	"fmt"
	"maps"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/refconfig"
)

// group is the part of an area that is in one place and does not identify its cluster.
type group struct {
	*area
	located int          // the cluster of the folder around it, or several, or undecided
	same    map[int]bool // clusters with a copy of one of its objects
	other   map[int]pair // clusters with one of its objects under a different UID
}

// pair is two objects with one identity and different UIDs.
type pair struct{ here, there *manifest.Object }

// place assigns the areas without an identity to clusters.
func (c *clusters) place() {
	if len(c.all) == 0 {
		c.pool()
		return
	}
	var kept []int
	for i, one := range c.all {
		if !one.left {
			kept = append(kept, i)
		}
	}
	c.placeTelling(kept)
	groups := c.groups()
	c.compareUIDs(groups)
	for _, g := range groups {
		c.settle(g, kept)
	}
}

// placeTelling assigns the areas whose identity agrees with several clusters.
func (c *clusters) placeTelling(kept []int) {
	for _, a := range c.areas {
		if a.cluster != several {
			continue
		}
		fits := slices.DeleteFunc(slices.Clone(kept), func(i int) bool { return !c.all[i].Identity.agrees(a.identity) })
		switch len(fits) {
		case 0:
		case 1:
			c.enter(a, fits[0])
		default:
			c.doubt(fits, c.unclear(a, fits))
		}
	}
}

// pool puts everything into one cluster, or each input into its own, if no object identifies a
// cluster.
func (c *clusters) pool() {
	last := -1 // the input of the last cluster made
	for _, a := range c.areas {
		if len(c.all) == 0 || c.opt.Each && a.input != last {
			c.create(a)
			last = a.input
		} else {
			c.enter(a, len(c.all)-1)
		}
		if a.clash != nil {
			c.doubt([]int{a.cluster}, contradiction(a.clash))
		}
	}
}

// groups divides the areas without an identity by the clusters around them.
func (c *clusters) groups() []*group {
	var all []*group
	var areas []*area
	for _, a := range c.areas {
		if a.cluster != undecided || a.clash != nil {
			areas = append(areas, a)
			if a.clash != nil {
				c.create(a)
				c.doubt([]int{a.cluster}, contradiction(a.clash))
			}
			continue
		}
		found := map[int]*group{}
		for _, i := range a.batches {
			at := c.at(a.input, c.batches[i].File.Name)
			if found[at] == nil {
				found[at] = &group{area: &area{input: a.input, folder: a.folder, cluster: undecided}, located: at,
					same: map[int]bool{}, other: map[int]pair{}}
				all = append(all, found[at])
				areas = append(areas, found[at].area)
			}
			found[at].batches = append(found[at].batches, i)
		}
	}
	c.areas = areas
	return all
}

// compareUIDs finds the clusters that have objects of the groups, with the same or a different UID.
func (c *clusters) compareUIDs(groups []*group) {
	type witness struct {
		group  *group
		object *manifest.Object
	}
	witnesses := map[manifest.ID][]witness{}
	for _, g := range groups {
		for o := range c.objects(g.area) {
			witnesses[o.ID] = append(witnesses[o.ID], witness{g, o})
		}
	}
	if len(witnesses) == 0 {
		return
	}
	for i, one := range c.all {
		for _, a := range one.members {
			for o := range c.objects(a) {
				for _, w := range witnesses[o.ID] {
					_, known := w.group.other[i]
					switch {
					case w.object.UID == o.UID:
						w.group.same[i] = true
					case !known && lasting(o.ID.Kind):
						w.group.other[i] = pair{w.object, o}
					}
				}
			}
		}
	}
}

// objects yields the objects of an area that have a UID.
func (c *clusters) objects(a *area) func(yield func(*manifest.Object) bool) {
	return func(yield func(*manifest.Object) bool) {
		for _, i := range a.batches {
			for _, o := range c.batches[i].Contents.Objects {
				if o.UID != "" && !yield(o) {
					return
				}
			}
		}
	}
}

// lasting reports whether objects of a kind keep their UID until a user deletes them. The cluster
// itself recreates objects of other kinds under the same name.
func lasting(kind string) bool {
	switch kind {
	case "Pod",
		"Event",
		"Lease",
		"Endpoints",
		"EndpointSlice",
		"Job",
		"ReplicaSet",
		"ControllerRevision",
		"CertificateSigningRequest",
		"PodMetrics",
		"NodeMetrics":
		return false
	}
	return true
}

// settle assigns a group: to the only cluster with copies of its objects; else to the cluster
// around it, unless that has its objects with different UIDs; else to the only cluster.
func (c *clusters) settle(g *group, kept []int) {
	same := slices.Collect(maps.Keys(g.same))
	_, contradicted := g.other[g.located]
	switch {
	case len(same) == 1:
		c.enter(g.area, same[0])
	case g.located >= 0 && contradicted && !g.same[g.located]:
		c.create(g.area)
	case g.located >= 0:
		c.enter(g.area, g.located)
	case len(kept) == 1:
		c.enter(g.area, kept[0])
		if twins, ok := g.other[kept[0]]; ok {
			c.doubt(kept, twoUIDs(twins))
		}
	default:
		g.area.cluster = several
		if c.matters(g.area) {
			c.doubt(kept, c.unclear(g.area, kept))
		}
	}
}

// matters reports whether an area contains a CR or something that could not be read or collected.
// An empty List belongs to no cluster in particular.
func (c *clusters) matters(a *area) bool {
	return slices.ContainsFunc(a.batches, func(i int) bool {
		found := c.batches[i].Contents
		return len(found.Objects)+len(found.Problems)+len(found.Blank)+len(found.Failed) > 0
	})
}

// twins searches for an object with two UIDs, a Namespace if possible, if no object identifies a
// cluster.
func (c *clusters) twins() {
	if len(c.all) != 1 || c.all[0].Identity.known() > 0 {
		return
	}
	first := map[manifest.ID]*manifest.Object{}
	var found *pair
	for _, a := range c.areas {
		for o := range c.objects(a) {
			before := first[o.ID]
			if before == nil {
				first[o.ID] = o
				continue
			}
			if before.UID != o.UID {
				found = found.or(pair{before, o})
			}
		}
	}
	if found != nil {
		c.doubt([]int{0}, twoUIDs(*found))
	}
}

// doubt records the problem with each of the clusters that the uncertain CRs may belong to.
func (c *clusters) doubt(clusters []int, p refconfig.Problem) {
	for _, i := range clusters {
		c.all[i].Doubts = append(c.all[i].Doubts, p)
	}
}

const wayOut = "give each cluster as an input of its own and select one with --cluster GLOB, or treat all inputs as one cluster with --join"

func contradiction(facts []fact) refconfig.Problem {
	return refconfig.Problem{Code: code.ClusterUnclear, Place: facts[1].place, Message: fmt.Sprintf(
		"the cluster is %s according to this file, but %s says that it is %s: CRs of two clusters are mixed; %s",
		facts[1].name(), facts[0].place, facts[0].name(), wayOut)}
}

func twoUIDs(p pair) refconfig.Problem {
	return refconfig.Problem{Code: code.ClusterUnclear, Place: p.here.Place, Message: fmt.Sprintf(
		"%s has the UID %s here and %s in %s: these may be two clusters; %s",
		p.here.ID,
		p.here.UID,
		p.there.UID,
		p.there.Place,
		wayOut,
	)}
}

// unclear returns the problem of an area that could belong to several clusters.
func (c *clusters) unclear(a *area, clusters []int) refconfig.Problem {
	count := 0
	for _, i := range a.batches {
		count += len(c.batches[i].Contents.Objects)
	}
	said := "the CR does not identify its cluster, so it was not compared; it"
	switch {
	case count == 0:
		said = "the file could not be read, and nothing identifies its cluster; it"
	case count > 1:
		said = fmt.Sprintf(
			"the %d CRs here and next to it do not identify their cluster, so they were not compared; they",
			count,
		)
	}
	var could []*Cluster
	for _, i := range clusters {
		could = append(could, c.all[i])
	}
	first := c.batches[a.batches[0]].File
	return refconfig.Problem{
		Code:  code.ClusterUnclear,
		Place: refconfig.Place{File: first.Path, Entry: first.Entry},
		Message: fmt.Sprintf(
			"%s could be of any of %s: select one with --cluster GLOB, or treat all inputs as one cluster with --join",
			said,
			named(could),
		),
	}
}
