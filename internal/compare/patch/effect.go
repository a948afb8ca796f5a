package patch

import (
	"maps"
	"slices"
	"strconv"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// effect is what patches do to the expected value of an object.
//
// A patch that removes a field accepts that the object lacks it. If the object has the field, the
// field is put back, so that its value is still compared.
type effect struct {
	stated  map[string]bool       // true for the fields that the patches state, false for their parents
	needed  bool                  // the object differs from the reference where a patch changes the reference
	lacking []refconfig.FieldPath // removed fields that the object lacks
}

// stating returns an effect of patches that state some fields.
func stating(paths []refconfig.FieldPath) *effect {
	e := &effect{stated: map[string]bool{}}
	for _, path := range paths {
		for i, at := range texts(path) {
			e.stated[at] = e.stated[at] || i == len(path)
		}
	}
	return e
}

// value returns the value of a field with the removed fields that are put back, and its notes. was is
// the value before the patches, is the one after them, and p compares was with the object. A field
// that a patch sets has a blank note, without the findings of the template: the value of the patch
// is compared instead, so no difference is lost.
func (e *effect) value(p *diff.Pair, path refconfig.FieldPath, was, is diff.Value, note any) (diff.Value, any) {
	same := was.Present == is.Present && tree.Equal(was.Data, is.Data)
	stated, leads := e.stated[texts(path)[len(path)]]
	switch {
	case same && !leads:
		return is, note
	case !is.Present:
		return e.removed(p, path, was, note)
	case stated:
		note = diff.Noted(provenance.Note{}, was.Data)
	}
	switch was := was.Data.(type) {
	case map[string]any:
		if is, isMap := is.Data.(map[string]any); isMap {
			return e.fields(p, path, was, is, note)
		}
	case []any:
		if is, isList := is.Data.([]any); isList {
			return e.items(p, path, was, is, note)
		}
	}
	if same {
		return is, note
	}
	e.touch(p)
	return is, diff.Noted(provenance.Note{}, is.Data)
}

// touch records that a patch changes the value of a pair.
func (e *effect) touch(p *diff.Pair) { e.needed = e.needed || !agreed(p) }

// removed returns the part of a removed value that the object has. In maps, each field counts by
// itself.
func (e *effect) removed(p *diff.Pair, path refconfig.FieldPath, was diff.Value, note any) (diff.Value, any) {
	e.touch(p)
	if !p.Right.Present || p.Right.Data == nil {
		e.lacking = append(e.lacking, path)
		return diff.Value{}, nil
	}
	m, _ := was.Data.(map[string]any)
	if _, isMap := p.Right.Data.(map[string]any); !isMap || len(m) == 0 {
		return was, note
	}
	back, notes := e.fields(p, path, m, nil, note)
	back.Present = !tree.Equal(back.Data, map[string]any{})
	return back, notes
}

// fields returns the value of a map after the patches, and its notes.
func (e *effect) fields(p *diff.Pair, path refconfig.FieldPath, was, is map[string]any, note any) (diff.Value, any) {
	values, notes := map[string]any{}, map[string]any{}
	children := map[string]*diff.Pair{}
	for _, child := range p.Children {
		children[child.Step.Key] = child
	}
	all := maps.Clone(was)
	maps.Copy(all, is)
	for _, k := range tree.Keys(all) {
		at := refconfig.PathOf(k)
		child := children[k]
		switch {
		case p.Children == nil:
			child = &diff.Pair{Category: p.Category, Code: p.Code, Right: valueAt(p.Right.Data, at)}
		case child == nil:
			child = &diff.Pair{} // neither side has the field, or it is omitted
		}
		n, _ := tree.At(note, at)
		if v, n := e.value(child, path.Below(at[0]), valueAt(was, at), valueAt(is, at), n); v.Present {
			values[k], notes[k] = v.Data, n
		}
	}
	if len(values) == 0 {
		return diff.Present(values), provenance.Note{}
	}
	return diff.Present(values), notes
}

// items returns the value of a list after the patches, and its notes. It does not put an item back
// if the patch made the item that the object has in its place.
func (e *effect) items(p *diff.Pair, path refconfig.FieldPath, was, is []any, note any) (diff.Value, any) {
	values, notes := []any{}, []any{}
	children := itemsOf(p, len(was))
	made := map[string]bool{}
	for _, item := range is {
		made[tree.YAML(item)] = true
	}
	for _, at := range align.Items(was, is) {
		before, after := refconfig.Step{Index: at.A}, refconfig.Step{Key: strconv.Itoa(at.B), Index: at.B}
		child := &diff.Pair{}
		if at.A >= 0 && children != nil {
			child = children[at.A]
		}
		if at.A < 0 || at.B < 0 || children == nil {
			e.touch(p)
		}
		if at.B < 0 && made[tree.YAML(child.Right.Data)] {
			continue
		}
		from, to := valueAt(was, refconfig.FieldPath{before}), valueAt(is, refconfig.FieldPath{after})
		n, _ := tree.At(note, refconfig.FieldPath{before})
		if v, n := e.value(child, path.Below(after), from, to, n); v.Present {
			values, notes = append(values, v.Data), append(notes, n)
		}
	}
	if len(values) == 0 {
		return diff.Present(values), provenance.Note{}
	}
	return diff.Present(values), notes
}

// itemsOf returns the pairs of the items of a list of the reference, or nil if the list or a part of
// it is not compared item by item.
func itemsOf(p *diff.Pair, length int) []*diff.Pair {
	children := slice.Without(p.Children, func(child *diff.Pair) bool { return child.From < 0 })
	if right, _ := p.Right.Data.([]any); p.Children == nil {
		for _, x := range right {
			children = append(children, &diff.Pair{Category: p.Category, Code: p.Code, Right: diff.Present(x)})
		}
	}
	if len(children) != length {
		return nil
	}
	slices.SortStableFunc(children, func(a, b *diff.Pair) int { return a.From - b.From })
	return children
}

// agreed reports whether both sides of a pair agree. A masked value does not agree, because it is
// unknown.
func agreed(p *diff.Pair) bool {
	if p.Children == nil {
		return (p.Category == finding.Same || p.Category == finding.Expected) && p.Code != code.EvalMasked
	}
	return !slices.ContainsFunc(p.Children, func(child *diff.Pair) bool { return !agreed(child) })
}
