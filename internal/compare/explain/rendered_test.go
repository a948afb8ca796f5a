package explain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// rendering returns the lines of a text. «…» marks output of an action that depends on the input,
// ‹…› the unchanged metadata.name.
func rendering(text string) []render.Line {
	var lines []render.Line
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		var l render.Line
		for line != "" {
			before, rest, found := strings.Cut(line, "«")
			other, more, pure := strings.Cut(line, "‹")
			closing := "»"
			p := render.Print{Input: true}
			if pure && (!found || len(other) < len(before)) {
				before, rest, found, closing = other, more, true, "›"
				p.Path = refconfig.FieldPath{{Key: "metadata", Index: -1}, {Key: "name", Index: -1}}
			}
			l.Text += before
			if !found {
				break
			}
			printed, after, _ := strings.Cut(rest, closing)
			p.Start = len(l.Text)
			l.Text += printed
			p.End = len(l.Text)
			l.Prints = append(l.Prints, p)
			line = after
		}
		lines = append(lines, l)
	}
	return lines
}

// shown returns the visible text of lines.
func shown(text string, ofSecret bool) string {
	var b strings.Builder
	for _, l := range renderedLines(rendering(text), ofSecret, false) {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

func TestSecretsInRenderedText(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"keys are shown, values are not", "kind: Secret\ndata:\n  a: «b2xk»\n  b: literal\ntype: Opaque\n",
			"kind: Secret\ndata:\n  a: (hidden, 4 bytes)\n  b: (hidden, 7 bytes)\ntype: Opaque\n"},
		{"several lines", "stringData:\n  a: |\n    one\n\n    two\n  b: \"x\n    y\"\nkind: Secret\n",
			"stringData:\n  a: (hidden, 9 bytes)\n    (hidden)\n\n    (hidden)\n  b: (hidden, 3 bytes)\n    (hidden)\nkind: Secret\n"},
		{"in braces", "data: {a: b}\nkind: Secret\n", "data: (hidden)\nkind: Secret\n"},
		{"one line of braces", "{kind: Secret, data: {a: b}}\n", "(hidden)\n"},
		{"deeper", "data:\n  a:\n    b: c\n", "data:\n  a: (hidden)\n    (hidden)\n"},
		{"comments among the data", "data:\n  # c\n  a: b # c\n  # d\n# e\nkind: Secret\n",
			"data:\n  (hidden)\n  a: (hidden, 1 byte)\n  (hidden)\n(hidden)\nkind: Secret\n"},
		{"what an action printed elsewhere", "metadata:\n  name: ‹n›\n  labels:\n    sum: «c3»\n    l: m\n# «x»\n",
			"metadata:\n  name: n\n  labels:\n    (hidden)\n    l: m\n(hidden)\n"},
		{"kubectl's copy", "metadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n      {\"data\": 1}\n    a: b\n",
			"metadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: (hidden, 12 bytes)\n      (hidden)\n    a: b\n"},
		{"kubectl's copy in braces", "metadata: {annotations: {kubectl.kubernetes.io/last-applied-configuration: x}}\nkind: Secret\n",
			"metadata: (hidden)\nkind: Secret\n"},
		{"no YAML", "kind: Secret\ndata: [\n  a: b\n", "(hidden)\n(hidden)\n  (hidden)\n"},
		{"two documents", "kind: Secret\n---\ndata: a\n", "(hidden)\n(hidden)\n(hidden)\n"},
		{"the key twice", "data:\n  a: b\ndata:\n  a: c\nkind: Secret\n", "(hidden)\n  (hidden)\ndata:\n  a: (hidden, 1 byte)\nkind: Secret\n"},
		{"no map", "data: «x»\nkind: Secret\n", "data: (hidden, 1 byte)\nkind: Secret\n"},
		{"an alias", "x: &a\n  b: c\ndata: *a\n", "x: &a\n  b: c\n(hidden)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, shown(c.text, true)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	open := "data:\n  a: b\n"
	if got := shown(open, false); got != open {
		t.Errorf("of what is no Secret is shown:\n%s", got)
	}
}

// Secret data of a text must not be shown unless the same data occurs outside of the secret parts.
func FuzzSecretsInRenderedText(f *testing.F) {
	for _, seed := range []string{
		"kind: Secret\ndata:\n  a: HUNTER\n", "data: HUNTER\n", "data: [HUNTER, b]\nkind: a\n", "stringData:\n  a: |\n    HUNTER\n  b: >-\n\n    HUNTER\n",
		"? data\n: HUNTER\n", "\"data\": HUNTER\n", "data:\n- HUNTER\n- a: HUNTER\n", "'data':\n  'a': 'HUNTER'\n", "metadata:\n  annotations:\n" +
			"    kubectl.kubernetes.io/last-applied-configuration: HUNTER\n", "metadata: {annotations: {kubectl.kubernetes.io/last-applied-configuration: HUNTER}}",
		"data:\n  a: \"x\n   HUNTER\"\nkind: b\n", "---\ndata:\n  a: HUNTER\n...\n", "data:\r\n  a: HUNTER\r\nkind: x\r\n", "  data:\n    a: HUNTER\n  x: y\n",
		"data:\u2028  HUNTER\n", "metadata:\n  kubectl.kubernetes.io/last-applied-configuration: HUNTER\n", "{\"data\":\n{\"a\":\n\"HUNTER\"}}\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const marker = "HUNTER"
		if strings.ContainsAny(text, "#&*!%«»‹›") { // comments, anchors, tags and directives do not belong to the value
			t.Skip()
		}
		docs, err := kubeyaml.Parse([]byte(text))
		if err == nil && len(docs) == 1 && docs[0].Kind == kubeyaml.Map {
			if len(kubeyaml.DuplicateKeys(docs[0])) > 0 || elsewhere(nil, docs[0].Value(), marker) {
				t.Skip()
			}
		}
		if got := shown(text, true); strings.Contains(got, marker) {
			t.Errorf("%q is shown as %q", text, got)
		}
	})
}

// elsewhere reports whether a marker occurs in a key or in a value that is not hidden.
func elsewhere(path refconfig.FieldPath, v any, marker string) bool {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			at := path.Below(refconfig.Key(k))
			if strings.Contains(k, marker) || (secret.Opened(at) || !hidden(at, x)) && elsewhere(at, x, marker) {
				return true
			}
			data, _ := x.(map[string]any) // its keys are shown
			for key := range data {
				if strings.Contains(key, marker) {
					return true
				}
			}
		}
		return false
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return elsewhere(path.Below(refconfig.Step{Index: 0}), x, marker) })
	}
	return strings.Contains(fmt.Sprint(v), marker)
}
