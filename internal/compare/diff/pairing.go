package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Pairing says which items of two lists belong together.
type Pairing struct {
	Pairs []align.Pair
	Loose bool   // the order does not count: A need not increase from pair to pair
	Moved bool   // both lists have the same items in another order, and the order counts
	Why   string // the reason why the entry does not fit and the lists are compared as they are; "" for none
}

// Pair pairs the items of two lists as the entry for them says, or by the default for lists.
func (f Fields) Pair(left, right []any) Pairing {
	e, _ := f.Here()
	switch {
	case e.Keys != nil:
		return f.byKeys(e, left, right)
	case f.loose(e, nil):
		lefts, rights := align.Texts(f.plains(left)), align.Texts(f.plains(right))
		return Pairing{Loose: true, Pairs: align.ByName(lefts, rights, func(as, bs []int) []align.Pair {
			sortBy(lefts, as)
			sortBy(rights, bs)
			return f.rest(left, right, as, bs, func(item any, at int) string {
				return align.Texts([]any{f.Below(refconfig.Step{Index: at}).plain(item)})[0]
			})
		})}
	}
	p := f.inOrder(left, right)
	if e.Key == refconfig.List {
		p.Moved = otherOrder(align.Texts(f.plains(left)), align.Texts(f.plains(right)))
	}
	return p
}

// inOrder pairs the items of two lists whose order counts.
func (f Fields) inOrder(left, right []any) Pairing {
	if f.None() {
		return Pairing{Pairs: align.Items(left, right)}
	}
	return Pairing{Pairs: align.Items(f.plains(left), f.plains(right))}
}

// Items pairs the items of two lists that are compared as maps. It returns false for other lists.
func (f Fields) Items(left, right []any) ([]align.Pair, bool) {
	if e, _ := f.Here(); e.Keys == nil {
		return nil, false
	}
	pairing := f.Pair(left, right)
	return pairing.Pairs, pairing.Loose
}

// IsSet reports whether the values are sets. An item of a set is identified only by its value.
func (f Fields) IsSet() bool {
	e, _ := f.Here()
	return e.Keys == nil && f.loose(e, nil)
}

// Keys returns the fields that identify an item of a list: those of the entry, else the usual ones.
func (f Fields) Keys(item any) (keys []refconfig.FieldPath) {
	if e, _ := f.Here(); e.Keys != nil {
		return e.Keys
	}
	for _, key := range align.Keys(item) {
		keys = append(keys, refconfig.PathOf(key))
	}
	return keys
}

// otherOrder reports whether two lists have the same items in another order.
func otherOrder(left, right []string) bool {
	return !slices.Equal(left, right) &&
		slices.Equal(slices.Sorted(slices.Values(left)), slices.Sorted(slices.Values(right)))
}

// byKeys pairs the items of two lists by the keys of an entry.
func (f Fields) byKeys(e refconfig.FieldFunction, left, right []any) Pairing {
	lefts, why := names(e, left)
	if why != "" {
		why = "in the reference " + why
	}
	rights, whyNot := names(e, right)
	if why = cmp.Or(why, whyNot); why != "" {
		p := f.inOrder(left, right)
		p.Why = why
		return p
	}
	return Pairing{Loose: true, Pairs: align.ByName(lefts, rights, func(as, bs []int) []align.Pair {
		sortBy(lefts, as)
		sortBy(rights, bs)
		pairs := f.byPatterns(left, right, as, bs, func(item any, _ int) string { return name(e, item) })
		if pairs == nil {
			pairs = onlyOnes(e, left, right, as, bs)
		}
		return pairs
	})}
}

// sortBy sorts items by their values, so that the result does not depend on their order.
func sortBy(texts []string, items []int) {
	slices.SortStableFunc(items, func(a, b int) int { return cmp.Compare(texts[a], texts[b]) })
}

// names returns a text for the keys of each item, or the reason why the keys do not identify the
// items.
func names(e refconfig.FieldFunction, list []any) (all []string, why string) {
	at := map[string]int{}
	for i, item := range list {
		m, isMap := item.(map[string]any)
		if !isMap {
			return nil, fmt.Sprintf("item %d is not a map", i)
		}
		if !slices.ContainsFunc(e.Keys, func(key refconfig.FieldPath) bool { _, has := tree.At(m, key); return has }) {
			return nil, fmt.Sprintf("item %d has no %s", i, said(e))
		}
		text := name(e, item)
		if first, twice := at[text]; twice {
			return nil, fmt.Sprintf("items %d and %d have the same %s", first, i, said(e))
		}
		at[text] = i
		all = append(all, text)
	}
	return all, ""
}

// said formats the keys of an entry for messages.
func said(e refconfig.FieldFunction) string {
	var all []string
	for _, key := range e.Keys {
		all = append(all, key.String())
	}
	return strings.Join(all, " and ")
}

// name returns a text for the keys of an item. The text for a missing key differs from that of all
// values.
func name(e refconfig.FieldFunction, item any) string {
	var values []any
	for _, key := range e.Keys {
		if v, has := tree.At(item, key); has {
			values = append(values, []any{v})
		} else {
			values = append(values, nil)
		}
	}
	return align.Texts([]any{values})[0]
}

// onlyOnes pairs two items that have equal values at all keys that both have, if neither fits
// another item: a cluster may have filled in the keys that a reference does not state.
func onlyOnes(e refconfig.FieldFunction, left, right []any, as, bs []int) (pairs []align.Pair) {
	if len(as)*len(bs) > mostHeld {
		return nil
	}
	alike := func(a, b int) bool {
		common := false
		for _, key := range e.Keys {
			l, inLeft := tree.At(left[a], key)
			r, inRight := tree.At(right[b], key)
			if inLeft && inRight && !tree.Equal(l, r) {
				return false
			}
			common = common || inLeft && inRight
		}
		return common
	}
	return alone(as, bs, alike)
}

// mostHeld is the number of pairs of items that onlyOnes compares at most.
const mostHeld = 250 * 250

// alone pairs items that are alike if neither is like another item.
func alone(as, bs []int, alike func(a, b int) bool) (pairs []align.Pair) {
	ofA, ofB := map[int][]int{}, map[int][]int{}
	for _, a := range as {
		for _, b := range bs {
			if alike(a, b) {
				ofA[a], ofB[b] = append(ofA[a], b), append(ofB[b], a)
			}
		}
	}
	for _, a := range as {
		if len(ofA[a]) == 1 && len(ofB[ofA[a][0]]) == 1 {
			pairs = append(pairs, align.Pair{A: a, B: ofA[a][0]})
		}
	}
	return pairs
}

// rest pairs the items of sets that are not equal: first those whose patterns accept each other,
// then the most similar ones.
func (f Fields) rest(left, right []any, as, bs []int, text func(item any, at int) string) []align.Pair {
	pairs := f.byPatterns(left, right, as, bs, text)
	for _, p := range pairs {
		as = slice.Without(as, func(a int) bool { return a == p.A })
		bs = slice.Without(bs, func(b int) bool { return b == p.B })
	}
	return append(pairs, align.BySimilarity(left, right, as, bs)...)
}

// mostTried is the number of pairs of items that byPatterns compares at most.
const mostTried = 400

// byPatterns pairs items that are equal after the patterns of the expected item have accepted the
// other. It finds the largest number of pairs (Kuhn's algorithm).
func (f Fields) byPatterns(left, right []any, as, bs []int, text func(item any, at int) string) (pairs []align.Pair) {
	if len(as)*len(bs) > mostTried || !f.hasPatterns() {
		return nil
	}
	meets := map[align.Pair]bool{}
	for _, a := range as {
		for _, b := range bs {
			if f.ended() {
				return nil
			}
			accepted := f.Below(refconfig.Step{Index: a}).accepted(left[a], right[b])
			meets[align.Pair{A: a, B: b}] = text(accepted, a) == text(right[b], b)
		}
	}
	of := map[int]int{} // the partners of the items of the second list
	var finds func(a int, tried map[int]bool) bool
	finds = func(a int, tried map[int]bool) bool {
		for _, b := range bs {
			if !meets[align.Pair{A: a, B: b}] || tried[b] {
				continue
			}
			tried[b] = true
			if other, taken := of[b]; !taken || finds(other, tried) {
				of[b] = a
				return true
			}
		}
		return false
	}
	for _, a := range as {
		finds(a, map[int]bool{})
	}
	for _, b := range bs {
		if a, paired := of[b]; paired {
			pairs = append(pairs, align.Pair{A: a, B: b})
		}
	}
	return pairs
}

// pairingFields returns the entries that pair the items of lists: entries for lists, and entries
// that decide when items are equal, including patterns.
func pairingFields(c refconfig.Config) Fields {
	return fieldsOf(slice.Without(c.PerField, func(f refconfig.FieldFunction) bool {
		return f.Key == refconfig.Embedded
	}))
}

// hasPatterns reports whether patterns are for the field or for fields below it.
func (f Fields) hasPatterns() bool {
	return slices.ContainsFunc(f.entries, func(e following) bool { return e.Key == refconfig.InlineDiff })
}
