package finding

import "testing"

// TestBlanksInNamesAreSeen holds how identities are written, and that quotes show blanks at the ends of
// names.
func TestBlanksInNamesAreSeen(t *testing.T) {
	for _, c := range []struct {
		object       Object
		long, stated string
		short        string
	}{
		{Object{APIVersion: "v1", Kind: "A", Namespace: "n", Name: "a"}, "A n/a (v1)", "A n/a (v1)", "A n/a"},
		{Object{APIVersion: "v1", Kind: "A", Namespace: "", Name: ""}, "A (no name) (v1)", "A * (v1)", "A *"},
		{Object{APIVersion: "v1", Kind: "A", Namespace: "n", Name: "a "}, `A "n/a " (v1)`, `A "n/a " (v1)`, `A "n/a "`},
		{Object{APIVersion: "v1", Kind: "A", Namespace: " n", Name: "a"}, `A " n/a" (v1)`, `A " n/a" (v1)`, `A " n/a"`},
		{Object{APIVersion: "v1", Kind: "A", Namespace: "n ", Name: "a"}, `A "n /a" (v1)`, `A "n /a" (v1)`, `A "n /a"`},
		{Object{APIVersion: "v1", Kind: "A", Namespace: "", Name: "\ta"}, `A "\ta" (v1)`, `A "\ta" (v1)`, `A "\ta"`},
		{Object{APIVersion: "v1", Kind: "A", Namespace: "", Name: "a b"}, "A a b (v1)", "A a b (v1)", "A a b"},
		{Object{APIVersion: "", Kind: "", Namespace: "n", Name: ""}, " n/(no name) ()", " n/*", ""},
	} {
		if long, stated, short := c.object.String(), c.object.Stated(), c.object.Short(); long != c.long ||
			stated != c.stated || short != c.short {
			t.Errorf("%#v: %q, %q, %q", c.object, long, stated, short)
		}
	}
}
