package diff

import (
	"slices"
	"testing"

	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// namedIn returns the paths with names of the differences between two lists.
func namedIn(left, right []any, scope secret.Scope) (all []string) {
	for _, d := range Flatten(Of(provenance.Plain(map[string]any{"l": left}), map[string]any{"l": right}, scope)) {
		if d.Named == "" {
			d.Named = d.Path.String()
		}
		all = append(all, d.Named)
	}
	slices.Sort(all)
	return all
}

// TestListItemsAreIdentifiedByName checks that an item is identified by its name and not by its
// index, if it is the only one with the name and the name is not secret.
func TestListItemsAreIdentifiedByName(t *testing.T) {
	item := func(keys ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(keys); i += 2 {
			m[keys[i].(string)] = keys[i+1]
		}
		return m
	}
	const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n"
	for _, test := range []struct {
		what        string
		left, right []any
		want        []string
	}{
		{"a name", []any{item("name", "a", "v", 1)}, []any{item("name", "x"), item("name", "a", "v", 2)}, []string{`l."[name=""a""]".v`, `l."[name=""x""]"`}},
		{"two keys", []any{item("containerPort", 1, "v", 1)}, []any{item("containerPort", 1, "v", 2)}, []string{`l."[containerPort=1,protocol=null]".v`}},
		{"missing", []any{item("name", "a"), item("name", "b")}, []any{item("name", "b")}, []string{`l."[name=""a""]"`}},
		{"one name of two", []any{item("name", "a", "v", 1), item("name", "a", "v", 2)}, []any{item("name", "a", "v", 1), item("name", "a", "v", 3)}, []string{"l.1.v"}},
		{"no name", []any{"a", "b"}, []any{"x", "a", "c"}, []string{"l.1", `l."[]"`}},
		{"a map for a name", []any{item("name", item("a", 1), "v", 1)}, []any{item("name", item("a", 1), "v", 2)}, []string{"l.0.v"}},
		{"a key in it", []any{item("name", key, "v", 1)}, []any{item("name", key, "v", 2)}, []string{"l.0.v"}},
	} {
		slices.Sort(test.want)
		if got := namedIn(test.left, test.right, secret.Scope{}); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
	}
	left, right := []any{item("name", "a", "v", 1)}, []any{item("name", "x"), item("name", "a", "v", 2)}
	if got := namedIn(left, right, secret.Scope{}.Values()); !slices.Equal(got, []string{`l."[]"`, "l.0.v"}) {
		t.Errorf("where all values are secret: %q", got)
	}
}

// TestFindingsOfTemplatesIdentifyListItems checks the same for a finding about an object without
// differences.
func TestFindingsOfTemplatesIdentifyListItems(t *testing.T) {
	object := map[string]any{
		"l": []any{map[string]any{"name": "a", "ports": []any{int64(1), int64(2)}}, map[string]any{"name": "b"}},
	}
	p := Of(provenance.Plain(object), object, secret.Scope{})
	for path, want := range map[string]string{
		"l":           "l",
		"l.1":         `l."[name=""b""]"`,
		"l.0.ports.1": `l."[name=""a""]".ports.1`,
		"l.7.x":       "l.7.x",
		"nowhere.0":   "nowhere.0",
		`"".x`:        `"".x`,
	} {
		parsed, err := refconfig.ParseFieldPath(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Names{}).Path(parsed, p, object); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
