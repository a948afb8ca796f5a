package patch

import (
	"cmp"
	"math"
	"slices"

	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/pattern"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// acceptor builds the object that overrides are to make of the rendered reference, and takes down
// each change by which it gets there.
type acceptor struct {
	input    map[string]any
	kind     string // of the object
	notes    any    // of the rendered reference
	omit     []refconfig.OmitEntry
	value    map[string]any // what it is to become
	extra    bool
	scope    Scope
	marks    map[*diff.Pair]bool // of the pairs in the scope
	some     map[*diff.Pair]bool // see any
	held     secretPairs
	manner   manner
	changes  []change
	lists    secret.Lists // of the input
	searched *secret.Searched
}

// change is one step from the rendered reference to what it is to become. Its path leads to the
// field in what was made by the steps before it and by this one, so that the index of an item is
// the one that it keeps.
type change struct {
	path   refconfig.FieldPath
	was    diff.Value
	is     diff.Value
	item   bool // the path is that of an item of a list, which is removed or put before the one that stands there
	kept   bool // there is nothing to change, but the value has to be this one
	secret bool // was must not be written
}

// wanted reports whether a difference is to be accepted. What is secret is not, unless it is only
// to be taken away.
func (g *acceptor) wanted(p *diff.Pair) bool {
	if !g.marks[p] {
		return false
	}
	switch p.Category {
	case finding.Drift:
		return !p.HoldsSecret()
	case finding.Missing:
		return !(p.HoldsSecret() && p.Right.Present)
	case finding.Extra:
		return g.extra && !p.HoldsSecret()
	}
	return false
}

// any reports whether there is a difference at or below a pair that is to be accepted. A list of
// secret values is not, because it would have to be stated as a whole. It is asked on every level,
// and remembered.
func (g *acceptor) any(p *diff.Pair) bool {
	if p.Kids == nil {
		return g.wanted(p)
	}
	some, known := g.some[p]
	if !known {
		some = !(p.List && g.held.have(p)) && slices.ContainsFunc(p.Kids, g.any)
		g.some[p] = some
	}
	return some
}

// secretPairs remember at or below which pairs with others below them there is something secret.
type secretPairs map[*diff.Pair]bool

func (s secretPairs) have(p *diff.Pair) bool {
	if p.Kids == nil {
		return p.HoldsSecret()
	}
	held, known := s[p]
	if !known {
		held = slices.ContainsFunc(p.Kids, s.have)
		s[p] = held
	}
	return held
}

// node returns what becomes of a map of the rendered reference.
func (g *acceptor) node(p *diff.Pair, path refconfig.FieldPath, before any) any {
	old, _ := before.(map[string]any)
	m := make(map[string]any, len(old))
	for k, v := range old {
		m[k] = v
	}
	for _, kid := range p.Kids {
		if !g.any(kid) {
			continue
		}
		key := kid.Step.Key
		was, had := m[key]
		if v := g.kid(kid, path.Below(kid.Step), diff.Value{Present: had, Data: was}); v.Present {
			m[key] = v.Data
		} else {
			delete(m, key)
		}
	}
	return m
}

// kid returns what becomes of one field of a map, or of an item that both lists have.
func (g *acceptor) kid(p *diff.Pair, path refconfig.FieldPath, was diff.Value) diff.Value {
	items, _ := was.Data.([]any)
	switch {
	case p.Kids != nil && !p.List:
		return diff.Present(g.node(p, path, was.Data))
	case p.Kids != nil && g.manner == byItem && lefts(p) == len(items):
		return diff.Present(g.list(p, path, items))
	}
	is := p.Right
	if g.manner == asItIs {
		is = valueAt(g.input, path)
	}
	g.changes = append(g.changes, change{path: path, was: was, is: is, secret: g.hides(p, was)})
	return is
}

// hides reports whether what a pair has in the reference must not be written: it is secret, or some
// of it is left out of the comparison, which it may be for being secret.
func (g *acceptor) hides(p *diff.Pair, was diff.Value) bool {
	_, isMap := was.Data.(map[string]any)
	_, isList := was.Data.([]any)
	return g.held.have(p) || p.Secret.Holds(was.Data) || (isMap || isList) && !tree.Equal(was.Data, p.Left.Data)
}

// lefts counts the items that a list of the reference has, but for those that are left out of the
// comparison.
func lefts(p *diff.Pair) (n int) {
	for _, kid := range p.Kids {
		if kid.Left.Present {
			n++
		}
	}
	return n
}

// list returns what becomes of a list, item by item.
func (g *acceptor) list(p *diff.Pair, path refconfig.FieldPath, items []any) any {
	list := []any{}
	for _, kid := range inOrder(p) {
		at := path.Below(refconfig.Step{Index: len(list)})
		var was diff.Value
		if kid.Left.Present {
			was = diff.Present(items[kid.From])
		}
		switch {
		case !g.any(kid):
			if was.Present {
				list = append(list, was.Data)
			}
		case was.Present && (kid.Kids != nil || kid.Right.Present):
			if kid.Kids != nil {
				g.same(p, kid, at, was.Data)
			}
			list = append(list, g.kid(kid, at, was).Data)
		default:
			g.changes = append(
				g.changes, change{path: at, was: was, is: kid.Right, item: true, secret: g.hides(kid, was)},
			)
			if kid.Right.Present {
				list = append(list, kid.Right.Data)
			}
		}
	}
	return list
}

// same takes down by what an item is told from the others of its list, so that its place never
// stands for another.
func (g *acceptor) same(p, item *diff.Pair, path refconfig.FieldPath, was any) {
	for _, key := range p.Keys(was) {
		v, scope := item.Secret.At(was, key)
		if v != nil && !scope.Holds(v) {
			g.changes = append(g.changes, change{path: slices.Concat(path, key), was: diff.Present(v), kept: true})
		}
	}
}

// inOrder are the pairs of a list in the order of the reference, where their own does not count;
// what this lacks comes last.
func inOrder(p *diff.Pair) []*diff.Pair {
	if !p.Loose {
		return p.Kids
	}
	from := func(kid *diff.Pair) int {
		if kid.From < 0 {
			return math.MaxInt
		}
		return kid.From
	}
	return slices.SortedStableFunc(
		slices.Values(p.Kids), func(a, b *diff.Pair) int { return cmp.Compare(from(a), from(b)) },
	)
}

// findings takes in the findings that belong to no field of the rendered reference: each is about a
// field that has to be stated as the input has it, without what is left out of the comparison.
func (g *acceptor) findings(t *Trial) {
	var compared any
	if len(t.Told) > 0 {
		compared = tree.Omit(g.input, t.Omit)
	}
	for _, f := range t.Told {
		if f.Path == nil || !aboutField(f.Code) || !g.scope.has(f.Path) {
			continue
		}
		path := f.Path
		if g.manner != byItem {
			path = outsideLists(path, g.input)
		}
		if tree.Omits(t.Omit, path) {
			g.state(
				path, diff.Present(map[string]any{}),
			) // any value does, for none is compared; the input's may be secret
			continue
		}
		v := valueAt(compared, path)
		if v.Present && g.lists.HeldAt(g.kind, g.input, path, g.searched) {
			continue
		}
		g.state(path, v)
	}
	for _, path := range t.Conflicting {
		if v := valueAt(g.input, path); v.Present && g.scope.has(path) &&
			!g.lists.HeldAt(g.kind, g.input, path, g.searched) {
			g.state(path, v)
		}
	}
}

// state takes a field as it is to be. Where there is no map or list any more on the way to it, the
// field there is stated.
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
	note, _ := tree.At(g.notes, at)
	hidden := diff.PrintedSecret(note) || tree.Omits(g.omit, at) || g.lists.HeldAt(g.kind, g.value, at, g.searched)
	switch {
	case v.Present:
		data := v.Data
		for _, step := range slices.Backward(below) {
			data = map[string]any{step.Key: data}
		}
		is = diff.Present(data)
	case was.Present && len(below) == 0:
		return // it is to be absent, and differs
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

// outsideLists cuts a path off at the first list on its way.
func outsideLists(path refconfig.FieldPath, v any) refconfig.FieldPath {
	for n := range path {
		at, ok := tree.At(v, path[:n])
		if _, isList := at.([]any); ok && isList {
			return path[:n]
		}
	}
	return path
}

// literals rewrites what inline diff functions would read as an expression in what some changes
// make, so that it accepts the input's text alone. An expression of the reference that stays as it
// was is left alone.
func (g *acceptor) literals(functions []refconfig.FieldFunction, changes []change) {
	for _, f := range functions {
		for _, path := range tree.Expand(g.value, f.Path) {
			i := slices.IndexFunc(changes, func(c change) bool { return c.is.Present && leads(c.path, path) })
			if i < 0 {
				continue
			}
			now, _ := tree.At(g.value, path)
			was, _ := tree.At(changes[i].was.Data, path[len(changes[i].path):])
			text, ok := now.(string)
			if !ok || tree.Equal(now, was) {
				continue
			}
			if set, ok := tree.Set(g.value, path, pattern.Literal(f.Function, text)); ok {
				g.value, _ = set.(map[string]any)
			}
		}
	}
	for i, c := range changes {
		if c.is.Present {
			changes[i].is = valueAt(g.value, c.path)
		}
	}
}
