package cluster

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// unbuilt is what an input has of CRs that other programs make or use, and what it names and
// lacks: the tool starts no other program.
type unbuilt struct {
	charts    map[string]bool     // paths of charts with templates or dependencies
	overlays  map[string][]string // what kustomizations do to CRs, by the path of their file
	parts     map[string]bool     // those of them that cannot be built alone, because they are components
	templates int                 // of all charts
	enclosed  []manifest.Enclosed // by file, in order
	naming    naming
}

// add adds what a file has of such CRs.
func (u *unbuilt) add(b *Batch) {
	isRaw := slices.ContainsFunc(b.Contents.Passed, func(p manifest.Passed) bool {
		return p.Reason == manifest.PassedRaw
	})
	if isRaw || b.Contents.Dependencies > 0 {
		if u.charts == nil {
			u.charts = map[string]bool{}
		}
		chart, _ := path.Split(b.File.Name)
		if isRaw {
			chart, _ = chartOf(b.File)
			u.templates++
		}
		u.charts[strings.TrimSuffix(strings.TrimSuffix(b.place().String(), b.File.Name)+chart, "/")] = true
	}
	if b.Contents.Enclosed != nil {
		u.enclosed = append(u.enclosed, *b.Contents.Enclosed)
	}
}

// addNaming adds what a file says about others.
func (u *unbuilt) addNaming(b *Batch) {
	if k := b.Contents.Kustomization; k != nil && len(k.Changes) > 0 {
		if u.overlays == nil {
			u.overlays, u.parts = map[string][]string{}, map[string]bool{}
		}
		u.overlays[b.place().String()] = k.Changes
		u.parts[b.place().String()] = k.Component
	}
	u.naming.add(b)
}

// chartOf returns the folder, with a slash at its end unless it is empty, that contains the folder
// templates around a file.
func chartOf(f source.File) (folder string, inside bool) {
	folder, _, inside = strings.Cut(f.Name, "templates/")
	return folder, inside
}

// problems returns a warning for the charts, one for the kustomizations, and one for each file of an
// input with CRs inside other documents. The commands in them are quoted for a shell; of an archive,
// they name the folder that it has to be unpacked to.
func (u *unbuilt) problems(in source.Input) (problems []refconfig.Problem) {
	isPacked := in.Format != "directory" && in.Format != "file"
	word := func(path string) string {
		if isPacked && path != in.Path {
			return "FOLDER"
		}
		return escape.ShellWord(escape.Operand(cmp.Or(path, ".")))
	}
	if charts := slices.Sorted(maps.Keys(u.charts)); len(charts) > 0 {
		what, was, its := finding.Plural(u.templates, "template", "templates"), "were", "their"
		switch u.templates {
		case 0:
			what = "the dependencies"
		case 1:
			was, its = "was", "its"
		}
		problems = append(problems, refconfig.Place{File: charts[0]}.Problem(code.ChartNotRendered,
			"%s of this Helm chart%s %s not rendered, so %s CRs were not compared; compare these, too: "+
				"helm template %s | validationTool REFERENCE %s -",
			what, andMore(len(charts)-1), was, its, word(charts[0]), word(in.Path)))
	}
	if files := slices.Sorted(maps.Keys(u.overlays)); len(files) > 0 {
		first, build := files[0], "OVERLAY"
		if i := slices.IndexFunc(files, func(file string) bool { return !u.parts[file] }); i >= 0 {
			first, build = files[i], word(path.Dir(files[i]))
		}
		problems = append(problems, refconfig.Place{File: first}.Problem(code.NotKustomized,
			"this kustomization%s changes the CRs (%s), which were compared as they are in their files; compare its result: "+
				"kustomize build %s | validationTool REFERENCE -",
			andMore(len(files)-1), strings.Join(u.overlays[first], ", "), build))
	}
	problems = append(problems, u.naming.problems()...)
	for _, e := range u.enclosed {
		problems = append(problems, e.Problem())
	}
	return problems
}

// warn adds the warnings about each input to the clusters that it concerns. An input of no cluster in
// particular gets none.
func (s *spreader) warn(all map[int]*unbuilt) {
	for _, input := range slices.Sorted(maps.Keys(all)) {
		if !s.clusters.has(input) && len(s.clusters.List) != 1 {
			continue
		}
		for _, p := range all[input].problems(s.inputs[input]) {
			for _, one := range s.concerned(input, "") {
				one.Warnings = append(one.Warnings, p)
			}
		}
	}
}
