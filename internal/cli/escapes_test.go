package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// nasty has characters that a terminal or a viewer would act on, or does not draw: escape
// sequences, a bell, direction marks, characters without width, and a line separator; as YAML
// writes them between double quotes.
const nasty = `\e[2J\e]0;owned\a\u202e\u2066\u200b\u2028\x9b31m\u034f\u115f\u17b4\u3164\ufe01\ufff0\ufe0f\u2800\U00016fe4\U0001d159\U000e0100`

// nastyReference returns a reference with these characters in every place, and an input that makes
// the tool print them.
func nastyReference() map[string]string {
	n := nasty
	printed := `{{ "\x1b[2J\u202e\u200b\x9b31m" }}`
	return map[string]string{
		"ref/metadata.yaml": `apiVersion: v2
parts:
- name: "part ` + n + `"
  description: "about ` + n + `"
  components:
  - name: "component ` + n + `"
    description: "about ` + n + `"
    allOf:
    - path: good.yaml
      description: "about ` + n + `"
      config:
        perField:
        - {pathToKey: data.pattern, inlineDiffFunc: regex}
        - {pathToKey: data.groups, inlineDiffFunc: capturegroups}
    - path: fails.yaml
    - path: says.yaml
    - path: refuses.yaml
    - path: "missing` + "\u202e" + `.yaml"
      description: "about ` + n + `"
    - path: error.yaml
    - path: asks.yaml
    - path: broken.yaml
fieldsToOmit:
  defaultOmitRef: "list ` + n + `"
  items:
    "list ` + n + `":
    - pathToKey: "data.\"omitted ` + n + `\""
`,
		"ref/good.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good, namespace: app}\ndata:\n  mode: \"" + n + "\"\n  \"key " + n + "\": x\n  printed: \"a" + printed + "\"\n" +
			"  pattern: '\u202e[0-9]+'\n  groups: \"\\e[2Jx (?<g>[0-9]+)\"\n",
		"ref/fails.yaml":                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fails, namespace: app}\n{{ fail " + `"\x1b]0;no\a\u202e"` + " }}\ndata: {a: {{ fail .data.a }}}\n",
		"ref/codes.yaml":                "codes:\n  A-B: {title: \"title " + n + "\", cause: \"cause " + n + "\\n" + n + "\", triage: \"triage " + n + "\"}\n  A-C: {title: \"" + n + "\"}\n",
		"ref/says.yaml":                 "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: says, namespace: app}\ndata: {{ .data | toJson }}\n{{ violation \"A-B\" \"data.\\\"\\x1b[2J\\u202e\\\"\" .data.a }}{{ note \"A-C\" .data.text }}{{ note \"A-C\" \"data.a\" \"\\x1b]0;no\\a\\u202e\" }}\n",
		"ref/refuses.yaml":              "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: refuses, namespace: app}\n{{ doNotMatch " + `"\x1b]0;no\a\u202e"` + " }}\n",
		"ref/missing\u202e.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"gone " + n + "\", namespace: app}\n",
		"ref/error.yaml":                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: error, namespace: app}\n{{ semver .data.a }}{{ if .data }}{{ template " + `"\x1b[2J"` + " }}{{ end }}\n",
		"ref/asks.yaml":                 "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: asks, namespace: app}\ndata: {a: {{ index .data " + `"\x1b[2J\u202e"` + " }}, b: {{ lookupCRs \"v1\" \"ConfigMap\" \"*\" " + `"\x1b[2J"` + " | len }}}\n",
		"ref/broken.yaml":               "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: broken, namespace: app}\ndata: {{ " + `"{\x1b[2J: [\u202e"` + " }}\n",
		"in/all.yaml":                   nastyInput(),
		"in/a\x1b[2J\u202e.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"other " + n + "\", namespace: \"" + n + "\"}\n",
		"in/namespaces/b\x1b[2J\r.yaml": "kind: [\napiVersion: v1\n",
		"overrides.yaml":                "- kind: ConfigMap\n  name: good\n  type: mergepatch\n  reason: \"why " + n + "\"\n  patch: '{\"data\":{\"over\":\"" + `\u001b[2J\u202e` + "\"}}'\n- kind: ConfigMap\n  name: \"nobody " + n + "\"\n  type: mergepatch\n  reason: x\n  patch: '{}'\n",
	}
}

func nastyInput() string {
	var b strings.Builder
	for _, name := range []string{"good", "fails", "says", "refuses", "error", "asks", "broken"} {
		b.WriteString(
			"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: app}\ndata:\n  a: \"x " + nasty + "\"\n  \"in " + nasty + "\": \"" + nasty +
				"\"\n  pattern: \"" + nasty + "\"\n  groups: \"" + nasty + "x y\"\n  printed: \"b" + nasty + "\"\n  text: \"one" + nasty + "\\ntwo" + nasty + "\\n\"\n",
		)
	}
	b.WriteString("---\napiVersion: \"v1" + nasty + "\"\nkind: \"ConfigMap" + nasty + "\"\nmetadata: {name: x}\n")
	return b.String()
}

// TestNothingActsOnATerminal puts these characters into every place of a reference, an input and
// files of users, and checks all output.
func TestNothingActsOnATerminal(t *testing.T) {
	besideOthers(t)
	dir := t.TempDir()
	pack.Files(t, dir, nastyReference())
	ref, in, overrides := filepath.Join(dir, "ref"), filepath.Join(dir, "in"), filepath.Join(dir, "overrides.yaml")
	check := func(want string, args ...string) {
		t.Helper()
		_, out, errs := outcome(args...)
		checkQuiet(t, out+errs)
		if !strings.Contains(out+errs, want) {
			t.Errorf("%q: %q is nowhere: %.3000s", args, want, out+errs)
		}
	}
	for _, args := range variants() {
		if strings.Contains(strings.Join(args, " "), "always") {
			continue // colours are escape sequences, of the tool's own
		}
		if !slices.Contains(args, "--fail-on") {
			args = append(args, "--fail-on", "drift,missing,extra,unmatched")
		}
		check("202e", append(args, "--overrides", overrides, ref, in)...)
	}
	for _, format := range []string{"text", "json", "yaml"} {
		for _, subject := range []string{"ConfigMap", "good.yaml", "fails.yaml", "says.yaml", "error.yaml", "missing\u202e.yaml", "ConfigMap/app/asks", "ConfigMap/app/no\x1b[2J"} {
			check(
				"u",
				"explain-match",
				"--output",
				format,
				"--all-candidates",
				"--verbose",
				"--overrides",
				overrides,
				ref,
				in,
				subject,
			)
		}
	}
	check("rfc6902", "--output", "overrides", "--override-reason", "a\x1b[2J\u202e", "--verbose", ref, in)
	check("202e", "explain", "A-B", "--reference", ref)
	check("VT2064", "lint", "--compatible", ref)
	for _, args := range [][]string{
		{ref + "\x1b[2J", in}, {ref, in + "\x1b[2J\u202e"}, {"--output", "\x1b[2J", ref, in}, {"--limit", "\x1b[2J=1", ref, in}, {"--component", "\x1b[2J\u202e", ref, in},
		{"--\x1b[2J", ref, in}, {"--fail-on", "\x1b[2J\u202e", ref, in}, {"explain", "\x1b[2J\u202e"}, {"--diff-config", "\x1b[2J\u202e", ref, in},
		{"--overrides", filepath.Join(in, "a\x1b[2J\u202e.yaml"), ref, in}, {"--width", "\x1b[2J", ref, in}, {"explain-match", "--output", "\x1b[2J", ref, in, "x"},
	} {
		check("validationTool: ", args...)
	}
}

// TestNoFaultActsOnATerminal checks the errors about references that quote these characters.
func TestNoFaultActsOnATerminal(t *testing.T) {
	head := "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    anyOf:\n"
	cr := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	for what, files := range map[string]map[string]string{
		"a path":           {"ref/metadata.yaml": head + "    - path: \"" + nasty + "\"\n"},
		"an unknown key":   {"ref/metadata.yaml": head + "    - path: a.yaml\n    \"" + nasty + "\": x\n", "ref/a.yaml": cr},
		"a function":       {"ref/metadata.yaml": head + "    - path: a.yaml\n      config: {perField: [{pathToKey: data.a, inlineDiffFunc: \"" + nasty + "\"}]}\n", "ref/a.yaml": cr},
		"a field":          {"ref/metadata.yaml": head + "    - path: a.yaml\n      config: {perField: [{pathToKey: \"data.a" + nasty + "\", inlineDiffFunc: regex}]}\n", "ref/a.yaml": cr},
		"an expression":    {"ref/metadata.yaml": head + "    - path: a.yaml\n      config: {perField: [{pathToKey: data.a, inlineDiffFunc: regex}]}\n", "ref/a.yaml": cr + "data: {a: \"(" + nasty + "\"}\n"},
		"an action":        {"ref/metadata.yaml": head + "    - path: a.yaml\n", "ref/a.yaml": cr + "data: {a: {{ \x1b[2J\u202e }}}\n"},
		"a function's use": {"ref/metadata.yaml": head + "    - path: a.yaml\n", "ref/a.yaml": cr + "data: {a: {{ \u202eno }}}\n"},
		"broken YAML":      {"ref/metadata.yaml": head + "    - path: *\u202ea\n"},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			pack.Files(t, dir, files)
			pack.Files(t, dir, map[string]string{"in.yaml": cr})
			status, out, errs := outcome(filepath.Join(dir, "ref"), filepath.Join(dir, "in.yaml"))
			checkQuiet(t, out+errs)
			if status != 2 || !strings.Contains(errs, "the reference cannot be used") {
				t.Errorf("status %d: %s%s", status, out, errs)
			}
		})
	}
}
