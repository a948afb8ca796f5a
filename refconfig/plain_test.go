package refconfig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/refconfig"
)

// summary lists the templates of a reference: path, lines before, and the text.
func summary(ref *refconfig.Reference) []string {
	var out []string
	for _, x := range ref.Templates {
		text := strings.ReplaceAll(strings.TrimSpace(strings.TrimPrefix(string(x.Source), "---\n")), "\n", "|")
		out = append(out, fmt.Sprintf("%s +%d %s", x.Path, x.LinesBefore, text))
	}
	return out
}

// A folder of plain CRs is a reference, however they are stored.
func TestPlainCRs(t *testing.T) {
	for name, c := range map[string]struct {
		file, text string
		want       []string
		warnings   string
	}{
		"YAML":               {"a.yaml", "apiVersion: v1\nkind: A\n", []string{"a.yaml +0 apiVersion: v1|kind: A"}, ""},
		"JSON":               {"a.json", `{"apiVersion": "v1", "kind": "A"}`, []string{`a.json +0 {"apiVersion": "v1", "kind": "A"}`}, ""},
		"no suffix":          {"a", "apiVersion: v1\nkind: A\n", []string{"a +0 apiVersion: v1|kind: A"}, ""},
		"documents":          {"a.yaml", "# one\n---\nkind: A\n---\n# nothing\n---\nkind: B\n---\n", []string{"a.yaml#1 +0 # one|---|kind: A|---|# nothing", "a.yaml#2 +5 kind: B|---"}, ""},
		"text on the marker": {"a.yaml", "kind: A\n--- {kind: B}\n...\nkind: C\n", []string{"a.yaml#1 +0 kind: A", "a.yaml#2 +1 --- {kind: B}|...", "a.yaml#3 +3 kind: C"}, ""},
		"documents of JSON":  {"a.json", "{\"kind\": \"A\"}\n\n{\"kind\": \"B\"}\n", []string{`a.json#1 +0 {"kind": "A"}`, `a.json#2 +2 {"kind": "B"}`}, ""},
		"a List": {"a.yaml", "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\n  x: yes\n- kind: B\n  date: 2020-01-01\nkind: List\n",
			[]string{"a.yaml#1 +2 apiVersion: v1|kind: A|x: yes", "a.yaml#2 +5 kind: B|date: 2020-01-01"}, ""},
		"a List of one":      {"a.yaml", "kind: List\nitems:\n- kind: A\n", []string{"a.yaml +2 kind: A"}, ""},
		"a typed List":       {"a.yaml", "apiVersion: v1\nkind: AList\nitems:\n- {x: y}\n- metadata:\n    name: x\n- {kind: B, apiVersion: v2}\n", []string{"a.yaml#1 +3 {\"apiVersion\": \"v1\", \"kind\": \"A\", x: y}", "a.yaml#2 +4 metadata:|  name: x|apiVersion: \"v1\"|kind: \"A\"", "a.yaml#3 +6 {kind: B, apiVersion: v2}"}, ""},
		"a List in a List":   {"a.yaml", "kind: List\nitems:\n- kind: List\n  items:\n  - kind: A\n- kind: B\n", []string{"a.yaml#1 +4 kind: A", "a.yaml#2 +5 kind: B"}, ""},
		"a List beside a CR": {"a.yaml", "kind: A\n---\nkind: List\nitems:\n- kind: B\n- kind: C\n", []string{"a.yaml#1 +0 kind: A", "a.yaml#2.1 +4 kind: B", "a.yaml#2.2 +5 kind: C"}, ""},
		"a List in JSON":     {"a.json", "{\"kind\": \"List\", \"items\": [\n{\"kind\": \"A\", \"n\": 1e3},\n{\"kind\": \"B\"}]}", []string{`a.json#1 +1 {"kind": "A", "n": 1e3}`, `a.json#2 +2 {"kind": "B"}`}, ""},
		"a typed List in JSON": {"a.json", "{\"apiVersion\": \"v1\", \"kind\": \"AList\", \"items\": [{\"metadata\": {}}]}",
			[]string{`a.json +0 {"apiVersion": "v1", "kind": "A", "metadata": {}}`}, ""},
		"aliases in a List":   {"a.yaml", "kind: List\nitems:\n- kind: A\n  x: &x {v: z}\n- kind: B\n  <<: *x\n  w: *x\n", []string{"a.yaml#1 +2 kind: A|x: &x {v: z}", "a.yaml#2 +4 kind: B|v: z|w:|    v: z"}, ""},
		"templates in a List": {"a.yaml", "kind: List\nitems:\n- kind: A\n  x: '{{ .x }}'\n- kind: B\n", []string{"a.yaml#1 +2 kind: A|x: '{{ .x }}'", "a.yaml#2 +4 kind: B"}, ""},
		"a list of CRs":       {"a.yaml", "- {apiVersion: v1, kind: A, metadata: {}}\n- x: y\n", []string{"a.yaml +0 {apiVersion: v1, kind: A, metadata: {}}"}, "VT2040:2"},
		"a template":          {"a.yaml", "{{ if .x }}\nkind: A\n{{ else }}\nkind: B\n{{ end }}\n", []string{"a.yaml +0 {{ if .x }}|kind: A|{{ else }}|kind: B|{{ end }}"}, ""},
		"an array of CRs":     {"a.json", "[{\"apiVersion\": \"v1\", \"kind\": \"A\", \"metadata\": {}},\n{\"x\": 1}]", []string{`a.json +0 {"apiVersion": "v1", "kind": "A", "metadata": {}}`}, "VT2040:2"},
		"another array":       {"a.json", "[1,\n2]", nil, "VT2040:1"},
		"an empty List, JSON": {"a.json", `{"kind": "List", "items": null}`, nil, "VT2040:1"},
		"no kind, but a CR":   {"a.yaml", "apiVersion: v1\nmetadata: {name: x}\n", []string{"a.yaml +0 apiVersion: v1|metadata: {name: x}"}, ""},
		"kustomization":       {"kustomization.yaml", "resources: [a.yaml]\n", nil, "VT2040:1"},
		"Kustomization":       {"k.yaml", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n", nil, "VT2040:1"},
		"values":              {"values.yaml", "# about\nreplicas: 3\n", nil, "VT2040:2"},
		"a chart":             {"Chart.yaml", "apiVersion: v2\nname: x\n", nil, "VT2040:1"},
		"a workflow":          {"ci.yml", "on: push\njobs:\n  x: {run: \"${{ y }}\"}\n", nil, "VT2040:1"},
		"overrides":           {"o.yaml", "- {kind: A, apiVersion: v1, name: x, type: mergepatch}\n", nil, "VT2040:1"},
		"a kubeconfig":        {"config.yaml", "apiVersion: v1\nkind: Config\n", nil, "VT2040:1"},
		"package.json":        {"package.json", "{\n \"name\": \"x\"\n}", nil, "VT2040:1"},
		"nothing":             {"a.yaml", "# nothing\n---\n", nil, "VT2040:0"},
		"an empty List":       {"a.yaml", "kind: List\nitems: []\n", nil, "VT2040:1"},
		"broken, no CR":       {"a.yaml", "a: [\n", nil, "VT2040:1"},
		"one of two":          {"a.yaml", "replicas: 3\n---\nkind: A\n", []string{"a.yaml#2 +1 kind: A"}, "VT2040:1"},
		"another suffix":      {"a.yaml.bak", "apiVersion: v1\nkind: A\n", nil, "VT2040:0"},
		"prose":               {"README.md", "Say kind: A\n", nil, ""},
		"a licence":           {"LICENSE", "Copyright: me\n", nil, ""},
		"a program":           {"tool", "\x7fELF\x00apiVersion: v1\nkind: A\n", nil, ""},
		"hidden":              {".a.yaml", "kind: A\n", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ref := loadFiles(t, map[string]string{"dir/" + c.file: c.text, "z.yaml": "kind: Z\n"})
			var want []string
			for _, w := range c.want {
				want = append(want, "dir/"+w)
			}
			if diff := cmp.Diff(append(want, "z.yaml +0 kind: Z"), summary(ref)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if got := codesOf(ref.Warnings); got != c.warnings {
				t.Errorf("warnings %s, want %s: %v", got, c.warnings, ref.Warnings)
			}
			if len(c.want) > 0 {
				testNamed(t, c.file, c.text, c.want)
			}
		})
	}
}

// testNamed loads the file by itself, as a user may name it.
func testNamed(t *testing.T, file, text string, want []string) {
	t.Helper()
	ref, problems := refconfig.Load(
		folder(map[string]string{"dir/" + file: text}), "dir/"+file, refconfig.LoadOptions{},
	)
	if !strings.Contains(text, "ind: A") && !strings.Contains(text, `"A`) || len(problems) > 0 {
		return // what is no CR by its first lines is taken for a metadata file
	}
	if diff := cmp.Diff(want, summary(ref)); diff != "" {
		t.Errorf("named: -want +got:\n%s", diff)
	}
}

// What could be a CR and cannot be read is a fault.
func TestBrokenPlainCRs(t *testing.T) {
	_, problems := refconfig.Load(folder(map[string]string{
		"a.yaml": "kind: List\nitems:\n- kind: {{ .x }}\n- {{ .y }}\n", "b.yaml": "kind: List\nitems: &x\n- kind: A\n  y: *x\n",
	}), ".", refconfig.LoadOptions{})
	var got []string
	for _, p := range problems {
		got = append(got, string(p.Code)+" "+p.Place.String())
	}
	if diff := cmp.Diff([]string{"VT2018 a.yaml:1", "VT2018 b.yaml:1"}, got); diff != "" {
		t.Errorf("-want +got:\n%s\n%v", diff, problems)
	}
}

// The attributes are found in each document, in items, and in JSON, with the line of the file.
func TestAttributesOfPartsOfFiles(t *testing.T) {
	const annotation = `  annotations: {}
  labels: {}
`
	attributes := func(component string) string {
		return strings.Replace(
			annotation,
			"{}",
			"\n    reference-config.openshift.io/attributes: '{\"component-name\": \""+component+"\"}'",
			1,
		)
	}
	ref := loadFiles(t, map[string]string{
		"a.yaml": "kind: A\nmetadata:\n" + attributes("one") + "---\nkind: B\nmetadata:\n" + attributes("two"),
		"b.json": "{\"kind\": \"List\", \"items\": [{\n\"kind\": \"C\", \"metadata\": {\"annotations\": {\"reference-config.openshift.io/attributes\": \"{\\\"component-name\\\": \\\"three\\\"}\"}}}, {\"kind\": \"D\"}]}",
	})
	var got []string
	for _, x := range ref.Templates {
		got = append(got, fmt.Sprintf("%s %s %v", x.Path, x.Component.Name, x.Plain))
	}
	if diff := cmp.Diff([]string{"a.yaml#1 one false", "a.yaml#2 two false", "b.json#1 three false", "b.json#2  true"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	_, problems := refconfig.Load(folder(map[string]string{
		"a.yaml": "kind: A\n---\nkind: B\nmetadata:\n  annotations:\n    reference-config.openshift.io/attributes: '{'\n",
		"b.json": "{\"kind\": \"C\"}\n\n{\"kind\": \"C\", \"metadata\": {\"annotations\": {\"reference-config.openshift.io/attributes\": \"[]\"}}}",
	}), ".", refconfig.LoadOptions{})
	if len(problems) != 2 || problems[0].Place.Line != 6 || problems[1].Place.Line != 3 {
		t.Errorf("%v", problems)
	}
}

// A folder stands for the one reference whose metadata.yaml lies below it.
func TestOneMetadataBelow(t *testing.T) {
	const metadata = "parts: [{name: p, components: [{name: c, type: Required, requiredTemplates: [{path: a.yaml}]}]}]\n"
	for name, c := range map[string]struct {
		files string
		want  string // the path of the reference, or the fault
	}{
		"below":                 {"x/y/metadata.yaml x/y/a.yaml other.yaml", "in/x/y/metadata.yaml"},
		"at the top":            {"metadata.yaml a.yaml x/metadata.yaml", "in"},
		"with others beside it": {"x/metadata.yml x/hub.yaml x/a.yaml", "in/x/metadata.yml"},
		"two":                   {"x/metadata.yaml x/a.yaml y/metadata.yaml y/a.yaml", "VT2001 in: name that: in/x/metadata.yaml, in/y/metadata.yaml"},
		"one in the other":      {"x/metadata.yaml x/a.yaml x/y/metadata.yaml x/y/a.yaml", "VT2001 in: name that: in/x/metadata.yaml, in/x/y/metadata.yaml"},
		"of another name":       {"x/hub.yaml x/a.yaml", "VT2001 in: name that: in/x/hub.yaml"},
	} {
		files := map[string]string{}
		for _, file := range strings.Fields(c.files) {
			files["in/"+file] = metadata
			if strings.HasSuffix(file, "a.yaml") && !strings.HasSuffix(file, "metadata.yaml") ||
				strings.HasSuffix(file, "other.yaml") {
				files["in/"+file] = "kind: A\n"
			}
		}
		ref, problems := refconfig.Load(folder(files), "in", refconfig.LoadOptions{})
		got := ref.Path
		if len(problems) > 0 {
			_, rest, _ := strings.Cut(problems[0].Message, "; ")
			got = fmt.Sprintf("%s %s: %s", problems[0].Code, problems[0].Place.File, rest)
		} else if len(ref.Templates) != 1 || ref.Format != refconfig.V1 || len(ref.Warnings) > 0 {
			t.Errorf("%s: %s %v %v", name, ref.Format, summary(ref), ref.Warnings)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func FuzzPlainCRs(f *testing.F) {
	for _, s := range []string{
		"kind: A\n---\nkind: B\n", "kind: List\nitems:\n- kind: A\n- &x {kind: B}\n- *x\n", "{\"kind\": \"List\", \"items\": [{\"kind\": \"A\"}, null, 1]}", "- kind: A\n  apiVersion: v1\n  metadata:\n",
		"kind: AList\nitems: [{}, {x: y}]\n", "kind: List\nitems:\n- kind: {{ .x }}\n", "\ufeffkind: A\r\n...\r\nkind: B", "[{\"kind\": \"A\"}]", "kind: List\nitems:\n- kind: List\n  items:\n  - |\n   kind: A", "{}\n{}", "%YAML 1.1\n---\nkind: A",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ref, problems := refconfig.Load(
			folder(map[string]string{"a.yaml": text, "b.json": text, "c": text}), ".", refconfig.LoadOptions{},
		)
		checkProblems(t, text, problems)
		checkProblems(t, text, ref.Warnings)
		paths := map[string]bool{}
		for _, x := range ref.Templates {
			if paths[x.Path] || x.LinesBefore < 0 || x.LinesBefore > len(text) {
				t.Errorf("%s, behind %d lines", x.Path, x.LinesBefore)
			}
			paths[x.Path] = true
		}
		if len(problems) == 0 && len(ref.Templates) == 0 {
			t.Error("a reference without fault has no template")
		}
		_, problems = refconfig.Load(folder(map[string]string{"a.yaml": text}), "a.yaml", refconfig.LoadOptions{})
		checkProblems(t, text, problems)
	})
}

// A folder tests/NAME with an expect.yaml must change nothing of a reference, wherever it is. Files
// in a folder tests without an expect.yaml are part of the reference.
func TestFixturesAreNoPart(t *testing.T) {
	const metadata = "parts: [{name: p, components: [{name: c, type: Required, requiredTemplates: [{path: a.yaml}]}]}]\n"
	fixture := map[string]string{
		"tests/x/expect.yaml":         "",
		"tests/x/input/a.yaml":        "kind: B\n",
		"tests/x/input/metadata.yaml": metadata,
		"tests/x/metadata.yaml":       metadata,
	}
	for name, c := range map[string]struct {
		files map[string]string
		at    string // of the fixture
		parts bool
	}{
		"without metadata":   {map[string]string{"in/a.yaml": "kind: A\n"}, "in/", false},
		"further below":      {map[string]string{"in/a.yaml": "kind: A\n"}, "in/b/c/", false},
		"with metadata":      {map[string]string{"in/metadata.yaml": metadata, "in/a.yaml": "kind: A\n"}, "in/", false},
		"of one below":       {map[string]string{"in/x/metadata.yaml": metadata, "in/x/a.yaml": "kind: A\n"}, "in/x/", false},
		"of another name":    {map[string]string{"in/a.yaml": "kind: A\n"}, "in/test", true},
		"not directly below": {map[string]string{"in/a.yaml": "kind: A\n"}, "in/tests/y/", false},
	} {
		load := func(more map[string]string) *refconfig.Reference {
			files := map[string]string{}
			for name, text := range c.files {
				files[name] = text
			}
			for name, text := range more {
				files[c.at+name] = text
			}
			ref, problems := refconfig.Load(folder(files), "in", refconfig.LoadOptions{Unlisted: true})
			if len(problems) > 0 && !c.parts {
				t.Errorf("%s: %v", name, problems)
			}
			return ref
		}
		without, with := load(nil), load(fixture)
		same := without.Hash == with.Hash && without.Path == with.Path && cmp.Equal(summary(without), summary(with)) &&
			len(with.Warnings) == 0
		if same == c.parts {
			t.Errorf("%s: the same: %v: %v, %v", name, same, summary(with), with.Warnings)
		}
	}
	ref, _ := refconfig.Load(
		folder(map[string]string{"in/a.yaml": "kind: A\n", "in/tests/x/b.yaml": "kind: B\n"}),
		"in",
		refconfig.LoadOptions{},
	)
	if len(ref.Templates) != 2 {
		t.Errorf("a folder without an expectation is left out: %v", summary(ref))
	}
}
