package render_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/refconfig"
)

const header = "apiVersion: v1\nkind: Thing\nmetadata:\n  name: x\n"

// reference returns a reference with one template and any function files.
func reference(text string, functions ...string) *refconfig.Reference {
	ref := &refconfig.Reference{
		Templates: []*refconfig.Template{{Path: "t.yaml", File: "ref/t.yaml", Source: []byte(text)}},
	}
	for i, f := range functions {
		name := string(rune('a'+i)) + ".tmpl"
		ref.Functions = append(
			ref.Functions, &refconfig.FunctionFile{Path: name, File: "ref/" + name, Source: []byte(f)},
		)
	}
	return ref
}

// compile compiles one template.
func compile(t testing.TB, text string, functions ...string) *render.Template {
	t.Helper()
	e, problems := render.Compile(context.Background(), reference(text, functions...))
	if len(problems) > 0 {
		t.Fatalf("problems: %+v", problems)
	}
	return e.Templates()[0]
}

// object decodes a YAML text.
func object(t testing.TB, text string) map[string]any {
	t.Helper()
	docs, err := kubeyaml.Parse([]byte(text))
	if err != nil || len(docs) != 1 {
		t.Fatalf("%d documents, %v", len(docs), err)
	}
	return docs[0].Value().(map[string]any)
}

func TestValuesKeepTheirType(t *testing.T) {
	for _, c := range []struct{ name, template, input, want string }{
		{"string that looks like a number", "v: {{ .s }}", `s: "4"`, `v: "4"`},
		{"string that looks like a boolean", "v: {{ .s }}", `s: "yes"`, `v: "yes"`},
		{"string with a colon", "v: {{ .s }}", `s: "a: b"`, `v: "a: b"`},
		{"string with a hash", "v: {{ .s }} # comment", `s: "a #b"`, `v: "a #b"`},
		{"leading zero", "v: {{ .s }}", `s: "08"`, `v: "08"`},
		{"empty string", "v: {{ .s }}", `s: ""`, `v: ""`},
		{"number", "v: {{ .num }}", "num: 4", "v: 4"},
		{"float", "v: {{ .num }}", "num: 1.5", "v: 1.5"},
		{"null", "v: {{ .num }}", "num: null", "v: null"},
		{"through a variable", "{{ $x := .s }}v: {{ $x }}", `s: "4"`, `v: "4"`},
		{"through index", `v: {{ index .m "a.b" }}`, `m: {a.b: "on"}`, `v: "on"`},
		{"through default", "v: {{ .s | default 18 }}", `s: "4"`, `v: "4"`},
		{"a constant default is text", `v: {{ .s | default "18" }}`, `a: b`, `v: 18`},
		{"through default of several, the first of which counts", "v: {{ default 18 .s .t }}", `{s: "4", t: "5"}`, `v: "4"`},
		{"through default of several, the first of which is absent", "v: {{ default 18 .a .t }}", `{s: "4", t: "5"}`, "v: 18"},
		{"eq looks no further than what equals", `v: {{ if eq .s "4" 5 }}1{{ end }}`, `s: "4"`, "v: 1"},
		{"got of a dict, and absent", `v: {{ coalesce (get (dict "k" .a) "k" | quote) 18 }}`, `s: "4"`, "v: 18"},
		{"through coalesce", "v: {{ coalesce .a .s }}", `s: "4"`, `v: "4"`},
		{"through ternary", "v: {{ ternary .s .t true }}", `{s: "4", t: "5"}`, `v: "4"`},
		{"through a list", `v: {{ index (list 1 .s) 1 }}`, `s: "4"`, `v: "4"`},
		{"through a nested template", `{{ define "n" }}{{ index . 0 }}{{ end }}v: {{ template "n" (list .s) }}`, `s: "4"`, `v: "4"`},
		{"in a range", "v:\n{{- range .l }}\n- {{ . }}\n{{- end }}", `l: ["1", 2, "no"]`, `v: ["1", 2, "no"]`},
		{"keys of a range", "v:\n{{- range $k, $v := .m }}\n  {{ $k }}: {{ $v }}\n{{- end }}", `m: {"yes": "1", "2": x}`, `v: {"yes": "1", "2": x}`},
		{"what a function made is text", "v: {{ .s | trim }}", `s: "4"`, `v: 4`},
		{"printf is text", `v: {{ printf "%s" .s }}`, `s: "4"`, `v: 4`},
		{"a part of a scalar is text", "v: {{ .s }}0", `s: "4"`, "v: 40"},
		{"inside quotes", `v: "{{ .s }}"`, `s: 4`, `v: "4"`},
		{"quotes inside quotes", `v: "{{ .s }}"`, `s: 'say "a\b"'`, `v: 'say "a\b"'`},
		{"a part with a colon", "v: x-{{ .s }}", `s: "a: b"`, `v: "x-a: b"`},
		{"a part behind a colon", "v: {{ .s }}:{{ .t }}", `{s: a, t: "b: #c"}`, `v: "a:b: #c"`},
		{"nothing behind a colon", "v: {{ .s }}:{{ .t }}", `{s: a, t: ""}`, `v: "a:"`},
		{"nothing at the end", "v: --a {{ .s }} # comment", `s: ""`, "v: --a"},
		{"nothing at the beginning", "v: {{ .s }} {{ .num }}", `{s: "", num: 7}`, "v: 7"},
		{"nothing behind a blank of a value", "v: {{ .s }} {{ .t }}", `{s: "a ", t: ""}`, `v: "a "`},
		{"nothing at the end of a text in quotes", `v: "a {{ .s }}"`, `s: ""`, `v: "a "`},
		{"null as a part", "v: x-{{ .s }}", "s: null", "v: x-"},
		{"null in quotes", `v: "{{ .s }}"`, "s: null", `v: ""`},
		{"null on a line of its own", "v: a\n{{ .s }}\n", "s: null", "v: a"},
		{"in flow context", "v: [{{ .s }}, {{ .num }}]", `{s: "4", num: 4}`, `v: ["4", 4]`},
		{"several lines are text", "v: |\n  {{ .s }}", "s: a", "v: a"},
		{"toYaml", "v:\n  {{- .m | toYaml | nindent 2 }}", `m: {a: "1", b: [x, "on"], c: {}}`, `v: {a: "1", b: [x, "on"], c: {}}`},
		{"toYaml keeps types", "v: {{ toYaml .s }}", `s: "4"`, `v: "4"`},
		{"a key", "{{ .s }}: x", `s: "on"`, `"on": x`},
		{"a key in part", `p/{{ .s }}: ""`, `s: master`, `p/master: ""`},
		{"of keys that become equal, the last counts", "{{ .t }}: 1\na: 3\n{{ .s }}: 2", `{s: k, t: k}`, "a: 3\nk: 2"},
		{"a line of its own prints nothing", "v: a\n{{ .s }}\n", `s: ""`, "v: a"},
		{"methods", `{{ $v := semver .s }}v: {{ $v.Original }}-{{ $v.Major }}`, `s: "4.2.1"`, "v: 4.2.1-4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := compile(t, header+c.template+"\n").Execute(object(t, c.input), render.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := object(t, header+c.want)
			if c.name == "several lines are text" {
				want["v"] = "a\n"
			}
			if d := cmp.Diff(want, r.Value); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
			if len(r.Unplaced) > 0 {
				t.Errorf("findings: %+v", r.Unplaced)
			}
		})
	}
}

// found lists the findings of a rendering as "path asked: where it shows".
func found(r render.Rendering) []string {
	var out []string
	for path, leaf := range r.Node.Leaves() {
		if note, _ := leaf.Note(); note.Finding != nil {
			out = append(out, note.Finding.Path.String()+" at "+path.String())
		}
	}
	for _, f := range r.Unplaced {
		out = append(out, strings.TrimSpace(f.Path.String()+" unplaced"))
	}
	return out
}

func TestMissingKeys(t *testing.T) {
	for _, c := range []struct {
		name, template, input string
		want                  []string
	}{
		{"printed", "v: {{ .spec.cpu }}", "spec: {}", []string{"spec.cpu at v"}},
		{"below an absent one", "v: {{ .spec.a.b.c }}", "x: y", []string{"spec.a.b.c at v"}},
		{"below null", "v: {{ .spec.a.b }}", "spec: {a: null}", []string{"spec.a.b at v"}},
		{"null is not missing", "v: {{ .spec.a }}", "spec: {a: null}", nil},
		{"in a part of a scalar", "v: x-{{ .a }}", "x: y", []string{"a at v"}},
		{"behind a colon of a scalar", "v: {{ .x }}:{{ .a }}\nw: 1", "x: y", []string{"a at v"}},
		{"behind the colon of a key", "v:{{ .a }}\nw: 1", "x: y", []string{"a unplaced"}},
		{"in quotes", `v: "{{ .a }}"`, "x: y", []string{"a at v"}},
		{"in a comment", "v: 1 # {{ .a }}", "x: y", nil},
		{"on a line of its own", "v: 1\n{{ .a }}", "x: y", []string{"a unplaced"}},
		{"in a block scalar", "v: |\n  x\n  {{ .a }}\n  y", "x: y", []string{"a at v"}},
		{"in a condition", "{{ if .a.b }}v: 1{{ end }}", "x: y", nil},
		{"in with and range", "{{ with .a }}v: 1{{ end }}{{ range .b }}{{ end }}", "x: y", nil},
		{"with a default", "v: {{ .a | default 3 }}", "x: y", nil},
		{"coped with", `v: {{ coalesce .a .b }}{{ hasKey .a "b" }}{{ empty .a }}{{ not .a }}`, "x: y", nil},
		{"through a function that needs a value", "v: {{ .a | trim }}", "x: y", []string{"a at v"}},
		{"through a function that prints nothing", "v: {{ .a | quote }}", "x: y", []string{"a at v"}},
		{"through a function that prints null", "v: {{ .a | toYaml }}", "x: y", []string{"a at v"}},
		{"index of a list", "v: {{ index .l 1 }}", "l: [1]", []string{"l.1 at v"}},
		{"index below nothing", `v: {{ index .l 0 "a" }}`, "x: y", []string{"l.0.a at v"}},
		{"in a nested template", `{{ define "n" }}{{ .k }}{{ end }}v: {{ template "n" (dict "k" .a.b) }}`, "x: y", []string{"a.b at v"}},
		{"in an include", `{{ define "n" }}{{ .k }}{{ end }}v: {{ include "n" . }}`, "x: y", []string{"k unplaced"}},
		{"an included text stands", `{{ define "n" }}[{{ .k }}]{{ end }}v: {{ include "n" . | quote }}`, "x: y", []string{"k at v"}},
		{"in a range", "v:\n{{- range .l }}\n- {{ .a }}\n{{- end }}", "l: [{a: 1}, {b: 2}]", []string{"l.1.a at v.1"}},
		{"compared in a condition", "v: {{ if lt .a 4 }}few{{ else }}many{{ end }}", "x: y", nil},
		{"length", "v: {{ len .a }}", "x: y", nil},
		{"a list of the right length", "v: 1{{ minListLength 1 .l }}{{ maxListLength 1 .l }}", "l: [1]", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := compile(t, header+c.template+"\n").Execute(object(t, c.input), render.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, found(r)); d != "" {
				t.Errorf("-want +got\n%s", d)
			}
		})
	}
}

func TestErrorsNameTheirPlace(t *testing.T) {
	for _, c := range []struct {
		name, template, input, want string
		code                        code.Code
	}{
		{"function", "v: {{ semver .a }}", "a: x", "ref/t.yaml:5:7: semver: invalid semantic version (a of the CR)", code.EvalTemplate},
		{"function of a variable", "{{ $a := .a }}v: {{ semverCompare \">=1\" $a }}", "a: x", "ref/t.yaml:5:21: semverCompare: invalid semantic version (a of the CR)", code.EvalTemplate},
		{"first of a text", "v: {{ first .a }}", "a: x", "ref/t.yaml:5:7: first of a string (a of the CR)", code.EvalTemplate},
		{"last of a text that is no list", "v: {{ .a | last }}", "a: x", "ref/t.yaml:5:12: last of a string (a of the CR)", code.EvalTemplate},
		{"wrong shape", "v: {{ .a.b }}", "a: x", "ref/t.yaml:5:9: can't take .b of a string (a of the CR), as .a.b does", code.EvalTemplate},
		{"range over a scalar", "{{ range .a }}{{ end }}", "a: x", "ref/t.yaml:5:10: range can't go over .a, which is a string (a of the CR)", code.EvalTemplate},
		{"unknown template", `{{ if .a }}{{ template "nope" }}{{ end }}`, "a: x", `ref/t.yaml:5:24: template "nope" is not defined; is its file listed in templateFunctionFiles?`, code.EvalTemplate},
		{"panic in a function", `v: {{ repeat -1 .a }}`, "a: x", "ref/t.yaml:5:7: repeat: strings: negative Repeat count", code.EvalTemplate},
		{"broken YAML", "v: {{ .a | indent 1 }}\n w: x\n", "a: \"x: y\"", "ref/t.yaml:", code.EvalYAML},
		{"endless recursion", `{{ define "n" }}{{ template "n" . }}{{ end }}{{ if .a }}{{ template "n" . }}{{ end }}`, "a: x", "ref/t.yaml:5:29: templates call each other more than 500 levels deep", code.LimitCalls},
		{"endless work", `{{ range until 20000 }}{{ range until 20000 }}{{ end }}{{ end }}`, "a: x", "ref/t.yaml:5:", code.LimitSteps},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := compile(t, header+c.template+"\n").Execute(object(t, c.input), render.Options{})
			var e *render.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if e.Code != c.code || !strings.HasPrefix(e.Error(), c.want) {
				t.Errorf("%s %s\nwant %s %s", e.Code, e.Error(), c.code, c.want)
			}
		})
	}
}

func TestIdentity(t *testing.T) {
	for _, c := range []struct{ name, template, want string }{
		{"literal", "apiVersion: v1\nkind: A\nmetadata:\n  name: n\n  namespace: s\n", "v1 A s n"},
		{"open name", "apiVersion: v1\nkind: A\nmetadata:\n  name: {{ .metadata.name }}\n", "v1 A * *"},
		{"quoted", `apiVersion: v1` + "\nkind: A\nmetadata:\n  name: {{ .metadata.name | quote }}\n", "v1 A * *"},
		{"a constant is fixed", `{{ $n := "n" }}apiVersion: v1` + "\nkind: A\nmetadata:\n  name: {{ $n }}\n", "v1 A * n"},
		{"a pattern", "apiVersion: v1\nkind: A\nmetadata:\n  name: worker-{{ .metadata.labels.zone }}-x\n", "v1 A * worker-*-x"},
		{"a branch", "apiVersion: v1\nkind: A\nmetadata:\n  name: {{ if .x }}a{{ else }}{{ .metadata.name }}{{ end }}\n", "v1 A * *"},
		{"an empty object fails", "apiVersion: v1\nkind: A\nmetadata:\n  name: n\nspec: {{ (semver .v).Major }}\n", "v1 A * n"},
		{"no YAML without an input", "apiVersion: v1\nkind: A\nmetadata:\n  name: n\n  namespace: s\nspec:\n{{ if .x }}  a: 1{{ else }}  - a\n b: {{ end }}\n", "v1 A s n"},
		{"an included head", `{{ define "h" }}apiVersion: v1` + "\nkind: A{{ end }}{{ include \"h\" . }}\nmetadata:\n  name: n\n", "v1 A * n"},
		{"numbers", "apiVersion: v1\nkind: A\nmetadata:\n  name: 12\n", "v1 A * 12"},
	} {
		t.Run(c.name, func(t *testing.T) {
			id := compile(t, c.template).Identity
			got := strings.Join(
				[]string{id.APIVersion.String(), id.Kind.String(), id.Namespace.String(), id.Name.String()}, " ",
			)
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// A default for an object without fields must be fixed; a value that needs a field must be open.
func TestIdentityOfAnObjectThatSetsNothing(t *testing.T) {
	for _, c := range []struct{ name, action, want string }{
		{"default", `{{ .metadata.name | default "n" }}`, "n"},
		{"default before its value", `{{ default "n" .metadata.name }}`, "n"},
		{"coalesce", `{{ coalesce .metadata.name .spec.name "n" }}`, "n"},
		{"or", `{{ or .metadata.name "n" }}`, "n"},
		{"ternary", `{{ ternary "a" "n" (hasKey . "x") }}`, "n"},
		{"ternary of what is absent", `{{ .x | ternary .metadata.name "n" }}`, "n"},
		{"dig", `{{ dig "metadata" "name" "n" . }}`, "n"},
		{"get", `{{ get .metadata "name" | default "n" }}`, "n"},
		{"index", `{{ index .metadata.labels "a/b" | default "n" }}`, "n"},
		{"quote", `{{ .metadata.name | default "n" | quote }}`, "n"},
		{"quotes around it", `"{{ .metadata.name | default "n" }}"`, "n"},
		{"a variable", `{{ $n := .metadata.name | default "n" }}{{ $n }}`, "n"},
		{"if and else", `{{ if .metadata.name }}{{ .metadata.name }}{{ else }}n{{ end }}`, "n"},
		{"with and else", `{{ with .metadata.name }}{{ . }}{{ else }}n{{ end }}`, "n"},
		{"printf around a default", `{{ printf "%s-b" (.spec.x | default "a") }}`, "a-b"},
		{"text around a default", `{{ .spec.x | default "a" }}-b`, "a-b"},
		{"text behind an empty default", `n{{ .spec.x | default "" }}`, "n"},
		{"two defaults", `{{ .spec.x | default "a" }}-{{ .spec.y | default "b" | upper }}`, "a-B"},
		{"a number", `{{ .spec.x | default 12 }}`, "12"},
		{"folded", ">-\n    {{ .metadata.name | default \"n\" }}", "n"},
		{"an included default", `{{ define "n" }}{{ .metadata.name | default "n" }}{{ end }}{{ include "n" . }}`, "n"},
		{"a default of an include", `{{ define "n" }}{{ .metadata.name }}{{ end }}{{ include "n" . | default "n" }}`, "n"},
		{"a default of a lookup", `{{ (lookupCR "v1" "A" "" "a").metadata.name | default "n" }}`, "n"},
		{"a dict of defaults", `{{ (dict "n" (.metadata.name | default "n")).n }}`, "n"},

		{"no default", `{{ .metadata.name }}`, "*"},
		{"a default that is absent as well", `{{ .metadata.name | default .spec.name }}`, "*"},
		{"a default made of what is absent", `{{ .metadata.name | default (printf "%s-a" .spec.name) }}`, "*"},
		{"an empty default", `{{ .metadata.name | default "" }}`, "*"},
		{"coalesce of what is absent", `{{ coalesce .metadata.name .spec.name }}`, "*"},
		{"dig with a default that is absent", `{{ dig "metadata" "name" .spec.name . }}`, "*"},
		{"quoted", `{{ .metadata.name | quote }}`, "*"},
		{"printf of what is absent", `{{ printf "n-%s" .metadata.name }}`, "*"},
		{"a default and what is absent in one", `{{ printf "%s-%s" (.spec.x | default "a") .spec.y }}`, "*"},
		{"a number of what is absent", `{{ .spec.x | int }}`, "*"},
		{"fail", `{{ if .metadata.name }}{{ .metadata.name }}{{ else }}{{ fail "no name" }}{{ end }}`, "*"},
		{"a default behind a text", `n-{{ .spec.x | default "a" }}-{{ .spec.y }}`, "n-a-*"},
	} {
		t.Run(c.name, func(t *testing.T) {
			id := compile(
				t,
				"kind: {{ .kind | default \"A\" }}\napiVersion: {{ .apiVersion | default \"v1\" }}\nmetadata:\n  name: "+c.action+
					"\n  namespace: {{ .metadata.namespace | default \"s\" }}\n",
			).Identity
			got := strings.Join(
				[]string{id.APIVersion.String(), id.Kind.String(), id.Namespace.String(), id.Name.String()}, " ",
			)
			if got != "v1 A s "+c.want {
				t.Errorf("%s, want v1 A s %s", got, c.want)
			}
		})
	}
}

// As in text/template, where the function files are read after the template.
func TestDefinitionsOfFunctionFiles(t *testing.T) {
	const own = `{{ define "x" }}own{{ end }}`
	for _, c := range []struct {
		name, template string
		functions      []string
		want           string
	}{
		{"a function file replaces the template's own", own, []string{`{{ define "x" }}file{{ end }}`}, "file"},
		{"an empty one does not", own, []string{`{{ define "x" }} {{ end }}`}, "own"},
		{"nor one of comments", own, []string{`{{ define "x" }}{{/* nothing */}}{{ end }}`}, "own"},
		{"an empty one of a second file does not either", own, []string{`{{ define "x" }}file{{ end }}`, `{{ define "x" }}{{ end }}`}, "file"},
		{"one behind an empty one does", own, []string{`{{ define "x" }}{{ end }}`, `{{ define "x" }}file{{ end }}`}, "file"},
		{"an empty one is there where no other is", "", []string{`{{ define "x" }}{{ end }}`}, ""},
		{"a block is the template's own", `{{ define "y" }}{{ block "x" . }}own{{ end }}{{ end }}`, []string{`{{ define "x" }}{{ end }}`}, "own"},
	} {
		r, err := compile(
			t,
			c.template+header+`v: "{{ template "x" }}"`+"\n",
			c.functions...).Execute(map[string]any{}, render.Options{})
		if err != nil || r.Value["v"] != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, r.Value["v"], err, c.want)
		}
	}
}

func TestFromYamlArray(t *testing.T) {
	for text, want := range map[string]string{``: "[]", `~`: "[]", `# c`: "[]", `[1, 1e1]`: "[1,10]"} {
		r, err := compile(
			t, header+`v: '{{ fromYamlArray `+"`"+text+"`"+` | toJson }}'`+"\n",
		).Execute(map[string]any{}, render.Options{})
		if err != nil || r.Value["v"] != want {
			t.Errorf("%q: %q, %v; want %q", text, r.Value["v"], err, want)
		}
	}
}

func TestMarksWhatWasPrinted(t *testing.T) {
	r, err := compile(
		t,
		header+"a: {{ .x }}\nb: lit\nc:\n  {{- .m | toYaml | nindent 2 }}\nd:\n  {{- .m | toYaml | nindent 2 }}\n  lit: 1\ne: |\n  {{ \"{{\" }} x\n",
	).
		Execute(object(t, "{x: 1, m: {p: 1, q: {r: [2]}}}"), render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	note := func(path string) provenance.Note {
		p, err := refconfig.ParseFieldPath(path)
		if err != nil {
			t.Fatal(err)
		}
		n, whole := r.Node.At(p).Note()
		if !whole {
			t.Fatalf("%s has no note", path)
		}
		return n
	}
	if n := note("a"); !n.Variable || n.Root != 1 {
		t.Errorf("a: %+v", n)
	}
	if n := note("b"); n.Variable {
		t.Errorf("b: %+v", n)
	}
	p, q := note("c.p"), note("c.q.r.0")
	if !p.Variable || p.Print == 0 || p.Print != q.Print || p.Root != 1 || q.Root != 1 {
		t.Errorf("c.p: %+v, c.q.r.0: %+v", p, q)
	}
	if n := note("d.lit"); n.Variable || n.Print != 0 {
		t.Errorf("d.lit: %+v", n)
	}
	if n := note("e"); n.Variable ||
		r.Value["e"] != "{{ x\n" { // a string literal counts as the template's own text, however it is written
		t.Errorf("e: %+v, %q", n, r.Value["e"])
	}
}
