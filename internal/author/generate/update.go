package generate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Existing is a reference that is updated.
type Existing struct {
	Files fs.FS // its folder
	// loads a reference of these files; the names of files in messages are those in Files
	Load func(fs.FS) (*refconfig.Reference, []refconfig.Problem)
	// Writable returns why a file of the folder must not be changed; "" if it may be
	Writable func(name string) string
	Compare  compare.Options
}

// Update says how a reference is updated. Nothing is written yet.
type Update struct {
	Files []Rewritten
	// the metadata file, for the lines of Gone; "" if the reference has none
	Metadata string
	Changed  []Change
	Added    []Added
	Left     []Left
	Gone     []Left // required templates without a CR
	Absent   []Left // other templates without a CR
	Not      []Left // CRs without a template, which their author has removed
	Agree    int    // templates that agree as they were
	More     int    // CRs with content that their templates do not state
	Made     *Reference
}

// Rewritten is a changed or new file, with its whole text.
type Rewritten struct {
	File
	Was []byte // the text that was read; nil for a new file
}

// Change is a value of a template that becomes that of the CRs.
type Change struct {
	Place    refconfig.Place
	Path     string
	Was, Now any
	// false for a value that is added or removed
	Had, Has bool
}

// Added is a new template.
type Added struct {
	File   string
	Object finding.Object
}

// Left is something that its author has to decide.
type Left struct {
	Place   refconfig.Place
	Object  finding.Object
	Path    string
	Message string
}

// updater updates a reference.
type updater struct {
	Existing
	ctx      context.Context
	opt      Options
	clusters []cluster.Collected
	objects  []map[manifest.ID]*manifest.Object
	only     *self
	changed  fstest.MapFS // the changed and new files
	read     fstest.MapFS // see overlay
	tried    map[string]error
	fewer    map[string]bool // the files whose entries in the metadata have become fewer
	out      *Update
}

// state is a reference as far as it is updated, with the comparisons of all clusters.
type state struct {
	ref     *refconfig.Reference
	engine  *render.Engine
	byIndex map[int]*render.Template // see finding.Template
	runs    []*finding.Run
	extra   bool // extra content counts
}

// UpdateOf finds how a reference is updated so that the CRs of clusters agree with it. What agrees is not
// touched. The values of a template that differ become those of the CRs, where it states them
// literally; CRs without a template get one. The problems are those of loading the reference.
func UpdateOf(
	ctx context.Context, old Existing, clusters []cluster.Collected, opt Options,
) (*Update, []refconfig.Problem, error) {
	u := &updater{
		Existing: old, ctx: ctx, opt: opt, clusters: clusters, changed: fstest.MapFS{},
		read: fstest.MapFS{}, tried: map[string]error{}, fewer: map[string]bool{}, out: &Update{},
	}
	u.Compare.Accept = &patch.Request{Extra: opt.Extra}
	u.Compare.ListUnmatched, u.Compare.AllResources = true, true
	for _, c := range clusters {
		byID := map[manifest.ID]*manifest.Object{}
		for same := range manifest.Copies(c.Objects, false) {
			byID[same[0].ID] = same[0]
		}
		u.objects = append(u.objects, byID)
	}
	if len(clusters) == 1 && !slices.Contains(opt.Include, OwnValues) {
		u.only = selfOf(clusters[0].Objects)
	}
	now, problems, _, err := u.load(u.changed)
	if len(problems) > 0 || err != nil {
		return nil, problems, err
	}
	before := now.ref
	if now, err = u.versions(now); err == nil {
		now, err = u.values(now)
	}
	if err == nil {
		now, err = u.add(now)
	}
	if err != nil {
		return nil, nil, err
	}
	if err := u.unchanged(before, now.ref); err != nil {
		return nil, nil, err
	}
	u.out.Metadata = now.ref.Metadata
	u.rest(now)
	slices.SortStableFunc(u.out.Changed, func(a, b Change) int { return strings.Compare(a.Place.File, b.Place.File) })
	for _, name := range slices.Sorted(maps.Keys(u.changed)) {
		var was []byte
		if file := u.read[name]; file != nil {
			was = file.Data
		}
		u.out.Files = append(u.out.Files, Rewritten{File{name, u.changed[name].Data}, was})
	}
	return u.out, nil, nil
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

// proposal is a change of a file of templates, perhaps with the metadata.
type proposal struct {
	file    string
	files   map[string][]byte
	changes []Change
	keys    []string // of the operations, see operation.key
}

// improves reports whether the CRs of a file are closer to it, or more than before.
func (s score) improves(was score) bool {
	return s.objects > was.objects || s.objects == was.objects && s.differences < was.differences
}

// helps reports whether each operation of a proposal removes a difference, or all differences are gone.
func (p proposal) helps(was, is score) bool {
	gone := was.differences - is.differences
	return is.improves(was) && (is.objects > was.objects || is.differences == 0 || gone >= len(p.keys))
}

// accept takes the proposals that bring CRs closer to their templates, and no CR further from its own. It
// returns the files that it took.
func (u *updater) accept(now *state, all []proposal) (*state, map[string]bool, error) {
	taken := map[string]bool{}
	for len(all) > 0 {
		changed, mine := maps.Clone(u.changed), map[string]bool{}
		for _, p := range all {
			mine[p.file] = true
			for name, text := range p.files {
				changed[name] = &fstest.MapFile{Data: text}
			}
		}
		next, problems, faulty, err := u.load(changed)
		if err != nil {
			return now, taken, err
		}
		others := false
		if len(problems) == 0 {
			before, after := now.distances(), next.distances()
			was, is := scores(before), scores(after)
			for _, p := range all {
				faulty[p.file] = !p.helps(was[p.file], is[p.file])
			}
			for of, d := range before {
				if to, there := after[of]; !there || to.differences > d.differences {
					faulty[d.file], others = true, others || !mine[d.file]
				}
			}
		}
		good := slices.DeleteFunc(slices.Clone(all), func(p proposal) bool { return faulty[p.file] })
		switch {
		case len(good) == len(all) && len(problems) == 0 && !others:
			u.changed = changed
			for _, p := range all {
				taken[p.file] = true
				u.fewer[p.file] = u.fewer[p.file] || len(p.files) > 1
				u.out.Changed = append(u.out.Changed, p.changes...)
			}
			return next, taken, nil
		case len(good) < len(all):
			all = good
		case len(all) == 1:
			return now, taken, nil
		default: // nobody knows which of them is at fault
			now, taken, err = u.accept(now, all[:len(all)/2])
			if err == nil {
				var more map[string]bool
				now, more, err = u.accept(now, all[len(all)/2:])
				maps.Copy(taken, more)
			}
			return now, taken, err
		}
	}
	return now, taken, nil
}

// text returns the text of a file.
func (u *updater) text(name string) ([]byte, error) { return fs.ReadFile(u.over(u.changed), name) }

// versions gives a template whose only CR has another version of its API that version.
func (u *updater) versions(now *state) (*state, error) {
	matched := now.matched()
	var all []proposal
	proposed := map[string]bool{}
	for i, run := range now.runs {
		for _, one := range run.Unmatched {
			id := manifest.ID(one.Object)
			if !(selection{u.opt}).asked(id) {
				continue
			}
			for _, t := range now.engine.Templates() {
				file, as := t.Ref.File, statedID(t)
				isOld := as.APIVersion != id.APIVersion && as.Group() == id.Group()
				as.APIVersion = id.APIVersion
				if !isOld || as != id || matched[file] || proposed[file] || u.Writable(file) != "" {
					continue
				}
				text, err := u.text(file)
				if err != nil {
					continue
				}
				to := operation{op: "replace", path: refconfig.PathOf("apiVersion"), value: id.APIVersion}
				if made, err := u.edit(text, t, u.objects[i][id], to); err == nil {
					proposed[file] = true
					files := map[string][]byte{file: made.text}
					all = append(all, proposal{file: file, files: files, changes: []Change{made.Change}})
				}
			}
		}
	}
	now, _, err := u.accept(now, all)
	return now, err
}

// statedID returns the identity that a template states literally, without the parts that it does not.
func statedID(t *render.Template) (id manifest.ID) {
	id.APIVersion, _ = t.Identity.APIVersion.Exact()
	id.Kind, _ = t.Identity.Kind.Exact()
	id.Namespace, _ = t.Identity.Namespace.Exact()
	id.Name, _ = t.Identity.Name.Exact()
	return id
}

// matched returns the files of the templates that CRs are compared with.
func (s *state) matched() map[string]bool {
	files := map[string]bool{}
	for _, d := range s.distances() {
		files[d.file] = true
	}
	return files
}

// mostRounds limits how often the clusters are compared with changed templates.
const mostRounds = 60

// values changes what the templates state to what the CRs have. First all changes of a template are tried
// together; if they do not help, one by one.
func (u *updater) values(now *state) (*state, error) {
	alone := map[string]bool{} // files whose changes are tried one by one
	for range mostRounds {
		var all []proposal
		proposed := map[string]bool{}
		for _, c := range now.drifting(selection{u.opt}) {
			file := c.template.Ref.File
			if proposed[file] {
				continue
			}
			if why := u.Writable(file); why != "" {
				u.tried[file] = errors.New(why)
				continue
			}
			p, ok := u.change(now, c, alone[file])
			if ok && !(proposed[now.ref.Metadata] && p.files[now.ref.Metadata] != nil) {
				all, proposed[file] = append(all, p), true
				proposed[now.ref.Metadata] = proposed[now.ref.Metadata] || p.files[now.ref.Metadata] != nil
			}
		}
		if len(all) == 0 {
			break
		}
		next, taken, err := u.accept(now, all)
		if err != nil {
			return now, err
		}
		for _, p := range all {
			for _, key := range p.keys {
				if alone[p.file] && !taken[p.file] {
					u.tried[key] = errHelps
				}
			}
			alone[p.file] = true
		}
		now = next
	}
	return now, nil
}

// Reasons for leaving a value although it could be changed.
var (
	errHelps   = errors.New("the value of the CR in its place would not make all CRs of the template agree")
	errPattern = errors.New("the template states a pattern")
)

// drift is a CR that differs from its template.
type drift struct {
	*finding.Comparison
	template *render.Template
	cluster  int
}

// drifting returns the selected CRs that differ.
func (s *state) drifting(by selection) (all []drift) {
	for i, run := range s.runs {
		for _, c := range run.Comparisons {
			differs := c.Result == finding.Drifted || c.Error != nil || s.extra && c.Result == finding.OnlyExtra
			if differs && by.asked(manifest.ID(c.Object)) {
				all = append(all, drift{c, s.byIndex[c.Template.Index], i})
			}
		}
	}
	return all
}

// operation is a change of what a template expects.
type operation struct {
	op    string // add, remove or replace
	path  refconfig.FieldPath
	value any
}

// key identifies an operation on a file.
func (o operation) key(file string) string {
	return fmt.Sprintf("%s %s %s %v", file, o.op, o.path, o.value)
}

// operations returns what has to change so that a template agrees with a CR: what an override of the CR
// would do.
func operations(c *finding.Comparison) (all []operation) {
	if c.Acceptance == nil {
		return nil
	}
	for _, one := range c.Acceptance.Overrides {
		list, err := tree.FromJSON([]byte(one.Patch))
		items, _ := list.([]any)
		if err != nil || one.Type != refconfig.JSONPatch {
			continue
		}
		for _, item := range items {
			o := operation{op: tree.StringAt(item, "op"), path: patch.PathOf(tree.StringAt(item, "path"))}
			o.value, _ = tree.At(item, refconfig.PathOf("value"))
			if o.op != "test" && len(o.path) > 0 {
				all = append(all, o)
			}
		}
	}
	return all
}

// edited is a file that an operation has changed.
type edited struct {
	text []byte
	Change
}

// change applies the operations of a CR to its template, or only the first that is left to try; false if
// none can be applied.
func (u *updater) change(now *state, c drift, one bool) (p proposal, ok bool) {
	t := c.template
	file := t.Ref.File
	object := u.objects[c.cluster][manifest.ID(c.Object)]
	text, err := u.text(file)
	if object == nil || err != nil {
		return p, false
	}
	p = proposal{file: file, files: map[string][]byte{}}
	one = one || !bytes.Equal(text, t.Ref.Source) // it is one of several CRs in the file
	for _, o := range operations(c.Comparison) {
		key := o.key(file)
		if u.tried[key] != nil {
			continue
		}
		if hasPattern(t.Ref.Config, o.path) {
			u.tried[key] = errPattern
			continue
		}
		if o.op == "remove" && !now.allAsk(c, o) {
			u.tried[key] = errHelps
			continue
		}
		entries := entriesOf(t.Ref.Config, o)
		if len(entries) > 0 && len(p.keys) > 0 {
			continue // another time, because it changes the metadata
		}
		o.value = u.stated(now, c, o)
		made, err := u.edit(text, t, object, o)
		if err == nil && len(entries) > 0 {
			p.files[now.ref.Metadata], err = u.withoutEntries(now.ref.Metadata, entries)
		}
		if err == nil && !one {
			t, err = u.compiled(now, t, made.text)
		}
		if err != nil {
			u.tried[key] = err
			continue
		}
		text = made.text
		p.files[file], p.changes, p.keys = text, append(p.changes, made.Change), append(p.keys, key)
		for _, entry := range entries {
			what := entry.Said() + " of " + entry.Path.String()
			p.changes = append(p.changes, Change{Place: entry.Place, Path: what, Had: true})
		}
		if one || len(entries) > 0 {
			break
		}
	}
	return p, len(p.keys) > 0
}

// allAsk reports whether all CRs of a template ask for an operation. What only some of them lack is still
// checked for the others.
func (s *state) allAsk(c drift, o operation) bool {
	for _, run := range s.runs {
		for _, other := range run.Comparisons {
			asks := func(one operation) bool { return one.op == o.op && slices.Equal(one.path, o.path) }
			if other.Template.Index == c.Template.Index && !slices.ContainsFunc(operations(other), asks) {
				return false
			}
		}
	}
	return true
}

// entriesOf returns the entries of perField for what an operation removes: without it, they are a fault of
// the reference.
func entriesOf(c refconfig.Config, o operation) (all []refconfig.FieldFunction) {
	if o.op != "remove" {
		return nil
	}
	for _, f := range c.PerField {
		if len(f.Path) >= len(o.path) && isAt(f.Path[:len(o.path)], o.path) {
			all = append(all, f)
		}
	}
	return all
}

// isAt reports whether the steps of an entry of perField lead to a field.
func isAt(entry, at refconfig.FieldPath) bool {
	return slices.EqualFunc(entry, at, func(e, a refconfig.Step) bool { return e.Any || keyOf(e) == keyOf(a) })
}

// withoutEntries returns the text of the metadata without some entries of perField.
func (u *updater) withoutEntries(file string, entries []refconfig.FieldFunction) ([]byte, error) {
	text, err := u.text(file)
	if why := u.Writable(file); why != "" {
		return nil, errors.New(why)
	}
	for _, entry := range slices.Backward(entries) { // from the end, so that the lines stay
		if entry.Place.File != file {
			return nil, errAbsent
		}
		p, fault := plainPage(text)
		if err = cmp.Or(err, fault); err != nil {
			return nil, err
		}
		path := p.itemAt(p.root, nil, entry.Place.Line)
		if path == nil {
			return nil, errAbsent
		}
		if text, _, err = p.remove(path); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// compiled compiles a template with another text.
func (u *updater) compiled(now *state, t *render.Template, text []byte) (*render.Template, error) {
	ref := *t.Ref
	ref.Source = text
	only := &refconfig.Reference{Templates: []*refconfig.Template{&ref}, Functions: now.ref.Functions}
	engine, _ := render.Compile(u.ctx, only)
	if len(engine.Templates()) == 0 {
		return nil, errHelps
	}
	return engine.Templates()[0], nil
}

// edit applies an operation to the file of a template, at the place that prints the value for a CR.
func (u *updater) edit(text []byte, t *render.Template, object *manifest.Object, o operation) (edited, error) {
	whole, err := u.page(text, t, object)
	if err != nil {
		return edited{}, errAbsent
	}
	made := edited{Change: Change{Path: o.path.String(), Now: o.value, Has: o.op != "remove"}}
	p, path, err := whole.open(o.path)
	if err != nil { // a document in a text that is not written line by line
		return u.editText(whole, t, object, o)
	}
	if was, ok := p.at(path); ok && o.op != "add" {
		made.Was, made.Had = was.node.Value(), true
	}
	made.Place.File = t.Ref.File
	switch o.op {
	case "remove":
		made.text, made.Place.Line, err = p.remove(path)
	case "add":
		made.text, made.Place.Line, err = p.add(path, o.value)
	default:
		made.text, made.Place.Line, err = p.set(path, o.value)
	}
	if err != nil && p != whole {
		return u.editText(whole, t, object, o)
	}
	return made, err
}

// editText changes a text with a document to that of the CR, if no comment is lost.
func (u *updater) editText(p *page, t *render.Template, object *manifest.Object, o operation) (made edited, err error) {
	value, err := object.Decode()
	if err != nil {
		return made, err
	}
	for i := range o.path {
		path := slices.Clone(o.path[:i+1])
		path[i].Key = strings.TrimSuffix(path[i].Key, "!")
		s, ok := p.at(path)
		now, _ := tree.At(value, path)
		text, isText := now.(string)
		if !ok || s.node.Kind != kubeyaml.Scalar || !isText {
			continue
		}
		if u.only != nil {
			now = u.only.open(text, scopeOf(object.ID), &Fields{left: refconfig.DefaultFileLimit}, path)
		}
		made.Change = Change{Path: path.String(), Was: s.node.Text, Now: now, Had: true, Has: true}
		for line := range strings.Lines(s.node.Text) {
			at := kubeyaml.Comment(line)
			if strings.HasPrefix(strings.TrimSpace(line), ";") {
				at = 0
			}
			if at >= 0 && !strings.Contains(text, strings.TrimSpace(line[at:])) {
				return made, errComment
			}
		}
		made.Place.File = t.Ref.File
		made.text, made.Place.Line, err = p.set(path, now)
		return made, err
	}
	return made, errAbsent
}

// page returns the page of a template for a CR.
func (u *updater) page(text []byte, t *render.Template, object *manifest.Object) (*page, error) {
	value, err := object.Decode()
	if err != nil {
		return nil, err
	}
	r, err := t.Execute(value, render.Options{Context: u.ctx, Trace: true, Limits: u.Compare.Limits})
	if err != nil {
		return nil, err
	}
	return templatePage(text, t, r.Trace)
}

// hasPattern reports whether a template states a pattern in a field, above or below it.
func hasPattern(c refconfig.Config, at refconfig.FieldPath) bool {
	return slices.ContainsFunc(c.Fields(refconfig.InlineDiff), func(f refconfig.FieldFunction) bool {
		n := min(len(f.Path), len(at))
		return isAt(f.Path[:n], at[:n])
	})
}

// stated returns what a template states in place of the value of a CR: the action that prints it, if it is
// one that every cluster has of its own, or if the clusters differ in it.
func (u *updater) stated(now *state, c drift, o operation) any {
	fields := &Fields{left: refconfig.DefaultFileLimit}
	if u.only != nil && !slices.ContainsFunc(o.path, func(s refconfig.Step) bool { return s.Key == "-" }) {
		return u.only.open(tree.Copy(o.value), scopeOf(manifest.ID(c.Object)), fields, o.path)
	}
	if o.op == "remove" || len(u.clusters) == 1 {
		return o.value
	}
	values := map[int][]any{}
	for i, run := range now.runs {
		for _, other := range run.Comparisons {
			if other.Template.Index != c.Template.Index {
				continue
			}
			values[i] = append(values[i], valueAt(u.value(i, other), o.path))
		}
	}
	all := []any{o.value}
	for _, of := range values {
		if len(of) > 1 || of[0] == nil {
			return o.value
		}
		all = append(all, of[0])
	}
	return fields.merge(all, o.path)
}

// valueAt returns the value at a path, which may lead into a document; nil if it is absent.
func valueAt(object any, path refconfig.FieldPath) any {
	for i, step := range path {
		around, inside := step.Around()
		if !inside {
			continue
		}
		text, _ := tree.At(object, append(slices.Clone(path[:i]), around))
		if maps, ok := opened([]any{text}, path[:i+1]); ok {
			return valueAt(maps[0], path[i+1:])
		}
		return nil
	}
	v, _ := tree.At(object, path)
	return v
}

// value returns the CR of a comparison.
func (u *updater) value(cluster int, c *finding.Comparison) any {
	if o := u.objects[cluster][manifest.ID(c.Object)]; o != nil {
		if v, err := o.Decode(); err == nil {
			return v
		}
	}
	return nil
}

// rest collects what the author has to decide.
func (u *updater) rest(now *state) {
	changed := map[string]bool{}
	for _, c := range u.out.Changed {
		changed[c.Place.File] = true
	}
	for _, one := range u.out.Added {
		changed[one.File] = true
	}
	matched := now.matched()
	for _, t := range now.engine.Templates() {
		id := statedID(t)
		switch {
		case matched[t.Ref.File]:
			continue
		case !(selection{u.opt}).asked(id):
			continue
		}
		gone := Left{Place: refconfig.Place{File: t.Ref.File, Line: t.Ref.Line}, Object: finding.Object(id)}
		if ruleOf(t.Ref) == refconfig.AllOf {
			u.out.Gone = append(u.out.Gone, gone)
		} else {
			u.out.Absent = append(u.out.Absent, gone)
		}
	}
	left := map[string]bool{}
	for _, run := range now.runs {
		for _, c := range run.Comparisons {
			if c.Result == finding.OnlyExtra {
				u.out.More++
			}
		}
	}
	for _, c := range now.drifting(selection{u.opt}) {
		left[c.template.Ref.File] = true
		u.leave(c)
	}
	slices.SortStableFunc(u.out.Left, func(a, b Left) int {
		of := manifest.Compare(manifest.ID(a.Object), manifest.ID(b.Object))
		return cmp.Or(a.Place.Compare(b.Place), of, strings.Compare(a.Path, b.Path))
	})
	u.out.Left = slices.CompactFunc(u.out.Left, func(a, b Left) bool { // several clusters have it
		return a.Place == b.Place && a.Object == b.Object && a.Path == b.Path &&
			(a.Path != "" || a.Message == b.Message)
	})
	for name := range matched {
		if !changed[name] && !left[name] {
			u.out.Agree++
		}
	}
}

// leave tells why a CR still differs from its template.
func (u *updater) leave(c drift) {
	file := c.template.Ref.File
	at := func(refconfig.FieldPath) refconfig.Place { return refconfig.Place{File: file} }
	isLiteral := func(refconfig.FieldPath) bool { return false }
	if text, err := u.text(file); err == nil {
		if o := u.objects[c.cluster][manifest.ID(c.Object)]; o != nil {
			if p, err := u.page(text, c.template, o); err == nil {
				at = func(path refconfig.FieldPath) refconfig.Place {
					return refconfig.Place{File: file, Line: p.lineOf(path)}
				}
				isLiteral = p.isLiteral
			}
		}
	}
	if c.Error != nil {
		u.out.Left = append(u.out.Left, Left{at(nil), c.Object, "", c.Error.Message})
		return
	}
	reasons := map[string]error{}
	if c.Acceptance != nil {
		for _, left := range c.Acceptance.Left {
			reasons[left.Path.String()] = errors.New(left.Message)
		}
	}
	for _, o := range operations(c.Comparison) {
		if err := u.tried[o.key(file)]; err != nil {
			reasons[o.path.String()] = err
		}
	}
	whole := u.tried[file]
	for _, d := range c.Differences {
		if d.Category == finding.Extra && !u.opt.Extra || d.Category == finding.Expected {
			continue
		}
		path, _ := refconfig.ParseFieldPath(d.Path)
		why := whole
		for above := path; why == nil && len(above) > 0; above = above[:len(above)-1] {
			why = reasons[above.String()]
		}
		if why == nil && isLiteral(path) {
			why = errHelps
		}
		why = cmp.Or(why, errAction)
		u.out.Left = append(u.out.Left, Left{at(path), c.Object, d.Path, why.Error()})
	}
}
