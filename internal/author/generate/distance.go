package generate

import (
	"cmp"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// This file loads a reference with changed files, and says how far the CRs of the clusters are from it.

// state is a reference as far as it is updated, with the comparisons of all clusters.
type state struct {
	ref     *refconfig.Reference
	engine  *render.Engine
	byIndex map[int]*render.Template // see finding.Template
	runs    []*finding.Run
	extra   bool // extra content counts
}

// overlay is a folder in which some files have another text. Each file is read once, so that all of an
// update is about the same text.
type overlay struct {
	fs.FS
	changed, read fstest.MapFS
	largest       int64 // maximum bytes of a file of a reference
}

// Open implements fs.FS.
func (o overlay) Open(name string) (fs.File, error) {
	for _, files := range []fstest.MapFS{o.changed, o.read} {
		if _, is := files[name]; is {
			return files.Open(name)
		}
	}
	file, err := o.FS.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > o.largest {
		return file, nil
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	o.read[name] = &fstest.MapFile{Data: text, Mode: info.Mode()}
	return o.read.Open(name)
}

// ReadDir implements fs.ReadDirFS.
func (o overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.FS, name)
	more, _ := o.changed.ReadDir(name)
	for _, e := range more {
		if !slices.ContainsFunc(entries, func(one fs.DirEntry) bool { return one.Name() == e.Name() }) {
			entries, err = append(entries, e), nil
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// over returns the folder with some files changed.
func (u *updater) over(changed fstest.MapFS) overlay {
	return overlay{u.Files, changed, u.read, int64(cmp.Or(u.opt.Largest, refconfig.DefaultFileLimit))}
}

// load loads the reference with some files changed, and compares the clusters with it. The problems of a
// template's entry in the metadata name the file of the template too.
func (u *updater) load(
	changed fstest.MapFS,
) (s *state, problems []refconfig.Problem, faulty map[string]bool, err error) {
	ref, problems := u.Load(u.over(changed))
	engine, more := render.Compile(u.ctx, ref)
	problems, faulty = append(problems, more...), map[string]bool{}
	for _, t := range engine.Templates() {
		if errs := diff.Check(t).Errors; len(errs) > 0 {
			problems, faulty[t.Ref.File] = append(problems, errs...), true
		}
	}
	for _, problem := range problems {
		faulty[problem.File] = true
	}
	if len(problems) > 0 {
		return nil, problems, faulty, nil
	}
	s = &state{ref: ref, engine: engine, byIndex: map[int]*render.Template{}, extra: u.opt.Extra}
	for _, t := range engine.Templates() {
		s.byIndex[t.Ref.Index] = t
	}
	for _, c := range u.clusters {
		run, err := compare.Run(u.ctx, ref, engine, c, u.Compare)
		if err != nil {
			return nil, nil, nil, watch.Cause(u.ctx).And(", and nothing was written")
		}
		s.runs = append(s.runs, run)
	}
	return s, nil, faulty, nil
}

// score says how far a file of templates is from its CRs.
type score struct{ differences, objects int }

// subject is a CR of a cluster.
type subject struct {
	cluster int
	object  finding.Object
}

// distance says how far a CR is from its template.
type distance struct {
	file        string
	differences int
}

// distances returns how far each CR is from its template.
func (s *state) distances() map[subject]distance {
	all := map[subject]distance{}
	for i, run := range s.runs {
		for _, c := range run.Comparisons {
			file := s.byIndex[c.Template.Index].Ref.File
			one := distance{file, c.Counts.Drift + c.Counts.Missing + c.Counts.Invalid}
			if s.extra {
				one.differences += c.Counts.Extra
			}
			if c.Error != nil { // its differences are not known
				one.differences += 1 << 20
			}
			all[subject{i, c.Object}] = one
		}
	}
	return all
}

// scores returns the scores of all files.
func scores(of map[subject]distance) map[string]score {
	all := map[string]score{}
	for _, d := range of {
		one := all[d.file]
		all[d.file] = score{one.differences + d.differences, one.objects + 1}
	}
	return all
}

// improves reports whether the CRs of a file are closer to it, or more than before.
func (s score) improves(was score) bool {
	return s.objects > was.objects || s.objects == was.objects && s.differences < was.differences
}
