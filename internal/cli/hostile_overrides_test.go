package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// TestWhatPeopleWriteIsBounded: a diff config and overrides are refused where they are larger than
// a file of a reference may be.
func TestWhatPeopleWriteIsBounded(t *testing.T) {
	dir := t.TempDir()
	pack.Files(t, dir, map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: t.yaml}]}]}]\n",
		"ref/t.yaml":        config("a"),
		"in/a.yaml":         config("a"),
		"large.yaml":        strings.Repeat("# x\n", 3000),
	})
	for _, option := range []string{"--overrides", "--diff-config", "--impact"} {
		status, out, errs := runIn(
			t,
			"",
			"--limit",
			"reference=4KiB",
			option,
			filepath.Join(dir, "large.yaml"),
			filepath.Join(dir, "ref"),
			filepath.Join(dir, "in"),
		)
		if status != 2 || !strings.Contains(errs, "larger than 4096 bytes") {
			t.Errorf("%s: exit status %d: %s", option, status, out+errs)
		}
	}
}

// TestManyDifferencesUnderAnOverride: telling what an override accepts takes work as there are
// differences, not as their square.
func TestManyDifferencesUnderAnOverride(t *testing.T) {
	var used [2]uint64
	for at, n := range []int{300, 3000} {
		dir := t.TempDir()
		data := func(value string) string {
			return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + numbered(
				n, func(i int) string { return fmt.Sprintf("  k%d: %s\n", i, value) },
			)
		}
		pack.Files(t, dir, map[string]string{
			"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: t.yaml}]}]}]\n",
			"ref/t.yaml":        data("a"),
			"in/a.yaml":         data("b"),
			"o.yaml":            "- {kind: ConfigMap, name: a, type: mergepatch, reason: r, patch: '{\"data\":{\"k0\":\"b\"}}'}\n",
		})
		before := allocated()
		runIn(
			t,
			"",
			"--show-suppressed",
			"--output",
			"json",
			"--overrides",
			filepath.Join(dir, "o.yaml"),
			filepath.Join(dir, "ref"),
			filepath.Join(dir, "in"),
		)
		used[at] = allocated() - before
	}
	if used[1] > 15*used[0] {
		t.Errorf("ten times the differences allocate %d bytes rather than %d", used[1], used[0])
	}
}
