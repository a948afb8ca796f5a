package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/refconfig"
)

// Collected is everything that was read of one cluster.
type Collected struct {
	Cluster    string // its name, "" if unknown
	Inputs     []finding.Input
	Objects    []*manifest.Object
	Refused    []*manifest.Object // objects that a policy forbids or that are patches
	Unreadable []refconfig.Problem
	Lost       []manifest.Lost     // text that claims to be CRs and cannot be compared, see SortLost
	Skips      bool                // unreadable content became warnings, see SkipUnreadable
	NotRead    []refconfig.Problem // archives inside the inputs that were not opened
	Closed     bool                // one of them may hold CRs of the cluster
	Warnings   []refconfig.Problem // problems that lose no content of the inputs
	// places of Warnings about files without readable CRs; a missing CR may have been in one of
	// them
	Blank  []refconfig.Place
	Hollow []refconfig.Problem // collectors' files for objects, or places in them, that contain none
	Failed []manifest.Failed   // objects that could not be collected, without duplicates
	// whether the input is a gathered archive: objects that it lacks may not have been collected
	Gathered bool
	When     string       // when it was gathered, according to the archive
	Files    []string     // names of the files that were read, inside their inputs; nil without KeepNames
	Stopped  *watch.Ended // why reading stopped early; nil if everything was read
	Listed   []Listed     // the Lists in the input, also empty ones: they show that these kinds were collected
	// Layout returns the layout of the support archive that contains a place, "" for none. It is
	// nil if no input has a layout.
	Layout func(refconfig.Place) string

	full map[string]string // see source.File, by path
}

// Listed describes the objects of a List, as far as the List and the path of its file show it.
type Listed struct {
	Group     string // "" for the core group
	Kind      string // "" for the generic List
	Plural    string // plural of the kind, if the path has it
	Namespace string // "" if the objects are cluster-scoped, or if the namespace is unknown
	Layout    string // layout of the support archive, "" for none
	// Served is the place of a List outside of support archives that an API server wrote, as its
	// resourceVersion shows; else it is empty.
	Served refconfig.Place
}

// nothing returns the result for inputs that contain no objects.
func nothing(inputs []source.Input) Collected {
	var c Collected
	for _, i := range inputs {
		c.Inputs = append(c.Inputs, inputFrom(i, ""))
	}
	return c
}

// collect returns what was read of each cluster in the list, followed by the inputs that belong to
// no cluster.
func (c *clusters) collect(summary source.Summary, moments []*moment, beside beside) []Collected {
	all := make([]Collected, len(c.List))
	for i, one := range c.List {
		all[i] = inputOf(one, summary.Inputs)
	}
	date(all, c, moments)
	return spread(all, c, summary, beside)
}

// SkipUnreadable turns unreadable files and documents, and files without CRs, into warnings. It does
// not skip exceeded limits, because users can raise them, and does not skip faults of the tool.
func (c *Collected) SkipUnreadable() {
	c.Skips = true
	for _, p := range c.Hollow {
		c.Warnings = append(c.Warnings, p)
		c.Blank = append(c.Blank, p.Place)
	}
	c.Hollow = nil
	c.Unreadable = slices.DeleteFunc(c.Unreadable, func(u refconfig.Problem) bool {
		skip := slices.Contains([]code.Code{
			code.InputUnreadable, code.DocumentBroken, code.ArchiveBroken, code.ObjectWithoutName,
			code.WrappedUnknown, code.ObjectLost,
		}, u.Code)
		if skip {
			c.Warnings = append(c.Warnings, u)
			c.Blank = append(c.Blank, u.Place)
		}
		return skip
	})
	c.Lost = slices.Clone(c.Lost)
	for i := range c.Lost {
		c.Lost[i].Any = false
	}
	c.SortLost(func(string) bool { return false })
}

// SortLost sorts the entries of Lost: an entry whose CRs are or may be of a wanted kind becomes
// unreadable content, any other a warning. Warnings with the same message are merged.
func (c *Collected) SortLost(wanted func(kind string) bool) {
	c.Unreadable, c.Warnings, c.Blank = slices.Clip(c.Unreadable), slices.Clip(c.Warnings), slices.Clip(c.Blank)
	first := map[string]int{} // index of a warning by message
	count := map[int]int{}
	for _, l := range c.Lost {
		if l.Any || slices.ContainsFunc(l.Kinds, wanted) {
			c.Unreadable = append(c.Unreadable, l.Problem)
			continue
		}
		c.Blank = append(c.Blank, l.Place)
		at, known := first[l.Message]
		if !known {
			at = len(c.Warnings)
			first[l.Message] = at
			c.Warnings = append(c.Warnings, l.Problem)
		}
		count[at]++
	}
	for at, n := range count {
		if n > 1 {
			c.Warnings[at].Message += fmt.Sprintf(" (and %d more like it)", n-1)
		}
	}
	c.Lost = nil
}

// ByName returns what was read of each cluster by its name, and by "" if there is only one. Problems
// of inputs that belong to no cluster in particular concern all.
func ByName(all []Collected) map[string]Collected {
	by := map[string]Collected{}
	for _, one := range all {
		name := one.Cluster
		if len(all) == 1 {
			name = ""
		}
		by[name] = by[name].with(one)
	}
	for name, one := range by {
		for _, other := range all {
			if name != "" && len(other.Objects) == 0 {
				one.Unreadable = slices.Concat(one.Unreadable, other.Unreadable)
			}
		}
		by[name] = one
	}
	return by
}

// with returns what was read of a cluster together with what else was read of it.
func (c Collected) with(other Collected) Collected {
	if len(c.Inputs) == 0 {
		return other
	}
	layout := c.Layout
	c.Inputs = slices.Concat(c.Inputs, other.Inputs)
	c.Objects = slices.Concat(c.Objects, other.Objects)
	c.Unreadable = slices.Concat(c.Unreadable, other.Unreadable)
	c.Lost = slices.Concat(c.Lost, other.Lost)
	c.Warnings = slices.Concat(c.Warnings, other.Warnings)
	c.Blank = slices.Concat(c.Blank, other.Blank)
	c.Hollow = slices.Concat(c.Hollow, other.Hollow)
	c.Failed = slices.Concat(c.Failed, other.Failed)
	c.Listed = slices.Concat(c.Listed, other.Listed)
	c.Gathered = c.Gathered || other.Gathered
	full := map[string]string{}
	maps.Copy(full, c.full)
	maps.Copy(full, other.full)
	c.full = full
	c.Layout = func(p refconfig.Place) string {
		for _, of := range []func(refconfig.Place) string{layout, other.Layout} {
			if of != nil && of(p) != "" {
				return of(p)
			}
		}
		return ""
	}
	return c
}

// inputOf returns what was read of a cluster.
func inputOf(c *Cluster, inputs []source.Input) Collected {
	in := Collected{Cluster: c.Name, Unreadable: c.Doubts}
	for _, part := range c.Parts {
		input := inputFrom(inputs[part.Input], part.Folder)
		input.Folder = c.folder(part.Input, inputs[part.Input].Roots)
		in.Inputs = append(in.Inputs, input)
		in.Gathered = in.Gathered || input.Layout != ""
	}
	in.full = map[string]string{}
	listed := map[Listed]bool{}
	layouts := map[string]string{} // layout by path
	failed := map[collector.PathID]bool{}
	for _, b := range c.Batches {
		layout := inputs[b.File.Input].Layout
		if layout != "" {
			layouts[b.File.Path] = layout
		}
		if b.File.Full != "" && b.File.Entry == "" {
			in.full[b.File.Path] = b.File.Full
		}
		for _, o := range b.Contents.Objects {
			if o.Refused() {
				in.Refused = append(in.Refused, o)
				continue
			}
			in.Objects = append(in.Objects, o)
		}
		in.Unreadable = append(in.Unreadable, b.Contents.Problems...)
		in.Lost = append(in.Lost, b.Contents.Lost...)
		for _, l := range b.Contents.Lists {
			one := in.listedAs(l, layout)
			if one.Kind+one.Plural != "" && !listed[one] {
				listed[one] = true
				in.Listed = append(in.Listed, one)
			}
		}
		in.Hollow = append(in.Hollow, b.Contents.Blank...)
		for _, f := range b.Contents.Failed {
			if !failed[f.PathID] {
				failed[f.PathID] = true
				in.Failed = append(in.Failed, f)
			}
		}
		if in.Gathered { // no collector leaves such files
			in.Unreadable = append(in.Unreadable, b.Contents.Warnings...)
		} else {
			in.Warnings = append(in.Warnings, b.Contents.Warnings...)
		}
	}
	if len(layouts) > 0 {
		in.Layout = func(p refconfig.Place) string { return layouts[p.File] }
	}
	return in
}

func (c *Collected) listedAs(l manifest.Listed, layout string) Listed {
	out := Listed{Group: manifest.ID{APIVersion: l.APIVersion}.Group(), Kind: l.Kind, Layout: layout}
	if id, ok := c.pathID(l.Place); ok && id.Name == "" &&
		(l.Kind == "" || id.Group == out.Group && id.OfKind(l.Kind)) {
		out.Group, out.Plural, out.Namespace = id.Group, id.Plural, id.Namespace
	}
	if layout == "" && l.ResourceVersion != "" {
		out.Served = l.Place
	}
	return out
}

// pathID returns what the path of a collector's file shows about the objects in it; see
// collector.IDOf. A file that was set aside has the objects of its proper name.
func (c *Collected) pathID(p refconfig.Place) (collector.PathID, bool) {
	if !c.Gathered {
		return collector.PathID{}, false
	}
	full := cmp.Or(c.full[p.File], p.Entry, p.File)
	if collector.IsSetAside(strings.ToLower(full)) {
		full = collector.ProperName(full)
	}
	return collector.IDOf(full)
}

func inputFrom(i source.Input, folder string) finding.Input {
	return finding.Input{Path: i.Path, Format: i.Format, Layout: i.Layout, Root: folder, SHA256: i.SHA256}
}

// folder returns the innermost folder of an input that contains everything read of the cluster. It is
// in none of the folders that a collector writes into one of the roots, such as namespaces.
func (c *Cluster) folder(input int, roots []string) string {
	folder, found := "", false
	for _, b := range c.Batches {
		switch {
		case b.File.Input != input || len(b.Contents.Objects) == 0:
		case !found:
			folder, found = path.Dir(b.File.Name), true
		default:
			folder = commonFolder(folder, b.File.Name)
		}
	}
	root := collector.RootOf(folder+"/", roots)
	switch {
	case folder == ".", root == "" && slices.Contains(roots, ""):
		return ""
	case root != "":
		return root
	}
	return folder
}

// date sets when each cluster was gathered, and warns if it was gathered at several times.
func date(all []Collected, clusters *clusters, moments []*moment) {
	chosen := make([]*moment, len(all))
	own := make([][]*moment, len(all))
	for _, m := range moments {
		of := clusters.of(m.input, m.file)
		if len(of) == 1 { // with several clusters, it may belong to another one
			own[of[0]] = append(own[of[0]], m)
		}
		for _, i := range of {
			if chosen[i] == nil || m.before(*chosen[i]) {
				chosen[i] = m
				all[i].When = m.first.Format(time.RFC3339)
			}
		}
	}
	for i := range all {
		if p, ok := apart(own[i]); ok {
			all[i].Warnings = append(all[i].Warnings, p)
		}
	}
}

// spread adds the problems of the inputs to the clusters that they concern.
func spread(all []Collected, clusters *clusters, summary source.Summary, beside beside) []Collected {
	s := spreader{all: all, clusters: clusters, inputs: summary.Inputs, alone: map[int]int{}}
	for _, p := range summary.Problems {
		for _, in := range s.concerned(p.Input, p.Name) {
			if Harmless(p.Code) {
				in.Warnings = append(in.Warnings, p.Problem)
				continue
			}
			in.Unreadable = append(in.Unreadable, p.Problem)
		}
	}
	for _, p := range summary.NotRead {
		for _, in := range s.concerned(p.Input, p.Name) {
			in.NotRead = append(in.NotRead, p.Problem)
			in.Closed = in.Closed || mayHoldCRs(p, s.inputs[p.Input])
		}
	}
	s.warn(beside.unbuilt)
	if len(clusters.List) > 0 {
		s.barren(summary, beside.excused)
	}
	return s.all
}

// mayHoldCRs reports whether an archive that was not opened may hold CRs of the cluster: one with the
// name of a must-gather, or a tar at the top of a folder, such as that of a support case. Deeper in a
// repository are archives of all sorts, inside a support archive logs and metrics. The package of a
// chart, NAME-1.2.3.tgz, holds templates.
func mayHoldCRs(p source.Problem, in source.Input) bool {
	name := strings.ToLower(path.Base(p.Name))
	if strings.Contains(name, "must-gather") {
		return true
	}
	isTar := strings.HasSuffix(name, ".tgz") || strings.HasSuffix(name, ".tar") || strings.Contains(name, ".tar.")
	before, isPackage := strings.CutSuffix(name, ".tgz")
	_, version, _ := strings.Cut(before, "-")
	isPackage = isPackage && strings.Count(version, ".") >= 2
	return in.Layout == "" && path.Base(p.Name) == p.Name && isTar && !isPackage
}

// barren reports inputs without objects, if other inputs have some: whoever names an input expects
// CRs in it. A file of another tool is excused, because it may be a match of a glob.
func (s *spreader) barren(summary source.Summary, excused map[int]bool) {
	reported := map[int]bool{}
	for _, p := range summary.Problems {
		reported[p.Input] = true
	}
	for i, in := range s.inputs {
		isFile := in.Format == "file" && excused[i]
		if s.clusters.answers(i) || reported[i] || isFile || !in.Whole {
			continue
		}
		for _, one := range s.concerned(i, "") {
			one.Unreadable = append(
				one.Unreadable,
				refconfig.Problem{Code: code.InputNoObjects, Place: refconfig.Place{File: in.Path},
					Message: "no Kubernetes object was found; leave it out, or name the folder or archive that holds the CRs"},
			)
		}
	}
}

// spreader finds the clusters that a problem of an input concerns.
type spreader struct {
	all      []Collected
	clusters *clusters
	inputs   []source.Input
	alone    map[int]int // index in all, by input, for inputs without a known cluster
}

// concerned returns the clusters that a path inside an input concerns. An input without a known
// cluster belongs to the only cluster of the run, or gets an entry of its own.
func (s *spreader) concerned(input int, name string) []*Collected {
	if s.clusters.has(input) {
		var found []*Collected
		for _, i := range s.clusters.of(input, name) {
			found = append(found, &s.all[i])
		}
		return found
	}
	if len(s.clusters.List) == 1 {
		return []*Collected{&s.all[0]}
	}
	at, known := s.alone[input]
	if !known {
		at = len(s.all)
		s.alone[input] = at
		in := inputFrom(s.inputs[input], "")
		s.all = append(s.all, Collected{Inputs: []finding.Input{in}, Gathered: in.Layout != ""})
	}
	return []*Collected{&s.all[at]}
}

// Harmless reports whether a problem of a source loses no content of the user's input.
func Harmless(c code.Code) bool {
	return c == code.LinkSkipped || c == code.UnsafeName || c == code.ReferenceInInput
}
