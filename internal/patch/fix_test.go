package patch_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/given"
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
