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
	Gone     []Left // templates without a CR
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
	out      *Update
}

// state is a reference as far as it is updated, with the comparisons of all clusters.
type state struct {
	ref    *refconfig.Reference
	engine *render.Engine
	runs   []*finding.Run
}

// UpdateOf finds how a reference is updated so that the CRs of clusters agree with it. What agrees is not
// touched. The values of a template that differ become those of the CRs, where it states them
// literally; CRs without a template get one. The problems are those of loading the reference.
func UpdateOf(
	ctx context.Context, old Existing, clusters []cluster.Collected, opt Options,
) (*Update, []refconfig.Problem, error) {
	u := &updater{
		Existing: old, ctx: ctx, opt: opt, clusters: clusters, changed: fstest.MapFS{},
		read: fstest.MapFS{}, tried: map[string]error{}, out: &Update{},
	}
	u.Compare.Accept = &patch.Request{}
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
	now, problems, err := u.load(u.changed)
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

// load loads the reference with some files changed, and compares the clusters with it.
func (u *updater) load(changed fstest.MapFS) (*state, []refconfig.Problem, error) {
	ref, problems := u.Load(u.over(changed))
	engine, more := render.Compile(u.ctx, ref)
	if problems = append(problems, more...); len(problems) > 0 {
		return nil, problems, nil
	}
	s := &state{ref: ref, engine: engine}
	for _, c := range u.clusters {
		run, err := compare.Run(u.ctx, ref, engine, c, u.Compare)
		if err != nil {
			return nil, nil, watch.Cause(u.ctx).And(", and nothing was written")
		}
		s.runs = append(s.runs, run)
	}
	return s, nil, nil
}

// score says how far a file of templates is from its CRs.
type score struct{ differences, objects int }

// scores returns the scores of all files.
func (s *state) scores() map[string]score {
	all := map[string]score{}
	for _, run := range s.runs {
		for _, c := range run.Comparisons {
			file := s.ref.Templates[s.index(c)].File
			one := all[file]
			one.objects++
			one.differences += c.Counts.Drift + c.Counts.Missing + c.Counts.Invalid
			if c.Error != nil {
				one.differences++
			}
			all[file] = one
		}
	}
	return all
}

// index returns the index of the template that a CR is compared with.
func (s *state) index(c *finding.Comparison) int {
	return slices.IndexFunc(s.ref.Templates, func(t *refconfig.Template) bool { return t.Index == c.Template.Index })
}

// accept takes the changed files that bring the CRs closer to their templates, and leaves the others as
// they were. It returns those that it took.
func (u *updater) accept(now *state, proposed fstest.MapFS) (*state, map[string]bool, error) {
	was, taken := now.scores(), map[string]bool{}
	for len(proposed) > 0 {
		all := maps.Clone(u.changed)
		maps.Copy(all, proposed)
		next, problems, err := u.load(all)
		if err != nil {
			return now, taken, err
		}
		bad := map[string]bool{}
		for _, problem := range problems {
			bad[problem.Place.File] = true
		}
		if len(problems) == 0 {
			is := next.scores()
			for name := range proposed {
				bad[name] = is[name].objects < was[name].objects ||
					is[name].differences >= was[name].differences && is[name].objects == was[name].objects
			}
		}
		kept := maps.Clone(proposed)
		maps.DeleteFunc(kept, func(name string, _ *fstest.MapFile) bool { return bad[name] })
		switch {
		case len(kept) == len(proposed) && len(problems) == 0:
			for name := range kept {
				taken[name] = true
			}
			u.changed = all
			return next, taken, nil
		case len(kept) == len(proposed): // nobody knows which of them is at fault
			return now, taken, nil
		}
		proposed = kept
	}
	return now, taken, nil
}

// text returns the text of a file.
func (u *updater) text(name string) ([]byte, error) { return fs.ReadFile(u.over(u.changed), name) }

// versions gives a template whose only CR has another version of its API that version.
func (u *updater) versions(now *state) (*state, error) {
	matched := now.matched()
	proposed, changes := fstest.MapFS{}, map[string][]Change{}
	for i, run := range now.runs {
		for _, one := range run.Unmatched {
			id := manifest.ID(one.Object)
			for _, t := range now.engine.Templates() {
				file, as := t.Ref.File, statedID(t)
				isOld := as.APIVersion != id.APIVersion && as.Group() == id.Group()
				as.APIVersion = id.APIVersion
				if !isOld || as != id || matched[file] || proposed[file] != nil || u.Writable(file) != "" {
					continue
				}
				text, err := u.text(file)
				if err != nil {
					continue
				}
				to := operation{op: "replace", path: refconfig.PathOf("apiVersion"), value: id.APIVersion}
				if made, err := u.edit(text, t, u.objects[i][id], to); err == nil {
					proposed[file], changes[file] = &fstest.MapFile{Data: made.text}, []Change{made.Change}
				}
			}
		}
	}
	return u.take(now, proposed, changes)
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
	for name := range s.scores() {
		files[name] = true
	}
	return files
}

// take accepts changed files, and records their changes.
func (u *updater) take(now *state, proposed fstest.MapFS, changes map[string][]Change) (*state, error) {
	next, taken, err := u.accept(now, proposed)
	for _, name := range slices.Sorted(maps.Keys(taken)) {
		u.out.Changed = append(u.out.Changed, changes[name]...)
	}
	return next, err
}

// mostRounds limits how often the clusters are compared with changed templates.
const mostRounds = 30

// values changes what the templates state to what the CRs have. First all changes of a template are tried
// together; if they do not help, one by one.
func (u *updater) values(now *state) (*state, error) {
	alone := map[string]bool{} // files whose changes are tried one by one
	for range mostRounds {
		proposed, changes, used := fstest.MapFS{}, map[string][]Change{}, map[string][]string{}
		for _, c := range now.drifting() {
			t := c.template
			if proposed[t.Ref.File] != nil || c.Acceptance == nil {
				continue
			}
			if why := u.Writable(t.Ref.File); why != "" {
				u.tried[t.Ref.File] = errors.New(why)
				continue
			}
			text, made, keys := u.change(now, c, alone[t.Ref.File])
			if text != nil {
				proposed[t.Ref.File] = &fstest.MapFile{Data: text}
				changes[t.Ref.File], used[t.Ref.File] = made, keys
			}
		}
		if len(proposed) == 0 {
			break
		}
		next, taken, err := u.accept(now, proposed)
		if err != nil {
			return now, err
		}
		for _, name := range slices.Sorted(maps.Keys(proposed)) {
			switch {
			case taken[name]:
				u.out.Changed = append(u.out.Changed, changes[name]...)
				alone[name] = true
			case alone[name]:
				for _, key := range used[name] {
					u.tried[key] = errHelps
				}
			default:
				alone[name] = true
			}
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

// drifting returns the CRs that differ.
func (s *state) drifting() (all []drift) {
	byIndex := map[int]*render.Template{}
	for _, t := range s.engine.Templates() {
		byIndex[t.Ref.Index] = t
	}
	for i, run := range s.runs {
		for _, c := range run.Comparisons {
			if c.Result == finding.Drifted || c.Error != nil {
				all = append(all, drift{c, byIndex[c.Template.Index], i})
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

// change applies the operations of a CR to its template, or only the first that is left to try. text is
// nil if none can be applied.
func (u *updater) change(now *state, c drift, one bool) (text []byte, changes []Change, keys []string) {
	t := c.template
	file := t.Ref.File
	object := u.objects[c.cluster][manifest.ID(c.Object)]
	text, err := u.text(file)
	if object == nil || err != nil {
		return nil, nil, nil
	}
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
		o.value = u.stated(now, c, o)
		made, err := u.edit(text, t, object, o)
		if err == nil && !one {
			t, err = u.compiled(now, t, made.text)
		}
		if err != nil {
			u.tried[key] = err
			continue
		}
		text, changes, keys = made.text, append(changes, made.Change), append(keys, key)
		if one {
			break
		}
	}
	if len(keys) == 0 {
		return nil, nil, nil
	}
	return text, changes, keys
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
		made.Change = Change{Path: path.String(), Was: s.node.Text, Now: text, Had: true, Has: true}
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
		made.text, made.Place.Line, err = p.set(path, text)
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
		for i := range min(len(f.Path), len(at)) {
			if step := f.Path[i]; !step.Any && keyOf(step) != keyOf(at[i]) {
				return false
			}
		}
		return true
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
			v, _ := tree.At(u.value(i, other), o.path)
			values[i] = append(values[i], v)
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
		u.out.Gone = append(u.out.Gone, Left{
			Place: refconfig.Place{File: t.Ref.File, Line: t.Ref.Line}, Object: finding.Object(id), Path: t.Ref.Path,
		})
	}
	left := map[string]bool{}
	for _, run := range now.runs {
		for _, c := range run.Comparisons {
			if c.Result == finding.OnlyExtra {
				u.out.More++
			}
		}
	}
	for _, c := range now.drifting() {
		left[c.template.Ref.File] = true
		u.leave(c)
	}
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
	if text, err := u.text(file); err == nil {
		if o := u.objects[c.cluster][manifest.ID(c.Object)]; o != nil {
			if p, err := u.page(text, c.template, o); err == nil {
				at = func(path refconfig.FieldPath) refconfig.Place {
					return refconfig.Place{File: file, Line: p.lineOf(path)}
				}
			}
		}
	}
	if c.Error != nil {
		u.out.Left = append(u.out.Left, Left{at(nil), c.Object, "", c.Error.Message})
		return
	}
	reasons := map[string]error{}
	for _, o := range operations(c.Comparison) {
		if err := u.tried[o.key(file)]; err != nil {
			reasons[o.path.String()] = err
		}
	}
	whole := u.tried[file]
	for _, d := range c.Differences {
		if d.Category == finding.Extra || d.Category == finding.Expected {
			continue
		}
		path, _ := refconfig.ParseFieldPath(d.Path)
		why := whole
		for above := path; why == nil && len(above) > 0; above = above[:len(above)-1] {
			why = reasons[above.String()]
		}
		if why == nil {
			why = errAction
		}
		u.out.Left = append(u.out.Left, Left{at(path), c.Object, d.Path, why.Error()})
	}
}
