package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
)

func yaml(t testing.TB, text string) any {
	t.Helper()
	docs, err := kubeyaml.Parse([]byte(text))
	if err != nil || len(docs) != 1 {
		t.Fatalf("%q: %d documents, %v", text, len(docs), err)
	}
	return docs[0].Value()
}

// lines lists differences as "category path".
func lines[D diff.Difference | finding.Difference](differences []D) string {
	var all []string
	for _, d := range differences {
		switch d := any(d).(type) {
		case diff.Difference:
			all = append(all, string(d.Category)+" "+d.Path.String())
		case finding.Difference:
			all = append(all, string(d.Category)+" "+d.Path)
		}
	}
	return strings.Join(all, "\n")
}

func TestCategories(t *testing.T) {
	for _, c := range []struct{ name, left, right, want string }{
		{"equal", "{a: 1, b: [x]}", "{a: 1, b: [x]}", ""},
		{"numbers by value", "a: 1.0", "a: 1", ""},
		{"types count", `a: "1"`, "a: 1", "drift a"},
		{"drift", "{a: 1, b: 2}", "{a: 1, b: 3}", "drift b"},
		{"missing", "{a: 1, b: 2}", "{a: 1}", "missing b"},
		{"extra", "{a: 1}", "{a: 1, b: 2}", "extra b"},
		{"a whole subtree once", "{a: {b: {c: 1, d: 2}}}", "{a: {}, x: {y: [1, 2]}}", "missing a.b\nextra x"},
		{"an empty map of the reference", "{a: {}}", "{a: {b: 1}}", "extra a.b"},
		{"null is not absence", "{a: null}", "{}", "missing a"},
		{"null against a value", "{a: null}", "{a: 1}", "drift a"},
		{"a map against a scalar", "{a: {b: 1}}", "{a: 1}", "drift a"},
		{"an inserted item", "[a, b, c]", "[a, x, b, c]", "extra 1"},
		{"a removed item", "[a, b, c]", "[a, c]", "missing 1"},
		{"a changed item", "[a, b, c]", "[a, x, c]", "drift 1"},
		{"order counts", "[a, b]", "[b, a]", "missing 0\nextra 1"},
		{"an inserted map", "[{name: a, v: 1}, {name: b, v: 2}]", "[{name: n, v: 9}, {name: a, v: 1}, {name: b, v: 2}]", "extra 0"},
		{"a changed map among inserted ones", "[{name: a, v: 1}, {name: b, v: 2}]", "[{name: n, w: 9}, {name: a, v: 7}, {name: b, v: 2}]", "extra 0\ndrift 1.v"},
		{"a renamed item", "[{name: a, v: 1, w: 2}]", "[{name: b, v: 1, w: 2}]", "drift 0.name"},
		{"another item altogether", "[{name: a, v: 1, w: 2}]", "[{name: b, x: 1, y: 2}]", "missing 0\nextra 0"},
		{"the first of equals", "[a, a, a]", "[a, a]", "missing 2"},
		{"lists in lists", "[[1, 2], [3]]", "[[1, 2, 9], [3]]", "extra 0.2"},
		{"an item more inside of the only item", "[{path: p, l: [{t: a, r: {n: b}}]}]", "[{path: p, l: [new, {t: a, r: {n: b}}]}]", "extra 0.l.0"},
		{"mounts of one volume", "[{name: v, mountPath: /a, x: 1}]", "[{name: v, mountPath: /new, x: 1, z: 3}, {name: v, mountPath: /a, x: 2, z: 5}]", "extra 0\ndrift 1.x\nextra 1.z"},
		{"ports without names", "[{containerPort: 53, protocol: UDP, hostPort: 1}]", "[{containerPort: 53, protocol: TCP, hostPort: 1, hostIP: a}, {containerPort: 53, protocol: UDP, hostPort: 2, hostIP: b}]", "extra 0\nextra 1.hostIP\ndrift 1.hostPort"},
		{"a port whose protocol is the usual one", "[{port: 80, a: 1, b: 2}]", "[{port: 81, protocol: TCP, a: 1}, {port: 80, protocol: TCP, a: 2, b: 3}]", "extra 0\ndrift 1.a\ndrift 1.b\nextra 1.protocol"},
		{"conditions of one type", "[{type: A, status: 'True', reason: r, message: m, at: t, since: s}]", "[{type: B, status: 'True', reason: r, message: m}, {type: A, status: 'False', reason: q, message: n, at: u, since: x}]",
			"extra 0\ndrift 1.at\ndrift 1.message\ndrift 1.reason\ndrift 1.since\ndrift 1.status"},
		{"keys with dots", `{m: {"a.b/c": 1}}`, `{m: {"a.b/c": 2}}`, `drift m."a.b/c"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := lines(diff.Flatten(diff.Of(provenance.Plain(yaml(t, c.left)), yaml(t, c.right), secret.Scope{})))
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestMovedItemsAreTold checks that an item that one side lacks says where the other side has it.
// Items that cannot be told apart, and lists without an order, have no such message.
func TestMovedItemsAreTold(t *testing.T) {
	for _, c := range []struct{ left, right, want string }{
		{"l: [a, b, c]", "l: [c, a, b]", "extra l.0 another order: the reference has it as l.2; missing l.2 another order: the CR has it as l.0"},
		{"l: [{name: a, v: 1}, {name: b}]", "l: [{name: b}, {name: a, v: 2}]", "missing l.0 another order: the CR has it as l.1; drift l.1.v "},
		{"l: [{name: a, v: 1}, {name: b}]", "l: [{name: b}, {name: a, v: 1, x: 1}, {name: c}]", "missing l.0 another order: the CR has it as l.1; " +
			"extra l.1.x ; extra l.2 "},
		{"l: [{name: a, v: 1}, {name: b}]", "l: [{name: b}, {name: a, v: 1}]", "missing l.0 another order: the CR has it as l.1; extra l.1 another order: the reference has it as l.0"},
		{"l: [a, a, b]", "l: [b, a, a]", "missing l.0 ; missing l.1 ; extra l.1 ; extra l.2 "},
		{"l: [b, x, y, z, b]", "l: [x, y, z]", "missing l.0 ; missing l.4 "},
		{"l: [a, b]", "l: [c, a]", "extra l.0 ; missing l.1 "},
		{"l: [b, b, a, x]", "l: [a, x, b]", "missing l.0 ; missing l.1 ; extra l.2 "},
	} {
		left, right := yaml(t, c.left), yaml(t, c.right)
		before := lines(diff.Flatten(diff.Of(provenance.Plain(left), right, secret.Scope{})))
		pair := diff.Compare(provenance.Plain(left), right, secret.Scope{}, diff.Policy{Moved: true}).Tree
		var got []string
		for _, d := range diff.Flatten(pair) {
			got = append(got, fmt.Sprintf("%s %s %s", d.Category, d.Path, d.Message))
		}
		if text := strings.Join(got, "; "); text != c.want || before != lines(diff.Flatten(pair)) {
			t.Errorf("%s and %s: %s", c.left, c.right, text)
		}
	}
}

func TestExpectedVariation(t *testing.T) {
	one, two := provenance.Note{Variable: true, Print: 1, Root: 1}, provenance.Note{Variable: true, Print: 2, Root: 2}
	left := yaml(t, "{a: {p: 1, q: [2]}, b: {c: 3}, d: 4}")
	notes := map[string]any{
		"a": map[string]any{"p": one, "q": []any{one}},
		"b": map[string]any{"c": two},
		"d": provenance.Note{},
	}
	got := lines(diff.Flatten(diff.Of(given.Noted(left, notes), tree.Copy(left), secret.Scope{})))
	if want := "expected a\nexpected b.c"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	right := yaml(t, "{a: {p: 1, q: [5]}, b: {c: 3}, d: 4}")
	got = lines(diff.Flatten(diff.Of(given.Noted(left, notes), right, secret.Scope{})))
	if want := "expected a.p\ndrift a.q.0\nexpected b.c"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestContainersWithoutContent checks that the note of an empty map or list counts, although it has
// no leaf below it.
func TestContainersWithoutContent(t *testing.T) {
	printed, found := provenance.Note{
		Variable: true,
		Print:    1,
		Root:     1,
	}, provenance.Note{
		Finding: &provenance.Finding{Message: "needed"},
	}
	for _, c := range []struct {
		left, right string
		note        any
		want        string
	}{
		{"a: []", "a: []", printed, "expected a"}, {"a: {}", "a: {}", printed, "expected a"}, {"a: {}", "a: {}", provenance.Note{}, ""},
		{"a: []", "a: [1]", printed, "extra a.0"}, {"a: {}", "a: {b: 1}", printed, "extra a.b"}, {"a: {}", "a: []", printed, "drift a"},
		{"a: []", "a: []", found, "drift a"}, {"a: []", "a: [1]", found, "drift a"}, {"a: {}", "a: {b: 1}", found, "drift a"},
	} {
		got := lines(
			diff.Flatten(diff.Of(given.Noted(yaml(t, c.left), map[string]any{"a": c.note}), yaml(t, c.right), secret.Scope{})),
		)
		if got != c.want {
			t.Errorf("%s beside %s, note %+v: %q, want %q", c.left, c.right, c.note, got, c.want)
		}
	}
}

func TestSecretDataIsHidden(t *testing.T) {
	text := `{kind: Secret, metadata: {name: x, annotations: {a: b, "kubectl.kubernetes.io/last-applied-configuration": "{}"}}, data: {k: djE=}}`
	left := yaml(t, text)
	right := yaml(t, strings.Replace(text, "djE=", "djI=", 1))
	for _, other := range []any{left, right} {
		seen := map[string]bool{}
		var walk func(p *diff.Pair, path string)
		walk = func(p *diff.Pair, path string) {
			seen[path] = p.Secret.IsData()
			for _, k := range p.Children {
				walk(k, path+"/"+k.Step.Key)
			}
		}
		walk(diff.Of(provenance.Plain(left), other, secret.OfKind("Secret")), "")
		for path, want := range map[string]bool{"": false, "/kind": false, "/metadata": false, "/metadata/name": false, "/metadata/annotations": false,
			"/metadata/annotations/a": false, "/metadata/annotations/kubectl.kubernetes.io/last-applied-configuration": true, "/data": true} {
			if got, ok := seen[path]; !ok || got != want {
				t.Errorf("%q: hidden %v (there: %v), want %v", path, got, ok, want)
			}
		}
	}
	for _, d := range diff.Flatten(diff.Of(provenance.Plain(left), right, secret.OfKind("Secret"))) {
		if !d.Secret.Holds(d.Input.Data) {
			t.Errorf("%s is not hidden", d.Path)
		}
	}
}
