package cli

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/pack"
)

// TestWorkIsBoundedByWhatWasGiven: a small file that unpacks to many CRs does not get the free steps of all of them. What is cut is told, and does not
// depend on the scheduling; the same CRs as they are get all.
func TestWorkIsBoundedByWhatWasGiven(t *testing.T) {
	const count = 1000
	var all strings.Builder
	for i := range count {
		fmt.Fprintf(&all, "---\napiVersion: v1\nkind: A\nmetadata:\n  name: n%06d\na: 1\n", i)
	}
	dir, packed := t.TempDir(), string(pack.GZ([]byte(all.String())))
	pack.Files(t, dir, map[string]string{"in.yaml": all.String(), "in.yaml.gz": packed, "folder/in.yaml.gz": packed, "plain/in.yaml": all.String(),
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n",
		"ref/a.yaml":        "apiVersion: v1\nkind: A\nmetadata:\n  name: {{ .metadata.name }}\na: 2\n"})
	args := func(input string, more ...string) []string {
		return append(more, "--limit", "work=50000", "--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, input))
	}
	for _, input := range []string{"in.yaml", "plain"} {
		if status, out, errs := runIn(t, "", args(input)...); status != 1 || strings.Contains(out, "VT5016") {
			t.Errorf("%s: exit status %d: %.500s", input, status, errs)
		}
	}
	if status, out, errs := runIn(t, all.String(), "--limit", "work=50000", "--output", "json", filepath.Join(dir, "ref"), "-"); status != 1 || strings.Contains(out, "VT5016") {
		t.Errorf("standard input: exit status %d: %.500s", status, errs)
	}
	for _, input := range []string{"in.yaml.gz", "folder"} {
		first := ""
		for _, processors := range []int{1, 2, 8} {
			before := runtime.GOMAXPROCS(processors)
			status, out, errs := runIn(t, "", args(input)...)
			runtime.GOMAXPROCS(before)
			if first == "" {
				first = out
			}
			if n := strings.Count(out, "VT5016"); status != 2 || n < count/10 || n > count-count/10 || out != first {
				t.Errorf("%s, %d processors: exit status %d, %d CRs beyond the limit, as with one processor: %v: %.500s", input, processors, status, n, out == first, errs)
			}
			if n := strings.Count(out, "unpack them"); n != 1 {
				t.Errorf("the way out is told %d times", n)
			}
		}
	}
	if status, out, _ := runIn(t, "", "--limit", "work=50000", filepath.Join(dir, "ref"), filepath.Join(dir, "in.yaml.gz")); status != 2 || strings.Count(out, "unpack them") != 2 {
		t.Errorf("exit status %d: the text tells what is cut %d times:\n%.3000s", status, strings.Count(out, "unpack them"), out)
	}
}

// TestMissingCRsAreWork: telling what clusters lack ends where the steps do; the clusters behind are incomplete, whatever the number of jobs is.
func TestMissingCRsAreWork(t *testing.T) {
	const clusters, templates = 30, 600
	files := map[string]string{"ref/metadata.yaml": "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    allOf:\n" +
		numbered(templates, func(i int) string { return fmt.Sprintf("    - path: t%d.yaml\n", i) })}
	for i := range templates {
		files[fmt.Sprintf("ref/t%d.yaml", i)] = fmt.Sprintf("apiVersion: v1\nkind: A\nmetadata: {name: t%d}\n", i)
	}
	var inputs []string
	dir := t.TempDir()
	for i := range clusters {
		name := fmt.Sprintf("c%02d.yaml", i)
		files[name] = fmt.Sprintf("apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {clusterID: id%02d}\n", i)
		inputs = append(inputs, filepath.Join(dir, name))
	}
	pack.Files(t, dir, files)
	run := func(more ...string) (int, string) {
		args := append(append(more, "--output", "json", filepath.Join(dir, "ref")), inputs...)
		status, out, _ := runIn(t, "", args...)
		return status, out
	}
	if status, out := run(); status != 1 || strings.Contains(out, "VT5016") {
		t.Errorf("with the default: exit status %d", status)
	}
	_, first := run("--limit", "work=100", "--jobs", "1")
	for _, jobs := range []string{"1", "3", "8"} {
		status, out := run("--limit", "work=100", "--jobs", jobs)
		if n := strings.Count(out, "VT5016"); status != 2 || n < 1 || n >= clusters || out != first {
			t.Errorf("%s jobs: exit status %d, %d of %d clusters are cut, as with one job: %v", jobs, status, n, clusters, out == first)
		}
	}
}
