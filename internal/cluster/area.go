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

// Batch is one file of an input and the contents found in it.
type Batch struct {
	File     source.File
	Contents manifest.Contents
}

// area is the part of one input that belongs to one cluster, as far as that is known: a folder that
// collectors lay out for one cluster (a root, see collector.Names), or the files outside of such
// folders.
type area struct {
	input    int
	folder   string // "" for the whole input
	batches  []int  // indices, in the order of the names
	facts    []fact
	identity Identity
	clash    []fact // two contradictory facts if the area cannot be divided; else nil
	cluster  int    // index of its cluster, or one of the two constants below
}

const (
	undecided = -1
	several   = -2 // it could belong to more than one cluster
)

// fact is an object that identifies its cluster.
type fact struct {
	Identity
	batch int
	place refconfig.Place
}

// areas divides the batches into areas. The batches must be sorted by input and name.
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

// factsOf returns, for each batch, the facts that its objects state about their cluster.
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

// add adds a batch and its facts.
func (a *area) add(i int, facts []fact) {
	a.batches = append(a.batches, i)
	a.facts = append(a.facts, facts...)
}

// divide returns the area itself, or several areas if its facts contradict each other because
// clusters are in sibling folders or files. The remaining files stay in an area of their own. If
// one file contains contradictory facts, the area is not divided and gets a clash.
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

// settle sets the area's identity from its facts. It returns two contradictory facts, or nil.
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

// commonFolder returns the innermost folder that contains both names, or the name if they are
// equal.
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

// childOf returns the direct child of a folder, a folder or file, that contains the name or is the
// name; "" if the name is outside the folder.
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

// compareBatches orders batches by input and name. Entries with the same name keep the order of the
// archive.
func compareBatches(a, b *Batch) int {
	x, y := a.File, b.File
	return cmp.Or(x.Input-y.Input, cmp.Compare(x.Name, y.Name), cmp.Compare(x.Entry, y.Entry), x.Turn-y.Turn)
}

// sorted sorts the batches by input and name and returns them. Files are read in no fixed order.
func sorted(batches []*Batch) []*Batch {
	slices.SortFunc(batches, compareBatches)
	return batches
}
