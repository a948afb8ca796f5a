package cluster

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// group is the part of a unit that is in one place and does not identify its cluster.
type group struct {
	*unit
	located *Cluster          // cluster of the folder around it, clusters.several for more than one; nil for none
	same    map[*Cluster]bool // clusters with a copy of one of its objects
	other   map[*Cluster]pair // clusters with one of its objects under a different UID
}

// pair is two objects with one identity and different UIDs.
type pair struct{ here, there *manifest.Object }

// place assigns the units without an identity to clusters.
func (c *clusters) place() {
	if len(c.all) == 0 {
		c.pool()
		return
	}
	kept := c.kept()
	c.placeIdentified(kept)
	groups := c.groups()
	c.compareUIDs(groups)
	for _, g := range groups {
		c.resolve(g, kept)
	}
}

// kept returns the selected clusters.
func (c *clusters) kept() []*Cluster {
	return slice.Without(c.all, func(one *Cluster) bool { return one.left })
}

// placeIdentified assigns the units whose identity agrees with several clusters.
func (c *clusters) placeIdentified(kept []*Cluster) {
	for _, u := range c.units {
		if u.cluster != c.several {
			continue
		}
		fits := slice.Filter(kept, func(one *Cluster) bool { return one.Identity.agrees(u.identity) })
		switch len(fits) {
		case 0:
		case 1:
			c.enter(u, fits[0])
		default:
			doubt(fits, unclear(u, fits))
		}
	}
}

// pool puts everything into one cluster, or each input into its own, if no object identifies a
// cluster.
func (c *clusters) pool() {
	last := -1 // the input of the last cluster made
	for _, u := range c.units {
		if len(c.all) == 0 || c.opt.Each && u.input != last {
			c.create(u)
			last = u.input
		} else {
			c.enter(u, c.all[len(c.all)-1])
		}
		if u.clash != nil {
			doubt([]*Cluster{u.cluster}, contradiction(u.clash))
		}
	}
}

// groups divides the units without an identity by the clusters around them.
func (c *clusters) groups() []*group {
	var all []*group
	var units []*unit
	for _, u := range c.units {
		if u.cluster != nil || u.clash != nil {
			units = append(units, u)
			if u.clash != nil {
				c.create(u)
				doubt([]*Cluster{u.cluster}, contradiction(u.clash))
			}
			continue
		}
		found := map[*Cluster]*group{}
		for _, b := range u.batches {
			at := c.at(u.input, b.File.Name)
			if found[at] == nil {
				found[at] = &group{unit: &unit{input: u.input, folder: u.folder}, located: at,
					same: map[*Cluster]bool{}, other: map[*Cluster]pair{}}
				all = append(all, found[at])
				units = append(units, found[at].unit)
			}
			found[at].batches = append(found[at].batches, b)
		}
	}
	c.units = units
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
		for o := range objects(g.unit) {
			witnesses[o.ID] = append(witnesses[o.ID], witness{g, o})
		}
	}
	if len(witnesses) == 0 {
		return
	}
	for _, one := range c.all {
		for o := range objects(one.units...) {
			for _, w := range witnesses[o.ID] {
				_, known := w.group.other[one]
				switch {
				case w.object.UID == o.UID:
					w.group.same[one] = true
				case !known && keepsUID(o.ID.Kind) && !w.group.isRecreated(w.object, o):
					w.group.other[one] = pair{w.object, o}
				}
			}
		}
	}
}

// isRecreated reports whether the only object of a group is a later one than an object of a
// cluster with another UID: a user deleted that and created it anew. Nobody recreates a Namespace
// alone, and of several objects, the others would have the UIDs of the cluster.
func (g *group) isRecreated(here, there *manifest.Object) bool {
	if here.ID.Kind == "Namespace" || !here.Outdates(there) {
		return false
	}
	for o := range objects(g.unit) {
		if o != here {
			return false
		}
	}
	return true
}

// objects yields the objects of units that have a UID.
func objects(units ...*unit) iter.Seq[*manifest.Object] {
	return func(yield func(*manifest.Object) bool) {
		for _, u := range units {
			for _, b := range u.batches {
				for _, o := range b.Contents.Objects {
					if o.UID != "" && !yield(o) {
						return
					}
				}
			}
		}
	}
}

// keepsUID reports whether objects of a kind keep their UID until a user deletes them. The cluster
// itself recreates objects of other kinds under the same name.
func keepsUID(kind string) bool {
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

// resolve assigns a group: to the only cluster with copies of its objects; else to the cluster
// around it, unless that cluster has objects of the group with different UIDs; else to the only
// cluster.
func (c *clusters) resolve(g *group, kept []*Cluster) {
	same := slices.Collect(maps.Keys(g.same))
	_, contradicted := g.other[g.located]
	switch {
	case len(same) == 1:
		c.enter(g.unit, same[0])
	case c.isOne(g.located) && contradicted && !g.same[g.located]:
		c.create(g.unit)
	case c.isOne(g.located):
		c.enter(g.unit, g.located)
	case len(kept) == 1:
		c.enter(g.unit, kept[0])
		if twins, ok := g.other[kept[0]]; ok {
			doubt(kept, twoUIDs(twins))
		}
	default:
		g.cluster = c.several
		if g.matters() {
			doubt(kept, unclear(g.unit, kept))
		}
	}
}

// matters reports whether a unit contains a CR or something that could not be read or collected. An
// empty List belongs to no cluster in particular.
func (u *unit) matters() bool {
	return slices.ContainsFunc(u.batches, func(b *Batch) bool {
		found := b.Contents
		any := slices.ContainsFunc(found.Lost, func(l manifest.Lost) bool { return l.Any })
		return any || len(found.Objects)+len(found.Problems)+len(found.Blank)+len(found.Failed) > 0
	})
}

// twins searches for an object with two UIDs, if possible a Namespace. It does so only if no object
// identifies a cluster.
func (c *clusters) twins() {
	if len(c.all) != 1 || c.all[0].Identity.known() > 0 {
		return
	}
	first := map[manifest.ID]*manifest.Object{}
	var found *pair
	for o := range objects(c.units...) {
		before := first[o.ID]
		switch {
		case before == nil:
			first[o.ID] = o
		case before.UID != o.UID:
			found = found.or(pair{before, o})
		}
	}
	if found != nil {
		doubt(c.all, twoUIDs(*found))
	}
}

// doubt records the problem with each of the clusters that the uncertain CRs may belong to.
func doubt(clusters []*Cluster, p refconfig.Problem) {
	for _, one := range clusters {
		one.Doubts = append(one.Doubts, p)
	}
}

const wayOut = "give each cluster as an input of its own and select one with --cluster GLOB, or treat all inputs as one cluster with --join"

func contradiction(facts []fact) refconfig.Problem {
	return facts[1].place.Problem(code.ClusterUnclear,
		"the cluster is %s according to this file, but %s says that it is %s: CRs of two clusters are mixed; %s",
		facts[1].name(), facts[0].place, facts[0].name(), wayOut)
}

func twoUIDs(p pair) refconfig.Problem {
	return p.here.Place.Problem(code.ClusterUnclear, "%s has the UID %s here and %s in %s: these may be two clusters; %s",
		p.here.ID, p.here.UID, p.there.UID, p.there.Place, wayOut)
}

// unclear returns the problem of a unit that could belong to several clusters.
func unclear(u *unit, clusters []*Cluster) refconfig.Problem {
	count := 0
	for _, b := range u.batches {
		count += len(b.Contents.Objects)
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
	return u.batches[0].place().Problem(code.ClusterUnclear,
		"%s could be of any of %s: select one with --cluster GLOB, or treat all inputs as one cluster with --join",
		said, named(clusters))
}
