package cli

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// losses returns the ways in which an input can lose the CR Widget app/w (v1): the files of the
// input in place of that of the CR.
func losses() map[string]map[string]string {
	const image = "must-gather.local.1/quay-io-x-sha256-aa/"
	widgets := image + "namespaces/app/core/widgets.yaml"
	status := func(reason, details string) map[string]string {
		return map[string]string{"w.json": fmt.Sprintf(
			`{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": %q, "details": {%s}}`, reason, details)}
	}
	packed := pack.Tar(pack.Entry{Name: "w.yaml", Data: widget})
	return map[string]map[string]string{
		"no apiVersion":               {"w.yaml": strings.Replace(widget, "apiVersion: v1\n", "", 1)},
		"a List that goes on":         {"w.yaml": "apiVersion: v1\nkind: WidgetList\nmetadata: {continue: abc}\nitems: []\n"},
		"encrypted":                   {"w.yaml": widget + "sops: {mac: x}\n"},
		"broken YAML":                 {"w.yaml": strings.Replace(widget, "}", "", 1)},
		"an archive cut off":          {"w.tar": string(packed[:len(packed)-1400])},
		"two in one":                  {"w.yaml": widget + widget},
		"forbidden":                   status("Forbidden", `"kind": "widgets"`),
		"timed out":                   status("Timeout", `"kind": "Widget", "name": "w"`),
		"a collector's empty file":    {widgets: ""},
		"a collector's broken file":   {widgets: strings.Replace(widget, "}", "", 1)},
		"a Status in its place":       {widgets: status("Unauthorized", "")["w.json"]},
		"a Table in its place":        {widgets: "apiVersion: meta.k8s.io/v1\nkind: Table\nrows: [{cells: [w]}]\n"},
		"a Table":                     {"w.yaml": "apiVersion: meta.k8s.io/v1\nkind: Table\nrows: [{cells: [w]}]\n"},
		"its namespace not collected": {image + "namespaces/other/core/widgets.yaml": "apiVersion: v1\nkind: WidgetList\nitems: []\n"},
	}
}

const widget = "apiVersion: v1\nkind: Widget\nmetadata: {name: w, namespace: app}\nspec: {bad: true}\n"

// TestLostCRMakesIncompleteInEveryRole loses a CR in every way, and checks that the result is incomplete
// whichever part the CR has in the reference: a template matches it, forbids it, or looks it up by a
// kind that it states or computes, in the input or in what it was before.
func TestLostCRMakesIncompleteInEveryRole(t *testing.T) {
	const thing = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a, namespace: x}\nspec: {v: 1}\n"
	looksUp := func(kind, name string) string {
		return thing + `{{ range lookupCRs "v1" ` + kind + ` "app" "` + name + `" }}{{ if .spec.bad }}` +
			`{{ violation "BAD" "spec.v" "x" }}{{ end }}{{ end }}` + "\n"
	}
	forbidden := "apiVersion: v1\nkind: Widget\nmetadata: {name: w, namespace: app}\n"
	roles := map[string]map[string]string{
		"optional":                 {"t.yaml": thing, "w.yaml": strings.Replace(widget, "true", "false", 1)},
		"forbidden":                {"t.yaml": thing, "no.yaml": forbidden},
		"one of several":           {"t.yaml": thing, "there.yaml": thing, "one.yaml": forbidden},
		"looked up":                {"t.yaml": looksUp(`"Widget"`, "w")},
		"looked up with others":    {"t.yaml": looksUp(`"Widget"`, "*")},
		"looked up by a made kind": {"t.yaml": looksUp(`(printf "%s" "Widget")`, "w")},
	}
	rules := map[string]string{"w.yaml": "anyOf", "no.yaml": "noneOf", "t.yaml": "allOf"}
	for role, files := range roles {
		reference := map[string]string{}
		components := ""
		if files["one.yaml"] != "" {
			components = "  - name: one\n    oneOf: [{path: there.yaml}, {path: one.yaml}]\n"
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			reference[name] = files[name]
			if rules[name] != "" && (name != "t.yaml" || components == "") {
				components += "  - name: c-" + name + "\n    " + rules[name] + ": [{path: " + name + "}]\n"
			}
		}
		reference["metadata.yaml"] = "apiVersion: v2\nparts:\n- name: p\n  components:\n" + components
		whole := pack.Folder(t, map[string]string{"a.yaml": thing, "w.yaml": widget})
		if status, out, errs := outcome(pack.Folder(t, reference), whole); status != 1 {
			t.Errorf("%s: with the CR, the exit status is %d\n%s%s", role, status, out, errs)
		}
		for way, lost := range losses() {
			if role == "optional" && way == "its namespace not collected" {
				continue // an optional CR may be absent
			}
			where := "thing.yaml"
			for name := range lost {
				if before, _, gathered := strings.Cut(name, "namespaces/"); gathered {
					where = path.Join(before, "namespaces/x/example.com/things/a.yaml")
				}
			}
			input := map[string]string{where: thing}
			maps.Copy(input, lost)
			status, out, errs := outcome(pack.Folder(t, reference), pack.Folder(t, input), "--nested")
			if status != 2 {
				t.Errorf("%s, %s: exit status %d\n%s%s", role, way, status, out, errs)
			}
		}
	}
	checks := pack.Folder(t, map[string]string{
		"metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: w.yaml}]}]}]\n",
		"w.yaml":        widget + `{{ with oldCR }}{{ violation "WAS" "spec.bad" "it was there" }}{{ end }}` + "\n",
	})
	now := pack.Folder(t, map[string]string{"w.yaml": widget})
	for way, lost := range losses() {
		lost["other.yaml"] = thing
		if status, out, errs := outcome(checks, now, "--nested", "--old", pack.Folder(t, lost)); status != 2 {
			t.Errorf("in --old, %s: exit status %d\n%s%s", way, status, out, errs)
		}
	}
}
