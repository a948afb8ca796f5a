package refdiff

import (
	"context"
	"slices"

	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// settle removes changes that are only another way to write the same: those that the normal forms of
// both versions do not have. A change of several fields keeps those that differ there, and counts as it
// does there. It adds changes that only the normal forms show. A template that is too large to be
// analysed to its end is not analysed again.
func (p *pair) settle() {
	if p.old.asked.Incomplete || p.new.asked.Incomplete || !slices.ContainsFunc(p.changes, Change.mayBeWriting) {
		return
	}
	ctx := p.searched.Context
	before, oldDiffers := p.old.normalSources()
	after, newDiffers := p.new.normalSources()
	if !oldDiffers && !newDiffers {
		return
	}
	old, new := p.old.with(ctx, before), p.new.with(ctx, after)
	if old == nil || new == nil || old.IsLike(p.old.Template.Template) && new.IsLike(p.new.Template.Template) {
		return
	}
	q := newPair(old, new, p.searched)
	q.contents()
	normal := indexOf(q.changes)
	p.changes = slices.DeleteFunc(p.changes, func(c Change) bool { return c.mayBeWriting() && !normal.hasLike(c) })
	for i, c := range p.changes {
		if !c.mayBeWriting() || len(c.Paths) == 0 {
			continue
		}
		p.changes[i].Paths = slice.Filter(c.Paths, func(path string) bool { return normal.byPath[path] != nil })
		if first := normal.instead(c); first != nil {
			p.changes[i].Group, p.changes[i].Words = first.Group, first.Words
		}
	}
	own := indexOf(p.changes)
	for _, c := range q.changes { // a condition on a variable, which is another field now
		if c.Group == Must && !own.hasLike(c) {
			p.changes = append(p.changes, c)
		}
	}
}

// mayBeWriting reports whether a change is about the text of actions.
func (c Change) mayBeWriting() bool {
	return slices.Contains([]Kind{Condition, Computed, ParameterKind}, c.Kind)
}

// isMust reports whether a change must be made.
func (c Change) isMust() bool { return c.Group == Must }

// index finds changes that are about the same: about one of the paths, or, if they have no path, of one
// kind. Fields that differ in both may differ in different ways.
type index struct {
	changes []Change
	byPath  map[string]*atPath
	noPath  map[Kind]bool // the kinds of changes without a path
}

// atPath is what is known of the changes of one path.
type atPath struct {
	first int // the index of the first of them
	must  bool
	kinds map[Kind]bool
}

// indexOf returns the index of changes, which takes memory for each path, not for each two changes.
func indexOf(changes []Change) index {
	x := index{changes, map[string]*atPath{}, map[Kind]bool{}}
	for i, c := range changes {
		if len(c.Paths) == 0 {
			x.noPath[c.Kind] = true
		}
		for _, path := range c.Paths {
			at := x.byPath[path]
			if at == nil {
				at = &atPath{first: i, kinds: map[Kind]bool{}}
				x.byPath[path] = at
			}
			at.must, at.kinds[c.Kind] = at.must || c.Group == Must, true
		}
	}
	return x
}

// hasLike reports whether there is a change about the same.
func (x index) hasLike(c Change) bool {
	if len(c.Paths) == 0 {
		return x.noPath[c.Kind]
	}
	return slices.ContainsFunc(c.Paths, func(path string) bool { return x.byPath[path] != nil })
}

// instead returns the first change about the same as c, nil if one of these changes must be made or is of
// another kind.
func (x index) instead(c Change) *Change {
	first := len(x.changes)
	for _, path := range c.Paths {
		at := x.byPath[path]
		switch {
		case at == nil:
			continue
		case at.must || len(at.kinds) > 1 || !at.kinds[c.Kind]:
			return nil
		}
		first = min(first, at.first)
	}
	if first == len(x.changes) {
		return nil
	}
	return &x.changes[first]
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
		Template: t, ref: ref,
		component: e.component, components: e.components, kinds: e.kinds,
	}
}
