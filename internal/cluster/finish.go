package cluster

import (
	"cmp"
	"slices"
)

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

// of returns the indices in List of the clusters that a path inside an input may concern: the
// cluster that owns the folder around it, or the archive with this name; otherwise all clusters
// that own a part of the input. The result may be empty.
func (c *clusters) of(input int, name string) (all []int) {
	one := cmp.Or(c.where[c.spot(input, name+"!")], c.at(input, name))
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
