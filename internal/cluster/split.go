package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/refconfig"
)

// Cluster is one cluster and everything that was read of it.
type Cluster struct {
	Name     string // display name; "" if unknown
	Identity Identity
	Parts    []Part              // its parts of the inputs, in their order
	Batches  []*Batch            // by input and name
	Doubts   []refconfig.Problem // why it is uncertain that this is exactly one complete cluster

	left    bool // not selected
	listed  int  // index in List, if selected
	members []*area
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
	spots   []spot // location of each input
	batches []*Batch
	areas   []*area
	all     []*Cluster
	traits  map[trait][]int // clusters by a value of their identity
	where   map[spot]int    // the cluster that owns a folder, or several
	shares  map[int]*share  // owners of the inputs in which anything was found
	opt     Options
	cut     bool // reading stopped early: a cluster that Options.Only names may be in the rest
}

// trait is a value of an identity and the index of its field.
type trait struct {
	field int
	value string
}

// tellApart divides the inputs into clusters. Its units are inputs, or roots inside them.
//
// Two units are one cluster if they share a value of their identities and differ in none. They are
// also one cluster if they have no kind of identity in common and neither could be united with
// another unit. A unit without an identity belongs to the cluster that has copies of its objects,
// else to the cluster next to it, else to the only cluster. If a unit could belong to several
// clusters, each of them gets a doubt. The order of the inputs affects only the order of the
// clusters. The error says that no cluster matches Options.Only.
func tellApart(inputs []source.Input, batches []*Batch, opt Options, cut bool) (*clusters, error) {
	c := &clusters{
		inputs:  inputs,
		spots:   spotsOf(inputs),
		batches: sorted(batches),
		where:   map[spot]int{},
		traits:  map[trait][]int{},
		opt:     opt,
		cut:     cut,
	}
	if opt.Join {
		c.join()
	} else {
		c.areas = areas(inputs, c.batches)
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

// join puts everything into one cluster, with an area for each input. Contradictory facts are
// pooled on purpose.
func (c *clusters) join() {
	facts := factsOf(c.batches)
	for i, b := range c.batches {
		last := len(c.areas) - 1
		if last < 0 || c.areas[last].input != b.File.Input {
			c.areas = append(c.areas, &area{input: b.File.Input})
			last++
		}
		c.areas[last].add(i, facts[i])
	}
	for i, a := range c.areas {
		a.settle()
		if i == 0 {
			c.create(a)
		} else {
			c.enter(a, 0)
		}
		c.where[c.spot(a.input, "")] = 0
	}
}

// create adds a cluster with one area.
func (c *clusters) create(a *area) {
	c.all = append(c.all, &Cluster{left: len(c.opt.Only) > 0})
	c.enter(a, len(c.all)-1)
}

// enter adds an area to a cluster.
func (c *clusters) enter(a *area, to int) {
	a.cluster = to
	one := c.all[to]
	one.members = append(one.members, a)
	known := one.Identity.with(a.identity)
	for i, value := range known {
		if value != one.Identity[i] {
			c.traits[trait{i, value}] = append(c.traits[trait{i, value}], to)
		}
	}
	one.Identity = known
}

// identify builds clusters from the areas that have an identity. Areas with the most known values
// come first, so that an area that shares values with two others joins them.
func (c *clusters) identify() {
	var telling []*area
	for _, a := range c.areas {
		if a.identity.known() > 0 {
			telling = append(telling, a)
		}
	}
	slices.SortStableFunc(telling, func(a, b *area) int {
		return cmp.Or(b.identity.known()-a.identity.known(), slices.Compare(a.identity[:], b.identity[:]))
	})
	for _, a := range telling {
		switch fits := c.fitting(a.identity); len(fits) {
		case 0:
			c.create(a)
		case 1:
			c.enter(a, fits[0])
		default:
			a.cluster = several
		}
	}
}

// fitting returns the clusters that agree with an identity, in order.
func (c *clusters) fitting(id Identity) []int {
	var fits []int
	for i, value := range id {
		if value != "" {
			fits = append(fits, c.traits[trait{i, value}]...)
		}
	}
	slices.Sort(fits)
	return slices.DeleteFunc(slices.Compact(fits), func(i int) bool { return !c.all[i].Identity.agrees(id) })
}

// locate records for each folder which cluster is in it. A cluster whose folder is inside another
// cluster's folder is invisible from further out.
func (c *clusters) locate() {
	own := map[spot]bool{}
	for _, a := range c.areas {
		if a.cluster >= 0 {
			at := c.spot(a.input, a.folder)
			own[at], c.where[at] = true, a.cluster
		}
	}
	for _, a := range c.areas {
		if a.cluster < 0 {
			continue
		}
		home := c.spot(a.input, a.folder)
		for folder := range foldersAbove(home.folder) {
			at := spot{home.input, folder}
			if own[at] {
				break
			}
			if before, known := c.where[at]; known && before != a.cluster {
				c.where[at] = several
				continue
			}
			c.where[at] = a.cluster
		}
	}
}

// at returns the cluster of a file or folder of an input: that of the innermost folder around it
// that has a cluster.
func (c *clusters) at(input int, name string) int {
	s := c.spot(input, name)
	for folder := range foldersAbove(s.folder + "/") {
		if one, known := c.where[spot{s.input, folder}]; known {
			return one
		}
	}
	return undecided
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
