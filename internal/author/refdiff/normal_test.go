package refdiff

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// TestOtherWaysToWriteTheSame compares templates that require the same in other words, and their
// neighbours that do not. Each row is the group of the worst change, "" for none.
func TestOtherWaysToWriteTheSame(t *testing.T) {
	const owned = "  {{- if .spec.x }}\n  x: {{ .spec.x }}\n  {{- end }}\n"
	const inMap = "  {{- if .spec.m.a }}\n  m: {a: {{ .spec.m.a }}}\n  {{- end }}\n"
	for _, c := range []struct {
		name, old, new string
		want           Group
	}{
		{"a guard", "  x: {{ .spec.x }}\n", owned, May},
		{"a guard that is gone", owned, "  x: {{ .spec.x }}\n", Must},
		{"hasKey", owned, "  {{- if hasKey .spec \"x\" }}\n  x: {{ .spec.x }}\n  {{- end }}\n", May},
		{"hasKey no more", "  {{- if hasKey .spec \"x\" }}\n  x: {{ .spec.x }}\n  {{- end }}\n", owned, Must},
		{"nil", owned, "  {{- if ne .spec.x nil }}\n  x: {{ .spec.x }}\n  {{- end }}\n", May},
		{"with", owned, "  {{- with .spec.x }}\n  x: {{ . }}\n  {{- end }}\n", ""},
		{"with, and another field", owned, "  {{- with .spec.z }}\n  x: {{ . }}\n  {{- end }}\n", Must},
		{"the parent first", inMap, strings.Replace(inMap, "if .spec.m.a", "if and .spec.m .spec.m.a", 1), ""},
		{"another field first", inMap, strings.Replace(inMap, "if .spec.m.a", "if and .spec.z .spec.m.a", 1), Must},
		{"a variable", owned, "  {{- $x := .spec.x }}\n" + strings.ReplaceAll(owned, ".spec.x", "$x"), ""},
		{"a variable of another field", owned, "  {{- $x := .spec.z }}\n" + strings.ReplaceAll(owned, ".spec.x", "$x"), Must},
		{"a variable with another name", "{{- $a := .spec.x }}\n  x: {{ $a }}\n", "{{- $b := .spec.x }}\n  x: {{ $b }}\n", ""},
		{"a variable that is set twice", "  x: {{ .spec.x }}\n", "{{- $a := .spec.x }}{{ $a = .spec.z }}\n  x: {{ $a }}\n", Must},
		{"a variable of the spec", "  x: {{ .spec.x }}\n  z: {{ .spec.z }}\n", "  {{- $s := .spec }}\n  x: {{ $s.x }}\n  z: {{ $s.z }}\n", ""},
		{"a condition on a variable of another field", "  {{- $x := .spec.x }}{{ if $x }}\n  z: 1\n  {{- end }}\n", "  {{- $x := .spec.w }}{{ if $x }}\n  z: 1\n  {{- end }}\n", Must},
		{"index", owned, strings.ReplaceAll(owned, ".spec.x", `(index .spec "x")`), ""},
		{"an empty default of a loop", "  m:\n  {{- range $k, $v := .spec.m }}\n    {{ $k }}: {{ $v }}\n  {{- end }}\n",
			"  m:\n  {{- range $k, $v := .spec.m | default dict }}\n    {{ $k }}: {{ $v }}\n  {{- end }}\n", ""},
		{"an empty default in a variable", inMap, "  {{- $m := .spec.m | default dict }}\n" + strings.ReplaceAll(inMap, ".spec.m", "$m"), ""},
		{"an empty default before hasKey", inMap, strings.Replace(inMap, "if .spec.m.a", `if hasKey (.spec.m | default dict) "a"`, 1), May},
		{"an empty default of a text", "  m: {{ .spec.m | toJson }}\n", "  m: {{ .spec.m | default dict | toJson }}\n", Must},
		{"a default that is not empty", "  x: {{ .spec.x }}\n", "  x: {{ .spec.x | default \"a\" }}\n", Must},
		{"an empty default", "  x: {{ .spec.x }}\n", "  x: {{ .spec.x | default 0 }}\n", May},
		{"a default inside of a computation", "  x: {{ printf \"%v\" .spec.x }}\n", "  x: {{ printf \"%v\" (.spec.x | default 3) }}\n", Must},
		{"a default beside another number", "  x: {{ add .spec.x 1 }}\n", "  x: {{ add (.spec.x | default 3) 2 }}\n", Must},
		{"fixed, and then the own value", "  x: y-1\n", "  x: {{ printf \"y-%v\" (.spec.x | trimPrefix \"y-\") }}\n", May},
		{"fixed, and then another value", "  x: y-1\n", "  x: y-{{ .spec.z }}\n", Must},
		{"fixed, and then a default", "  x: true\n", "  x: {{ .spec.x | default true }}\n", May},
		{"false, and then a default", "  x: false\n", "  x: {{ .spec.x | default true }}\n", Must},
		{"a check that is gone", "  x: 1{{ if .spec.z }}{{ fail \"no\" }}{{ end }}\n", "  x: 1\n", Dropped},
		{"a check that is stricter", "  x: {{ .spec.x }}\n", "  x: {{ .spec.x }}{{ if eq .spec.x \"a\" }}{{ fail \"no\" }}{{ end }}\n", Must},
		{"blanks", owned, strings.ReplaceAll(owned, "{{- if .spec.x }}", "{{if   .spec.x}}"), ""},
		{"other words around another change", owned + "  n: 1\n", "  {{- $x := .spec.x }}\n" + strings.ReplaceAll(owned, ".spec.x", "$x") + "  n: 2\n", Must},
	} {
		reference := func(name, text string) Version {
			return version(t, fstest.MapFS{
				"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: t.yaml}]}]}]\n")},
				"t.yaml":        {Data: []byte("apiVersion: example.com/v1\nkind: Clock\nmetadata: {name: a, namespace: b}\nspec:\n  fixed: 1\n" + text)},
			}, name)
		}
		d, err := Of(t.Context(), reference("old", c.old), reference("new", c.new))
		if err != nil {
			t.Fatal(err)
		}
		got := Group("")
		if len(d.Changes) > 0 {
			got = d.Changes[0].Group
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q: %v", c.name, got, c.want, d.Changes)
		}
		if strings.HasPrefix(c.name, "other words") && len(d.Changes) != 1 {
			t.Errorf("%s: %v", c.name, d.Changes)
		}
	}
}

// TestManyNamesAreACount checks that a line does not grow with the number of templates, and that
// descriptions which differ by an anchor are one line.
func TestManyNamesAreACount(t *testing.T) {
	reference := func(name, replicas, anchor string) Version {
		files := fstest.MapFS{}
		all := ""
		for i := range 59 {
			file := fmt.Sprintf("folder/t%02d.yaml", i)
			all += fmt.Sprintf("\n  - name: c%d\n    description: See https://example.com/page#%s-%d for more.\n    allOf: [{path: %s}]", i, anchor, i, file)
			files[file] = &fstest.MapFile{Data: fmt.Appendf(nil, "apiVersion: example.com/v1\nkind: Clock\nmetadata: {name: a%d, namespace: b}\nspec: {n: %s}\n", i, replicas)}
		}
		files["metadata.yaml"] = &fstest.MapFile{Data: []byte("apiVersion: v2\nparts:\n- name: p\n  components:" + all + "\n")}
		return version(t, files, name)
	}
	d, err := Of(t.Context(), reference("old", "1", "a"), reference("new", "2", "b"))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Changes) != 2 {
		t.Errorf("%d changes", len(d.Changes))
	}
	for _, write := range []func(*Diff, *bytes.Buffer) error{
		func(d *Diff, b *bytes.Buffer) error { return d.Text(b) }, func(d *Diff, b *bytes.Buffer) error { return d.Markdown(b) },
	} {
		var b bytes.Buffer
		if err := write(d, &b); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if len(line) > 200 {
				t.Errorf("%d bytes: %s", len(line), line)
			}
		}
		if !strings.Contains(b.String(), "59 templates") && !strings.Contains(b.String(), "and 56 more") {
			t.Error(b.String())
		}
	}
}
