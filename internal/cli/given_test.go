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
			if n := strings.Count(out, "unpack them"); n != 2 { // for CRs that are given up, and for those that are set aside
				t.Errorf("the way out is told %d times", n)
			}
		}
	}
	if status, out, _ := runIn(t, "", "--limit", "work=50000", filepath.Join(dir, "ref"), filepath.Join(dir, "in.yaml.gz")); status != 2 || strings.Count(out, "unpack them") != 3 {
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
	_, first := run("--limit", "work=100000", "--jobs", "1")
	for _, jobs := range []string{"1", "3", "8"} {
		status, out := run("--limit", "work=100000", "--jobs", jobs)
		if n := strings.Count(out, "VT5016"); status != 2 || n < 1 || n >= clusters || out != first {
			t.Errorf("%s jobs: exit status %d, %d of %d clusters are cut, as with one job: %v", jobs, status, n, clusters, out == first)
		}
	}
}

// TestCRsOfASmallFileAreSetAside: of a small file that unpacks to very many CRs those are counted for whose reading there are no steps. None of
// them is called missing.
func TestCRsOfASmallFileAreSetAside(t *testing.T) {
	const count = 3000
	var all strings.Builder
	for i := range count {
		fmt.Fprintf(&all, "---\napiVersion: v1\nkind: A\nmetadata:\n  name: n%06d\n", i)
	}
	all.WriteString("---\napiVersion: v1\nkind: B\nmetadata:\n  name: last\n")
	dir := t.TempDir()
	pack.Files(t, dir, map[string]string{"in.yaml": all.String(), "in.yaml.gz": string(pack.GZ([]byte(all.String()))),
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}, {path: b.yaml}]}]}]\n",
		"ref/a.yaml":        "apiVersion: v1\nkind: A\nmetadata:\n  name: {{ .metadata.name }}\n",
		"ref/b.yaml":        "apiVersion: v1\nkind: B\nmetadata:\n  name: last\n"})
	args := func(input string) []string {
		return []string{"--limit", "work=50000", "--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, input)}
	}
	if status, out, errs := runIn(t, "", args("in.yaml")...); status != 0 || strings.Contains(out, "VT5016") {
		t.Errorf("as it is: exit status %d: %.500s", status, errs)
	}
	first := ""
	for _, processors := range []int{1, 8} {
		before := runtime.GOMAXPROCS(processors)
		status, out, errs := runIn(t, "", args("in.yaml.gz")...)
		runtime.GOMAXPROCS(before)
		if first == "" {
			first = out
		}
		var r reportOf
		must(readRun(out, &r))
		if told := len(r.Comparisons); status != 2 || told < 20 || told > count/2 || !strings.Contains(out, `"rules": []`) || out != first ||
			!strings.Contains(out, fmt.Sprintf("%d CRs were set aside", count+1-told)) {
			t.Errorf("%d processors: exit status %d, %d CRs are told of, as before: %v: %.300s", processors, status, told, out == first, errs)
		}
	}
}

// TestWhatIsSetAsideIsTheSameForAnyJobs: clusters that are compared before it is known how many steps there are for them come to the same.
func TestWhatIsSetAsideIsTheSameForAnyJobs(t *testing.T) {
	files := map[string]string{"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n",
		"ref/a.yaml": "apiVersion: v1\nkind: A\nmetadata:\n  name: {{ .metadata.name }}\n"}
	dir := t.TempDir()
	var inputs []string
	for c := range 6 {
		text := fmt.Sprintf("apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {clusterID: id-%d}\n", c) +
			numbered(150, func(i int) string { return fmt.Sprintf("---\napiVersion: v1\nkind: A\nmetadata:\n  name: n%06d\n", i) })
		name := fmt.Sprintf("in%d.yaml.gz", c)
		files[name] = string(pack.GZ([]byte(text)))
		inputs = append(inputs, filepath.Join(dir, name))
	}
	pack.Files(t, dir, files)
	first := ""
	for _, jobs := range []string{"1", "3", "8"} {
		status, out, errs := runIn(t, "", append([]string{"--limit", "work=30000", "--jobs", jobs, "--output", "json", filepath.Join(dir, "ref")}, inputs...)...)
		if first == "" {
			first = out
		}
		if n := strings.Count(out, "set aside"); status != 2 || n < 1 || n > 5 || out != first {
			t.Errorf("%s jobs: exit status %d, of %d clusters something is set aside, as before: %v: %.300s", jobs, status, n, out == first, errs)
		}
	}
}
