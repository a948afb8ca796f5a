package patch_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
)

// TestFieldsThatNeverSettle: where the expected value is another one whatever the object has, the
// field stays as it is and is left to the user; the others are mended.
func TestFieldsThatNeverSettle(t *testing.T) {
	const worse = `{{ if eq .spec.x "ok" }}ok{{ else }}{{ .spec.x }} not ok{{ end }}`
	for _, c := range []struct{ reference, in, patch, open, cr string }{
		{"{x: " + worse + "}", "{x: aws}", "", "spec.x", "  x: aws\n"},
		{"{x: " + worse + ", z: 2}", "{x: aws, z: 1}", `{"spec":{"z":2}}`, "spec.x", "  x: aws\n  z: 2\n"},
		{"{x: " + worse + ", z: 2}", "{x: ok, z: 1}", `{"spec":{"z":2}}`, "", "  x: ok\n  z: 2\n"},
		{"{x: aws, l: [{v: '{{ len (toString .spec.l) }}', w: 1}]}", "{x: aws, l: [{v: a, w: 1}]}", `{"spec":{"l":[{"v":"15","w":1}]}}`, "",
			"  l:\n  - v: \"15\"\n    w: 1\n  x: aws\n"},
		{"{x: aws, l: [{v: '{{ (index .spec.l 0).v }}+', w: 1}]}", "{x: aws, l: [{v: a}]}", "", "spec.l", "  l:\n  - v: a\n  x: aws\n"},
		{"{x: aws, m: {v: '{{ dig \"m\" \"v\" \"0\" .spec }}1', w: 1}}", "{x: aws}", `{"spec":{"m":{"w":1}}}`, "spec.m.v", "  m:\n    w: 1\n  x: aws\n"},
		{"{x: aws, m: {v: '{{ dig \"m\" \"v\" \"0\" .spec }}1'}}", "{x: aws}", "", "spec.m.v", "  x: aws\n"},
		{"{x: aws, l: ['{{ dig \"l\" \"0\" .spec | toString }}1']}", "{x: aws}", "", "spec.l", "  x: aws\n"},
		{"{x: aws, m: {}, l: []}", "{x: aws}", `{"spec":{"l":[],"m":{}}}`, "", "  l: []\n  m: {}\n  x: aws\n"},
		{"{x: aws, m: {'k{{ len .spec.m }}': 1}}", "{x: aws, m: {k0: 1, k1: 1, k2: 1}}",
			`{"spec":{"m":{"k3":1,"k4":1,"k5":1,"k6":1,"k7":1,"k8":1,"k9":1}}}`, "spec.m.k10",
			"  m:\n    k0: 1\n    k1: 1\n    k2: 1\n    k3: 1\n    k4: 1\n    k5: 1\n    k6: 1\n    k7: 1\n    k8: 1\n    k9: 1\n  x: aws\n"},
		{"{x: '{{ if eq .spec.z 1 }}a{{ else }}b{{ end }}', z: {{ if eq .spec.x \"a\" }}2{{ else }}1{{ end }}}", "{x: b, z: 2}", "", "spec.z",
			"  x: b\n  z: 2\n"},
	} {
		thing := func(spec string) string {
			return "apiVersion: v1\nkind: Thing\nmetadata: {name: a}\nspec: " + spec + "\n"
		}
		ref, engine := given.Load(t, fstest.MapFS{
			"metadata.yaml": {
				Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n"),
			},
			"a.yaml": {Data: []byte(thing(c.reference))},
		}, "")
		in := compare.Collected{Objects: given.Objects(t, "in.yaml", thing(c.in))}
		res, err := compare.Run(context.Background(), ref, engine, in, compare.Options{Fix: true})
		if err != nil || res.Comparisons[0].Fix == nil {
			t.Fatalf("%s of %s: %v, no fix: %+v", c.in, c.reference, err, res.Comparisons[0])
		}
		fix := res.Comparisons[0].Fix
		var open []string
		for _, o := range fix.Open {
			open = append(open, o.Path)
			if !strings.Contains(o.Message, "depends on the present value") {
				t.Errorf("%s of %s: %s", c.in, c.reference, o.Message)
			}
		}
		_, cr, _ := strings.Cut(fix.CR, "spec:\n")
		if patch := strings.Join(strings.Fields(fix.Patch), ""); patch != c.patch ||
			strings.Join(open, " ") != c.open ||
			cr != c.cr {
			t.Errorf(
				"%s of %s: patch %s, want %s; open %v, want %s; CR\n%s\nwant\n%s",
				c.in,
				c.reference,
				patch,
				c.patch,
				open,
				c.open,
				cr,
				c.cr,
			)
		}
	}
}

// TestNoFixHasAPattern: wherever a reference has a pattern, and whatever the CR has in its place, no
// fix writes a part of an expression, or what is cut out of a text that the pattern does not match.
func TestNoFixHasAPattern(t *testing.T) {
	const group, free = "(?<n>[0-9]+)", "XX[0-9]+YY"
	indented := func(text string) string { return "|\n    " + strings.ReplaceAll(text, "\n", "\n    ") }
	for name, c := range map[string]struct{ entries, reference, in string }{
		"regex":          {"{pathToKey: data.x, inlineDiffFunc: regex}", `"` + free + `"`, `"aXX1YYa"`},
		"capture groups": {"{pathToKey: data.x, inlineDiffFunc: capturegroups}", `"a ` + group + ` b"`, `"a CUT3 c"`},
		"a group that agrees beside a text that does not": {"{pathToKey: data.x, inlineDiffFunc: capturegroups}",
			indented("a: " + group + "\nb: (?<m>[a-zC-U]+) k"), indented("a: 1\nb: CUT j")},
		"an item of a list": {"{pathToKey: data.x.1, inlineDiffFunc: regex}", `[a, "` + free + `"]`, `[a, b]`},
		"a map":             {"{pathToKey: data.x.k, inlineDiffFunc: regex}", `{k: "` + free + `"}`, `{z: b}`},
		"any key":           {"{pathToKey: data.*, inlineDiffFunc: regex}", `"` + free + `"`, "b"},
		"json": {"{pathToKey: data.x, embedded: json}, {pathToKey: data.x!.y, inlineDiffFunc: regex}",
			`'{"y": "` + free + `"}'`, `'{"y": "b"}'`},
		"ini": {"{pathToKey: data.x, embedded: ini}, {pathToKey: data.x!.s.y, inlineDiffFunc: capturegroups}",
			indented("[s]\ny=" + group), indented("[s]\ny=CUT")},
		"text": {"{pathToKey: data.x, embedded: text}, {pathToKey: data.x!, inlineDiffFunc: regex}", `"` + free + `"`, "b"},
		"a document in a document": {"{pathToKey: data.x, embedded: json}, {pathToKey: data.x!.y, embedded: json}, " +
			"{pathToKey: data.x!.y!.z, inlineDiffFunc: regex}", `'{"y": "{\"z\": \"` + free + `\"}"}'`, `'{"y": "{\"z\": \"b\"}"}'`},
		"a document that cannot be read": {"{pathToKey: data.x, embedded: json}, {pathToKey: data.x!.y, inlineDiffFunc: regex}",
			`'{"y": "` + free + `"'`, `'{"y": "b"}'`},
	} {
		config := func(name, text string) string {
			return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\ndata:\n  x: " + text + "\n"
		}
		entry := func(path string) string { return "{path: " + path + ", config: {perField: [" + c.entries + "]}}" }
		ref, engine := given.Load(t, fstest.MapFS{
			"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [" +
				entry("a.yaml") + "," + entry("b.yaml") + "," + entry("c.yaml") + "," + entry("d.yaml") + "]}]}]\n")},
			"a.yaml": {Data: []byte(config("there", c.reference) + "other: 1\n")},
			"b.yaml": {Data: []byte(config("missing", c.reference))},
			"c.yaml": {Data: []byte(config("lacking", c.reference))},
			"d.yaml": {Data: []byte(config("unknown", c.reference) + "other: {{ index (fromJson .other).list 3 | upper }}\n")},
		}, "")
		in := compare.Collected{Objects: given.Objects(t, "in.yaml",
			config("there", c.in)+"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: lacking}\n")}
		run, err := compare.Run(context.Background(), ref, engine, in, compare.Options{Fix: true})
		if err != nil {
			t.Fatal(name, err)
		}
		fixes := map[string]*finding.Fix{}
		for _, one := range run.Comparisons {
			fixes[one.Object.Name] = one.Fix
		}
		for _, rule := range run.Rules {
			for _, one := range rule.Missing {
				fixes[one.Object.Name] = one.Fix
			}
		}
		if len(fixes) != 4 {
			t.Fatalf("%s: there are fixes of %v", name, fixes)
		}
		for object, fix := range fixes {
			if fix == nil {
				t.Errorf("%s: %s has no fix", name, object)
				continue
			}
			written := fix.Patch + strings.ReplaceAll(fix.CR, strings.Trim(c.in, `"`), "")
			for _, part := range []string{"(?<", "XX", "CUT"} {
				if strings.Contains(written, part) && (part != "CUT" || strings.Contains(fix.Patch, part)) {
					t.Errorf("%s: the fix of %s has %s:\n%s%s", name, object, part, fix.Patch, fix.CR)
				}
			}
			if len(fix.Open) == 0 {
				t.Errorf("%s: nothing is left to the user of %s:\n%s", name, object, fix.CR)
			}
		}
	}
}
