package cluster

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
)

// passedOver is what was ignored of the files, by reason.
type passedOver map[string]*passing

// passing is what was ignored for one reason.
type passing struct {
	count int      // number of files and parts of files
	files int      // number of files among them that are named as YAML or JSON and hold nothing else
	names []string // places of these files, outside of collectors' archives
}

// of returns what was ignored for a reason.
func (all passedOver) of(reason string) *passing {
	if all[reason] == nil {
		all[reason] = &passing{}
	}
	return all[reason]
}

// add counts what was ignored of a file. plain says that no collector wrote it, so that its name
// tells users what may be lost.
func (all passedOver) add(b *Batch, plain bool) {
	for _, p := range b.Contents.Passed {
		all.of(string(p.Reason)).count += p.Count
	}
	if b.isPassed() && collector.IsObjectName(b.File.Name) {
		first := all.of(string(b.Contents.Passed[0].Reason))
		first.files++
		if plain {
			first.names = append(first.names, b.place().String())
		}
	}
}

// beside is what the inputs have besides CRs.
type beside struct {
	excused map[int]bool     // inputs that are a file of another tool, according to its name
	unbuilt map[int]*unbuilt // by input
}

// add adds what a file has besides CRs. plain says that no collector wrote it: beside what one wrote,
// only what files say about others counts.
func (s *beside) add(b *Batch, plain bool) {
	if s.unbuilt[b.File.Input] == nil {
		s.unbuilt[b.File.Input] = &unbuilt{}
	}
	s.unbuilt[b.File.Input].addNaming(b)
	if !plain {
		return
	}
	if b.isExcused() {
		s.excused[b.File.Input] = true
	}
	s.unbuilt[b.File.Input].add(b)
}

// isPassed reports whether a file was ignored as a whole.
func (b *Batch) isPassed() bool { return b.Contents.IsEmpty() && len(b.Contents.Passed) > 0 }

// isExcused reports whether a file was ignored as one of another tool.
func (b *Batch) isExcused() bool {
	others := []manifest.Reason{
		manifest.PassedTemplate, manifest.PassedRaw, manifest.PassedKustomize, collector.CI,
	}
	return b.isPassed() && !slices.ContainsFunc(b.Contents.Passed, func(p manifest.Passed) bool {
		return !slices.Contains(others, p.Reason)
	})
}

// sorted returns all that was ignored.
func (all passedOver) sorted() (sorted []finding.Passed) {
	for _, reason := range slices.Sorted(maps.Keys(all)) {
		one := all[reason]
		slices.Sort(one.names)
		sorted = append(sorted, finding.Passed{
			Reason: reason, Count: one.count, Files: one.files,
			Names: one.names[:min(len(one.names), finding.PassedNames)],
		})
	}
	return sorted
}

// inCollectorsArchive returns the contents of a file of a collector's archive. There the paths say
// which CRs may be lost if their kind is not named, and files have names of YAML or JSON that are
// expected to hold none. A file that was set aside is the only one of its CRs, unless the file with
// its proper name is among the others.
func (b *Batch) inCollectorsArchive(others func() neighbours) manifest.Contents {
	if len(b.Contents.Lost) == 0 {
		return b.Contents
	}
	full := cmp.Or(b.File.Full, b.File.Entry, b.File.Path)
	_, holds := collector.IDOf(full)
	c, lost := b.Contents, b.Contents.Lost
	c.Lost = nil
	for _, l := range lost {
		if l.ByName == manifest.PassedAside && !others().hasObjects(collector.ProperName(b.fullPath())) {
			proper := collector.ProperName(full)
			if id, ok := collector.IDOf(proper); ok {
				c.Blank = append(c.Blank, l.Place.Problem(code.FileBlank,
					"a collector writes CRs to %s, which is not here or has none, and this file was not read because of its "+
						"name; the %s may be missing from the result; rename the file if its CRs count", path.Base(proper), id))
				continue
			}
			if collector.HoldsObjects("/" + strings.ToLower(proper)) {
				l.ByName, l.Any = "", true
				c.Lost = append(c.Lost, l)
				continue
			}
		}
		if l.ByName != "" {
			c.Passed = append(c.Passed, manifest.Passed{Reason: l.ByName, Count: 1})
			continue
		}
		if holds && l.Any && len(l.Kinds) == 0 {
			c.Blank = append(c.Blank, l.Problem)
			continue
		}
		l.Any = false
		c.Lost = append(c.Lost, l)
	}
	return c
}
