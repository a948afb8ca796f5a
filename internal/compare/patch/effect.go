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
// A patch changes no field in which the object agrees with the reference: such a field is no drift,
// whatever an override accepts for it. A patch that removes a field, or empties a map or list, accepts
// only that. If the object has something there, the reference's value is put back and compared.
type effect struct {
	open    []refconfig.FieldPath // fields with a finding other than a difference of values, or lists around them
	stated  map[string]bool       // true for the fields that the patches state, false for their parents
	needed  bool                  // the object differs from the reference where a patch changes the reference
	unmet   []refconfig.FieldPath // fields that agree with the reference, and not with the patches
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

// value returns the value of a field with the removed fields that are put back; nil if it is absent.
// was is the value before the patches, is the one after them, and p compares was with the object. A
// field that a patch sets has blank notes, without the findings of the template: the value of the
// patch is compared instead, so no difference is lost.
func (e *effect) value(p *diff.Pair, path refconfig.FieldPath, was *provenance.Node, is diff.Value) *provenance.Node {
	same := (was != nil) == is.Present && tree.Equal(was.Value(), is.Data)
	stated, leads := e.stated[texts(path)[len(path)]]
	switch {
	case same && !leads:
		return was
	case agreed(p) && compares(p, was) && !tree.Equal(p.Left.Data, is.Data) &&
		(stated && p.Left.Present || e.settled(path)):
		e.unmet = append(e.unmet, path)
		return was
	case !is.Present:
		return e.removed(p, path, was)
	case stated && !same && was != nil && isEmpty(is.Data) && holdsAny(p),
		changesKind(was, is.Data) && p.Children != nil:
		e.touch(p)
		return was
	case stated && was != nil:
		blank := provenance.Fill(was.Value(), provenance.Note{})
		was = &blank
	}
	switch is := is.Data.(type) {
	case map[string]any:
		if _, isMap := was.Value().(map[string]any); isMap {
			return e.fields(p, path, was, is)
		}
	case []any:
		if before, isList := was.Value().([]any); isList {
			return e.items(p, path, was, before, is)
		}
	}
	if same {
		return was
	}
	e.touch(p)
	set := provenance.Fill(is.Data, provenance.Note{})
	return &set
}

// touch records that a patch changes the value of a pair.
func (e *effect) touch(p *diff.Pair) { e.needed = e.needed || !agreed(p) }

// settled reports whether a field has no finding other than a difference of values.
func (e *effect) settled(path refconfig.FieldPath) bool {
	return !slices.ContainsFunc(e.open, func(open refconfig.FieldPath) bool {
		return leads(path, open) || leads(open, path)
	})
}

// compares reports whether a pair compares a value, which is not omitted.
func compares(p *diff.Pair, v *provenance.Node) bool { return p.Left.Present == (v != nil) }

// isEmpty reports whether a value is a map or list without content.
func isEmpty(v any) bool {
	m, isMap := v.(map[string]any)
	list, isList := v.([]any)
	return isMap && len(m) == 0 || isList && len(list) == 0
}

// changesKind reports whether a map or list is replaced by something else.
func changesKind(was *provenance.Node, is any) bool {
	switch was.Value().(type) {
	case map[string]any:
		_, isMap := is.(map[string]any)
		return !isMap
	case []any:
		_, isList := is.([]any)
		return !isList
	}
	return false
}

// holdsAny reports whether the object has content in a pair.
func holdsAny(p *diff.Pair) bool {
	if p.Children != nil {
		return slices.ContainsFunc(p.Children, func(child *diff.Pair) bool {
			return child.Children != nil || child.Right.Present
		})
	}
	return p.Right.Present && p.Right.Data != nil && !isEmpty(p.Right.Data)
}

// removed returns a removed value if the object has a value there.
func (e *effect) removed(p *diff.Pair, path refconfig.FieldPath, was *provenance.Node) *provenance.Node {
	e.touch(p)
	if p.Moved == nil && p.Children == nil && p.Right.Data == nil {
		e.lacking = append(e.lacking, path)
		return nil
	}
	return was
}

// fields returns the value of a map after the patches.
func (e *effect) fields(
	p *diff.Pair, path refconfig.FieldPath, was *provenance.Node, is map[string]any,
) *provenance.Node {
	before, _ := was.Value().(map[string]any)
	var fields []provenance.Node
	children := map[string]*diff.Pair{}
	for _, child := range p.Children {
		children[child.Step.Key] = child
	}
	all := maps.Clone(before)
	maps.Copy(all, is)
	for _, k := range tree.Keys(all) {
		at := refconfig.PathOf(k)
		child := children[k]
		switch {
		case p.Children == nil:
			child = &diff.Pair{Category: p.Category, Code: p.Code,
				Left: valueAt(p.Left.Data, at), Right: valueAt(p.Right.Data, at)}
		case child == nil:
			child = &diff.Pair{} // neither side has the field, or it is omitted
		}
		if v := e.value(child, path.Below(at[0]), was.Child(k), valueAt(is, at)); v != nil {
			fields = append(fields, v.Under(k))
		}
	}
	made := provenance.Map(fields)
	if len(fields) == 0 {
		made = provenance.Fill(map[string]any{}, provenance.Note{})
	}
	return &made
}

// items returns the value of a list after the patches. It does not put an item back if the patch made
// the item that the object has in its place, or moved it. If the order of the items counts and the
// object does not have the items that the patch leaves, the patch only changes items in their places.
func (e *effect) items(
	p *diff.Pair, path refconfig.FieldPath, was *provenance.Node, before, is []any,
) *provenance.Node {
	var items []provenance.Node
	children := itemsOf(p, len(before))
	made := map[string]bool{}
	for _, item := range is {
		made[tree.YAML(item)] = true
	}
	aligned := align.Items(before, is)
	lacks := func(item int) bool { // the object lacks an item that the patches leave as it is
		return slices.ContainsFunc(aligned, func(at align.Pair) bool {
			return at.B == item && at.A >= 0 && !children[at.A].Right.Present && tree.Equal(before[at.A], is[item])
		})
	}
	back := children != nil && !p.Loose && !isLike(p.Right.Data, is, lacks)
	if back {
		aligned = slices.DeleteFunc(aligned, func(at align.Pair) bool { return at.A < 0 })
	}
	moves := func(item int) bool { // the patch moves the item to another place
		return slices.ContainsFunc(aligned, func(at align.Pair) bool {
			return at.A < 0 && align.SameItem(before[item], is[at.B])
		})
	}
	for _, at := range aligned {
		after := refconfig.Step{Key: strconv.Itoa(at.B), Index: at.B}
		child := unknown()
		switch {
		case children == nil || at.A < 0:
			e.touch(p)
		default:
			child = children[at.A]
			if at.B < 0 {
				e.touch(child)
			}
		}
		found := child
		if _, right := child.Places(); right != nil { // the object has the item in another place
			found = right
		}
		if at.B < 0 && !back && (made[tree.YAML(found.Right.Data)] || moves(at.A)) {
			continue
		}
		v := was.Item(at.A)
		if at.B >= 0 || !back {
			v = e.value(child, path.Below(after), v, valueAt(is, refconfig.FieldPath{after}))
		}
		if v != nil {
			items = append(items, *v)
		}
	}
	list := provenance.List(items)
	if len(items) == 0 {
		list = provenance.Fill([]any{}, provenance.Note{})
	}
	return &list
}

// isLike reports whether a list of the object has an item for each item that the patches leave, here or
// in another place. Those that it lacks without the patches do not count.
func isLike(found any, is []any, lacks func(int) bool) bool {
	list, _ := found.([]any)
	var lacking, more []any
	for _, at := range align.Items(is, list) {
		switch {
		case at.A < 0:
			more = append(more, list[at.B])
		case at.B < 0 && !lacks(at.A):
			lacking = append(lacking, is[at.A])
		}
	}
	return !slices.ContainsFunc(lacking, func(item any) bool {
		return !slices.ContainsFunc(more, func(other any) bool { return align.SameItem(item, other) })
	})
}

// unknown returns the pair of a value that was not compared by itself.
func unknown() *diff.Pair { return &diff.Pair{Category: finding.Drift} }

// itemsOf returns the pairs of the items of a list of the reference, or nil if the list or a part of
// it is not compared item by item.
func itemsOf(p *diff.Pair, length int) []*diff.Pair {
	children := slice.Without(p.Children, func(child *diff.Pair) bool { return child.From < 0 || child.IsPlace() })
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
