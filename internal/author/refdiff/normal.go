package refdiff

import (
	"context"
	"slices"

	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// settle removes changes that are only another way to write the same: those that the normal forms of
// both versions do not have. A change of several fields keeps those that differ there, and counts as it
// does there. It adds changes that only the normal forms show.
func (p *pair) settle() {
	if !slices.ContainsFunc(p.changes, Change.mayBeWriting) {
		return
	}
	ctx := p.searched.Context
	before, oldDiffers := p.old.normalSources()
	after, newDiffers := p.new.normalSources()
	if !oldDiffers && !newDiffers {
		return
	}
	old, new := p.old.with(ctx, before), p.new.with(ctx, after)
	if old == nil || new == nil {
		return
	}
	q := newPair(old, new, p.searched)
	q.contents()
	p.changes = slices.DeleteFunc(p.changes, func(c Change) bool {
		return c.mayBeWriting() && !slices.ContainsFunc(q.changes, c.isLike)
	})
	for i, c := range p.changes {
		if !c.mayBeWriting() || len(c.Paths) == 0 {
			continue
		}
		like := slice.Filter(q.changes, c.isLike)
		p.changes[i].Paths = slice.Filter(c.Paths, func(path string) bool {
			return slices.ContainsFunc(like, func(other Change) bool { return slices.Contains(other.Paths, path) })
		})
		if !slices.ContainsFunc(like, func(other Change) bool { return other.Group == Must || other.Kind != c.Kind }) {
			p.changes[i].Group, p.changes[i].Words = like[0].Group, like[0].Words
		}
	}
	for _, c := range q.changes { // a condition on a variable, which is another field now
		if c.Group == Must && !slices.ContainsFunc(p.changes, c.isLike) {
			p.changes = append(p.changes, c)
		}
	}
}

// mayBeWriting reports whether a change is about the text of actions.
func (c Change) mayBeWriting() bool {
	return slices.Contains([]Kind{Condition, Computed, ParameterKind}, c.Kind)
}

// isLike reports whether a change of the normal forms is about the same. Fields that differ there may
// differ in another way.
func (c Change) isLike(other Change) bool {
	if len(c.Paths) == 0 {
		return c.Kind == other.Kind && len(other.Paths) == 0
	}
	return slices.ContainsFunc(c.Paths, func(path string) bool { return slices.Contains(other.Paths, path) })
}

// normalSources returns a reference with only this template and the function files, in their normal
// forms, and whether any of them is written in another way.
func (e *entry) normalSources() (ref *refconfig.Reference, differs bool) {
	normal := func(source []byte) []byte {
		text, isOther := template.Normal(string(source))
		differs = differs || isOther
		return []byte(text)
	}
	one, only := *e.Ref, *e.ref
	one.Source, only.Templates, only.Functions = normal(one.Source), []*refconfig.Template{&one}, nil
	for _, f := range e.ref.Functions {
		other := *f
		other.Source = normal(f.Source)
		only.Functions = append(only.Functions, &other)
	}
	return &only, differs
}

// with returns the entry with the only template of another reference, nil if that cannot be used.
func (e *entry) with(ctx context.Context, ref *refconfig.Reference) *entry {
	engine, _ := render.Compile(ctx, ref)
	if len(engine.Templates()) != 1 {
		return nil
	}
	t := engine.Templates()[0]
	return &entry{
		Template: t, ref: ref, asked: probe.Execute(ctx, t.Template),
		component: e.component, components: e.components, kinds: e.kinds,
	}
}
