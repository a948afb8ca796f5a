package accept

import (
	"cmp"
	"math"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/inline"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// acceptor builds the object that overrides are to make of the rendered reference, and remembers the fields that they
// have to state. A list is stated as a whole.
type acceptor struct {
	input    map[string]any
	before   any            // the rendered reference
	value    map[string]any // what it is to become
	extra    bool
	scope    Scope
	marks    map[*overlay.Pair]bool // of the pairs in the scope
	some     map[*overlay.Pair]bool // see any
	held     secretPairs
	manner   manner
	stated   []refconfig.FieldPath
	lists    secret.Lists // of the input
	searched *secret.Searched
}

// wanted reports whether a difference is to be accepted. What is secret is not, unless it is only to be taken away.
func (g *acceptor) wanted(p *overlay.Pair) bool {
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

// any reports whether there is a difference at or below a pair that is to be accepted. A list of secret values is not,
// because it would have to be stated as a whole. It is asked on every level, and remembered.
func (g *acceptor) any(p *overlay.Pair) bool {
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
type secretPairs map[*overlay.Pair]bool

func (s secretPairs) have(p *overlay.Pair) bool {
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

// node returns what becomes of a map or list of the rendered reference. Path is nil inside lists.
func (g *acceptor) node(p *overlay.Pair, path refconfig.FieldPath, before any) any {
	if p.List {
		return g.list(p, before)
	}
	old, _ := before.(map[string]any)
	m := make(map[string]any, len(old))
	for k, v := range old {
		m[k] = v
	}
	for _, kid := range p.Kids {
		if !g.any(kid) {
			continue
		}
		v, there := g.kid(kid, path.Below(kid.Step), m[kid.Step.Key])
		if !there {
			delete(m, kid.Step.Key)
			continue
		}
		m[kid.Step.Key] = v
	}
	return m
}

// kid returns what becomes of one field of a map, and whether it stays.
func (g *acceptor) kid(p *overlay.Pair, path refconfig.FieldPath, before any) (any, bool) {
	if p.Kids != nil && !p.List {
		return g.node(p, path, before), true
	}
	g.stated = append(g.stated, path)
	if g.manner == asItIs {
		return tree.At(g.input, path)
	}
	if p.List && g.manner == byItem {
		return g.list(p, before), true
	}
	return p.Right.Data, p.Right.Present
}

// list returns what becomes of a list. Where the pairs cannot be told to be about the items at hand, it is the input's.
func (g *acceptor) list(p *overlay.Pair, before any) any {
	items, _ := before.([]any)
	lefts := 0
	for _, kid := range p.Kids {
		if kid.Left.Present {
			lefts++
		}
	}
	if lefts != len(items) || g.manner != byItem {
		return p.Right.Data
	}
	list := []any{}
	for _, kid := range inOrder(p) {
		var item any
		if kid.Left.Present {
			item = items[kid.From]
		}
		switch {
		case !g.any(kid):
			if kid.Left.Present {
				list = append(list, item)
			}
		case kid.Kids != nil:
			list = append(list, g.inList(kid, item))
		case kid.Right.Present:
			list = append(list, kid.Right.Data)
		}
	}
	return list
}

// inOrder are the pairs of a list in the order of the reference, where their own does not count; what this lacks comes last.
func inOrder(p *overlay.Pair) []*overlay.Pair {
	if !p.Loose {
		return p.Kids
	}
	from := func(kid *overlay.Pair) int {
		if kid.From < 0 {
			return math.MaxInt
		}
		return kid.From
	}
	return slices.SortedStableFunc(slices.Values(p.Kids), func(a, b *overlay.Pair) int { return cmp.Compare(from(a), from(b)) })
}

// inList is node for an item of a list, whose fields are not stated one by one.
func (g *acceptor) inList(p *overlay.Pair, before any) any {
	stated := g.stated
	v := g.node(p, nil, before)
	g.stated = stated
	return v
}

// findings takes in the findings that belong to no field of the rendered reference: each is about a field that has to be
// stated as the input has it, without what is left out of the comparison.
func (g *acceptor) findings(t *Trial, kind string) {
	var compared any
	if len(t.Told) > 0 {
		compared = tree.Omit(g.input, t.Omit)
	}
	for _, f := range t.Told {
		if f.Path == nil || !aboutField(f.Code) || !g.scope.has(f.Path) {
			continue
		}
		path := outsideLists(f.Path, g.input)
		if tree.Omits(t.Omit, path) {
			g.name(path)
			continue
		}
		v, there := tree.At(compared, path)
		if there && g.lists.HeldAt(kind, g.input, path, g.searched) {
			continue
		}
		g.state(path, v, there)
	}
	for _, path := range t.Conflicting {
		text, there := tree.At(g.input, path)
		if !there || g.lists.HeldAt(kind, g.input, path, g.searched) || !g.scope.has(path) {
			continue
		}
		if set, ok := tree.Set(g.value, path, text); ok {
			g.value, _ = set.(map[string]any)
			g.stated = append(g.stated, outsideLists(path, set))
		}
	}
}

// name states a field that is left out of the comparison. Any value does, for none is compared; the input's is not for a file, because it
// may be left out for being secret.
func (g *acceptor) name(path refconfig.FieldPath) {
	var patch any = map[string]any{}
	for _, step := range slices.Backward(path) {
		patch = map[string]any{step.Key: patch}
	}
	g.value, _ = tree.Merge(g.value, patch).(map[string]any)
	g.stated = append(g.stated, path)
}

// state takes a field as the input has it. A field that is to be absent is stated where there is no map any more on the
// way to it, because a patch would make the maps above it.
func (g *acceptor) state(path refconfig.FieldPath, v any, there bool) {
	if _, has := tree.At(g.value, path); has && there {
		g.stated = append(g.stated, path) // as it is to become already
		return
	}
	if there {
		if set, ok := tree.Set(g.value, path, v); ok {
			g.value, _ = set.(map[string]any)
			g.stated = append(g.stated, path)
		}
		return
	}
	for n := 1; n <= len(path); n++ {
		above, has := tree.At(g.value, path[:n])
		if _, isMap := above.(map[string]any); !has || !isMap {
			g.stated = append(g.stated, path[:n])
			return
		}
	}
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

// literals rewrites what inline diff functions would read as an expression, so that it accepts the input's text alone. An
// expression of the reference that stays as it was is left alone.
func (g *acceptor) literals(functions []refconfig.FieldFunction) {
	for _, f := range functions {
		for _, path := range tree.Expand(g.value, f.Path) {
			if !slices.ContainsFunc(g.stated, func(p refconfig.FieldPath) bool { return leads(p, path) }) {
				continue
			}
			now, _ := tree.At(g.value, path)
			was, _ := tree.At(g.before, path)
			text, ok := now.(string)
			if !ok || tree.Equal(now, was) {
				continue
			}
			if set, ok := tree.Set(g.value, path, inline.Literal(f.Function, text)); ok {
				g.value, _ = set.(map[string]any)
			}
		}
	}
}
