package cli

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/source"
)

// collected returns what was read of each cluster, as it is compared, and what of the inputs was passed over.
func (g *gatherer) collected(summary source.Summary, opt gather.Options) ([]compare.Collected, []compare.Passed, error) {
	batches, passed, moments := g.batches(summary.Replaced)
	clusters, err := gather.Split(summary.Inputs, batches, opt)
	if err != nil {
		return nil, nil, err
	}
	layout := layoutOf(summary)
	all := make([]compare.Collected, len(clusters.List))
	for i := range clusters.List {
		all[i] = inputOf(&clusters.List[i], summary.Inputs)
	}
	date(all, clusters, moments)
	all = spread(all, clusters, summary)
	if len(all) == 0 { // nothing was found, as where a run is interrupted at once
		all = []compare.Collected{{}}
		for _, i := range summary.Inputs {
			all[0].Inputs = append(all[0].Inputs, inputFrom(i, ""))
		}
	}
	for i := range all {
		all[i].Layout = layout
	}
	return all, passedOver(passed, summary), nil
}

// inputOf returns what was read of a cluster.
func inputOf(c *gather.Cluster, inputs []source.Input) compare.Collected {
	in := compare.Collected{Cluster: c.Name, Unreadable: c.Doubts}
	for _, part := range c.Parts {
		in.Inputs = append(in.Inputs, inputFrom(inputs[part.Input], part.Folder))
		in.Gathered = in.Gathered || inputs[part.Input].Layout != ""
	}
	listed := map[compare.GroupKind]bool{}
	for _, b := range c.Batches {
		in.Objects = append(in.Objects, b.Contents.Objects...)
		in.Unreadable = append(in.Unreadable, b.Contents.Problems...)
		for _, l := range b.Contents.Lists {
			kind := compare.GroupKind{Group: manifest.ID{APIVersion: l.APIVersion}.Group(), Kind: l.Kind}
			if l.Kind != "" && !listed[kind] {
				listed[kind] = true
				in.Listed = append(in.Listed, kind)
			}
		}
		for _, p := range b.Contents.Blank {
			in.Blank = append(in.Blank, p.Place)
			in.Warnings = append(in.Warnings, warning(p))
		}
		for _, w := range b.Contents.Warnings {
			if in.Gathered { // no collector leaves files so
				in.Unreadable = append(in.Unreadable, w)
				continue
			}
			in.Warnings = append(in.Warnings, warning(w))
		}
	}
	return in
}

func inputFrom(i source.Input, folder string) compare.Input {
	return compare.Input{Path: i.Path, Format: i.Format, Layout: i.Layout, Root: folder}
}

// date finds out when each cluster was gathered.
func date(all []compare.Collected, clusters *gather.Clusters, moments []moment) {
	chosen := make([]moment, len(all))
	for _, m := range moments {
		for _, i := range clusters.Of(m.input, m.file) {
			if chosen[i].file == "" || m.before(chosen[i]) {
				chosen[i] = m
				all[i].When = m.when
			}
		}
	}
}

// spread adds to what was read of each cluster what could not be read of it.
func spread(all []compare.Collected, clusters *gather.Clusters, summary source.Summary) []compare.Collected {
	s := spreader{all: all, clusters: clusters, inputs: summary.Inputs, alone: map[int]int{}}
	for _, p := range summary.Problems {
		for _, in := range s.concerned(p.Input, p.Name) {
			if harmless(p.Code) {
				in.Warnings = append(in.Warnings, warning(problem(p)))
				continue
			}
			in.Unreadable = append(in.Unreadable, problem(p))
		}
	}
	for _, p := range summary.NotRead {
		for _, in := range s.concerned(p.Input, p.Name) {
			in.NotRead = append(in.NotRead, problem(p))
		}
	}
	if len(clusters.List) > 0 {
		s.barren(summary)
	}
	return s.all
}

// barren reports the inputs in which nothing was found beside others. A single file that holds no CR is passed over like one in a folder.
func (s *spreader) barren(summary source.Summary) {
	told := map[int]bool{}
	for _, p := range summary.Problems {
		told[p.Input] = true
	}
	for i, in := range s.inputs {
		if s.clusters.Found(i) || told[i] || in.Format == "file" {
			continue
		}
		for _, one := range s.concerned(i, "") {
			one.Unreadable = append(one.Unreadable, manifest.Problem{Code: code.InputNoObjects, Place: manifest.Place{File: in.Path},
				Message: "no Kubernetes object was found in it; leave it out, or point at the folder or archive that holds the CRs"})
		}
	}
}

// spreader finds the clusters that something of an input concerns.
type spreader struct {
	all      []compare.Collected
	clusters *gather.Clusters
	inputs   []source.Input
	alone    map[int]int // inputs of which no cluster is known, and what stands for them in all
}

// concerned returns the clusters that something inside an input concerns. An input of which no cluster is known is of the only one
// there is, or else stands by itself.
func (s *spreader) concerned(input int, name string) []*compare.Collected {
	if s.clusters.Has(input) {
		var found []*compare.Collected
		for _, i := range s.clusters.Of(input, name) {
			found = append(found, &s.all[i])
		}
		return found
	}
	if len(s.clusters.List) == 1 {
		return []*compare.Collected{&s.all[0]}
	}
	at, known := s.alone[input]
	if !known {
		at = len(s.all)
		s.alone[input] = at
		in := inputFrom(s.inputs[input], "")
		s.all = append(s.all, compare.Collected{Inputs: []compare.Input{in}, Gathered: in.Layout != ""})
	}
	return []*compare.Collected{&s.all[at]}
}

// passedOver counts what of the inputs was passed over, by reason: files, and what within files was found to be of no interest.
func passedOver(within map[string]int, summary source.Summary) []compare.Passed {
	for _, s := range summary.Skipped {
		within[s.Reason] += s.Count
	}
	var all []compare.Passed
	for _, reason := range slices.Sorted(maps.Keys(within)) {
		all = append(all, compare.Passed{Reason: reason, Count: within[reason]})
	}
	return all
}

// warning makes a warning of a problem that loses nothing.
func warning(p manifest.Problem) compare.Warning {
	return compare.Warning{Code: p.Code, Message: p.Message, Place: compare.Where(p.Place)}
}

// layoutOf tells the layout of the innermost input that a place lies in; nil where none has one.
func layoutOf(summary source.Summary) func(manifest.Place) string {
	layouts := map[string]string{}
	known := false
	for _, i := range summary.Inputs {
		layouts[filepath.Clean(i.Path)] = i.Layout
		known = known || i.Layout != ""
	}
	if !known {
		return nil
	}
	return func(p manifest.Place) string {
		for at := filepath.Clean(p.File); ; at = filepath.Dir(at) {
			if layout, ok := layouts[at]; ok {
				return layout
			}
			if at == filepath.Dir(at) {
				return ""
			}
		}
	}
}

// problem turns a problem of a source into one of the result.
func problem(p source.Problem) manifest.Problem {
	return manifest.Problem{Code: p.Code, Place: manifest.Place{File: p.Path, Entry: p.Entry}, Message: p.Message}
}
