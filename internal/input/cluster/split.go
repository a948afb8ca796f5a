package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/refconfig"
)

// Cluster is one cluster and everything that was read of it.
type Cluster struct {
	Name     string // display name; "" if unknown
	Identity Identity
	Parts    []Part              // its parts of the inputs, in their order
	Batches  []*Batch            // by input and name
	Doubts   []refconfig.Problem // reasons why this may not be exactly one complete cluster

	left   bool // not selected
	listed int  // index in List, if selected
	units  []*unit
}

// Part is the portion of one input that belongs to one cluster.
type Part struct {
	Input  int
	Folder string // the folder that contains the part; "" for the whole input
}

// clusters is the state of dividing inputs into clusters.
type clusters struct {
	List []*Cluster // in the order of the inputs

	inputs  []source.Input
	paths   []string // path of each input
	batches []*Batch
	units   []*unit
	all     []*Cluster
	several *Cluster             // a placeholder for more than one cluster
	traits  map[trait][]*Cluster // clusters by a value of their identity
	where   map[string]*Cluster  // the cluster that owns a folder, by path; the field several if more than one does
	inInput map[int][]*unit      // the units of each input
	opt     Options
	cut     bool // reading stopped early: a cluster that Options.Only names may be in the rest
}

// trait is a value of an identity and the index of its field.
type trait struct {
	field int
	value string
}

// split divides the inputs into clusters. Its units are inputs, or roots inside them.
//
// Two units are one cluster if they share a value of their identities and differ in none. They are
// also one cluster if they have no kind of identity in common and neither could be united with
// another unit. A unit without an identity belongs to the cluster that has copies of its objects,
// else to the cluster next to it, else to the only cluster. If a unit could belong to several
// clusters, each of them gets a doubt. The order of the inputs affects only the order of the
// clusters. The error says that no cluster matches Options.Only.
func split(inputs []source.Input, batches []*Batch, opt Options, cut bool) (*clusters, error) {
	c := &clusters{
		inputs:  inputs,
		paths:   pathsOf(inputs),
		batches: sorted(batches),
		several: &Cluster{},
		where:   map[string]*Cluster{},
		traits:  map[trait][]*Cluster{},
		opt:     opt,
		cut:     cut,
	}
	if opt.Join {
		c.join()
	} else {
		c.units = unitsOf(inputs, c.batches)
		c.identify()
	}
	if err := c.unknown(); err != nil {
		return nil, err
	}
	if opt.Join {
		c.choose()
	} else {
		c.unite()
		c.choose()
		c.uniteKept()
		c.locate()
		c.place()
		c.twins()
	}
	c.finish()
	return c, nil
}

// join puts everything into one cluster, with a unit for each input. Contradictory facts are pooled
// on purpose.
func (c *clusters) join() {
	for _, b := range c.batches {
		if last := len(c.units) - 1; last < 0 || c.units[last].input != b.File.Input {
			c.units = append(c.units, &unit{input: b.File.Input})
		}
		c.units[len(c.units)-1].add(b)
	}
	for i, u := range c.units {
		u.resolve()
		if i == 0 {
			c.create(u)
		} else {
			c.enter(u, c.all[0])
		}
	}
}

// create adds a cluster with one unit.
func (c *clusters) create(u *unit) {
	one := &Cluster{left: len(c.opt.Only) > 0}
	c.all = append(c.all, one)
	c.enter(u, one)
}

// enter adds a unit to a cluster.
func (c *clusters) enter(u *unit, to *Cluster) {
	u.cluster = to
	to.units = append(to.units, u)
	known := to.Identity.with(u.identity)
	for i, value := range known {
		if value != to.Identity[i] {
			c.traits[trait{i, value}] = append(c.traits[trait{i, value}], to)
		}
	}
	to.Identity = known
}

// identify builds clusters from the units that have an identity. Units with the most known values
// come first, so that a unit that shares values with two others joins them.
func (c *clusters) identify() {
	var identified []*unit
	for _, u := range c.units {
		if u.identity.known() > 0 {
			identified = append(identified, u)
		}
	}
	slices.SortStableFunc(identified, func(a, b *unit) int {
		return cmp.Or(b.identity.known()-a.identity.known(), slices.Compare(a.identity[:], b.identity[:]))
	})
	for _, u := range identified {
		switch fits := c.fitting(u.identity); len(fits) {
		case 0:
			c.create(u)
		case 1:
			c.enter(u, fits[0])
		default:
			u.cluster = c.several
		}
	}
}

// fitting returns the clusters that agree with an identity.
func (c *clusters) fitting(id Identity) (fits []*Cluster) {
	for i, value := range id {
		for _, one := range c.traits[trait{i, value}] {
			if one.Identity.agrees(id) && !slices.Contains(fits, one) {
				fits = append(fits, one)
			}
		}
	}
	return fits
}

// isOne reports whether one is a certain cluster.
func (c *clusters) isOne(one *Cluster) bool { return one != nil && one != c.several }

// locate records for each folder which cluster is in it. A cluster whose folder is inside another
// cluster's folder is invisible from further out.
func (c *clusters) locate() {
	own := map[string]bool{}
	var placed []*unit
	for _, u := range c.units {
		if c.isOne(u.cluster) {
			at := c.path(u.input, u.folder)
			own[at], c.where[at] = true, u.cluster
			placed = append(placed, u)
		}
	}
	for _, u := range placed {
		for at := range foldersAbove(c.path(u.input, u.folder)) {
			if at == "" || own[at] {
				break
			}
			if before := cmp.Or(c.where[at], u.cluster); before != u.cluster {
				c.where[at] = c.several
				continue
			}
			c.where[at] = u.cluster
		}
	}
}

// at returns the cluster of a file or folder of an input: that of the innermost folder around it
// that has a cluster; nil for none.
func (c *clusters) at(input int, name string) *Cluster {
	for folder := range foldersAbove(c.path(input, name) + "/") {
		if one := c.where[folder]; one != nil {
			return one
		}
	}
	return nil
}

// unknown returns an error if a name in Options.Only matches no cluster.
func (c *clusters) unknown() error {
	for _, glob := range c.opt.Only {
		means := func(one *Cluster) bool { return one.called(glob) }
		if !c.cut && !slices.ContainsFunc(c.all, means) {
			return fmt.Errorf("no cluster of the inputs matches %q; %s", glob, c.names())
		}
	}
	return nil
}

// choose deselects the clusters that Options.Only does not match.
func (c *clusters) choose() {
	for _, one := range c.all {
		one.left = len(c.opt.Only) > 0 && !slices.ContainsFunc(c.opt.Only, one.called)
	}
}

// called reports whether a glob matches a name of the cluster.
func (c *Cluster) called(glob string) bool {
	return slices.ContainsFunc(c.Identity[:], func(name string) bool { return name != "" && finding.Globs(glob, name) })
}

// names returns the names of the clusters as an enumeration.
func (c *clusters) names() string {
	var names []string
	for _, one := range c.all {
		names = append(names, one.Identity.name())
	}
	if len(names) == 0 {
		return "they do not identify their cluster"
	}
	slices.Sort(names)
	return "the clusters are " + strings.Join(names, ", ")
}

// finish builds List from the selected clusters.
func (c *clusters) finish() {
	c.inInput = map[int][]*unit{}
	for _, u := range c.units {
		c.inInput[u.input] = append(c.inInput[u.input], u)
	}
	c.List = c.kept()
	for _, one := range c.List {
		one.Name = one.Identity.name()
		folders := map[int]string{} // folder by input
		for _, u := range one.units {
			one.Batches = append(one.Batches, u.batches...)
			if before, known := folders[u.input]; known {
				folders[u.input] = commonFolder(before, u.folder)
				continue
			}
			folders[u.input] = u.folder
		}
		sorted(one.Batches)
		for input, folder := range folders {
			if !slices.ContainsFunc(c.inInput[input], func(u *unit) bool { return u.cluster != one }) {
				folder = ""
			}
			one.Parts = append(one.Parts, Part{Input: input, Folder: folder})
		}
		slices.SortFunc(one.Parts, comparePart)
	}
	slices.SortStableFunc(c.List, func(a, b *Cluster) int { return slices.CompareFunc(a.Parts, b.Parts, comparePart) })
	for i, one := range c.List {
		one.listed = i
	}
}

func comparePart(a, b Part) int { return cmp.Or(a.Input-b.Input, cmp.Compare(a.Folder, b.Folder)) }

// has reports whether a part of an input belongs to a known cluster, selected or not.
func (c *clusters) has(input int) bool {
	return slices.ContainsFunc(c.inInput[input], func(u *unit) bool { return c.isOne(u.cluster) })
}

// found reports whether anything was found in an input, even if its cluster is unknown.
func (c *clusters) found(input int) bool { return len(c.inInput[input]) > 0 }

// answers reports whether an input says anything about CRs, except that they could not be collected.
func (c *clusters) answers(input int) bool {
	return slices.ContainsFunc(c.inInput[input], func(u *unit) bool {
		return slices.ContainsFunc(u.batches, func(b *Batch) bool {
			rest := b.Contents
			rest.Failed = nil
			return !rest.IsEmpty()
		})
	})
}

// of returns the indices in List of the clusters that a path inside an input may concern: the
// cluster that owns the folder around it, or the archive with this name; or else all clusters that
// own a part of the input. The result may be empty.
func (c *clusters) of(input int, name string) (all []int) {
	one := cmp.Or(c.where[c.path(input, name+"!")], c.at(input, name))
	units := c.inInput[input]
	if c.isOne(one) {
		units = one.units[:1]
	}
	for _, u := range units {
		if c.isOne(u.cluster) && !u.cluster.left && !slices.Contains(all, u.cluster.listed) {
			all = append(all, u.cluster.listed)
		}
	}
	slices.Sort(all)
	return all
}
