package generate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// This file changes what a template states to what a CR has.

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
