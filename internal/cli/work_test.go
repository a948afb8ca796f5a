package cli

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/pack"
)

// TestWorkIsBounded: where comparing all CRs takes more steps than there are, the first of them are compared, whatever the scheduling is,
// and the others say why not.
func TestWorkIsBounded(t *testing.T) {
	configMap := func(name, data string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %q}\ndata: {a: %s}\n", name, data)
	}
	loop := `"{{ range until 30000 }}{{ end }}x"`
	for name, templates := range map[string][]string{
		"many templates":           slicesOf(40, func(i int) string { return configMap("{{ .metadata.name }}", fmt.Sprint("x", i)) }),
		"a slow template":          {configMap("{{ .metadata.name }}", loop)},
		"a template of much text":  {configMap("{{ .metadata.name }}", `{{ range until 600 }}{{ print "\n  k" . }}: v{{ end }}`)},
		"one that takes it all":    {configMap("{{ .metadata.name }}", `"{{ if ge .metadata.name "c12" }}{{ range until 200000 }}{{ end }}{{ end }}x"`)},
		"a regular expression":     {configMap("{{ .metadata.name }}", `{{ regexMatch "(a?){400}(a?){400}b" (repeat 200 "a") }}`)},
		"a slow one that fails":    {configMap("{{ .metadata.name }}", loop+`{{ fail "no" }}`)},
		"a slow one that errs":     {configMap("{{ .metadata.name }}", loop) + "{{ .metadata.name.x.y }}"},
		"a slow one that bows out": {configMap("{{ .metadata.name }}", loop) + `{{ doNotMatch "not this one" }}`, configMap("{{ .metadata.name }}", "x")},
	} {
		t.Run(name, func(t *testing.T) {
			dir, paths := t.TempDir(), ""
			files := map[string]string{}
			for i, text := range templates {
				paths += fmt.Sprintf("    - path: t%d.yaml\n", i)
				files[fmt.Sprintf("ref/t%d.yaml", i)] = text
			}
			files["ref/metadata.yaml"] = "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    anyOf:\n" + paths
			for i := range 30 {
				files[fmt.Sprintf("in/c%02d.yaml", i)] = configMap(fmt.Sprintf("c%02d", i), "y")
			}
			files["in/other.yaml"] = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n" // no template is for it
			pack.Files(t, dir, files)
			args := []string{"--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in")}
			if _, out, errs := runIn(t, "", args...); strings.Contains(out, "VT5016") {
				t.Fatalf("with the default: %.1000s", out+errs)
			}
			args = append([]string{"--limit", "work=400000"}, args...)
			first := ""
			for _, processors := range []int{1, 2, 8} {
				before := runtime.GOMAXPROCS(processors)
				status, out, _ := runIn(t, "", args...)
				runtime.GOMAXPROCS(before)
				if first == "" {
					first = out
				}
				if n := beyondLimit(out); status != 2 || n < 10 || n > 29 || out != first {
					t.Errorf("%d processors: exit status %d, %d CRs beyond the limit, as with one processor: %v", processors, status, n, out == first)
				}
			}
		})
	}
}

// beyondLimit counts the CRs for which no steps were left, without the alarms that say so of all of them.
func beyondLimit(out string) int {
	return strings.Count(out, "VT5016") - strings.Count(out, " given up: comparing")
}

func slicesOf(n int, make func(i int) string) (all []string) {
	for i := range n {
		all = append(all, make(i))
	}
	return all
}

// TestValuesThatAliasesRepeatAreWork: CRs of a few kilobytes with many values count by these, and so does what a template prints.
func TestValuesThatAliasesRepeatAreWork(t *testing.T) {
	aliased := "a: &a [" + strings.Repeat("1,", 100) + "]\nb: [" + strings.Repeat("*a,", 100) + "]\n"
	for name, c := range map[string]struct{ template, input string }{"CRs": {"", aliased}, "templates": {"{{ if .x }}" + aliased + "{{ end }}", "x: 1\n"}} {
		t.Run(name, func(t *testing.T) { valuesThatAliasesRepeat(t, c.template, c.input) })
	}
}

func valuesThatAliasesRepeat(t *testing.T, template, input string) {
	files := map[string]string{"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: t.yaml, config: {ignore-unspecified-fields: true}}]}]}]\n",
		"ref/t.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"{{ .metadata.name }}\"}\n" + template}
	for i := range 20 {
		files[fmt.Sprintf("in/c%02d.yaml", i)] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%02d}\n", i) + input
	}
	dir := t.TempDir()
	pack.Files(t, dir, files)
	status, out, errs := runIn(t, "", "--limit", "work=1000000", "--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
	if n := strings.Count(out, "VT5016"); status != 2 || n < 5 || n > 18 {
		t.Errorf("exit status %d, %d CRs beyond the limit: %.500s", status, n, errs)
	}
}

// TestValuesThatAliasesRepeatTakeMemory: a CR of less than a kilobyte takes as much room as its values do.
func TestValuesThatAliasesRepeatTakeMemory(t *testing.T) {
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	lists := "a: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n"
	dir := t.TempDir()
	pack.Files(t, dir, map[string]string{"ref/a.yaml": head, "in/a.yaml": head + lists})
	status, out, _ := runIn(t, "", "--limit", "memory=200MiB", filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
	if status != 2 || !strings.Contains(out, "VT5020") {
		t.Errorf("exit status %d: %.500s", status, out)
	}
	if status, out, _ = runIn(t, "", filepath.Join(dir, "ref"), filepath.Join(dir, "in")); status == 2 {
		t.Errorf("with the defaults: exit status %d: %.500s", status, out)
	}
}

// TestFunctionsOfFieldsAndOmittedFieldsAreWork: what inline diff functions match, and how many fields are left out, counts.
func TestFunctionsOfFieldsAndOmittedFieldsAreWork(t *testing.T) {
	perField := func(function string) string {
		return "{perField: [{pathToKey: data.a, inlineDiffFunc: " + function + "}]}"
	}
	for name, c := range map[string]struct {
		config, omit, data string
		length             int
	}{
		"regex":         {perField("regex"), "", "((a?){100}){9}b", 700},
		"capturegroups": {perField("capturegroups"), "", strings.Repeat("(?<x>a*)", 100) + "b", 2000},
		"omitted": {"{fieldsToOmitRefs: [all]}", "fieldsToOmit:\n  items:\n    all:\n" + numbered(45_000, func(i int) string {
			return fmt.Sprintf("    - pathToKey: data.b%d\n", i)
		}), "x", 20},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"ref/t.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"{{ .metadata.name }}\"}\ndata: {a: \"" + c.data + "\"}\n",
				"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: t.yaml, config: " + c.config + "}]}]}]\n" + c.omit}
			for i := range 20 {
				files[fmt.Sprintf("in/c%02d.yaml", i)] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%02d}\ndata: {a: %s}\n", i, strings.Repeat("a", c.length))
			}
			dir := t.TempDir()
			pack.Files(t, dir, files)
			status, out, errs := runIn(t, "", "--limit", "work=2000000", "--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
			if n := strings.Count(out, "VT5016"); status != 2 || n < 2 || n > 19 {
				t.Errorf("exit status %d, %d CRs beyond the limit: %.500s", status, n, errs)
			}
		})
	}
}

// TestFunctionsOfManyFieldsTakeWorkAsThereAreFields: a function at many fields of one map does not copy the map for each.
func TestFunctionsOfManyFieldsTakeWorkAsThereAreFields(t *testing.T) {
	var used [2]uint64
	for at, n := range []int{300, 3000} {
		dir := t.TempDir()
		data := func(value string) string {
			return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + numbered(n, func(i int) string { return fmt.Sprintf("  k%d: %q\n", i, value) })
		}
		pack.Files(t, dir, map[string]string{"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: t.yaml, config: " +
			"{perField: [{pathToKey: data.*, inlineDiffFunc: capturegroups}]}}]}]}]\n", "ref/t.yaml": data("(?<x>a+)b"), "in/a.yaml": data("aab")})
		before := allocated()
		if status, out, errs := runIn(t, "", "--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in")); status != 0 {
			t.Fatalf("exit status %d: %.500s", status, out+errs)
		}
		used[at] = allocated() - before
	}
	if used[1] > 15*used[0] {
		t.Errorf("ten times the fields allocate %d bytes rather than %d", used[1], used[0])
	}
}

// TestManyFindingsTakeWorkAsThereAre: what a template says of a CR is not copied, or looked for, for each finding anew.
func TestManyFindingsTakeWorkAsThereAre(t *testing.T) {
	for name, action := range map[string]string{"checks": `{{ fail (print "no" .) }}`, "checks of fields": "\nk{{ . }}: {{ fail (print .) }}", "keys": `{{ index $ (print .) }}`} {
		t.Run(name, func(t *testing.T) {
			var used [2]uint64
			for at, n := range []int{1000, 10_000} {
				dir := t.TempDir()
				pack.Files(t, dir, map[string]string{"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: t.yaml}]}]}]\n",
					"ref/t.yaml": fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n{{ range until %d }}%s{{ end }}\n", n, action),
					"in/a.yaml":  "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"})
				before := allocated()
				if status, out, errs := runIn(t, "", "--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in")); status != 1 {
					t.Fatalf("exit status %d: %.500s", status, out+errs)
				}
				used[at] = allocated() - before
			}
			if used[1] > 15*used[0] {
				t.Errorf("ten times the findings allocate %d bytes rather than %d", used[1], used[0])
			}
		})
	}
}

// TestNearestCRsAreBounded: looking for the nearest CRs counts as work, and does not take as long as there are pairs of CRs and templates.
func TestNearestCRsAreBounded(t *testing.T) {
	const n = 60
	config := func(name string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\ndata: {a: x}\n"
	}
	files, paths := map[string]string{}, ""
	for i := range n {
		paths += fmt.Sprintf("    - path: t%d.yaml\n", i)
		files[fmt.Sprintf("ref/t%d.yaml", i)] = config(fmt.Sprintf("a%d", i)) + "{{ range until 3000 }}{{ end }}"
		files[fmt.Sprintf("in/c%d.yaml", i)] = config(fmt.Sprintf("b%d", i))
	}
	files["ref/metadata.yaml"] = "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    allOf:\n" + paths
	dir := t.TempDir()
	pack.Files(t, dir, files)
	first := ""
	for _, processors := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(processors)
		status, out, _ := runIn(t, "", "--limit", "work=1000000", "--correlation", "nearest", "--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
		runtime.GOMAXPROCS(before)
		if first == "" {
			first = out
		}
		if compared := strings.Count(out, `"by": "nearest"`); status != 2 || !strings.Contains(out, "finding the nearest CRs") || compared == n || out != first {
			t.Errorf("%d processors: exit status %d, %d compared, as with one processor: %v", processors, status, compared, out == first)
		}
	}
	args := []string{"--correlation", "nearest", "--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in")}
	if _, out, _ := runIn(t, "", args...); strings.Contains(out, "VT5016") {
		t.Errorf("with the default: %.500s", out)
	}
}

// TestExplainingIsBounded: what explain-match compares counts as work, in all clusters together, and what is left out for it is told.
func TestExplainingIsBounded(t *testing.T) {
	files := map[string]string{"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: t.yaml}]}]}]\n",
		"ref/t.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"{{ .metadata.name }}\"}\n{{ range until 30000 }}{{ end }}"}
	for i := range 40 {
		files[fmt.Sprintf("in/%d/x.yaml", i/20)] += fmt.Sprintf("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d}\n", i)
	}
	dir := t.TempDir()
	pack.Files(t, dir, files)
	t.Chdir(dir)
	for _, subject := range []string{"ConfigMap", "t.yaml"} {
		status, out, errs := outcome("explain-match", "--limit", "work=300000", "--output", "json", "ref", "in", subject)
		if n := strings.Count(out, `"namespace": ""`) + strings.Count(out, `"name": "c`); !strings.Contains(out, "VT5016") || n > 100 {
			t.Errorf("%s: exit status %d, %d names, %.300s", subject, status, n, errs+out)
		}
		if _, out, _ := outcome("explain-match", "--output", "json", "ref", "in", subject); strings.Contains(out, "VT5016") {
			t.Errorf("%s, with the default: %.300s", subject, out)
		}
	}
}
