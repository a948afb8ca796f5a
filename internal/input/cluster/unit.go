package cluster

import (
	"cmp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/refconfig"
)

// Batch is one file of an input and the contents found in it.
type Batch struct {
	File     source.File
	Contents manifest.Contents

	plain  *manifest.Contents // the contents if no collector wrote the file, where that differs; else nil
	moment *moment            // set if the file says when an archive was gathered

	links *links // to other files; nil for most
}

// links are what a file names of others. setAside sets all but the submodules.
type links struct {
	submodules []string // folders
	absent     []string // resources of a kustomization, or submodules, that were not read
	unlisted   []string // files beside a kustomization that it does not list
	templates  int      // number of the templates of another reference, of which the file is the metadata
}

// place returns the place of the whole file.
func (b *Batch) place() refconfig.Place {
	return refconfig.Place{File: b.File.Path, Entry: b.File.Entry}
}

// unit is the part of one input that belongs to one cluster, as far as that is known: a folder that
// collectors lay out for one cluster (a root, see collector.Names), or the files outside of such
// folders.
type unit struct {
	input    int
	folder   string   // "" for the whole input
	batches  []*Batch // in the order of the names
	facts    []fact
	identity Identity
	clash    []fact   // two contradictory facts if the unit cannot be divided; else nil
	cluster  *Cluster // nil if undecided, clusters.several if it could belong to several
}

// fact is an object that identifies its cluster.
type fact struct {
	Identity
	file  string // name of its file
	place refconfig.Place
}

// unitsOf divides the batches, sorted by input and name, into units.
func unitsOf(inputs []source.Input, batches []*Batch) []*unit {
	type key struct {
		input  int
		folder string
	}
	known := map[key]*unit{}
	var all []*unit
	for _, b := range batches {
		k := key{b.File.Input, collector.RootOf(b.File.Name, inputs[b.File.Input].Roots)}
		if known[k] == nil {
			known[k] = &unit{input: k.input, folder: k.folder}
			all = append(all, known[k])
		}
		known[k].add(b)
	}
	return divided(all)
}

// divided divides each of the units.
func divided(units []*unit) (all []*unit) {
	for _, u := range units {
		all = append(all, u.divide()...)
	}
	return all
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

// add adds a batch and the facts that its objects state about their cluster.
func (u *unit) add(b *Batch) {
	u.batches = append(u.batches, b)
	for _, o := range b.Contents.Objects {
		if id := identityOf(o); id.known() > 0 {
			u.facts = append(u.facts, fact{Identity: id, file: b.File.Name, place: o.Place})
		}
	}
}

// divide returns the unit itself, or several units if its facts contradict each other because
// clusters are in sibling folders or files. The remaining files stay in a unit of their own. If one
// file contains contradictory facts, the unit is not divided and gets a clash.
func (u *unit) divide() []*unit {
	clash := u.resolve()
	if clash == nil {
		return []*unit{u}
	}
	common := u.facts[0].file
	for _, f := range u.facts[1:] {
		common = commonFolder(common, f.file)
	}
	if common == u.facts[0].file {
		u.clash, u.identity = clash, Identity{}
		return []*unit{u}
	}
	inside := map[string]*unit{}
	for _, f := range u.facts {
		folder := childOf(common, f.file)
		inside[folder] = &unit{input: u.input, folder: folder}
	}
	rest := &unit{input: u.input, folder: u.folder}
	var all []*unit
	for _, b := range u.batches {
		into := cmp.Or(inside[childOf(common, b.File.Name)], rest)
		if len(into.batches) == 0 {
			all = append(all, into)
		}
		into.add(b)
	}
	return divided(all)
}

// resolve sets the unit's identity from its facts. It returns two contradictory facts, or nil.
func (u *unit) resolve() []fact {
	u.identity = Identity{}
	for _, f := range u.facts {
		if u.identity.contradicts(f.Identity) {
			at := slices.IndexFunc(u.facts, func(other fact) bool { return other.contradicts(f.Identity) })
			return []fact{u.facts[at], f}
		}
		u.identity = u.identity.with(f.Identity)
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
