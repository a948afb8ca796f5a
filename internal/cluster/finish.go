package cluster

import (
	"cmp"
	"slices"
)

// share is whose an input is.
type share struct {
	only  int   // the cluster that has all of it, or several
	known bool  // some of it is of a cluster that is known, be it one that is not asked for
	parts []int // the clusters that have a part in it, as indices of List
}

// survey finds out whose the inputs are.
func (c *clusters) survey() {
	c.shares = map[int]*share{}
	for _, a := range c.areas {
		s := c.shares[a.input]
		if s == nil {
			s = &share{only: a.cluster}
			c.shares[a.input] = s
		}
		if s.only != a.cluster {
			s.only = several
		}
		s.known = s.known || a.cluster >= 0
	}
}

// finish makes the list of the clusters that are asked for.
func (c *clusters) finish() {
	c.survey()
	for number, one := range c.all {
		one.Name = one.Identity.name()
		folders := map[int]string{} // by input
		for _, a := range one.members {
			for _, i := range a.batches {
				one.Batches = append(one.Batches, c.batches[i])
			}
			if before, known := folders[a.input]; known {
				folders[a.input] = commonFolder(before, a.folder)
				continue
			}
			folders[a.input] = a.folder
		}
		sorted(one.Batches)
		for input, folder := range folders {
			if c.shares[input].only == number {
				folder = ""
			}
			one.Parts = append(one.Parts, Part{Input: input, Folder: folder})
		}
		slices.SortFunc(one.Parts, comparePart)
		if !one.left {
			c.List = append(c.List, one)
		}
	}
	slices.SortStableFunc(c.List, func(a, b *Cluster) int { return slices.CompareFunc(a.Parts, b.Parts, comparePart) })
	for i, one := range c.List {
		one.listed = i
		for _, p := range one.Parts {
			c.shares[p.Input].parts = append(c.shares[p.Input].parts, i)
		}
	}
}

func comparePart(a, b Part) int { return cmp.Or(a.Input-b.Input, cmp.Compare(a.Folder, b.Folder)) }

// has reports whether an input holds anything of which a cluster is known, be it one that is not
// asked for.
func (c *clusters) has(input int) bool { return c.found(input) && c.shares[input].known }

// found reports whether anything was found in an input, be it of no cluster in particular.
func (c *clusters) found(input int) bool { return c.shares[input] != nil }

// of returns the clusters, as indices of List, that something inside an input may concern, by its
// path inside the input: the one in whose folder it is, or that of an archive of this name, else
// all that have a part in the input. There may be none.
func (c *clusters) of(input int, name string) []int {
	at := c.at(input, name)
	if inside, known := c.where[c.spot(input, name+"!")]; known {
		at = inside
	}
	switch {
	case at >= 0 && c.all[at].left:
		return nil
	case at >= 0:
		return []int{c.all[at].listed}
	case c.found(input):
		return c.shares[input].parts
	}
	return nil
}
