package align

import (
	"encoding/json"

	"github.com/validationtool/validationtool/internal/tree"
)

// itemCells bounds the likenesses of items that are looked at in one stretch, and itemValues how
// often a value of an item is held against one of another for that; the items of a longer one are
// paired one by one.
const (
	itemCells  = 250 * 250
	itemValues = 8 * itemCells
)

// tooMany reports whether a stretch of items is beyond these bounds.
func tooMany(left, right []any) bool {
	const few = 1000 // which all are paired by their likenesses, however large they are
	cells := len(left) * len(right)
	if cells <= few || cells > itemCells {
		return cells > few
	}
	values := tree.SizeOf(left).Nodes + tree.SizeOf(right).Nodes
	return cells*(values/(len(left)+len(right))) > itemValues
}

// Items lays two lists over each other so that an inserted or removed item moves none of the
// others: every item of either is in exactly one pair, in order.
//
// Equal items at both ends are paired, then the equal ones that stand once on either side and in
// the same order (patience diff, as Bram Cohen described it), then those between that are most
// alike.
func Items(left, right []any) []Pair {
	x := &Aligner{Equal: func(a, b int) bool { return tree.Equal(left[a], right[b]) }}
	x.Inner = func(from, to Pair) {
		var once []Pair
		if Cells(from, to) > 1 { // else they are not equal, and lists of one item may lie in each other very deep
			once = Rising(Once(from, Texts(left[from.A:to.A]), Texts(right[from.B:to.B])))
		}
		x.Pairs = append(x.Pairs, fill(from, to, once, func(from, to Pair) []Pair {
			if tooMany(left[from.A:to.A], right[from.B:to.B]) {
				return oneByOne(from, to)
			}
			shownLeft, shownRight := shown(left[from.A:to.A]), shown(right[from.B:to.B])
			return Alike(from, to, func(a, b int) int {
				return itemLikeness(left[a], right[b], shownLeft[a-from.A],
					shownRight[b-from.B])
			})
		})...)
	}
	to := Pair{len(left), len(right)}
	x.Stretch(Pair{}, to)
	return fill(Pair{}, to, x.Pairs, alone)
}

// Texts returns for each value a text that two of them share exactly when they are equal.
func Texts(values []any) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		if text, err := json.Marshal(tree.Plain(v)); err == nil {
			texts[i] = string(text)
		}
	}
	return texts
}

// What speaks for a pair of items: all for equal ones; of unequal ones, at most sameName for maps
// of one name and for lists, and at most changed for scalars and other maps. What they do not share
// is taken off that.
const (
	equal    = 2000
	sameName = 1800
	changed  = 800
	apart    = -1 // better without partners than beside each other
)

// itemLikeness says how much speaks for a pair of items. Maps that differ in one scalar only always
// stand side by side; maps with different names only where they have at least half of the rest in
// common. The texts are those of shown.
func itemLikeness(a, b any, textA, textB string) int {
	if tree.Equal(a, b) {
		return equal
	}
	aMap, aIsMap := a.(map[string]any)
	bMap, bIsMap := b.(map[string]any)
	_, aIsList := a.([]any)
	_, bIsList := b.([]any)
	same, total := shared(a, b)
	unlike := 1000 - 1000*same/max(total, 1)
	named, oneName := compareNames(aMap, bMap)
	switch {
	case aIsMap != bIsMap || aIsList != bIsList:
		return apart
	case aIsList:
		return sameName - 1800*unlike/1000
	case !aIsMap:
		return changed - 700*unlikeText(textA, textB)/1000
	case named && oneName:
		return sameName - 700*unlike/1000
	case unlike <= 500 || total <= 2:
		return changed - 700*unlike/1000
	case !named && unlike <= 800:
		return sameName - 1800*unlike/1000
	}
	return apart
}

// shown returns the text of each value that is no container, by which it is compared with many
// others.
func shown(values []any) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		switch v.(type) {
		case map[string]any, []any:
		default:
			texts[i] = tree.ScalarOf(v)
		}
	}
	return texts
}

// SameItem reports whether two items are the same one to people: they are equal, or have the same
// name.
func SameItem(a, b any) bool {
	aMap, _ := a.(map[string]any)
	bMap, _ := b.(map[string]any)
	named, same := compareNames(aMap, bMap)
	return named && same || tree.Equal(a, b)
}

// compareNames compares the fields by which Kubernetes tells list items apart: what an API says in
// x-kubernetes-list-map-keys, as far as items show by the fields which they have what list they may
// be of (the types of k8s.io/api v0.37.2), and what people call names.
func compareNames(a, b map[string]any) (named, same bool) {
	for _, k := range []string{"mountPath", "devicePath"} { // where the name is that of the volume
		if x, y := a[k], b[k]; x != nil && y != nil {
			return true, tree.Equal(x, y)
		}
	}
	for _, k := range []string{"name", "key", "type", "id"} {
		x, ok1 := a[k].(string)
		y, ok2 := b[k].(string)
		if ok1 && ok2 && (k == "name" || x != y || k == "key") {
			return true, x == y
		}
	}
	for _, keys := range [][2]string{
		{"containerPort", "protocol"}, {"port", "protocol"}, // of containers and Services, which need no names
		// topologySpreadConstraints, hostAliases and podIPs, ownerReferences
		{"topologyKey", "whenUnsatisfiable"}, {"ip"}, {"uid"},
	} {
		if x, y := a[keys[0]], b[keys[0]]; x != nil && y != nil {
			second, other := a[keys[1]], b[keys[1]] // which may have a default
			return true, tree.Equal(x, y) && (second == nil || other == nil || tree.Equal(second, other))
		}
	}
	isCondition := a["status"] != nil && b["status"] != nil && a["type"] != nil
	return isCondition, isCondition && tree.Equal(a["type"], b["type"])
}

// Keys are the fields that tell a map from the others of its list, as compareNames has it: the
// first that it has of those that lists may have, and what stands beside that. It has none where
// there is nothing of the kind.
func Keys(item any) []string {
	m, _ := item.(map[string]any)
	for _, keys := range [][]string{{"mountPath"}, {"devicePath"}, {"name"}, {"key"}, {"id"}, {"containerPort", "protocol"}, {"port", "protocol"},
		{"topologyKey", "whenUnsatisfiable"}, {"ip"}, {"uid"}, {"type"}} {
		switch m[keys[0]].(type) {
		case nil, map[string]any, []any:
			continue
		}
		return keys
	}
	return nil
}

// shared counts the leaves that two values have in common and the leaves of both together.
func shared(a, b any) (same, total int) {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			return 0, 2
		}
		for k, v := range x {
			w, ok := y[k]
			if !ok {
				total++
				continue
			}
			s, t := shared(v, w)
			same, total = same+s, total+t
		}
		for k := range y {
			if _, ok := x[k]; !ok {
				total++
			}
		}
		return same, total
	case []any:
		y, ok := b.([]any)
		if !ok {
			return 0, 2
		}
		return sharedItems(x, y)
	}
	if tree.Equal(a, b) {
		return 1, 1
	}
	return 0, 1
}

// sharedItems counts for lists. Equal items at both ends stand beside each other, so that an item
// more in front of others is just that; what lies between is compared item by item.
func sharedItems(x, y []any) (same, total int) {
	tail := 0
	if len(x) != len(
		y,
	// else each stands beside its like in any case; so what lies deep is compared once, not once
	// for each list around it
	) {
		_, tail = ends(len(x), len(y), func(a, b int) bool { return tree.Equal(x[a], y[b]) })
	}
	few, many := min(len(x), len(y)), max(len(x), len(y))
	for i := range few {
		a, b := i, i
		if i >= few-tail {
			a, b = len(x)-few+i, len(y)-few+i
		}
		s, t := shared(x[a], y[b])
		same, total = same+s, total+t
	}
	return same, total + many - few
}

// unlikeText returns how much two texts differ, in thousandths, by their common head and tail.
func unlikeText(x, y string) int {
	const block = 64 // bytes that are compared at once
	most, head, tail := min(len(x), len(y)), 0, 0
	for head+block <= most && x[head:head+block] == y[head:head+block] {
		head += block
	}
	for head < most && x[head] == y[head] {
		head++
	}
	for a, b := len(x), len(y); head+tail+block <= most && x[a-tail-block:a-tail] == y[b-tail-block:b-tail]; {
		tail += block
	}
	for head+tail < most && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	return 1000 - 1000*(head+tail)/max(len(x), len(y), 1)
}
