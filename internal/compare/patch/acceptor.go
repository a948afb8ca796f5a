package patch

import (
	"slices"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/pattern"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// acceptor builds the value that overrides make of the expected value, and records each change.
type acceptor struct {
	*Maker
	base    *diff.Compared
	value   map[string]any // the accepted value
	asItIs  bool           // take lists and fields from the input as they are
	changes []change
}

// change is one step from the expected value to the accepted one. Its path is valid after all steps
// before it and this one, so that an item keeps its index.
type change struct {
	path   refconfig.FieldPath
	was    diff.Value
	is     diff.Value
	item   bool // the path leads to a list item, which is removed or inserted there
	kept   bool // nothing changes, but the override tests for this value
	from   any  // for an inserted item that was in another place: its value there
	secret bool // was must not be written
}

// wants reports whether a difference is to be accepted. Secret data is not accepted, unless it is
// only removed; nor is a list of secret values, because an override would have to state all of it.
func (g *acceptor) wants(p *diff.Pair, path refconfig.FieldPath, below bool) bool {
	switch {
	case p.Children != nil:
		return below && !(p.List && p.HoldsSecret())
	case !g.counts(p.Category) || !g.Scope.has(FieldOf(path, p.Left.Present && !p.Right.Present)):
		return false
	}
	return p.Category == finding.Missing && !p.Right.Present || !p.HoldsSecret()
}

// enters records the keys that identify an item of a list, so that the override applies to no other
// item.
func (g *acceptor) enters(p *diff.Pair, at spot, was any) bool {
	if at.list != nil && !at.new {
		for _, key := range at.list.Keys(was) {
			v, scope := p.Secret.At(was, key)
			if v != nil && !scope.Holds(v) {
				path := slices.Concat(at.path, key)
				g.changes = append(g.changes, change{path: path, was: diff.Present(v), kept: true})
			}
		}
	}
	items, _ := was.([]any)
	return !p.List || !g.asItIs && lefts(p) == len(items)
}

// whole returns the value of the input for a pair.
func (g *acceptor) whole(p *diff.Pair, at spot, was diff.Value) diff.Value {
	is := p.Right
	if g.asItIs {
		is = valueAt(g.base.Right, at.path)
	}
	if !at.new {
		g.changes = append(g.changes, change{path: at.path, was: was, is: is,
			item: at.list != nil && !(was.Present && is.Present), secret: g.hides(p, was)})
	}
	return is
}

// inserts implements maker.
func (g *acceptor) inserts(at spot, was, is diff.Value) {
	g.changes = append(g.changes, change{path: at.path, is: is, item: true, from: was.Data})
}

// hides reports whether the reference's value of a pair must not be written: it is secret, or a
// part of it is not compared, perhaps because it is secret.
func (g *acceptor) hides(p *diff.Pair, was diff.Value) bool {
	_, isMap := was.Data.(map[string]any)
	_, isList := was.Data.([]any)
	return p.HoldsSecret() || p.Secret.Holds(was.Data) || (isMap || isList) && !tree.Equal(was.Data, p.Left.Data)
}

// lefts counts the compared items of a list of the reference.
func lefts(p *diff.Pair) (n int) {
	for _, child := range p.Children {
		if child.Left.Present && !child.IsPlace() {
			n++
		}
	}
	return n
}

// findings adds the findings that belong to no field of the expected value. Each is about a field,
// which the override states as the input has it, without the fields that are not compared.
func (g *acceptor) findings() {
	var compared any
	if len(g.base.Told) > 0 {
		compared = tree.Omit(g.base.Right, g.base.Omit)
	}
	for _, f := range g.base.Told {
		if f.Path == nil || !aboutField(f.Code) || !g.Scope.has(FieldOf(f.Path, false)) {
			continue
		}
		path := f.Path
		if g.asItIs {
			path = outsideLists(path, g.base.Right)
		}
		if tree.Omits(g.base.Omit, path) {
			g.state(
				path, diff.Present(map[string]any{}),
			) // any value will do, because the field is omitted; the value of the input may be secret
			continue
		}
		v := valueAt(compared, path)
		if v.Present && holdsSecret(g.Secrets, g.base.Right, path) {
			continue
		}
		g.state(path, v)
	}
	for _, path := range g.base.Conflicting {
		if v := valueAt(g.base.Right, path); v.Present && g.Scope.has(FieldOf(path, false)) &&
			!holdsSecret(g.Secrets, g.base.Right, path) {
			g.state(path, v)
		}
	}
}

// state sets a field to a value. If a parent of the field is missing, it sets the topmost missing
// parent.
func (g *acceptor) state(path refconfig.FieldPath, v diff.Value) {
	n := 1
	for ; n < len(path); n++ {
		at, _ := tree.At(g.value, path[:n])
		_, isMap := at.(map[string]any)
		_, isList := at.([]any)
		if !isMap && !isList {
			break
		}
	}
	at, below := path[:n], path[n:]
	was := valueAt(g.value, at)
	is := was
	hidden := g.base.Left.At(at).IsSecret() || tree.Omits(g.base.Omit, at) ||
		holdsSecret(g.Secrets, g.value, at)
	switch {
	case v.Present:
		data := v.Data
		for _, step := range slices.Backward(below) {
			data = map[string]any{step.Key: data}
		}
		is = diff.Present(data)
	case was.Present && len(below) == 0:
		return // the override would have to remove it
	}
	if is.Present {
		set, ok := tree.Set(g.value, at, is.Data)
		if !ok {
			return
		}
		g.value, _ = set.(map[string]any)
	}
	g.changes = append(g.changes, change{path: at, was: was, is: is, secret: hidden})
}

// outsideLists shortens a path to the first list that it leads into.
func outsideLists(path refconfig.FieldPath, v any) refconfig.FieldPath {
	for n := range path {
		at, ok := tree.At(v, path[:n])
		if _, isList := at.([]any); ok && isList {
			return path[:n]
		}
	}
	return path
}

// literals escapes changed texts that inline diff functions would read as a pattern, so that they
// accept only the text of the input. It does not touch patterns of the reference.
func (g *acceptor) literals(functions []refconfig.FieldFunction) {
	for _, f := range functions {
		for _, path := range tree.Expand(g.value, f.Path) {
			i := slices.IndexFunc(g.changes, func(c change) bool { return c.is.Present && leads(c.path, path) })
			if i < 0 {
				continue
			}
			now, _ := tree.At(g.value, path)
			before := g.changes[i].was.Data
			if !g.changes[i].was.Present {
				before = g.changes[i].from
			}
			was, _ := tree.At(before, path[len(g.changes[i].path):])
			text, ok := now.(string)
			if !ok || tree.Equal(now, was) {
				continue
			}
			if set, ok := tree.Set(g.value, path, pattern.Literal(f.Function, text)); ok {
				g.value, _ = set.(map[string]any)
			}
		}
	}
	for i, c := range g.changes {
		if c.is.Present {
			g.changes[i].is = valueAt(g.value, c.path)
		}
	}
}
