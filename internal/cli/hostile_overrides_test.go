package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/pack"
)

// TestOverridesAreBounded: what overrides, lists of omitted fields and other files beside an input take ends at a limit, and allocates little.
func TestOverridesAreBounded(t *testing.T) {
	const plainRef = "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    anyOf:\n    - path: t.yaml\n"
	base := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: a}\n"
	wide := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + numbered(3000, func(i int) string { return fmt.Sprintf("  k%d: {a: {b: [1]}}\n", i) })
	override := func(kind, patch string) string {
		return fmt.Sprintf("- {kind: ConfigMap, name: a, type: %s, reason: r, patch: %q}\n", kind, patch)
	}
	doubling := func(i int) string { return fmt.Sprintf(`,{"op":"copy","from":"/data","path":"/data/k%d"}`, i) }
	for name, c := range map[string]struct {
		overrides, in, metadata, code string
	}{
		"copies that double": {code: "VT4008", overrides: override("rfc6902", `[{"op":"add","path":"/data/l","value":"`+strings.Repeat("x", 1000)+`"}`+
			numbered(40, doubling)+"]")},
		"copies of one override that the next copies": {code: "VT5020", in: wide, overrides: numbered(40, func(i int) string {
			return override("rfc6902", "["+doubling(i)[1:]+"]")
		})},
		"many operations": {code: "VT5016", in: wide, overrides: override("rfc6902", "["+strings.Repeat(`{"op":"add","path":"/x","value":1},`, 10_500)+
			`{"op":"test","path":"/kind","value":"ConfigMap"}]`)},
		"templates that loop": {code: "VT5016", overrides: strings.Repeat(override("go-template",
			`{{ range until 100000 }}{{ end }}{type: mergepatch, patch: {data: {x: b}}}`), 100)},
		"many for a large CR": {code: "VT5016", in: wide, overrides: strings.Repeat(override("mergepatch", `{"data":{"x":"b"}}`), 2000)},
		"wildcards for a large CR": {code: "VT5016", in: wide, metadata: plainRef + "      config: {fieldsToOmitRefs: [all]}\nfieldsToOmit:\n  items:\n    all:\n" +
			numbered(3000, func(i int) string { return fmt.Sprintf("    - pathToKey: data.*.*.*.z%d\n", i) })},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			files := map[string]string{"ref/metadata.yaml": plainRef, "ref/t.yaml": base, "in/a.yaml": strings.Replace(base, "x: a", "x: c", 1), "o.yaml": c.overrides}
			if c.in != "" {
				files["in/a.yaml"] = c.in
			}
			if c.metadata != "" {
				files["ref/metadata.yaml"] = c.metadata
			}
			pack.Files(t, dir, files)
			before := allocated()
			status, out, errs := runIn(t, "", "--limit", "work=5000000", "--limit", "memory=256MiB", "--overrides", filepath.Join(dir, "o.yaml"),
				"--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
			if status != 2 || !strings.Contains(out, c.code) {
				t.Errorf("exit status %d, without %s: %.500s", status, c.code, out+errs)
			}
			if used := (allocated() - before) >> 20; used > 600 {
				t.Errorf("it allocated %d MiB", used)
			}
		})
	}
}

// TestWhatPeopleWriteIsBounded: a diff config and overrides are refused where they are larger than a file of a reference may be.
func TestWhatPeopleWriteIsBounded(t *testing.T) {
	dir := t.TempDir()
	pack.Files(t, dir, map[string]string{"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: t.yaml}]}]}]\n",
		"ref/t.yaml": config("a"), "in/a.yaml": config("a"), "large.yaml": strings.Repeat("# x\n", 3000)})
	for _, option := range []string{"--overrides", "--diff-config", "--impact"} {
		status, out, errs := runIn(t, "", "--limit", "reference=4KiB", option, filepath.Join(dir, "large.yaml"), filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
		if status != 2 || !strings.Contains(errs, "larger than 4096 bytes") {
			t.Errorf("%s: exit status %d: %s", option, status, out+errs)
		}
	}
}

// TestManyDifferencesUnderAnOverride: telling what an override accepts takes work as there are differences, not as their square.
func TestManyDifferencesUnderAnOverride(t *testing.T) {
	var used [2]uint64
	for at, n := range []int{300, 3000} {
		dir := t.TempDir()
		data := func(value string) string {
			return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + numbered(n, func(i int) string { return fmt.Sprintf("  k%d: %s\n", i, value) })
		}
		pack.Files(t, dir, map[string]string{"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: t.yaml}]}]}]\n",
			"ref/t.yaml": data("a"), "in/a.yaml": data("b"), "o.yaml": "- {kind: ConfigMap, name: a, type: mergepatch, reason: r, patch: '{\"data\":{\"k0\":\"b\"}}'}\n"})
		before := allocated()
		runIn(t, "", "--show-suppressed", "--output", "json", "--overrides", filepath.Join(dir, "o.yaml"), filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
		used[at] = allocated() - before
	}
	if used[1] > 15*used[0] {
		t.Errorf("ten times the differences allocate %d bytes rather than %d", used[1], used[0])
	}
}
