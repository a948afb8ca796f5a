package lint

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/refconfig"
)

// lint checks a reference.
func lint(all fstest.MapFS, opt Options) *Document {
	ref, faults := refconfig.Load(all, ".", refconfig.LoadOptions{Unlisted: true})
	opt.Faults = faults
	return Reference(context.Background(), ref, opt)
}

// lines returns the findings in a reference without their messages.
func lines(all fstest.MapFS, opt Options) (lines []string) {
	for _, f := range lint(all, opt).Flaws {
		lines = append(lines, fmt.Sprintf("%s:%d: %s %s", f.File, f.Line, f.Severity, f.Code))
	}
	return lines
}

// TestFaultsAreFoundAtTheirLine makes mistakes in references, one at a time. The comment of an archive
// is the folder of the reference; each file is a mistake; "want" has the findings that it adds.
func TestFaultsAreFoundAtTheirLine(t *testing.T) {
	testkit.Each(t, "testdata/faults/*.txtar", func(t *testing.T, a *testkit.Archive) {
		folder := strings.TrimSpace(string(a.Comment))
		opt := Options{}
		if folder == "testdata/typed" {
			opt.Schemas = typedSchemas(t)
		}
		original := given.Files(t, folder)
		var got strings.Builder
		var known []Flaw
		show := func(name string, found *Document) {
			fmt.Fprintf(&got, "%s\n", name)
			for _, f := range found.Flaws {
				if !slices.Contains(known, f) {
					fmt.Fprintf(&got, "  %s:%d: %s %s %s\n", f.File, f.Line, f.Severity, f.Code, f.Message)
				}
			}
		}
		before := lint(original, opt)
		show("the reference itself", before)
		known = before.Flaws
		if checked := before.Schemas; checked != nil {
			fmt.Fprintf(&got, "  with schemas %q, without %q\n", checked.Kinds, checked.Without)
		}
		for _, file := range a.Files {
			if file.Name != "want" {
				show(file.Name, lint(given.Edited(t, original, string(file.Data)), opt))
			}
		}
		a.Want(t, "want", got.String())
	})
}

// TestNothingIsSaidOfSoundReferences: whatever is found in references that were written with care
// is listed here, and was read against the templates by hand.
func TestNothingIsSaidOfSoundReferences(t *testing.T) {
	overlap := []string{"policy-fast.yaml:0: warning VT2029"}
	for name, want := range map[string][]string{
		"quickstart": nil, "annotations": nil, "references/groups": nil, "references/inline": nil, "references/lookups": nil, "references/omit": nil,
		"references/templates": nil, "references/correlation": overlap, "config-connector": nil, "ran-du": {"sriov/SriovNetworkNodePolicyKernel.yaml:0: warning VT2029"},
	} {
		if got := lines(given.Files(t, "../../../examples/"+name+"/reference"), Options{}); !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", name, got, want)
		}
	}
	published := map[string][]string{
		"core": {"required/networking/multinetworkpolicy/multiNetworkPolicyAllowPortProtocol.yaml:13: warning VT2063"}, // two labels
		"hub": {"optional/cert-manager/certManagerCertificatePolicy.yaml:20: warning VT2091",
			"optional/logging/clusterLogForwarder.yaml:34: warning VT2091", "required/acm/observabilityMCO.yaml:35: warning VT2091"},
	}
	for _, name := range []string{"core", "hub"} {
		folder := "../../../../shared/conformance/references/" + name
		if _, err := os.Stat(folder); err != nil {
			continue // the published references are not everywhere
		}
		if got := lines(given.Files(t, folder), Options{Compatible: true}); !slices.Equal(got, published[name]) {
			t.Errorf("%s: found %q", name, got)
		}
	}
}

// TestCompatible: what kube-compare reads otherwise is said only where it is asked for.
func TestCompatible(t *testing.T) {
	for name, want := range map[string][]string{
		"quickstart":           {"settings.yaml:9: warning VT2064"},
		"references/lookups":   {"functions.tmpl:3: warning VT2064"},
		"references/omit":      {"metadata.yaml:8: warning VT2064"},
		"references/templates": {"radio.yaml:11: warning VT2064", "radio.yaml:18: warning VT2064"},
	} {
		if got := lines(given.Files(t, "../../../examples/"+name+"/reference"), Options{Compatible: true}); !slices.Equal(
			got, want,
		) {
			t.Errorf("%s: found %q, want %q", name, got, want)
		}
	}
}

// TestWhatIsNotKnownIsNotSaid: texts that look like faults, and are none.
func TestWhatIsNotKnownIsNotSaid(t *testing.T) {
	for name, template := range map[string]string{
		"a key in each of two branches":              "data:\n  {{- if .data.a }}\n  a: b\n  {{- else }}\n  a: c\n  {{- end }}\n",
		"text in a block":                            "data:\n  a: |\n    b: yes\n    b: yes\n   \n    - c\n",
		"values in quotes":                           "data:\n  a: \"true\"\n  b: '10'\n  c: 1.2.3\n  d: \"x\" # yes\n",
		"a value in two branches":                    "data:\n  a: {{ if .data.a }}yes{{ else }}no{{ end }}way\n",
		"a value that keeps its type":                "data:\n  a: {{ .data.a }}\n",
		"a function with quotes":                     "data:\n  a: {{ .data.a | lower | quote }}\n",
		"a variable that may have quotes":            "data:\n  {{- $x := quote .data.a }}\n  a: {{ $x | trim }}\n",
		"a key that is printed":                      "data:\n  {{ .data.name | default \"n\" }}: x\n  a: {{ .data.A }}\n",
		"keys that differ in case":                   "data:\n  a: {{ .data.A }}\n  A: b\n",
		"a refusal in a condition":                   "{{- if .data.b }}{{ doNotMatch \"b\" }}{{ end }}\n",
		"null":                                       "data:\n  a: null\n",
		"an anchor":                                  "data: &d\n  a: YQ==\nbinaryData: *d\n",
		"braces":                                     "data: {a: b, c: 'd'}\n",
		"braces over lines":                          "data: {a: b,\n  b: 'yes',\n  c: d}\n",
		"a second document":                          "data:\n  a: b\n# ---\n",
		"JSONPath in a block and in quotes":          "data:\n  a: |\n    b: { .metadata.name }\n  b: \"{ .spec.x }\"\n  c: -o={.status}\n",
		"an empty default":                           "data:\n  a: {{ default .data.b \"\" | quote }}\n",
		"a default that may apply":                   "data:\n  a: {{ .data.a | default \"x\" | default .data.b | quote }}\n",
		"values in braces that keep their type":      "data: {a: {{ .data.a }}, b: 'yes', c: {{ eq .kind \"A\" }}, d: \"1\"}\n",
		"a map in braces":                            "data: { a.b: c }\n",
		"a key called Values":                        "data:\n  Values: {{ .data.Values }}\n",
		"keys of a free map, where more are printed": "data:\n  a: {{ .data.A }}\n  {{- if .data.more }}\n  {{- .data.more | toYaml | nindent 2 }}\n  {{- end }}\n",
		"a definition by another name":               "data:\n  a: {{ include (printf \"%s\" \"x\") . | quote }}\n{{- define \"x\" }}y{{ end }}\n",
	} {
		all := fstest.MapFS{
			"metadata.yaml": {
				Data: []byte(
					"apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml, config: {ignore-unspecified-fields: true}}]}]}]\n",
				),
			},
			"a.yaml": {Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n" + template)},
		}
		if got := lines(all, Options{}); len(got) > 0 {
			t.Errorf("%s: found %q in\n%s", name, got, all["a.yaml"].Data)
		}
	}
}

// TestInsideABlockIsAsOutside: what is wrong with a field is wrong in the item of a loop and in the
// branch of a condition too. Each line has the code of its fault, and its manner of comparison.
func TestInsideABlockIsAsOutside(t *testing.T) {
	for fault, want := range map[string]struct{ code, perField string }{
		`"[0-9+ ("`:               {"VT2027", "inlineDiffFunc: regex"},
		"-n (?<domain>[0-9]+":     {"VT2050", "inlineDiffFunc: capturegroups"},
		"7":                       {"VT2026", "inlineDiffFunc: regex"},
		`"{a: ["`:                 {"VT2106", "embedded: yaml"},
		"many":                    {"VT2111", "quantity: true"},
		"x:v(?<v>[0-9]+)":         {"VT2068", ""},
		"^(a|b)$":                 {"VT2068", ""},
		"{ .spec.a }":             {"VT2043", ""},
		"{{ .spec.a.b | indnt }}": {"VT2016", ""},
	} {
		for place, template := range map[string]string{
			"a map":             "spec:\n  a:\n  - b: FAULT\n",
			"a loop":            "spec:\n  a:\n  {{- range .spec.a }}\n  - c: {{ .c }}\n    b: FAULT\n  {{- end }}\n",
			"a condition":       "spec:\n  a:\n  {{- if .spec.c }}\n  - b: FAULT\n  {{- end }}\n",
			"a with":            "spec:\n  a:\n  {{- with .spec.c }}\n  - b: FAULT\n    c: {{ .d }}\n  {{- end }}\n",
			"an else":           "spec:\n  a:\n  {{- if .spec.c }}\n  - b: x\n  {{- else }}\n  - b: FAULT\n  {{- end }}\n",
			"a comparison":      "spec:\n  a:\n  {{- if eq .spec.c \"d\" }}\n  - b: FAULT\n  {{- end }}\n",
			"a loop in a loop":  "spec:\n  a:\n  {{- range .spec.c }}{{ range .d }}\n  - b: FAULT\n  {{- end }}{{ end }}\n",
			"a loop over a map": "spec:\n  a:\n  {{- range $k, $v := .spec.c }}\n  - c: {{ $k }}{{ $v }}\n    b: FAULT\n  {{- end }}\n",
		} {
			metadata := "apiVersion: v2\nparts:\n- name: a\n  components:\n  - name: a\n    allOf:\n    - path: t.yaml\n"
			if want.perField != "" {
				metadata += "      config:\n        perField:\n        - pathToKey: spec.a.*.b\n          " + want.perField + "\n"
			}
			got := lines(fstest.MapFS{
				"metadata.yaml": {Data: []byte(metadata)},
				"t.yaml": {Data: []byte("apiVersion: example.com/v1\nkind: Clock\nmetadata: {name: a, namespace: b}\n" +
					strings.Replace(template, "FAULT", fault, 1))},
			}, Options{})
			if !slices.ContainsFunc(got, func(line string) bool { return strings.HasSuffix(line, " "+want.code) }) {
				t.Errorf("%s in %s: found %q, want %s", fault, place, got, want.code)
			}
		}
	}
}
