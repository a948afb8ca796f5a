package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// TestLinesOfManyKeys: the lines of a map with many keys are those that a search of its keys finds,
// and it is searched once.
func TestLinesOfManyKeys(t *testing.T) {
	var text strings.Builder
	for i := range 50 {
		fmt.Fprintf(&text, "k%d: v\n", i)
	}
	nodes, err := kubeyaml.Parse([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	l := NewLocator(nodes[0])
	for i := range 50 {
		if got := l.Line(refconfig.FieldPath{{Key: fmt.Sprintf("k%d", i), Index: -1}}); got != i+1 {
			t.Errorf("k%d stands in line %d", i, got)
		}
	}
	if got := l.Line(refconfig.FieldPath{{Key: "none", Index: -1}}); got != 1 {
		t.Errorf("a key that is not there has the line %d", got)
	}
	if len(l.large) != 1 {
		t.Errorf("%d maps are remembered", len(l.large))
	}
}

// TestLinesOfPaths: a field that is not there has the line of the nearest parent, and one of a
// document in a text the line of the text.
func TestLinesOfPaths(t *testing.T) {
	nodes, err := kubeyaml.Parse([]byte("a:\n  b:\n  - c: 1\n  - text: |\n      d: 1\n  \"e!\": 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	l := NewLocator(nodes[0])
	for path, want := range map[string]int{
		"a": 1, "a.b": 2, "a.b.0": 3, "a.b.0.c": 3, "a.b.1.text": 4, "a.b.1.text!": 4, "a.b.1.text!.d": 4, "a.b.2": 2, "a.b.*": 2, "a.none.x": 1, "none": 1,
		"a.none!.x": 1, "a.\"e!\"": 6,
	} {
		p, err := refconfig.ParseFieldPath(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Line(p); got != want {
			t.Errorf("%s: line %d, want %d", path, got, want)
		}
	}
}

// TestFormsOfAPIVersionAndKind: the values of apiVersion and kind count only if they are of that form.
func TestFormsOfAPIVersionAndKind(t *testing.T) {
	for text, want := range map[string]string{
		"apiVersion: v1": "apiVersion", "apiVersion: 'apps/v1beta1' # x": "apiVersion", "apiVersion: /v1": "", "apiVersion: apps/one": "", "apiVersion: apps/": "",
		"apiVersion: one": "", "apiVersion:": "", "kind: Pod": "kind", "kind: pod": "", "kind:": "", "kind: \"Pod\",": "kind", "other: v1": "none",
	} {
		var c claim
		c.take(keyAt([]byte(text)))
		got := ""
		if c.apiVersion {
			got = "apiVersion"
		}
		if c.kind {
			got += "kind"
		}
		if len(c.found) == 0 {
			got += "none"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestWhatTheSurroundingsGive: an object without apiVersion or kind gets those of its List or path, as
// far as these are known, and keeps its own.
func TestWhatTheSurroundingsGive(t *testing.T) {
	for _, c := range []struct{ apiVersion, kind, text, want string }{
		{"", "", "{a: 1}", "map[a:1]"}, {"v1", "Pod", "{a: 1}", "map[a:1 apiVersion:v1 kind:Pod]"}, {"", "Pod", "{a: 1}", "map[a:1 kind:Pod]"},
		{"v1", "", "{a: 1}", "map[a:1 apiVersion:v1]"}, {"v1", "Pod", "{kind: Job}", "map[apiVersion:v1 kind:Job]"}, {"v1", "Pod", "[a]", "[a]"},
	} {
		nodes, err := kubeyaml.Parse([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(source{apiVersion: c.apiVersion, kind: c.kind}.fill(nodes[0]).Value()); got != c.want {
			t.Errorf("%q %q %s: %s, want %s", c.apiVersion, c.kind, c.text, got, c.want)
		}
	}
}
