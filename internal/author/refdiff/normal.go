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
// does there. It adds changes that only the normal forms show. A template that is too large to be
// analysed to its end is not analysed again.
func (p *pair) settle() {
	if p.old.asked.Incomplete || p.new.asked.Incomplete || !slices.ContainsFunc(p.changes, Change.mayBeWriting) {
		return
	}
	ctx := p.searched.Context
	old, oldDiffers := p.old.inNormalForm(ctx)
	new, newDiffers := p.new.inNormalForm(ctx)
	switch {
	case !oldDiffers && !newDiffers, old == nil, new == nil:
		return
	case old.IsLike(p.old.Template.Template) && new.IsLike(p.new.Template.Template):
		return // only what they do not call is written in another way
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

// normalFunctions are the function files of a version in their normal forms.
type normalFunctions struct {
	reference refconfig.Reference // without templates
	engine    *render.Engine
	prober    *probe.Prober
	differ    bool // any of them is written in another way
}

// normalOf returns the function files of a reference in their normal forms.
func normalOf(ref *refconfig.Reference) normalFunctions {
	n := normalFunctions{reference: *ref, prober: &probe.Prober{}}
	n.reference.Templates, n.reference.Functions = nil, nil
	for _, f := range ref.Functions {
		other := *f
		text, isOther := template.Normal(string(f.Source))
		other.Source, n.differ = []byte(text), n.differ || isOther
		n.reference.Functions = append(n.reference.Functions, &other)
	}
	n.engine, _ = render.Compile(context.Background(), &n.reference) // it executes nothing
	return n
}

// inNormalForm returns the entry with the normal forms of its template and of the function files, nil if
// these cannot be used, and whether any of them is written in another way.
func (e *entry) inNormalForm(ctx context.Context) (normal *entry, differs bool) {
	functions, one := e.normal(), *e.Ref
	text, isOther := template.Normal(string(one.Source))
	one.Source = []byte(text)
	engine, _ := functions.engine.Compiled(ctx, &one)
	if len(engine.Templates()) != 1 {
		return nil, isOther || functions.differ
	}
	return &entry{
		Template: engine.Templates()[0], ref: &functions.reference, prober: functions.prober,
		component: e.component, components: e.components, kinds: e.kinds,
	}, isOther || functions.differ
}
