package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// fields parses entries such as "l list set" and "l map name port".
func fields(t *testing.T, entries ...string) Fields {
	t.Helper()
	var c refconfig.Config
	for _, text := range entries {
		words := strings.Fields(text)
		path, err := refconfig.ParseFieldPath(words[0])
		if err != nil {
			t.Fatal(err)
		}
		f := refconfig.FieldFunction{Path: path, Key: refconfig.FieldKey(words[1])}
		if len(words) > 2 {
			f.Function = words[2]
		}
		if words[1] == "map" {
			f.Key, f.Function = refconfig.List, "map"
			for _, key := range words[2:] {
				k, err := refconfig.ParseFieldPath(key)
				if err != nil {
					t.Fatal(err)
				}
				f.Keys = append(f.Keys, k)
			}
		}
		c.PerField = append(c.PerField, f)
	}
	return fieldsOf(c.PerField)
}

// TestEveryKeyHasAManner checks that the table of manners says of each key how it compares.
func TestEveryKeyHasAManner(t *testing.T) {
	for _, key := range refconfig.FieldKeys() {
		if !slices.ContainsFunc(manners(), func(m manner) bool { return m.key == key }) {
			t.Errorf("%s has no row in manners, which says when two values are equal, and which types it takes", key)
		}
	}
}

// TestPartners checks which items of lists belong together where a document in them is opened: as they are
// compared, and a pattern with what it accepts; what is left over by its index.
func TestPartners(t *testing.T) {
	m, list := mapOf, listOf
	for _, row := range []struct {
		entries     []string
		left, right []any
		want        string
	}{
		{nil, list("a", "b"), list("b", "c", "a"), "1:0"},
		{[]string{"l.*.k inlineDiffFunc regex"}, list(m("k", "a.*"), m("k", "b.*")), list(m("k", "b1"), m("k", "a1")), "1:0"},
		{[]string{"l.*.k inlineDiffFunc regex"}, list(m("k", ".*"), m("k", "b.*")), list(m("k", "a1"), m("k", "b1")), "0:0 1:1"},
		{[]string{"l.*.k inlineDiffFunc regex"}, list(m("k", ".*"), m("k", ".*")), list(m("k", "a1"), m("k", "b1"), m("k", "c1")), "0:0 1:1"},
		{[]string{"l.*.k inlineDiffFunc regex"}, list(m("k", "x"), m("k", "y"), m("k", ".*")), list(m("k", "c1")), "2:0"},
		{[]string{"l.1.k inlineDiffFunc regex"}, list(m("k", ".*"), m("k", "a.*"), m("k", "c")), list(m("k", "c"), m("k", "b"), m("k", "a")), "1:1 2:0"},
		{[]string{"l list set", "l.* inlineDiffFunc regex"}, list("a.*", "b.*"), list("b1", "a1"), "0:1 1:0"},
		{[]string{"l.* inlineDiffFunc regex", "l.*.k inlineDiffFunc regex"}, list("a.*", m("k", "b.*")), list(m("k", "b1"), "a1"), "1:0"},
	} {
		var got []string
		for _, p := range fields(t, row.entries...).Below(refconfig.Step{Key: "l", Index: -1}).partners(row.left, row.right, true) {
			got = append(got, fmt.Sprintf("%d:%d", p.A, p.B))
		}
		if s := strings.Join(got, " "); s != row.want {
			t.Errorf("%v %v: %v, want %s", row.entries, row.left, s, row.want)
		}
	}
}

// mapOf returns a map of keys, each followed by its value.
func mapOf(pairs ...any) map[string]any {
	out := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i].(string)] = pairs[i+1]
	}
	return out
}

func listOf(items ...any) []any { return items }

// TestPairs checks which items belong together, by their indexes; "-" means none.
func TestPairs(t *testing.T) {
	m, list := mapOf, listOf
	for _, row := range []struct {
		name        string
		entries     []string
		left, right []any
		want        string // pairs, and what else is said
	}{
		{"a set", []string{"l list set"}, list("a", "b", "c"), list("c", "a", "d"), "2:0 0:1 1:2 loose"},
		{"an item more", []string{"l list set"}, list("a"), list("b", "a"), "-:0 0:1 loose"},
		{"an item that stands twice has to stand twice", []string{"l list set"}, list("a", "a", "b"), list("b", "a"), "2:0 0:1 1:- loose"},
		{"a missing item stands behind the one before it", []string{"l list set"}, list(int64(1), m("a", "x"), int64(2)), list(int64(2), int64(1)), "2:0 0:1 1:- loose"},
		{"a set of sets", []string{"l list set", "l.*.in list set"}, list(m("in", list("a", "b")), m("in", list("c"))), list(m("in", list("c")), m("in", list("b", "a"))), "1:0 0:1 loose"},
		{"a set of sets, all in another order", []string{"l list set", "l.*.in list set"},
			list(m("in", list("a", "b")), m("in", list("c", "d")), m("in", list("e", "f"))),
			list(m("in", list("d", "c")), m("in", list("f", "e")), m("in", list("b", "a"))), "1:0 2:1 0:2 loose"},
		{"a set of maps in another order", []string{"l list set", "l.*.in map k"},
			list(m("in", list(m("k", "a"), m("k", "b"))), m("in", list(m("k", "c"), m("k", "d"))), m("in", list(m("k", "e")))),
			list(m("in", list(m("k", "d"), m("k", "c"))), m("in", list(m("k", "e"))), m("in", list(m("k", "b"), m("k", "a")))), "1:0 2:1 0:2 loose"},
		{"a set of ordered lists", []string{"l list set", "l.*.in list ordered"},
			list(list("x"), m("in", list("a", "b")), m("in", list("b", "a"))), list(m("in", list("b", "a")), list("y"), m("in", list("a", "b"))), "2:0 0:1 1:2 loose"},
		{"a set of quantities", []string{"l list set", "l.* quantity"}, list("1", "2"), list("2000m", int64(1)), "1:0 0:1 loose"},
		{"a set of patterns", []string{"l list set", "l.* inlineDiffFunc regex"}, list("a.*", "ab.*"), list("abc", "ac"), "1:0 0:1 loose"},
		{"a map", []string{"l map k"}, list(m("k", "a", "v", 1), m("k", "b")), list(m("k", "b"), m("k", "c"), m("k", "a", "v", 2)), "1:0 -:1 0:2 loose"},
		{"a map by two keys", []string{"l map k j"}, list(m("k", "a", "j", "x"), m("k", "a", "j", "y")), list(m("k", "a", "j", "y"), m("k", "a", "j", "z")), "0:- 1:0 -:1 loose"},
		{"keys of other types are others", []string{"l map k"}, list(m("k", int64(1))), list(m("k", "1")), "0:- -:0 loose"},
		{"a key further below", []string{"l map a.b"}, list(m("a", m("b", "x")), m("a", m("b", "y"))), list(m("a", m("b", "y")), m("a", m("b", "x"))), "1:0 0:1 loose"},
		{"a key that the reference does not state", []string{"l map k j"}, list(m("k", "a"), m("k", "b")), list(m("k", "b", "j", "x"), m("k", "a", "j", "x")), "1:0 0:1 loose"},
		{"a key that it does not state, of two", []string{"l map k j"}, list(m("k", "a")), list(m("k", "a", "j", "x"), m("k", "a", "j", "y")), "0:- -:0 -:1 loose"},
		{"a key that is a pattern", []string{"l map k", "l.*.k inlineDiffFunc regex"}, list(m("k", "a[0-9]"), m("k", "b[0-9]")), list(m("k", "b1"), m("k", "a1")), "1:0 0:1 loose"},
		{"a key that is a pattern of numbers", []string{"l map k", "l.*.k inlineDiffFunc regex"},
			list(m("k", "1[0-9]"), m("k", "2[0-9]")), list(m("k", int64(21)), m("k", int64(11))), "1:0 0:1 loose"},
		{"a key that two patterns accept, and one that takes two", []string{"l map k", "l.*.k inlineDiffFunc regex"},
			list(m("k", "b.+"), m("k", "b.*"), m("k", "a.*")), list(m("k", "a2"), m("k", "b1"), m("k", "a1")), "0:- -:0 1:1 2:2 loose"},
		{"items that two patterns accept, and one that takes two", []string{"l list set", "l.* inlineDiffFunc regex"},
			list("b.+", "b.*", "a.*"), list("a2", "b1", "a1"), "0:0 1:1 2:2 loose"},
		{"a pattern accepts no map", []string{"l map k", "l.*.k inlineDiffFunc regex"}, list(m("k", ".*")), list(m("k", m())), "0:- -:0 loose"},
		{"a quantity is no pattern", []string{"l list set", "l.*.p inlineDiffFunc regex", "l.*.q quantity"},
			list(m("p", "a.*", "q", "(?<n>.*)")), list(m("p", "zz", "q", "(?<n>.*)"), m("p", "ab", "q", "x")), "0:0 -:1 loose"},
		{"a number is no pattern", []string{"l map k", "l.*.k inlineDiffFunc regex"}, list(m("k", int64(1))), list(m("k", "")), "0:- -:0 loose"},
		{"a key twice", []string{"l map k"}, list(m("k", "a")), list(m("k", "a"), m("k", "a", "v", 1)), "0:0 -:1 items 0 and 1 have the same k"},
		{"a key twice in the reference", []string{"l map k j"}, list(m("k", "a"), m("k", "a")), list(m("k", "a")), "0:0 1:- in the reference items 0 and 1 have the same k and j"},
		{"no key", []string{"l map k"}, list(m("k", "a")), list(m("j", "a")), "0:0 item 0 has no k"},
		{"no map", []string{"l map k"}, list(m("k", "a")), list("a"), "0:- -:0 item 0 is not a map"},
		{"other keys have no value in common", []string{"l map a b"}, list(m("a", "x")), list(m("b", "x")), "0:- -:0 loose"},
		{"an ordered list", []string{"l list ordered"}, list("a", "b", "c"), list("a", "c", "b"), "0:0 1:- 2:1 -:2 moved"},
		{"an ordered list with another item", []string{"l list ordered"}, list("a", "b"), list("b", "c"), "0:- 1:0 -:1"},
		{"an ordered list of quantities", []string{"l list ordered", "l.* quantity"}, list("1000m", "2"), list(int64(1), "2"), "0:0 1:1"},
		{"an ordered list of quantities in another order", []string{"l list ordered", "l.* quantity"}, list("1000m", "2"), list("2", int64(1)), "0:- 1:0 -:1 moved"},
		{"a list of sets", []string{"l.* list set"}, list(list("a", "b"), list("c", "d")), list(list("c", "b"), list("d", "c"), list("b", "a")), "0:0 1:1 -:2"},
		{"nothing said", nil, list("a", "b"), list("b", "a"), "0:- 1:0 -:1"},
		{"of another item", []string{"l list ordered", "l.1 quantity"}, list("1000m", "a"), list("a", "1"), "0:- 1:0 -:1"},
		{"of another list", []string{"k list set"}, list("a", "b"), list("b", "a"), "0:- 1:0 -:1"},
		{"the first entry counts", []string{"* list ordered", "l list set"}, list("a", "b"), list("b", "a"), "0:- 1:0 -:1 moved"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := fields(t, row.entries...).Below(refconfig.Step{Key: "l", Index: -1}).Pair(row.left, row.right)
			var got []string
			for _, pair := range p.Pairs {
				got = append(got, strings.ReplaceAll(fmt.Sprintf("%d:%d", pair.A, pair.B), "-1", "-"))
			}
			if p.Loose {
				got = append(got, "loose")
			}
			if p.Moved {
				got = append(got, "moved")
			}
			if text := strings.TrimSpace(strings.Join(got, " ") + " " + p.Why); text != row.want {
				t.Errorf("got %s, want %s", text, row.want)
			}
		})
	}
}

// TestSpotsOfItems checks to which items of another list the path of an entry leads: an item without a
// partner has the same index, unless that is the partner of another one.
func TestSpotsOfItems(t *testing.T) {
	item := func(name string) any { return map[string]any{"n": name, "v": name} }
	byName := refconfig.FieldFunction{Path: refconfig.PathOf("l"), Key: refconfig.List, Function: "map", Keys: []refconfig.FieldPath{refconfig.PathOf("n")}}
	for _, c := range []struct {
		left  []any
		right any
		want  string
	}{
		{[]any{item("a"), item("b")}, []any{item("b")}, "l.1.v:l.0.v"},
		{[]any{item("a"), item("b")}, []any{item("b"), item("a")}, "l.0.v:l.1.v l.1.v:l.0.v"},
		{[]any{item("a"), item("b")}, []any{item("c"), item("d"), item("e")}, "l.0.v:l.0.v l.1.v:l.1.v"},
		{[]any{item("a")}, []any{}, ""},
		{[]any{item("a")}, "text", "l.0.v:l.0.v"},
	} {
		spots := SpotsOf(t.Context(), refconfig.Config{PerField: []refconfig.FieldFunction{byName}}, map[string]any{"l": c.left}, map[string]any{"l": c.right}, secret.Scope{})
		var got []string
		for s := range spots.At(refconfig.FieldPath{refconfig.Key("l"), {Any: true, Index: -1}, refconfig.Key("v")}) {
			got = append(got, s.LeftPath.String()+":"+s.RightPath.String())
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v and %v: %q, want %q", c.left, c.right, got, c.want)
		}
	}
}

// TestNoPatternIsTriedAfterTheEnd: what ends a comparison ends the search for items that patterns
// accept, too.
func TestNoPatternIsTriedAfterTheEnd(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for want, ctx := range map[int]context.Context{0: t.Context(), 1: ended} {
		f := fields(t, "l list set", "l.* inlineDiffFunc regex").Until(ctx).Below(refconfig.Step{Key: "l", Index: -1})
		for _, p := range f.Pair([]any{"[a-z]+"}, []any{"abc", "[a-z]-"}).Pairs {
			if p.A == 0 && p.B != want {
				t.Errorf("the item belongs to %d, want %d", p.B, want)
			}
		}
	}
}

// TestEqual checks which values are equal, and the reason for values that do not fit their entry.
func TestEqual(t *testing.T) {
	for _, row := range []struct {
		entry       string
		left, right any
		equal       bool
		why         string
	}{
		{"a quantity", "1000m", int64(1), true, ""},
		{"a quantity", "1Gi", "1024Mi", true, ""},
		{"a quantity", 0.5, "500m", true, ""},
		{"a quantity", "1Gi", "1G", false, ""},
		{"a quantity", "x", "x", true, ""},
		{"a quantity", "x", "1", false, "in the reference it is not a quantity, such as 500m or 1Gi"},
		{"a quantity", "1", "1e999999999", false, "it is not a quantity: it has too many digits"},
		{"a quantity", "1", nil, false, ""},
		{"a quantity", "1", true, false, "it is not a quantity, such as 500m or 1Gi"},
		{"a quantity", "1", []any{"1"}, false, "it is not a single value"},
		{"a cpuset", "0-3", "3,0-2", true, ""},
		{"a cpuset", "3", int64(3), true, ""},
		{"a cpuset", "0-3", "0-4", false, ""},
		{"a cpuset", "0-3", "all", false, "it is not a set of CPUs, such as 0-3,8"},
		{"a list set", []any{"x"}, "x", false, "it is not a list"},
		{"a list set", "x", []any{"x"}, false, "in the reference it is not a list"},
		{"a list set", []any{}, nil, false, ""},
		{"b quantity", "1000m", "1", false, ""},
	} {
		equal, why := fields(t, row.entry).Below(refconfig.Step{Key: "a", Index: -1}).Equal(row.left, row.right)
		if equal != row.equal || why != row.why {
			t.Errorf("%s: %v and %v: %v, %q", row.entry, row.left, row.right, equal, why)
		}
	}
}
