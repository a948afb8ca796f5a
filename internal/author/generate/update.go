package generate

import (
	"context"
	"errors"
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
	"github.com/validationtool/validationtool/internal/template/render"
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
	Without  int    // CRs that have no template and got none
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
	fewer    map[string]bool      // the files whose entries in the metadata have become fewer
	torn     map[manifest.ID]bool // the CRs whose copies contradict each other
	out      *Update
}

// contradict reports whether copies of a CR have different contents, and none is known to be the newest.
func contradict(same []*manifest.Object) bool {
	omit := refconfig.BuiltInOmit()
	newest, err := same[0].Decode()
	return slices.ContainsFunc(same[1:], func(o *manifest.Object) bool {
		v, fault := o.Decode()
		differs := !tree.Equal(tree.Omit(newest, omit), tree.Omit(v, omit))
		return err == nil && fault == nil && !same[0].Outdates(o) && differs
	})
}

// UpdateOf finds how a reference is updated so that the CRs of clusters agree with it. What agrees is not
// touched. The values of a template that differ become those of the CRs, where it states them
// literally; CRs without a template get one if they are asked for, else they are counted. The problems
// are those of loading the reference.
func UpdateOf(
	ctx context.Context, old Existing, clusters []cluster.Collected, opt Options,
) (*Update, []refconfig.Problem, error) {
	u := &updater{
		Existing: old, ctx: ctx, opt: opt, clusters: clusters, changed: fstest.MapFS{},
		read: fstest.MapFS{}, tried: map[string]error{}, fewer: map[string]bool{},
		torn: map[manifest.ID]bool{}, out: &Update{},
	}
	u.Compare.Accept = &patch.Request{Extra: opt.Extra}
	u.Compare.ListUnmatched, u.Compare.EveryKind = true, true
	for _, c := range clusters {
		byID := map[manifest.ID]*manifest.Object{}
		for same := range manifest.Copies(c.Objects, false) {
			byID[same[0].ID] = same[0]
			u.torn[same[0].ID] = u.torn[same[0].ID] || contradict(same)
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

// proposal is a change of a file of templates, perhaps with the metadata.
type proposal struct {
	file    string
	files   map[string][]byte
	changes []Change
	keys    []string // of the operations, see operation.key
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
			why := u.Writable(file)
			if why == "" && u.torn[manifest.ID(c.Object)] {
				why = "the input has copies of the CR that contradict each other"
			}
			if why != "" {
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
