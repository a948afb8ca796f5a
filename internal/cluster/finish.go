package cluster

import (
	"cmp"
	"slices"
)

// share describes the clusters that one input belongs to.
type share struct {
	only  int   // the cluster that owns the whole input, or several
	known bool  // a part belongs to a known cluster, selected or not
	parts []int // indices in List of the clusters that own a part
}

// survey computes the shares of the inputs.
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

// finish builds List from the selected clusters.
func (c *clusters) finish() {
	c.survey()
	for number, one := range c.all {
		one.Name = one.Identity.name()
		folders := map[int]string{} // folder by input
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

// has reports whether a part of an input belongs to a known cluster, selected or not.
func (c *clusters) has(input int) bool { return c.found(input) && c.shares[input].known }

// found reports whether anything was found in an input, even if its cluster is unknown.
func (c *clusters) found(input int) bool { return c.shares[input] != nil }

// of returns the indices in List of the clusters that a path inside an input may concern: the
// cluster that owns the folder around it, or the archive with this name; otherwise all clusters
// that own a part of the input. The result may be empty.
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
