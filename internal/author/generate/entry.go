package generate

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/filename"
	"github.com/validationtool/validationtool/refconfig"
)

// add adds templates for the CRs that have none, and their entries to the metadata; or it only counts these CRs.
func (u *updater) add(now *state) (*state, error) {
	wanted := map[manifest.ID]bool{}
	for _, run := range now.runs {
		for _, one := range run.Unmatched {
			wanted[manifest.ID(one.Object)] = true
		}
	}
	r := &Reference{LeftOut: map[string]int{}}
	u.out.Made = r
	all := slices.DeleteFunc(r.sort(u.clusters, selection{u.opt}, nil), func(t *template) bool { return !wanted[t.id] })
	clear(r.LeftOut)
	for _, t := range all {
		t.only, t.keeps = u.only, true
	}
	unread := r.Problems
	err := r.make(u.ctx, all, u.opt)
	if !u.opt.Add { // what is wrong with other templates does not matter
		r.Problems = unread
	}
	if err != nil || len(r.Files) == 0 {
		return now, err
	}
	m := &metadataEdit{file: now.ref.Metadata, ref: now.ref, made: map[string]refconfig.FieldPath{}}
	if m.file != "" {
		m.text = now.ref.MetadataText
		m.folder = path.Dir(m.file)
	}
	taken, listed := u.names(m.folder), map[string]bool{}
	for _, t := range now.ref.Templates {
		listed[t.File] = true
	}
	var failed error
	without := 0
	for _, t := range all {
		if t.text == "" {
			continue
		}
		like := m.like(t, now)
		in := folderFor(t, like)
		file := path.Join(m.folder, fileOf(in, t.id, filename.Taken{}))
		why := u.excluded(file, m)
		switch isOut := why.Message != "" && !listed[file]; {
		case isOut && u.opt.Add:
			why.Object = finding.Object(t.id)
			u.out.Not = append(u.out.Not, why)
			continue
		case isOut:
			continue
		case !u.opt.Add:
			u.out.Without++
			continue
		}
		t.File = fileOf(in, t.id, taken)
		if err := m.add(t, like); err != nil {
			failed, without = err, without+1
			continue
		}
		name := path.Join(m.folder, t.File)
		u.changed[name] = &fstest.MapFile{Data: []byte(t.text)}
		u.out.Added = append(u.out.Added, Added{name, finding.Object(t.id)})
	}
	if failed != nil {
		u.out.Left = append(u.out.Left, Left{Place: refconfig.Place{File: m.file}, Message: fmt.Sprintf(
			"%s without a template, because the metadata cannot be extended: %s",
			finding.Plural(without, "CR is", "CRs are"), failed,
		)})
	}
	if len(u.out.Added) == 0 {
		return now, nil
	}
	if m.file != "" {
		if why := u.Writable(m.file); why != "" {
			return now, fmt.Errorf("%s: %s: %s, so that nothing can be added", code.NoFolder, m.file, why)
		}
		u.changed[m.file] = &fstest.MapFile{Data: m.text}
	}
	next, problems, _, err := u.load(u.changed)
	if len(problems) > 0 {
		err = refconfig.Faults{What: "the reference could not be extended, and nothing was written", Problems: problems}
	}
	return next, err
}

// names returns the names of the files in a folder.
func (u *updater) names(folder string) filename.Taken {
	taken := filename.Taken{}
	folder = path.Clean(folder)
	_ = fs.WalkDir(u.Files, folder, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what cannot be listed has no name that matters
		case e.IsDir() && strings.HasPrefix(e.Name(), ".") && name != folder:
			return fs.SkipDir
		case !e.IsDir():
			taken[strings.ToLower(strings.TrimPrefix(name, folder+"/"))] = 1
		}
		return nil
	})
	return taken
}

// folderFor returns the folder of a new template: that of a template that it is like, or of its API group.
func folderFor(t *template, like *refconfig.Template) string {
	t.folder = folderOf(t.id.Group(), filename.Taken{})
	if like != nil {
		return path.Dir(like.Path)
	}
	return t.folder
}

// excluded says why a CR gets no template although it has none: its author has removed it.
func (u *updater) excluded(file string, m *metadataEdit) (left Left) {
	stem := strings.TrimSuffix(path.Base(file), ".yaml")
	for i, line := range strings.Split(string(m.text), "\n") {
		if words := strings.TrimSpace(line); strings.HasPrefix(words, "#") && strings.Contains(words, stem+".yaml") {
			left.Place = refconfig.Place{File: m.file, Line: i + 1}
			left.Message = "this comment names its file"
			return left
		}
	}
	if _, err := fs.Stat(u.Files, file); err == nil {
		left.Place = refconfig.Place{File: file}
		left.Message = "the reference does not use this file"
	}
	return left
}

// metadataEdit is the metadata file while entries are added.
type metadataEdit struct {
	file, folder string // "" and "." if the reference has none
	text         []byte
	ref          *refconfig.Reference
	made         map[string]refconfig.FieldPath // the lists in new parts, by folder and key
}

// like returns the template that a new one goes behind: of its kind and namespace, or else, in a part for
// its API group, of its kind or any. It is in a component that requires its templates as the new one is
// required; nil for none.
func (m *metadataEdit) like(t *template, now *state) *refconfig.Template {
	var best *refconfig.Template
	most := 0
	for _, other := range now.engine.Templates() {
		id, fit := statedID(other), 1
		if id.Kind == t.id.Kind {
			fit++
			if id.Namespace == t.id.Namespace {
				fit++
			}
		}
		const sameNamespace = 3
		ofGroup := other.Ref.Part != nil && other.Ref.Part.Name == folderOf(t.id.Group(), filename.Taken{})
		if id.Group() != t.id.Group() || fit < most || fit < sameNamespace && !ofGroup {
			continue
		}
		if m.file == "" || ruleOf(other.Ref) == ruleFor(t) {
			best, most = other.Ref, fit
		}
	}
	return best
}

// ruleFor returns the rule that a new template is listed under.
func ruleFor(t *template) refconfig.RuleKind {
	if t.optional {
		return refconfig.AnyOf
	}
	return refconfig.AllOf
}

// ruleOf returns the rule that lists a template.
func ruleOf(t *refconfig.Template) refconfig.RuleKind {
	for _, rule := range t.Component.Rules {
		if slices.Contains(rule.Templates, t) {
			return rule.Kind
		}
	}
	return ""
}

// add adds the entry of a template behind that of another one, or in a part of its own.
func (m *metadataEdit) add(t *template, like *refconfig.Template) error {
	if m.file == "" {
		return nil
	}
	if !m.has("fieldsToOmit", "items", runtimeList) {
		t.List = ""
	}
	if m.ref.Format == refconfig.V1 {
		t.PerField = nil
	}
	if t.List != "" && !m.has("fieldsToOmit", "items", t.List) {
		all := allRuntimeFields()
		list := all[slices.IndexFunc(all, func(r runtimeFields) bool { return r.List == t.List })]
		if err := m.append(refconfig.PathOf("fieldsToOmit", "items"), "list", list); err != nil {
			return err
		}
	}
	c := component{Rule: string(ruleFor(t)), Templates: []*template{t}}
	if m.ref.Format == refconfig.V1 {
		c.Rule, c.Type = "requiredTemplates", "Required"
		if t.optional {
			c.Rule = "optionalTemplates"
		}
	}
	if list := m.listFor(t, like, c.Rule); list != nil && m.append(list, "entry", t) == nil {
		return nil
	}
	names := filename.Taken{}
	for _, part := range m.ref.Parts {
		names[strings.ToLower(part.Name)] = 1
	}
	c.Name = names.Free(t.folder, "")
	parts := refconfig.PathOf("parts")
	p, err := plainPage(m.text)
	if err != nil {
		return err
	}
	s, ok := p.at(parts)
	if !ok {
		return errAbsent
	}
	m.made[t.folder+" "+c.Rule] = m.listAt(len(s.node.Values), 0, c.Rule)
	return m.append(parts, "part", part{Name: c.Name, Components: [2]component{c}})
}

// has reports whether the metadata has a field.
func (m *metadataEdit) has(keys ...string) bool {
	p, err := plainPage(m.text)
	if err != nil {
		return false
	}
	_, ok := p.at(refconfig.PathOf(keys...))
	return ok
}

// append adds a part of metadataText at the end of a list or map.
func (m *metadataEdit) append(to refconfig.FieldPath, name string, data any) error {
	text, err := metadataPart(name, data, nil, false)
	if err != nil {
		return err
	}
	p, err := plainPage(m.text)
	if err != nil {
		return err
	}
	longer, err := p.append(to, strings.Split(strings.Trim(text, "\n"), "\n"))
	if err == nil {
		m.text = longer
	}
	return err
}

// listFor returns the path of the list for the entry of a template; nil for none.
func (m *metadataEdit) listFor(t *template, like *refconfig.Template, key string) refconfig.FieldPath {
	if like == nil {
		return m.made[t.folder+" "+key]
	}
	for i, part := range m.ref.Parts {
		for j, component := range part.Components {
			if component == like.Component {
				return m.listAt(i, j, key)
			}
		}
	}
	return nil
}

// index returns the step to an item of a list.
func index(i int) refconfig.Step { return refconfig.Step{Key: strconv.Itoa(i), Index: i} }

func (m *metadataEdit) listAt(part, component int, key string) refconfig.FieldPath {
	return refconfig.FieldPath{
		refconfig.Key("parts"), index(part), refconfig.Key("components"), index(component), refconfig.Key(key),
	}
}

// unchanged returns an error if a template of the reference before has another place or config now.
func (u *updater) unchanged(before, after *refconfig.Reference) error {
	key := func(t *refconfig.Template) string {
		part := ""
		if t.Part != nil {
			part = t.Part.Name
		}
		name := ""
		if t.Component != nil {
			name = t.Component.Name
		}
		return strings.Join([]string{part, name, t.Path}, "\x00")
	}
	now := map[string]*refconfig.Template{}
	for _, t := range after.Templates {
		now[key(t)] = t
	}
	for _, t := range before.Templates {
		is := now[key(t)]
		isSame := is != nil && (is.Config.Same(t.Config) || u.fewer[t.File]) &&
			(u.changed[t.File] != nil || bytes.Equal(is.Source, t.Source))
		if !isSame {
			return fmt.Errorf("%s: %s would not be what it was, and nothing was written", code.Internal, t.File)
		}
	}
	return nil
}
