package cluster

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/refconfig"
)

// Batch is a file of an input and what was found in it.
type Batch struct {
	File     source.File
	Contents manifest.Contents
}

// area is a part of one input that is of one cluster as far as it can be told: a folder that
// collectors lay out for one cluster (a root, see collector.Names), or what of the input lies
// outside of such folders.
type area struct {
	input    int
	folder   string // "" for the whole input
	batches  []int  // indices, in the order of the names
	facts    []fact
	identity Identity
	clash    []fact // two facts that contradict each other where the area cannot be divided; else nil
	cluster  int    // index of the cluster it belongs to, or one of the two below
}

const (
	undecided = -1
	several   = -2 // it could belong to more than one cluster
)

// fact is an object that tells something of its cluster.
type fact struct {
	Identity
	batch int
	place refconfig.Place
}

// areas divides the batches, which are sorted by input and name.
func areas(inputs []source.Input, batches []*Batch) []*area {
	type key struct {
		input  int
		folder string
	}
	known := map[key]*area{}
	var all []*area
	facts := factsOf(batches)
	for i, b := range batches {
		k := key{b.File.Input, collector.RootOf(b.File.Name, inputs[b.File.Input].Roots)}
		if known[k] == nil {
			known[k] = &area{input: k.input, folder: k.folder, cluster: undecided}
			all = append(all, known[k])
		}
		known[k].add(i, facts[i])
	}
	var divided []*area
	for _, a := range all {
		divided = append(divided, a.divide(batches, facts)...)
	}
	return divided
}

// foldersAbove yields the folders around a name, the innermost first, and "" last.
func foldersAbove(name string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for name != "" {
			name = name[:max(0, strings.LastIndexByte(name, '/'))]
			if !yield(name) {
				return
			}
		}
	}
}

// factsOf returns what the objects of each batch tell of their cluster.
func factsOf(batches []*Batch) [][]fact {
	all := make([][]fact, len(batches))
	for i, b := range batches {
		for _, o := range b.Contents.Objects {
			if id := identityOf(o); id.known() > 0 {
				all[i] = append(all[i], fact{Identity: id, batch: i, place: o.Place})
			}
		}
	}
	return all
}

// add takes in a batch with its facts.
func (a *area) add(i int, facts []fact) {
	a.batches = append(a.batches, i)
	a.facts = append(a.facts, facts...)
}

// divide returns the area, or the areas that it falls into because facts in it contradict each
// other: clusters that are in folders, or files, side by side. What is next to these stays in an
// area of its own. Where contradicting facts are in one file, the area stays whole and has a clash.
func (a *area) divide(batches []*Batch, facts [][]fact) []*area {
	clash := a.settle()
	if clash == nil {
		return []*area{a}
	}
	common := batches[a.facts[0].batch].File.Name
	for _, f := range a.facts[1:] {
		common = commonFolder(common, batches[f.batch].File.Name)
	}
	if common == batches[a.facts[0].batch].File.Name {
		a.clash, a.identity = clash, Identity{}
		return []*area{a}
	}
	telling := map[string]*area{}
	for _, f := range a.facts {
		folder := childOf(common, batches[f.batch].File.Name)
		telling[folder] = &area{input: a.input, folder: folder, cluster: undecided}
	}
	rest := &area{input: a.input, folder: a.folder, cluster: undecided}
	var all []*area
	for _, i := range a.batches {
		into := rest
		if inside := telling[childOf(common, batches[i].File.Name)]; inside != nil {
			into = inside
		}
		if len(into.batches) == 0 {
			all = append(all, into)
		}
		into.add(i, facts[i])
	}
	var divided []*area
	for _, one := range all {
		divided = append(divided, one.divide(batches, facts)...)
	}
	return divided
}

// settle makes the area's identity of its facts. It returns two that contradict each other, if
// there are.
func (a *area) settle() []fact {
	a.identity = Identity{}
	for _, f := range a.facts {
		if a.identity.contradicts(f.Identity) {
			at := slices.IndexFunc(a.facts, func(other fact) bool { return other.contradicts(f.Identity) })
			return []fact{a.facts[at], f}
		}
		a.identity = a.identity.with(f.Identity)
	}
	return nil
}

// commonFolder returns the innermost folder that both names are in, or the name itself where they
// are the same.
func commonFolder(a, b string) string {
	if a == b {
		return a
	}
	for folder := range foldersAbove(a + "/") {
		if folder == "" || b == folder || strings.HasPrefix(b, folder+"/") {
			return folder
		}
	}
	return ""
}

// childOf returns what of a folder a name is in: the folder or file right below it. "" where the
// name lies elsewhere.
func childOf(folder, name string) string {
	rest, start := name, 0
	if folder != "" {
		below, ok := strings.CutPrefix(name, folder+"/")
		if !ok {
			return ""
		}
		rest, start = below, len(folder)+1
	}
	first, _, _ := strings.Cut(rest, "/")
	return name[:start+len(first)]
}

// compareBatches orders batches by input and name; of entries that share a name the later one comes
// behind.
func compareBatches(a, b *Batch) int {
	x, y := a.File, b.File
	return cmp.Or(x.Input-y.Input, cmp.Compare(x.Name, y.Name), cmp.Compare(x.Entry, y.Entry), x.Turn-y.Turn)
}

// sorted returns the batches by input and name: they are read in no order.
func sorted(batches []*Batch) []*Batch {
	slices.SortFunc(batches, compareBatches)
	return batches
}
