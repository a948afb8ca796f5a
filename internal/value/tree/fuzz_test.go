package tree_test

import (
	"testing"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// FuzzOmit omits any field of any value: the field is gone, other fields remain except maps that
// became empty, and omitting it again changes nothing. Elements of lists move up, so paths with
// indexes are omitted only once. The value itself does not change.
func FuzzOmit(f *testing.F) {
	for _, seed := range [][2]string{{"{a: {b: 1}, c: 2}", "a.b"}, {"{a: [{b: 1}, {b: 2, c: 3}]}", "a.*.b"}, {"{ab: 1, ac: {}, b: 2}", "a"},
		{"{a: {x: 1}, b: {x: 2, y: 3}}", "*.x"}, {"[[1], {}, {a: {}}]", "2.a"}, {"{'*': 1, '': 2}", `"*"`}} {
		f.Add(seed[0], seed[1], false)
		f.Add(seed[0], seed[1], true)
	}
	f.Fuzz(func(t *testing.T, text, field string, prefix bool) {
		docs, err := kubeyaml.Parse([]byte(text))
		path, wrong := refconfig.ParseFieldPath(field)
		if err != nil || wrong != nil || len(docs) != 1 {
			return
		}
		entry := refconfig.OmitEntry{Path: path, Prefix: prefix}
		v := docs[0].Value()
		before := tree.YAML(v)
		left := tree.Omit(v, []refconfig.OmitEntry{entry})
		if tree.YAML(v) != before {
			t.Errorf("the value was %s and is %s", before, tree.YAML(v))
		}
		for _, p := range tree.Expand(left, path) {
			if !inList(left, p) {
				t.Errorf("%s is still there in %v", p, left)
			}
		}
		keeps(t, entry, nil, v, left)
	})
}

// inList reports whether a path leads through a list.
func inList(v any, p refconfig.FieldPath) bool {
	for i := range p {
		x, _ := tree.At(v, p[:i])
		if _, ok := x.([]any); ok {
			return true
		}
	}
	return false
}

// keeps checks that every key of a map remains unless an entry names it or it became empty.
func keeps(t *testing.T, entry refconfig.OmitEntry, at refconfig.FieldPath, v, left any) {
	t.Helper()
	m, ok := v.(map[string]any)
	if !ok {
		if _, list := v.([]any); !list && !tree.Equal(v, left) && v == v {
			t.Errorf("%s was %v and is %v", at, v, left)
		}
		return
	}
	n, _ := left.(map[string]any)
	for k, x := range m {
		below := append(at[:len(at):len(at)], refconfig.Step{Key: k, Index: -1})
		y, kept := n[k]
		if entry.Match(below) {
			if kept {
				t.Errorf("%s is still there", below)
			}
			continue
		}
		c, isMap := x.(map[string]any)
		switch {
		case kept:
			keeps(t, entry, below, x, y)
		case !isMap || len(below) >= len(entry.Path) || tree.YAML(tree.Omit(c, []refconfig.OmitEntry{{Path: entry.Path[len(below):], Prefix: entry.Prefix}})) != "{}\n":
			t.Errorf("%s is gone, and should not be", below)
		}
	}
}
