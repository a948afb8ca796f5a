package align

import (
	"encoding/json"
	"slices"
	"sort"
	"sync"

	"github.com/validationtool/validationtool/internal/value/tree"
)

// itemCells bounds the pairs of items whose likeness is computed in one range, and itemValues the
// comparisons of values for these likenesses. The items of a larger range are paired by name, and where
// no names are equal one by one.
const (
	itemCells  = 250 * 250
	itemValues = 8 * itemCells
)

// tooMany reports whether a range of items exceeds these bounds.
func tooMany(left, right []any) bool {
	const few = 1000 // up to this many pairs, items of any size are compared
	cells := len(left) * len(right)
	if cells <= few || cells > itemCells {
		return cells > few
	}
	values := tree.SizeOf(left).Nodes + tree.SizeOf(right).Nodes
	return cells*(values/(len(left)+len(right))) > itemValues
}

// Items aligns two lists so that an inserted or removed item does not shift the others. Every item
// of both lists is in exactly one pair, in order.
//
// Equal items at both ends are paired first, then items that have a name or a value that occurs once on each
// side, in the same order (patience diff, described by Bram Cohen), then the items that are most alike
// between those. So which items are in another place depends on their names, if they have some, and not on
// what changed in them.
func Items(left, right []any) []Pair {
	x := &Aligner{Equal: func(a, b int) bool { return tree.Equal(left[a], right[b]) }}
	known := sync.OnceValues(func() (names, names) { return namesOf(left), namesOf(right) })
	var closest func(from, to Pair) []Pair
	closest = func(from, to Pair) []Pair {
		ofLeft, ofRight := known()
		if tooMany(left[from.A:to.A], right[from.B:to.B]) {
			named := UniquePairs(from, ofLeft.of[from.A:to.A], ofRight.of[from.B:to.B])
			if len(named) == 0 {
				return oneByOne(from, to)
			}
			return fill(from, to, longestIncreasing(named), closest)
		}
		textsLeft, textsRight := scalarTexts(left[from.A:to.A]), scalarTexts(right[from.B:to.B])
		return MostSimilar(from, to, func(a, b int) int {
			both := func(name string) bool { return ofLeft.number[name] == 1 && ofRight.number[name] == 1 }
			if one, other := ofLeft.of[a], ofRight.of[b]; one != other && (both(one) || both(other)) {
				return apart // one of them is elsewhere in the other list
			}
			return itemLikeness(left[a], right[b], textsLeft[a-from.A],
				textsRight[b-from.B])
		})
	}
	x.Inner = func(from, to Pair) {
		var once []Pair
		if cellsOf(from, to) > 1 { // one item each: not equal, and encoding deeply nested lists of one item is slow
			once = longestIncreasing(sameOnce(from, left[from.A:to.A], right[from.B:to.B], known))
		}
		x.Pairs = append(x.Pairs, fill(from, to, once, closest)...)
	}
	to := Pair{len(left), len(right)}
	x.Stretch(Pair{}, to)
	return fill(Pair{}, to, x.Pairs, unpaired)
}

// sameOnce returns the pairs of items whose name or, if they have none, whose value occurs once in each of
// two stretches of lists, which start at from.
func sameOnce(from Pair, left, right []any, known func() (names, names)) []Pair {
	ofLeft, ofRight := known()
	textsOf := func(list []any, called []string) []string {
		texts := make([]string, len(list))
		for i := range list {
			if name := called[i]; ofLeft.number[name] == 1 && ofRight.number[name] == 1 {
				texts[i] = "named " + name
			} else {
				texts[i] = Texts(list[i : i+1])[0]
			}
		}
		return texts
	}
	pairs := UniquePairs(from, textsOf(left, ofLeft.of[from.A:]), textsOf(right, ofRight.of[from.B:]))
	return slices.DeleteFunc(pairs, func(p Pair) bool { return !SameItem(left[p.A-from.A], right[p.B-from.B]) })
}

// names are the names of the items of a list: a text for each, or "" for an item without a name, and
// how many items have it.
type names struct {
	of     []string
	number map[string]int
}

func namesOf(list []any) names {
	all := names{make([]string, len(list)), map[string]int{}}
	for i, item := range list {
		if keys := Keys(item); keys != nil && keys[0] != "id" && keys[0] != "type" { // these do not identify
			m, _ := item.(map[string]any)
			all.of[i] = Texts([]any{[]any{keys[0], m[keys[0]]}})[0]
			all.number[all.of[i]]++
		}
	}
	return all
}

// Texts returns one text for each value. Two texts are equal exactly if the values are equal.
func Texts(values []any) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		if text, err := json.Marshal(tree.Plain(v)); err == nil {
			texts[i] = string(text)
		}
	}
	return texts
}

// The likeness of two items has these upper limits: equal for equal items, sameName for maps with
// the same name and for lists, changed for scalars and other maps. Leaves that differ reduce it.
const (
	equal    = 2000
	sameName = 1800
	changed  = 800
	apart    = -1 // not to be paired at all
)

// itemLikeness returns how alike two items are. Maps that differ in one scalar only are always
// paired. Maps with different names are paired only if they share at least half of their other
// leaves. textA and textB come from scalarTexts.
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

// scalarTexts returns the printed text of each scalar, so that it is printed once and not for each
// pair. Maps and lists have "".
func scalarTexts(values []any) []string {
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

// SameItem reports whether a reader takes two items for the same one: they are equal or have the
// same name.
func SameItem(a, b any) bool {
	aMap, _ := a.(map[string]any)
	bMap, _ := b.(map[string]any)
	named, same := compareNames(aMap, bMap)
	return named && same || tree.Equal(a, b)
}

// identities returns the fields that identify list items in Kubernetes, the most certain first. These
// are the x-kubernetes-list-map-keys of an API (types of k8s.io/api v0.37.2), and the usual name
// fields. The second field of a pair has a default and is often absent.
func identities() [][]string {
	return [][]string{
		{"mountPath"}, {"devicePath"}, // here name is the name of the volume
		{"name"}, {"key"}, {"id"},
		{"containerPort", "protocol"}, {"port", "protocol"}, // containers and Services, where names are optional
		// topologySpreadConstraints, hostAliases and podIPs, ownerReferences
		{"topologyKey", "whenUnsatisfiable"}, {"ip"}, {"uid"},
		{"type"},
	}
}

// compareNames compares the fields that identify two list items. named is false if the items have no
// such field in common. Equal ids, and equal types of items that are no conditions, do not identify.
func compareNames(a, b map[string]any) (named, same bool) {
	for _, keys := range identities() {
		x, y := a[keys[0]], b[keys[0]]
		_, isText := x.(string)
		_, areTexts := y.(string)
		same := tree.Equal(x, y)
		switch keys[0] {
		case "name", "key", "id", "type":
			isCondition := keys[0] == "type" && a["status"] != nil && b["status"] != nil
			weak := keys[0] == "id" || keys[0] == "type" && !isCondition
			if !isText || !areTexts || same && weak {
				continue
			}
		}
		if len(keys) > 1 {
			second, other := a[keys[1]], b[keys[1]]
			same = same && (second == nil || other == nil || tree.Equal(second, other))
		}
		if x != nil && y != nil {
			return true, same
		}
	}
	return false, false
}

// Keys returns the fields that identify a map among the items of its list. It returns nil if the map
// has no such field.
func Keys(item any) []string {
	m, _ := item.(map[string]any)
	for _, keys := range identities() {
		switch m[keys[0]].(type) {
		case nil, map[string]any, []any:
			continue
		}
		return keys
	}
	return nil
}

// shared counts the leaves that two values have in common, and the leaves of both together.
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

// sharedItems does the same for two lists. It pairs equal items at the end from the end, so that an
// inserted item does not shift them, and all other items by index.
func sharedItems(x, y []any) (same, total int) {
	tail := 0
	if len(x) != len(
		y,
	// lists of equal length are compared by index in any case; this avoids comparing nested lists
	// again at every level
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

// unlikeText returns how much two texts differ, in thousandths, by their common prefix and suffix.
func unlikeText(x, y string) int {
	most := min(len(x), len(y))
	head := sort.Search(most, func(n int) bool { return x[:n+1] != y[:n+1] })
	tail := sort.Search(most-head, func(n int) bool { return x[len(x)-n-1:] != y[len(y)-n-1:] })
	return 1000 - 1000*(head+tail)/max(len(x), len(y), 1)
}
