package patch

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// walk changes one side of a comparison to the values of the other side, as far as a maker wants
// it. It modifies no value: the result shares the unchanged parts of the old value.
type walk struct {
	maker
	towardsInput bool                // change the reference, else the input
	wanted       map[*diff.Pair]bool // pairs with a change in them or below them
}

// maker decides about single values.
type maker interface {
	// wants reports whether to change a pair; below says whether a pair below it is changed.
	wants(p *diff.Pair, path refconfig.FieldPath, below bool) bool
	// enters reports whether to change a map or list by its fields or items, and not as a whole.
	enters(p *diff.Pair, at spot, was any) bool
	// whole returns the new value of a pair that is not entered.
	whole(p *diff.Pair, at spot, was diff.Value) diff.Value
	// inserts records an item that is taken from another place of its list, and its new value.
	inserts(at spot, was, is diff.Value)
}

// spot is the position of a walk.
type spot struct {
	path refconfig.FieldPath // in the new value; for fixes, in the comparison
	list *diff.Pair          // set for an item of a list
	new  bool                // in an item that is taken from another place of its list
}

// change returns the new value of a side.
func (w *walk) change(p *diff.Pair, was any) any {
	if w.wanted = map[*diff.Pair]bool{}; !w.find(p, nil) {
		return was
	}
	return w.value(p, spot{}, diff.Present(was)).Data
}

// find records the pairs to change, and reports whether this is one.
func (w *walk) find(p *diff.Pair, path refconfig.FieldPath) bool {
	below := false
	for _, child := range p.Children {
		below = w.find(child, append(path, child.Step)) || below // the path is not retained
	}
	if w.wants(p, path, below) {
		w.wanted[p] = true
		if left, right := p.Places(); left != nil && !left.IsPlace() {
			w.wanted[left], w.wanted[right] = true, true
		}
	}
	return w.wanted[p]
}

// value returns the new value of a pair.
func (w *walk) value(p *diff.Pair, at spot, was diff.Value) diff.Value {
	if p.Children != nil && w.enters(p, at, was.Data) {
		m, isMap := was.Data.(map[string]any)
		list, isList := was.Data.([]any)
		switch {
		case isMap && !p.List:
			return diff.Present(w.fields(p, at, m))
		case isList && p.List:
			return diff.Present(w.items(p, at, list))
		}
	}
	return w.whole(p, at, was)
}

// fields returns the new value of a map.
func (w *walk) fields(p *diff.Pair, at spot, value map[string]any) map[string]any {
	out := maps.Clone(value)
	for _, child := range p.Children {
		if !w.wanted[child] {
			continue
		}
		key := child.Step.Key
		old, has := value[key]
		is := w.value(child, spot{path: at.path.Below(child.Step), new: at.new}, diff.Value{Present: has, Data: old})
		if delete(out, key); is.Present {
			out[key] = is.Data
		}
	}
	return out
}

// items returns the new value of a list: its items in order, with the additional items of the other
// side between them.
func (w *walk) items(p *diff.Pair, at spot, list []any) []any {
	out, next := []any{}, 0
	upTo := func(end int) { // adds omitted items, which have no pair
		for ; next < end && next < len(list); next++ {
			out = append(out, list[next])
		}
	}
	for _, child := range w.inOrder(p) {
		var was diff.Value
		if i := w.index(child); i >= 0 {
			if !w.towardsInput {
				upTo(i)
			}
			if next = i + 1; i >= len(list) {
				continue
			}
			was = diff.Present(list[i])
		}
		here := spot{path: at.path.Below(child.Step), list: p, new: at.new}
		if w.towardsInput {
			here.path = at.path.Below(refconfig.Step{Index: len(out)})
		}
		if is := w.item(child, here, was, list); is.Present {
			out = append(out, is.Data)
		}
	}
	if !w.towardsInput {
		upTo(len(list))
	}
	return out
}

// item returns the new value of an item at its place in the changed list. An item that both lists have
// in different places is changed in its old place, or taken from there to the new one. Overrides take
// the item of the input if only its place differs.
func (w *walk) item(child *diff.Pair, here spot, was diff.Value, list []any) diff.Value {
	left, right := child.Places()
	if left == nil || w.towardsInput && !left.IsPlace() {
		return w.part(child, here, was)
	}
	isOld := w.towardsInput == (child == left) // the changed list has the item here
	switch {
	case isOld && !w.wanted[left]:
		return w.part(right, here, was)
	case isOld && w.towardsInput:
		return w.value(left, here, was)
	case isOld || !w.wanted[left]:
		return diff.Value{}
	}
	from, below := right.Step.Index, here
	if below.new = true; w.towardsInput {
		from = left.From
	} else {
		below.path = here.path[:len(here.path)-1].Below(right.Step)
	}
	if from >= len(list) {
		return diff.Value{}
	}
	was = diff.Present(list[from])
	is := was
	if left.IsPlace() {
		is = w.part(right, below, was)
	}
	if !here.new { // else the item is a part of one that is recorded
		w.inserts(here, was, is)
	}
	return is
}

// part returns the new value of a pair, which is the old one if nothing in it is to be changed.
func (w *walk) part(p *diff.Pair, at spot, was diff.Value) diff.Value {
	if !w.wanted[p] {
		return was
	}
	return w.value(p, at, was)
}

// index returns the index in the changed list of the item that a pair is about, or -1.
func (w *walk) index(item *diff.Pair) int {
	left, right := item.Places()
	switch {
	case w.towardsInput && item == right && left.IsPlace():
		return -1
	case w.towardsInput:
		return item.From
	case item.Right.Present:
		return item.Step.Index
	}
	return -1
}

// inOrder returns the pairs of a list in the order of the changed list. In a list without an order,
// items that the reference lacks come last.
func (w *walk) inOrder(p *diff.Pair) []*diff.Pair {
	if !w.towardsInput || !p.Loose {
		return p.Children
	}
	from := func(child *diff.Pair) int {
		if child.From < 0 {
			return math.MaxInt
		}
		return child.From
	}
	return slices.SortedStableFunc(
		slices.Values(p.Children), func(a, b *diff.Pair) int { return cmp.Compare(from(a), from(b)) },
	)
}

// secretLists adds the lists that contain secret data.
func secretLists(p *diff.Pair, path refconfig.FieldPath, all map[string]bool) {
	if p.List && p.HoldsSecret() {
		all[texts(path)[len(path)]] = true
	}
	for _, child := range p.Children {
		secretLists(child, append(path, child.Step), all) // the path is not retained
	}
}

// holdsSecret reports whether the value at a path of an object contains secret data. The scope is that
// of its kind.
func holdsSecret(kind secret.Scope, object any, path refconfig.FieldPath) bool {
	v, scope := kind.Or(secret.Of(object)).At(object, path)
	return scope.Holds(v)
}
