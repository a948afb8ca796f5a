package values_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/author/values"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// TestRender renders small references with values, and with others that are wrong.
func TestRender(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		fsys := fstest.MapFS{}
		texts := a.Texts()
		for name, text := range texts {
			if name, ok := strings.CutPrefix(name, "ref/"); ok {
				fsys[name] = &fstest.MapFile{Data: []byte(text)}
			}
		}
		ref, engine := given.Load(t, fsys, "ref")
		input := manifest.Read("input.yaml", "", []byte(texts["input.yaml"]), manifest.Hints{}).Objects
		for _, name := range []string{"values.yaml", "more.yaml"} {
			text, there := texts[name]
			if !there {
				continue
			}
			file, faults := values.Parse(name, []byte(text), kubeyaml.Limits{}, engine)
			var out strings.Builder
			if len(faults) == 0 {
				made, err := values.Render(
					context.Background(), ref, engine, values.Options{Values: file, Input: input},
				)
				if err != nil {
					t.Fatal(err)
				}
				faults = made.Faults
				for _, cr := range made.CRs {
					if len(faults) == 0 {
						fmt.Fprintf(&out, "%s (secret: %v)\n%s", cr.File, cr.Secret, cr.Text())
					}
				}
				for _, r := range made.Rules {
					fmt.Fprintf(&out, "rule: %s: %s: %s\n", r.Component, r.Message, strings.Join(r.Templates, ", "))
				}
				fmt.Fprintf(&out, "left out: %q\n", made.LeftOut)
			}
			for _, p := range faults {
				fmt.Fprintf(&out, "%s (%s)\n", p.Error(), p.Code)
			}
			a.Want(t, "want-"+name, out.String())
		}
		file, _ := values.Parse("values.yaml", []byte(texts["values.yaml"]), kubeyaml.Limits{}, engine)
		all := inspect.Of(context.Background(), ref, engine, inspect.Options{})
		stubOf(t, all, engine)
		var marked, stub bytes.Buffer
		if err := all.Stub(&stub); err != nil {
			t.Fatal(err)
		}
		values.MarkGiven(context.Background(), all, ref, engine, file)
		if err := all.Text(&marked); err != nil {
			t.Fatal(err)
		}
		a.Want(t, "want-marked", marked.String())
		a.Want(t, "want-stub", stub.String())
	})
}

// TestOddCRs renders templates and values that come to no CR, or to an odd one: each is rendered,
// or has a fault, and nothing panics.
func TestOddCRs(t *testing.T) {
	deep := strings.Repeat("{a: ", 200) + "1" + strings.Repeat("}", 200)
	for _, c := range []struct{ template, item, want string }{
		{"apiVersion: v1\nkind: A\nmetadata: {{ .metadata | toJson }}", `{metadata: {name: x}}`, "A_x.yaml"},
		{"apiVersion: v1\nkind: A\nmetadata: {{ .metadata | toJson }}", `{metadata: [1]}`, "has no apiVersion, kind or metadata.name"},
		{"apiVersion: v1\nkind: A\nmetadata: {{ .metadata | toJson }}", `{metadata: {name: 12}}`, "has no apiVersion, kind or metadata.name"},
		{"apiVersion: v1\nkind: A\nmetadata: text", `{}`, "has no apiVersion, kind or metadata.name"},
		{"kind: A\nmetadata: {name: x}", `{}`, "has no apiVersion, kind or metadata.name"},
		{"apiVersion: v1\nkind: List\nmetadata: {name: x}\nitems: []", `{}`, "cannot be read back"},
		{"apiVersion: v1\nkind: A\nmetadata: {name: x}\nspec: {{ .spec | toJson }}", `{spec: ` + deep + `}`, "A_x.yaml"},
		{"apiVersion: v1\nkind: A\nmetadata: {name: {{ .metadata.name }}}", `{metadata: {name: "` + strings.Repeat("n", 5000) + `"}}`, "nnn_"},
		{"apiVersion: v1\nkind: A\nmetadata: {name: {{ .metadata.name | quote }}}", `{metadata: {name: "\u202e\n/"}}`, "A_%E2%80%AE%0A%2F.yaml"},
		{"apiVersion: v1\nkind: A\nmetadata: {name: x}\nspec: {{ .spec.a.b.c }}", `{spec: text}`, "can't take .a of a string"},
		{"apiVersion: v1\nkind: A\nmetadata: {name: x}\n{{ range until 100000000 }}a{{ end }}", `{}`, "VT5004"},
		{"apiVersion: v1\nkind: A\nmetadata: {name: x}\nspec: {{ fromJson .spec | toJson }}", `{spec: "{"}`, "VT4001"},
		{"apiVersion: v1\nkind: A\nmetadata: {name: x}\n{{ set .metadata \"a\" 1 | len }}: {{ .spec.x }}", `{metadata: {b: 1}, spec: {x: 1}}`, "the template needs spec.x, which the CR lacks"},
		{"apiVersion: v1\nkind: A\nmetadata: {name: x}\nspec: {{ template \"t\" . }}{{ define \"t\" }}{{ template \"t\" . }}{{ end }}", `{}`, "VT5013"},
	} {
		ref, engine := given.Load(
			t,
			fstest.MapFS{
				"metadata.yaml": {
					Data: []byte(
						"{apiVersion: v2, parts: [{name: p, components: [{name: c, anyOf: [{path: a.yaml}]}]}]}",
					),
				},
				"a.yaml": {Data: []byte(c.template + "\n")},
			},
			"ref",
		)
		file, faults := values.Parse("values.yaml", []byte("a.yaml: ["+c.item+"]"), kubeyaml.Limits{}, engine)
		made, err := values.Render(context.Background(), ref, engine, values.Options{Values: file})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, p := range append(faults, made.Faults...) {
			got += p.Error() + " (" + p.Code + ")\n"
		}
		if got == "" {
			got = made.CRs[0].File
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%.80s\n%.80s\n%s\nwant %s", c.template, c.item, got, c.want)
		}
		all := inspect.Of(context.Background(), ref, engine, inspect.Options{})
		values.MarkGiven(context.Background(), all, ref, engine, file)
		if err := all.Stub(&bytes.Buffer{}); err != nil {
			t.Error(err)
		}
	}
}

// TestRenderingEndsWithTheContext: what was not made is not taken for rendered.
func TestRenderingEndsWithTheContext(t *testing.T) {
	ref, engine := given.Load(
		t,
		fstest.MapFS{
			"a.yaml": {
				Data: []byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\nx: {{ range until 2000 }}{{ end }}1\n"),
			},
			"metadata.yaml": {
				Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n"),
			},
		},
		"",
	)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if made, err := values.Render(ctx, ref, engine, values.Options{}); err == nil || len(made.CRs) > 0 {
		t.Errorf("%+v, %v", made, err)
	}
}

// TestNoPatternIsRendered: wherever a reference has a pattern, it is a fault without a value in its
// place, and nothing of it is rendered. With one, at its path or in the whole text, that is rendered
// and nothing else changes.
func TestNoPatternIsRendered(t *testing.T) {
	const free = "a[0-9]+z"
	for name, c := range map[string]struct{ entries, reference, given, want, whole string }{
		"a text":  {"{pathToKey: data.x, inlineDiffFunc: regex}", `"` + free + `"`, "{x: a1z}", "a1z", ""},
		"a group": {"{pathToKey: data.x, inlineDiffFunc: capturegroups}", "v(?<n>[0-9]+)", "{x: v12}", "v12", ""},
		"json": {"{pathToKey: data.x, embedded: json}, {pathToKey: data.x!.k, inlineDiffFunc: regex}",
			`'{"j": "` + free + `", "k": "` + free + `", "\"": 1}'`, `{x!: {k: 'a1z'}}`,
			`{"j": "` + free + `", "k": "a1z", "\"": 1}`, `{"j": "` + free + `", "k": "a2z", "\"": 1}`},
		"json with escapes": {"{pathToKey: data.x, embedded: json}, {pathToKey: data.x!.k.0, inlineDiffFunc: regex}",
			`'{"k": ["\\d+\\.\\d+"]}'`, `{x!: {k: ["1.5"]}}`, `{"k": ["1.5"]}`, ""},
		"yaml": {"{pathToKey: data.x, embedded: yaml}, {pathToKey: data.x!.k, inlineDiffFunc: capturegroups}",
			"\"k: (?<n>[0-9]+) # kept\\nl: 1\\n\"", "{x!: {k: 12}}", "k: 12 # kept\nl: 1\n", ""},
		"yaml in single quotes": {"{pathToKey: data.x, embedded: yaml}, {pathToKey: data.x!.k, inlineDiffFunc: regex}",
			`"k: '''a''.+'"`, `{x!: {k: "'a'b'"}}`, `k: '''a''b'''`, ""},
		"ini": {"{pathToKey: data.x, embedded: ini}, {pathToKey: data.x!.s.k, inlineDiffFunc: regex}",
			`"[s]\nk=` + free + `\n[t]\nk=1\n"`, "{x!: {s: {k: a1z}}}", "[s]\nk=a1z\n[t]\nk=1\n", "[s]\nk=a2z\n[t]\nk=1\n"},
		"text": {"{pathToKey: data.x, embedded: text}, {pathToKey: data.x!, inlineDiffFunc: regex}", `"` + free + `"`,
			"{x!: a1z}", "a1z", "a2z"},
		"a document in a document": {"{pathToKey: data.x, embedded: json}, {pathToKey: data.x!.y, embedded: json}, " +
			"{pathToKey: data.x!.y!.z, inlineDiffFunc: regex}", `'{"y": "{\"z\": \"` + free + `\"}"}'`, "", "",
			`{"y": "{\"z\": \"a2z\"}"}`},
		"an encoded document": {"{pathToKey: data.x, embedded: json}, {pathToKey: data.x!.k, inlineDiffFunc: regex}",
			"eyJrIjogImFbMC05XSt6In0=", "", "", `{"k": "a2z"}`},
	} {
		ref, engine := given.Load(t, fstest.MapFS{
			"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: " +
				"[{path: a.yaml, config: {perField: [" + c.entries + "]}}]}]}]\n")},
			"a.yaml": {Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: " + c.reference + "\n")},
		}, "")
		render := func(data string) ([]values.CR, string) {
			text := "a.yaml: [{" + data + "}]"
			file, faults := values.Parse("values.yaml", []byte(text), kubeyaml.Limits{}, engine)
			made, err := values.Render(context.Background(), ref, engine, values.Options{Values: file})
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			for _, p := range append(faults, made.Faults...) {
				told = append(told, p.Code+" "+p.Message)
			}
			return made.CRs, strings.Join(told, "\n")
		}
		if _, faults := render(""); !strings.HasPrefix(faults, "VT2072 ") {
			t.Errorf("%s: without a value: %q", name, faults)
		}
		for data, want := range map[string]string{"data: " + c.given: c.want, fmt.Sprintf("data: {x: %q}", c.whole): c.whole} {
			if want == "" {
				continue
			}
			crs, faults := render(data)
			if faults != "" || len(crs) != 1 {
				t.Errorf("%s: with %s: %q", name, data, faults)
				continue
			}
			if got := crs[0].Value["data"]; fmt.Sprint(got) != fmt.Sprint(map[string]any{"x": want}) {
				t.Errorf("%s: with %s: %v, want %q", name, data, got, want)
			}
		}
	}
}
