package generate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/author/generate"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// TestEveryClusterAgrees makes references of clusters that are made up, with values of every odd
// form: lint finds nothing wrong with them, and each cluster agrees.
func TestEveryClusterAgrees(t *testing.T) {
	for seed := range testkit.Tries(400) {
		m := maker{rand.New(rand.NewPCG(uint64(seed), 1))}
		texts := make([]string, 1+m.IntN(3))
		spec, document := m.value(4), m.value(4)
		for i := range texts {
			object := map[string]any{
				"apiVersion": "example.com/v1",
				"kind":       "Odd",
				"metadata":   map[string]any{"name": "odd"},
				"spec":       map[string]any{"odd": m.changed(spec), "data": map[string]any{"a.yaml": m.document(document)}},
			}
			texts[i] = tree.YAML(object)
		}
		r := made(t, generate.Options{}, texts...)
		for _, text := range texts {
			agrees(t, r, text)
		}
		if t.Failed() {
			t.Fatalf("seed %d: clusters\n%s\nmake\n%s", seed, strings.Join(texts, "---\n"), r.Files[0].Text)
		}
	}
}

// maker makes values up.
type maker struct{ *rand.Rand }

func (m maker) value(depth int) any {
	switch n := m.IntN(10); {
	case n < 4 && depth > 0:
		v := map[string]any{}
		for range m.IntN(4) {
			v[m.key()] = m.value(depth - 1)
		}
		return v
	case n < 6 && depth > 0:
		v := []any{}
		for range m.IntN(4) {
			v = append(v, m.value(depth-1))
		}
		return v
	}
	return m.scalar()
}

func (m maker) key() string {
	keys := []string{"a", "b", "name", "y", "a.b/c", "with space", "1", "", "é", "#", "nil", "a-b"}
	return keys[m.IntN(len(keys))]
}

func (m maker) scalar() any {
	values := []any{
		nil,
		true,
		false,
		int64(0),
		int64(-7),
		2.5,
		"",
		" ",
		"yes",
		"1e3",
		"{{ .x }}",
		"{{{",
		"}}",
		"{{",
		"a\nb",
		"a\n\n",
		"a \n",
		"\n",
		"\ta\n b",
		"- a\n- b\n",
		"a: b",
		"# a",
		"{{- if }}\nx\n{{ end -}}\n",
		"\x00\x1b",
		"\u2028",
		"é😀",
		"\\",
		"'\"",
		"<no value>",
		"kind: Secret\nstringData: {a: b}",
		"vtHeld0X",
		"---",
		"*a",
		"2024-01-01",
	}
	return values[m.IntN(len(values))]
}

// document returns the text of a document that is like another one.
func (m maker) document(v any) string {
	v = m.changed(v)
	if text, err := tree.JSON(v); err == nil && m.IntN(4) == 0 {
		return text
	}
	return tree.YAML(v)
}

// changed returns a copy in which some things are others.
func (m maker) changed(v any) any {
	if m.IntN(12) == 0 {
		return m.value(2)
	}
	switch v := v.(type) {
	case map[string]any:
		c := map[string]any{}
		for _, k := range tree.Keys(v) {
			if m.IntN(8) > 0 {
				c[k] = m.changed(v[k])
			}
		}
		if m.IntN(8) == 0 {
			c[m.key()] = m.value(1)
		}
		return c
	case []any:
		c := []any{}
		for _, x := range v {
			c = append(c, m.changed(x))
		}
		if m.IntN(8) == 0 {
			c = append(c, fmt.Sprint(m.scalar()))
		}
		return c
	}
	return v
}
