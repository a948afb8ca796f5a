package cli

import (
	"archive/zip"
	"fmt"
	"math/rand"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"github.com/validationtool/validationtool/internal/pack"
)

// wanted is a ConfigMap that the reference of these tests has a template for.
func wanted(name, more string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\n  namespace: app\ndata:\n  mode: strict\n" + more
}

// holdings are inputs, without the good CR beside them, of which more than a share of 4 MiB would be held.
func holdings() map[string]map[string]string {
	noise := make([]byte, 3<<19)
	rand.New(rand.NewSource(1)).Read(noise)
	many, lists, reported := map[string]string{}, map[string]string{}, map[string]string{}
	for i := range 120 {
		many[fmt.Sprintf("c%03d.yaml", i)] = wanted(fmt.Sprintf("c%d", i), "  x: "+strings.Repeat("a", 15_000)+"\n")
	}
	for i := range 6 {
		var pods strings.Builder
		for j := range 500 {
			fmt.Fprintf(&pods, "- {apiVersion: v1, kind: Pod, metadata: {name: p%d-%d, namespace: n}}\n", i, j)
		}
		lists[fmt.Sprintf("l%d.yaml", i)] = "apiVersion: v1\nkind: List\nitems:\n" + pods.String()
	}
	for i := range 60 {
		var keys strings.Builder
		for j := range 300 {
			fmt.Fprintf(&keys, "  k%d: value\n", j)
		}
		reported[fmt.Sprintf("r%03d.yaml", i)] = wanted(fmt.Sprintf("r%d", i), keys.String())
	}
	inner := pack.Entry{Name: "z.yaml", Data: wanted("z", "")}
	return map[string]map[string]string{
		"many CRs":                     many,
		"a CR of many values":          {"v.yaml": wanted("v", "  l:\n"+strings.Repeat("  - a\n", 20_000))},
		"a document that is decoded":   {"d.yaml": "{apiVersion: v1, kind: Secret, metadata: {name: d}, data: [" + strings.Repeat("a,", 6_000) + "]}\n"},
		"identities of CRs":            lists,
		"a long report":                reported,
		"a long name of many findings": {"n.yaml": wanted(strings.Repeat("n", 100_000), numbered(300, func(i int) string { return fmt.Sprintf("  k%d: value\n", i) }))},
		"a large file":                 {"f.yaml": "kind: F\napiVersion: v1\nmetadata: {name: f}\nx: " + strings.Repeat("a", 3<<19) + "\n"},
		"a large file that is packed":  {"f.yaml.gz": string(pack.GZ([]byte("kind: F\napiVersion: v1\nmetadata: {name: f}\nx: " + strings.Repeat("a", 3<<19) + "\n")))},
		"a wide window":                {"w.tar.xz": string(pack.XZBy(xz.WriterConfig{DictCap: 2 << 20}, pack.Tar(inner)))},
		"a zip archive within another": {"w.tar.gz": string(pack.GZ(pack.Tar(pack.Entry{Name: "i.zip", Data: string(pack.Zip(zip.Store, inner, pack.Entry{Name: "noise", Data: string(noise)}))})))},
	}
}

// TestMemoryIsBounded: what is more than the limit ends with its code, the same whatever the scheduling is, and the rest is compared.
func TestMemoryIsBounded(t *testing.T) {
	for name, files := range holdings() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			pack.Files(t, filepath.Join(dir, "in"), files)
			pack.Files(t, dir, map[string]string{"in/a.yaml": wanted("a", "") + "  extra: a\n",
				"ref/metadata.yaml": "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    anyOf:\n    - path: cm.yaml\n",
				"ref/cm.yaml":       strings.Replace(wanted("X", ""), "X", "{{ .metadata.name }}", 1)})
			args := []string{"--nested", "--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in")}
			if status, out, errs := runIn(t, "", args...); status != 0 || strings.Contains(out, "VT5020") {
				t.Fatalf("with the default the exit status is %d: %.1000s", status, out+errs)
			}
			args = slices.Concat([]string{"--limit", "memory=4MiB"}, args)
			_, first, _ := runIn(t, "", args...)
			for _, processors := range []int{1, 4, 4, 4} {
				was := runtime.GOMAXPROCS(processors)
				status, out, errs := runIn(t, "", args...)
				runtime.GOMAXPROCS(was)
				if status != 2 || !strings.Contains(out, "VT5020") || out != first {
					t.Fatalf("%d processors: exit status %d, other than before: %t: %.2000s", processors, status, out != first, out+errs)
				}
			}
			var r reportOf
			must(readRun(first, &r))
			compared := false
			for _, c := range r.Comparisons {
				compared = compared || c.Object.Name == "a" && c.Error == nil
			}
			if !compared {
				t.Errorf("the CR beside it was not compared: %.1000s", first)
			}
		})
	}
}

// TestMemoryOfStreams: archives inside standard input are held until its end.
func TestMemoryOfStreams(t *testing.T) {
	noise := make([]byte, 3<<19)
	rand.New(rand.NewSource(1)).Read(noise)
	dir := t.TempDir()
	pack.Files(t, dir, agreeing())
	stream := string(pack.Tar(pack.Entry{Name: "good.tar", Data: string(pack.Tar(pack.Entry{Name: "good.yaml", Data: agreeing()["in/good.yaml"]}))},
		pack.Entry{Name: "large.tar", Data: string(pack.Tar(pack.Entry{Name: "noise", Data: string(noise)}))}))
	for limit, want := range map[string]int{"memory=4MiB": 2, "memory=2GiB": 0} {
		status, out, errs := runIn(t, stream, "--limit", limit, filepath.Join(dir, "ref"), "-")
		if status != want || strings.Contains(out, "VT5020") != (want == 2) {
			t.Errorf("%s: exit status %d: %.1000s", limit, status, out+errs)
		}
	}
}

// TestMemoryOfReferences: a small archive of links to a folder of large files is no large reference in memory, and one that is is refused.
func TestMemoryOfReferences(t *testing.T) {
	besideOthers(t)
	dir := t.TempDir()
	files := agreeing()
	entries := []pack.Entry{{Name: "good.yaml", Data: files["ref/good.yaml"]}, {Name: "big/b.yaml", Data: wanted("big", "  x: "+strings.Repeat("a", 1<<20)+"\n")}}
	for i := range 100 {
		entries = append(entries, pack.Entry{Name: fmt.Sprintf("l%d", i), Kind: '2', Link: "big"})
	}
	files["plain.tar.gz"] = string(pack.GZ(pack.Tar(entries...)))
	files["meta.tar.gz"] = string(pack.GZ(pack.Tar(append(entries, pack.Entry{Name: "metadata.yaml", Data: files["ref/metadata.yaml"]}, pack.Entry{Name: "more.yaml", Data: files["ref/more.yaml"]})...)))
	pack.Files(t, dir, files)
	status, out, errs := runIn(t, "", filepath.Join(dir, "plain.tar.gz"), filepath.Join(dir, "in"))
	if status != 2 || out != "" || strings.Count(errs, "VT5020") != 1 {
		t.Errorf("exit status %d: %.1000s", status, out+errs)
	}
	if status, out, errs := runIn(t, "", filepath.Join(dir, "meta.tar.gz"), filepath.Join(dir, "in")); status != 0 {
		t.Errorf("exit status %d: %.1000s", status, out+errs)
	}
}

// TestMemoryOfWhatReferencesDecode: a small file of a reference of which decoding takes much, and a template that prints such a text.
func TestMemoryOfWhatReferencesDecode(t *testing.T) {
	dir := t.TempDir()
	pack.Files(t, dir, map[string]string{"in/a.yaml": wanted("a", ""), "in/b.yaml": strings.Replace(wanted("b", ""), "app", "other", 1),
		"ref/metadata.yaml": "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    anyOf:\n    - path: cm.yaml\n    - path: much.yaml\n",
		"ref/cm.yaml":       strings.Replace(wanted("X", ""), "X", "{{ .metadata.name }}", 1),
		"ref/much.yaml":     strings.Replace(wanted("b", "  l: [{{ repeat 20000 \"a,\" }}]\n"), "app", "other", 1),
		"plain/p.yaml":      "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: app}, data: {l: [" + strings.Repeat("a,", 20_000) + "]}}\n"})
	status, out, errs := runIn(t, "", "--limit", "memory=16MiB", filepath.Join(dir, "plain"), filepath.Join(dir, "in"))
	if status != 2 || out != "" || strings.Count(errs, "VT5020") != 1 {
		t.Errorf("exit status %d: %.1000s", status, out+errs)
	}
	status, out, errs = runIn(t, "", "--limit", "memory=16MiB", "--output", "json", filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
	var r reportOf
	must(readRun(out, &r))
	if status != 2 || len(r.Comparisons) != 2 || r.Comparisons[0].Error != nil || !strings.Contains(out, "VT5020") {
		t.Errorf("exit status %d: %.1000s", status, out+errs)
	}
}

// TestALongTextIsNoManyValues: what comparing a CR takes follows its shape. One long text fits where many values of the same size do not.
func TestALongTextIsNoManyValues(t *testing.T) {
	dir := t.TempDir()
	const size = 3 << 20
	pack.Files(t, dir, map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    anyOf:\n    - path: cm.yaml\n      config: {ignore-unspecified-fields: true}\n",
		"ref/cm.yaml":       wanted("{{ .metadata.name }}", ""),
		"text.yaml":         wanted("a", "  x: "+strings.Repeat("some words ", size/11)+"\n"),
		"values.yaml":       wanted("a", "  x:\n"+strings.Repeat("  - some words\n", size/15/4))})
	for name, want := range map[string]int{"text.yaml": 0, "values.yaml": 2} {
		status, out, errs := runIn(t, "", "--limit", "memory=64MiB", filepath.Join(dir, "ref"), filepath.Join(dir, name))
		if status != want || strings.Contains(out, "VT5020") != (want == 2) {
			t.Errorf("%s: exit status %d: %.1000s", name, status, out+errs)
		}
	}
}
