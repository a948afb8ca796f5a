package gather

import (
	"cmp"
	"slices"
)

// finish makes the list of the clusters that are asked for.
func (c *Clusters) finish() {
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
			if c.alone(number, input) {
				folder = ""
			}
			one.Parts = append(one.Parts, Part{Input: input, Folder: folder})
		}
		slices.SortFunc(one.Parts, comparePart)
	}
	for number, one := range c.all {
		if !one.left {
			c.order = append(c.order, number)
		}
	}
	slices.SortStableFunc(c.order, func(a, b int) int {
		return slices.CompareFunc(c.all[a].Parts, c.all[b].Parts, comparePart)
	})
	for _, number := range c.order {
		c.List = append(c.List, c.all[number].Cluster)
	}
}

func comparePart(a, b Part) int { return cmp.Or(a.Input-b.Input, cmp.Compare(a.Folder, b.Folder)) }

// alone reports whether no other cluster has anything in an input.
func (c *Clusters) alone(number, input int) bool {
	return !slices.ContainsFunc(c.areas, func(a *area) bool { return a.input == input && a.cluster != number })
}

// Has reports whether an input holds anything of which a cluster is known, be it one that is not asked for.
func (c *Clusters) Has(input int) bool {
	return slices.ContainsFunc(c.areas, func(a *area) bool { return a.input == input && a.cluster >= 0 })
}

// Found reports whether anything was found in an input, be it of no cluster in particular.
func (c *Clusters) Found(input int) bool {
	return slices.ContainsFunc(c.areas, func(a *area) bool { return a.input == input })
}

// Of returns the clusters, as indices of List, that something inside an input may concern, by its path inside the input: the one in whose
// folder it lies, else all that have a part in the input. There may be none.
func (c *Clusters) Of(input int, name string) []int {
	at := c.at(input, name)
	var out []int
	for i, number := range c.order {
		if number == at || at < 0 && slices.ContainsFunc(c.List[i].Parts, func(p Part) bool { return p.Input == input }) {
			out = append(out, i)
		}
	}
	return out
}
