package cli

import (
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestFaultsEndInOneList runs the command on every faulty reference, diff config and overrides file
// of refconfig's tests: the error stream must list all faults of all files, each with its code,
// location and message, without a report or a panic.
func TestFaultsEndInOneList(t *testing.T) {
	kinds := map[string]bool{}
	runs := 0
	for _, group := range []string{"faults", "diffconfig", "overrides"} {
		testkit.Each(t, "../../refconfig/testdata/"+group+"/*.txtar", func(t *testing.T, a *testkit.Archive) {
			var lines []string
			files := a.Texts()
			want, _ := a.Text("want")
			delete(files, "want")
			for line := range strings.Lines(want) {
				if rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "error "); ok {
					lines = append(lines, rest)
				}
			}
			if len(lines) == 0 {
				return
			}
			runs++
			stderr := runFaulty(t, group, files)
			for _, line := range lines {
				code, message, _ := strings.Cut(line, " ")
				kinds[code] = true
				if code == "VT2001" { // the command looks before the reference is loaded, and says it in its own words
					place, _, _ := strings.Cut(message, ": ")
					if strings.Contains(stderr, code+": "+place+": there is no such reference") {
						continue
					}
				}
				if !strings.Contains(stderr, "  "+message+" ("+code+")\n") {
					t.Errorf("not said: %s (%s)\nbut:\n%s", message, code, stderr)
				}
			}
		})
	}
	const leastKinds, leastRuns = 23, 50
	if len(kinds) < leastKinds || runs < leastRuns {
		t.Errorf("%d faulty files with %d codes are too few", runs, len(kinds))
	}
}

// runFaulty runs the command with a faulty file next to valid files, and returns the error stream.
func runFaulty(t *testing.T, group string, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	t.Chdir(root)
	good := map[string]string{
		"in/a.yaml":          "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n",
		"good/metadata.yaml": "parts:\n- name: p\n  components:\n  - name: c\n    type: Optional\n    optionalTemplates:\n    - path: a.yaml\n",
		"good/a.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n",
	}
	args := []string{"good", "in"}
	switch group {
	case "diffconfig":
		good["diff.yaml"] = files["diff.yaml"]
		args = append(args, "-c", "diff.yaml")
		for i, path := range strings.Fields(files["templates"]) {
			good["good/metadata.yaml"] += "    - path: " + path + "\n"
			good["good/"+path] = "apiVersion: v1\nkind: Kind" + string(rune('A'+i)) + "\n"
		}
	case "overrides":
		good["overrides.yaml"] = files["overrides.yaml"]
		args = append(args, "-p", "overrides.yaml")
	default:
		args[0] = "ref"
		if load, ok := files["load"]; ok {
			args[0] = "ref/" + strings.TrimSpace(load)
			delete(files, "load")
		}
		if err := os.Mkdir("ref", 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			good["ref/"+name] = text
		}
	}
	testkit.Files(t, ".", good)
	status, stdout, stderr := outcome(args...)
	if strings.Contains(stdout, "; name one of them. Nothing was compared (VT2001)\n") { // a table; other commands have none
		status, stdout, stderr = outcome("needs", args[0])
	}
	if status != exitUnreliable || stdout != "" || strings.Contains(stderr, "goroutine ") {
		t.Errorf("status %d, stdout %q, stderr:\n%s", status, stdout, stderr)
	}
	return stderr
}

// TestFaultsOfTemplates checks faults that only compiling the templates finds.
func TestFaultsOfTemplates(t *testing.T) {
	head := "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    anyOf:\n    - path: a.yaml\n"
	cr := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	for _, c := range []struct{ name, template, function, want string }{
		{"not closed", cr + "data:\n  a: {{ .x\n", "", `ref/a.yaml:6:6: the action has no end; write }} where it ends`},
		{"unknown function", cr + "data:\n  a: {{ nope .x }}\n", "", `ref/a.yaml:6:9: function "nope" not defined; did you mean "note"?`},
		{"environment", cr + "data:\n  a: {{ env \"HOME\" }}\n", "", `ref/a.yaml:6:9: function "env" not defined`},
		{"no end", cr + "{{ if .x }}\n", "", `ref/a.yaml:5:4: the if has no end`},
		{"end too many", cr + "{{ end }}\n", "", `ref/a.yaml:5`},
		{"else too many", cr + "{{ else }}\n", "", `ref/a.yaml:5`},
		{"unknown variable", cr + "data:\n  a: {{ $x }}\n", "", `ref/a.yaml:6: undefined variable "$x"`},
		{"unknown sign", cr + "data:\n  a: {{ .x ? }}\n", "", `ref/a.yaml:6`},
		{"string not closed", cr + "data:\n  a: {{ \"x }}\n", "", `ref/a.yaml:6`},
		{"undefined template", cr + "data:\n  a: {{ include \"nope\" . }}\n", "", `ref/a.yaml:6: the template "nope" that is called here is not defined`},
		{"undefined in a function file", cr + "data:\n  a: {{ include \"f\" . }}\n", "{{ define \"f\" }}\n{{ template \"nope\" }}{{ end }}", `ref/f.tmpl:2: the template "nope" that is called here is not defined`},
		{"no kind", "apiVersion: v1\nmetadata:\n  name: a\n", "", `ref/a.yaml:1: the template's kind cannot be known`},
		{"kind from the input", "apiVersion: v1\nkind: {{ .kind }}\n", "", `ref/a.yaml:1: the template's kind cannot be known`},
		{"a list", "- apiVersion: v1\n  kind: ConfigMap\n", "", `ref/a.yaml`},
		{"function file not closed", cr, "{{ define \"f\" }}x", `ref/f.tmpl:1`},
		{"function file with unknown function", cr, "{{ define \"f\" }}\n{{ nope }}{{ end }}", `ref/f.tmpl:2:4: function "nope" not defined`},
		{"function file defines twice", cr, "{{ define \"f\" }}a{{ end }}{{ define \"f\" }}b{{ end }}", `ref/f.tmpl:1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"metadata.yaml": head, "a.yaml": c.template}
			if c.function != "" {
				files["metadata.yaml"] += "templateFunctionFiles: [f.tmpl]\n"
				files["f.tmpl"] = c.function
			}
			stderr := runFaulty(t, "faults", files)
			if !strings.Contains(stderr, "  "+c.want) {
				t.Errorf("not said: %s\nbut:\n%s", c.want, stderr)
			}
			if !regexp.MustCompile(`\(VT20(16|17|18|19|42)\)`).MatchString(stderr) {
				t.Errorf("no code:\n%s", stderr)
			}
		})
	}
}
