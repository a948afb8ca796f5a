package generate_test

import (
	gocmp "cmp"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/author/generate"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// updated updates a reference from clusters, and returns its files afterwards.
func updated(t testing.TB, files map[string]string, texts ...string) (*generate.Update, map[string]string) {
	t.Helper()
	return updatedBy(t, generate.Options{Add: true}, files, texts...)
}

// updatedBy is updated with options.
func updatedBy(
	t testing.TB, opt generate.Options, files map[string]string, texts ...string,
) (*generate.Update, map[string]string) {
	t.Helper()
	fsys := fstest.MapFS{}
	after := map[string]string{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
		after[name] = text
	}
	var all []cluster.Collected
	for i, text := range texts {
		all = append(all, collected(t, fmt.Sprintf("%d.yaml", i), text))
	}
	u, problems, err := generate.UpdateOf(t.Context(), generate.Existing{
		Files: fsys,
		Load: func(files fs.FS) (*refconfig.Reference, []refconfig.Problem) {
			return refconfig.Load(files, ".", refconfig.LoadOptions{})
		},
		Writable: func(string) string { return "" },
	}, all, opt)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	for _, f := range u.Files {
		if was, there := files[f.Name]; there != (f.Was != nil) || was != string(f.Was) || was == string(f.Text) {
			t.Errorf("%s was %q, and is said to have been %q", f.Name, was, f.Was)
		}
		after[f.Name] = string(f.Text)
	}
	return u, after
}

// filesOf returns the files of a reference.
func filesOf(r *generate.Reference) map[string]string {
	files := map[string]string{}
	for _, f := range r.Files {
		files[f.Name] = string(f.Text)
	}
	return files
}

// failing returns the CRs of a cluster that differ from a reference. With extra, extra content counts.
func failing(t testing.TB, extra bool, files map[string]string, texts ...string) (all []string) {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	ref, faults := refconfig.Load(fsys, ".", refconfig.LoadOptions{})
	engine, more := render.Compile(t.Context(), ref)
	if len(faults)+len(more) > 0 {
		t.Fatal(faults, more)
	}
	for _, text := range texts {
		for _, c := range compared(t, ref, engine, text).Comparisons {
			if c.Result == finding.Drifted || c.Result == finding.Failed || extra && c.Result == finding.OnlyExtra {
				all = append(all, c.Object.Selector())
			}
		}
	}
	return all
}

// TestUpdatesKeepWhatAgrees makes references of clusters that are made up, and edits them as authors do. An
// update from the same cluster changes no byte. An update from another state of the cluster agrees with
// it, or says what does not, and no comment and no action is lost.
func TestUpdatesKeepWhatAgrees(t *testing.T) {
	for seed := range testkit.Tries(300) {
		m := maker{rand.New(rand.NewPCG(uint64(seed), 2))}
		spec, document := m.value(4), m.value(4)
		state := func(spec any) string {
			return tree.YAML(map[string]any{
				"apiVersion": "example.com/v1", "kind": "Odd", "metadata": map[string]any{"name": "odd"}, "spec": spec,
				"data": map[string]any{"a.yaml": m.document(document)},
			})
		}
		a, b := []string{state(spec)}, state(m.changed(spec))
		if m.IntN(2) == 0 {
			a = append(a, state(m.changed(spec)))
		}
		files := filesOf(made(t, generate.Options{}, a...))
		const name = "example.com/Odd_odd.yaml"
		before := files[name]
		files[name] = m.edited(before)
		if len(failing(t, false, files, a...)) > 0 {
			files[name] = before // the edit hit a text
		}
		if u, same := updated(t, files, a...); len(u.Files)+len(u.Left) > 0 {
			t.Errorf("the same cluster changes the reference: %+v, %+v, %q", u.Changed, u.Left, same)
		}
		opt := generate.Options{Extra: m.IntN(2) == 0}
		u, after := updatedBy(t, opt, files, b)
		if left := failing(t, opt.Extra, after, b); len(left) > 0 != (len(u.Left) > 0) {
			t.Errorf("%v differ, and what is left is %+v", left, u.Left)
		}
		if again, _ := updatedBy(t, opt, after, b); len(again.Files) > 0 {
			t.Errorf("a second update changes the reference: %+v", again.Changed)
		}
		if strings.Count(after[name], "{{") < strings.Count(files[name], "{{") && !strings.Contains(files[name], `{{ "{{" }}`) {
			t.Error("an action is lost")
		}
		for line := range strings.Lines(files[name]) {
			if strings.Contains(line, "# own") && strings.Count(files[name], "# own") > strings.Count(after[name], "# own") {
				t.Errorf("the comment %q is lost", line)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s\n--- edited\n%q\n--- and\n%s\n--- make\n%q\n%+v", seed, a, files[name], b, after[name], u.Left)
		}
	}
}

// edited returns the text of a template in which an author has changed what does not matter.
func (m maker) edited(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		switch m.IntN(6) {
		case 0:
			b.WriteString("# own\n")
		case 1:
			line = strings.TrimSuffix(line, "\n") + " # own\n"
		case 2:
			b.WriteString("\n")
		case 3:
			key, value, ok := strings.Cut(line, ": ")
			isIdentity := strings.Contains("apiVersion kind   name", key)
			if ok && !isIdentity && !strings.HasPrefix(value, "{{") && !strings.HasPrefix(value, "|") {
				line = key + fmt.Sprintf(":  &a%d ", m.IntN(1<<30)) + value
			}
		}
		b.WriteString(line)
	}
	text = b.String()
	if m.IntN(4) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if m.IntN(6) == 0 {
		text = strings.TrimRight(text, "\r\n")
	}
	if m.IntN(8) == 0 {
		text = "\ufeff" + text
	}
	return text
}

// TestUpdatesOfOddTemplates: forms of templates that authors write, with what an update makes of them.
func TestUpdatesOfOddTemplates(t *testing.T) {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: ns}\n"
	const any = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"{{ .metadata.name }}\", namespace: ns}\n"
	cr := func(name, data string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: ns}\ndata: " + data + "\n---\n"
	}
	for name, c := range map[string]struct {
		entry, template string
		crs             []string // of each cluster
		want            string
		left            string // a part of what is left; "" for nothing
	}{
		"flow": {template: head + "data: {x: \"1\",   y: z} # c\n", crs: []string{cr("a", `{x: "2", y: z}`)},
			want: head + "data: {x: \"2\",   y: z} # c\n"},
		"JSON": {template: `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "ns"}, "data": {"x": "1"}}`,
			crs:  []string{cr("a", `{x: "2"}`)},
			want: `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "ns"}, "data": {"x": "2"}}`},
		"merge key": {template: head + "data:\n  <<: &base {x: fast}\n  y: z\n", crs: []string{cr("a", "{x: slow, y: w}")},
			want: head + "data:\n  <<: &base {x: fast}\n  y: w\n", left: "no lines of its own"},
		"alias": {template: head + "data:\n  x: &v \"1\"\n  y: *v\n", crs: []string{cr("a", `{x: "1", y: "2"}`)},
			want: head + "data:\n  x: &v \"1\"\n  y: \"2\"\n"},
		"anchor that others use": {template: head + "data:\n  x: &v \"1\"\n  y: *v\n", crs: []string{cr("a", `{x: "2", y: "1"}`)},
			want: head + "data:\n  x: &v \"1\"\n  y: *v\n", left: "would not make all"},
		"branch": {template: head + "data:\n  {{- if .data.x }}\n  x: \"1\" # one\n  {{- else }}\n  y: \"1\"\n  {{- end }}\n", crs: []string{cr("a", `{x: "2"}`)},
			want: head + "data:\n  {{- if .data.x }}\n  x: \"2\" # one\n  {{- else }}\n  y: \"1\"\n  {{- end }}\n"},
		"action": {template: head + "data:\n  x: {{ printf \"%s\" \"1\" | quote }}\n", crs: []string{cr("a", `{x: "2"}`)},
			want: head + "data:\n  x: {{ printf \"%s\" \"1\" | quote }}\n", left: "prints this with an action"},
		"comment inside": {template: head + "data:\n  x: y\n  # why\n  z: w\n", crs: []string{cr("a", "{x: y}")},
			want: head + "data:\n  x: y\n  # why\n"},
		"comment in what goes": {template: head + "data:\n  x: y\n  z: w # why\n", crs: []string{cr("a", "{x: y}")},
			want: head + "data:\n  x: y\n  z: w # why\n", left: "a comment that would be lost"},
		"pattern": {entry: "{pathToKey: data.x, inlineDiffFunc: regex}", template: head + "data:\n  x: (a|b)\n", crs: []string{cr("a", "{x: c}")},
			want: head + "data:\n  x: (a|b)\n", left: "a pattern"},
		"several CRs agree": {template: any + "data:\n  x: \"1\"\n", crs: []string{cr("a", `{x: "2"}`) + cr("b", `{x: "2"}`)}, want: any + "data:\n  x: \"2\"\n"},
		"one of several": {template: any + "data:\n  x: \"1\"\n", crs: []string{cr("a", `{x: "1"}`) + cr("b", `{x: "2"}`)},
			want: any + "data:\n  x: \"1\"\n", left: "would not make all"},
		"several clusters": {template: head + "data:\n  x: \"1\"\n", crs: []string{cr("a", `{x: "2"}`), cr("a", `{x: "3"}`)},
			want: head + "data:\n  x: {{ .data.x | quote }}\n"},
		"two copies": {template: head + "data:\n  x: \"1\"\n  z: \"1\"\n", crs: []string{cr("a", `{x: "1", z: "1"}`) + cr("a", `{x: "2", z: "2"}`)},
			want: head + "data:\n  x: \"1\"\n  z: \"1\"\n", left: "contradict each other"},
		"most of several": {template: any + "data:\n  x: \"1\"\n", crs: []string{cr("a", `{x: "1"}`) + cr("b", `{x: "2"}`) + cr("c", `{x: "2"}`)},
			want: any + "data:\n  x: \"1\"\n", left: "would not make all"},
		"one of several lacks it": {template: any + "data:\n  x: \"1\"\n  z: w\n", crs: []string{cr("a", `{x: "1", z: w}`) + cr("b", `{x: "1"}`)},
			want: any + "data:\n  x: \"1\"\n  z: w\n", left: "would not make all"},
		"one of several clusters lacks it": {template: head + "data:\n  x: \"1\"\n  z: w\n", crs: []string{cr("a", `{x: "1", z: w}`), cr("a", `{x: "1"}`)},
			want: head + "data:\n  x: \"1\"\n  z: w\n", left: "would not make all"},
		"all of several lack it": {template: any + "data:\n  x: \"1\"\n  z: w\n", crs: []string{cr("a", `{x: "1"}`) + cr("b", `{x: "1"}`)},
			want: any + "data:\n  x: \"1\"\n"},
		"exact": {entry: "{pathToKey: data, exact: true}", template: head + "data:\n  x: y\n", crs: []string{cr("a", "{w: v, x: y}")},
			want: head + "data:\n  x: y\n  w: v\n"},
		"extra": {template: head + "data:\n  x: y\n", crs: []string{cr("a", "{w: v, x: y}")}, want: head + "data:\n  x: y\n"},
	} {
		entry := ""
		if c.entry != "" {
			entry = "            config:\n              perField:\n                - " + c.entry + "\n"
		}
		files := map[string]string{
			"a.yaml": c.template, "metadata.yaml": "apiVersion: v2\nparts:\n  - name: p\n    components:\n      - name: c\n        allOf:\n" +
				"          - path: a.yaml\n" + entry,
		}
		u, after := updated(t, files, c.crs...)
		if diff := cmp.Diff(c.want, after["a.yaml"]); diff != "" {
			t.Errorf("%s: (-want +got)\n%s%+v", name, diff, u.Left)
		}
		if after["metadata.yaml"] != files["metadata.yaml"] {
			t.Errorf("%s: the metadata has changed: %s", name, after["metadata.yaml"])
		}
		if left := fmt.Sprint(u.Left); !strings.Contains(left, c.left) || len(u.Left) > 0 != (c.left != "") {
			t.Errorf("%s: %s is left, want %q", name, left, c.left)
		}
	}
}

// TestUpdatesSayWhatIsLeft: each value that is left has the line that prints it and one reason, however many
// clusters have it. With Extra, extra content is added where no condition of the template decides about it, or
// is left too.
func TestUpdatesSayWhatIsLeft(t *testing.T) {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: ns}\n"
	for name, c := range map[string]struct {
		template string
		extra    bool
		crs      []string // data of the CR of each cluster
		want     string   // the text behind head; "" for that before
		left     []string
	}{
		"branches": {template: "data:\n  x: \"1\"\n  w: {{ if .data.z }}a{{ else }}b{{ end }}\n", crs: []string{`{x: "1", w: c}`},
			left: []string{"6 data.w: the template prints this with an action"}},
		"several lines of an action": {template: "data:\n  {{- range $k := list \"x\" \"w\" }}\n  {{ $k }}: \"1\"\n  {{- end }}\n",
			crs: []string{`{x: "1", w: "2"}`}, left: []string{"6 data.w: the template prints this with an action"}},
		"clusters": {template: "data:\n  x: \"1\"\n  w: \"1\"\n", crs: []string{`{x: "1"}`, `{x: "1"}`, `{x: "1", w: "1"}`},
			left: []string{"6 data.w: the value of the CR in its place would not make all CRs of the template agree"}},
		"a list of clusters": {template: "data:\n  x:\n  - --a=1\n  - --b=2\n", crs: []string{`{x: ["--a=1", "--b=2"]}`, `{x: ["--a=1", "--b=3"]}`, `{x: []}`},
			left: []string{
				"6 data.x.0: the value of the CR in its place would not make all CRs of the template agree",
				"7 data.x.1: the value of the CR in its place would not make all CRs of the template agree",
			}},
		"extra before an action": {template: "data:\n  a: \"1\"\n  c: {{ .data.c | quote }}\n", extra: true,
			crs: []string{`{a: "1", c: x, d: v, f.g: z}`}, want: "data:\n  a: \"1\"\n  d: v\n  f.g: z\n  c: {{ .data.c | quote }}\n"},
		"extra behind an action": {template: "data:\n  c: {{ .data.c | quote }}\n  d: z # why\n", extra: true,
			crs: []string{`{a: "1", c: x, d: z}`}, want: "data:\n  c: {{ .data.c | quote }}\n  d: z # why\n  a: \"1\"\n"},
		"extra with only actions": {template: "data: # why\n  c: {{ .data.c | quote }}\n", extra: true,
			crs: []string{`{a: "1", c: x}`}, want: "data: # why\n  a: \"1\"\n  c: {{ .data.c | quote }}\n"},
		"extra with only conditions": {template: "data:\n  {{- if .data.c }}\n  c: x\n  {{- end }}\n", extra: true,
			crs: []string{`{a: "1", c: x}`}, want: "data:\n  a: \"1\"\n  {{- if .data.c }}\n  c: x\n  {{- end }}\n"},
		"extra in what an action prints": {template: "data:\n{{ dict \"c\" \"x\" | toYaml | indent 2 }}\n", extra: true,
			crs: []string{`{a: "1", c: x}`}, want: "data:\n  a: \"1\"\n{{ dict \"c\" \"x\" | toYaml | indent 2 }}\n"},
		"extra on the line of an action": {template: "data: {{ dict \"c\" \"x\" | toJson }}\n", extra: true, crs: []string{`{a: "1", c: x}`},
			left: []string{"4 data.a: the template prints this with an action"}},
	} {
		c.want = gocmp.Or(c.want, c.template)
		files := map[string]string{
			"a.yaml": head + c.template,
			"metadata.waml": "apiVersion: v2\nparts:\n  - name: p\n    components:\n      - name: c\n        allOf:\n" +
				"          - path: a.yaml\n",
		}
		var crs []string
		for _, data := range c.crs {
			crs = append(crs, head+"data: "+data+"\n")
		}
		u, after := updatedBy(t, generate.Options{Extra: c.extra, Add: true}, files, crs...)
		if diff := cmp.Diff(head+c.want, after["a.yaml"]); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		var left []string
		for _, l := range u.Left {
			left = append(left, fmt.Sprintf("%d %s: %s", l.Place.Line, l.Path, l.Message))
		}
		if diff := cmp.Diff(c.left, left); diff != "" {
			t.Errorf("%s: left (-want +got)\n%s", name, diff)
		}
	}
}

// TestContradictingCopiesChangeNothing: nobody knows which of them is right, and together they would lose a field.
func TestContradictingCopiesChangeNothing(t *testing.T) {
	cr := func(data string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: shop}\ndata: {" + data + "}\n"
	}
	files := filesOf(made(t, generate.Options{}, cr("a: b, c: d")))
	update, now := updated(t, files, cr("a: b, c: d")+"---\n"+cr("a: e"))
	if len(update.Files) > 0 || len(update.Left) == 0 || !strings.Contains(update.Left[0].Message, "contradict") {
		t.Errorf("%+v %+v %q", update.Changed, update.Left, now)
	}
}
