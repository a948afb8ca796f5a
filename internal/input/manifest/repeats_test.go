package manifest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRepeats reads two texts that have the same object. Where the text alone shows it, nobody has to decode it.
func TestRepeats(t *testing.T) {
	const one, two = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: y\n", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: z\n"
	list := func(kind, items string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: %s\nitems:\n%s", kind, items)
	}
	const item, more = "- metadata:\n    name: a\n  data:\n    x: y\n", "- metadata:\n    name: b\n"
	for name, c := range map[string]struct {
		a, b string
		want bool
	}{
		"the same file":                {one, one, true},
		"other lines":                  {one, "# a comment\n---\n" + one, true},
		"other content":                {one, two, false},
		"the same content":             {one, "kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: a\ndata:\n  x: y\n", false},
		"an item among others":         {list("ConfigMapList", item+more), list("ConfigMapList", item+more), true},
		"an item in another place":     {list("ConfigMapList", item+more), list("ConfigMapList", item+"- metadata:\n    name: c\n"), true},
		"an item of another kind":      {list("ConfigMapList", item), list("SecretList", item), false},
		"an item and a document":       {list("ConfigMapList", item), one, false},
		"an anchor somewhere else":     {"x: &a y\n---\n" + one, one, true},
		"an alias":                     {list("ConfigMapList", "- metadata: {name: &a a}\n- metadata: {name: b, uid: *a}\n"), list("ConfigMapList", "- metadata: {name: &a a}\n- metadata: {name: b, uid: *a}\n"), false},
		"JSON":                         {`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`, true},
		"an object that was let go of": {one, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			a := Read("a.yaml", "", []byte(c.a), Hints{}).Objects[0]
			b := &Object{}
			if c.b != "" {
				b = Read("other/b.yaml", "", []byte(c.b), Hints{}).Objects[0]
			}
			if got := a.Repeats(b); got != c.want || b.Repeats(a) != got {
				t.Errorf("%t, want %t: %+v, %+v", got, c.want, a.source, b.source)
			}
			if !c.want {
				return
			}
			v, err := a.Decode()
			w, errOther := b.Decode()
			if diff := cmp.Diff(v, w); diff != "" || err != nil || errOther != nil {
				t.Errorf("%v, %v: %s", err, errOther, diff)
			}
		})
	}
}
