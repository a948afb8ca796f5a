package acceptance

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
)

// The tests in this file use the least memory that can be asked for, so each run is a process of its own.

// strictCR is a CR, and its template.
const strictCR = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: good, namespace: app}\ndata: {mode: strict}\n"

// inMemory runs the tool in a folder with a limit of memory, and returns its exit status and all that it writes.
func inMemory(t *testing.T, dir, limit string, args ...string) (status int, said string) {
	t.Helper()
	run := exec.Command("validationTool", append([]string{"--limit", "memory=" + limit}, args...)...)
	run.Dir = dir
	out, err := run.CombinedOutput()
	if run.ProcessState == nil {
		t.Fatal(err)
	}
	return run.ProcessState.ExitCode(), string(out)
}

// TestLargeTextsNeedMemory: a CR, or a document that is decoded as a whole, that is larger than a part
// of the memory is refused with a message before it is decoded, however it is written and packed. The
// largest that a server accepts is compared with the least memory.
func TestLargeTextsNeedMemory(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	with := func(size int) map[string]string {
		long := strings.Repeat("x", size)
		json := `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "` + long + `"}}`
		return map[string]string{
			"plain": head + "data:\n  k: " + long + "\n", "quoted": head + "data:\n  k: '" + long + "'\n",
			"block": head + "data:\n  k: |\n    " + long + "\n", "comment": head + "data: {}\n#" + long + "\n",
			"anchor": head + "data:\n  j: &a b\n  k: " + long + "\n  l: *a\n", "json": json,
			"list": `{"apiVersion": "v1", "kind": "List", "items": [` + json + `]}`,
		}
	}
	files := map[string]string{"cm/cm.yaml": head}
	for name, text := range with(8 << 20) {
		files["large-"+name] = string(pack.GZ([]byte(text)))
	}
	for name, text := range with(3 << 20) {
		files["small-"+name] = text
	}
	dir := pack.Folder(t, files)
	for name := range files {
		size, _, ok := strings.Cut(name, "-")
		if !ok {
			continue
		}
		status, said := inMemory(t, dir, "128MiB", "--limit", "line=1KiB", "cm", name)
		if refused := status == 2 && strings.Contains(said, string(code.LimitMemory)); refused != (size == "large") {
			t.Errorf("%s: exit status %d: %.2000s", name, status, said)
		}
	}
}

// TestReferenceNeedsMemory: an archive that holds a reference, which is kept in memory as a whole, may
// unpack to a quarter of the memory.
func TestReferenceNeedsMemory(t *testing.T) {
	t.Parallel()
	metadata := pack.Entry{Name: "metadata.yaml", Data: "parts:\n- name: p\n  components:\n  - name: c\n    type: Optional\n" +
		"    optionalTemplates:\n    - path: good.yaml\n"}
	entries := []pack.Entry{metadata, {Name: "good.yaml", Data: strictCR}}
	for i := range 3 {
		entries = append(entries, pack.Entry{Name: fmt.Sprint(i), Data: strings.Repeat("x", 11<<20)})
	}
	dir := pack.Folder(t, map[string]string{"ref.tar.gz": string(pack.GZ(pack.Tar(entries...))), "in/good.yaml": strictCR})
	for memory, want := range map[string]int{"128MiB": 2, "256MiB": 0} {
		status, said := inMemory(t, dir, memory, "ref.tar.gz", "in")
		if status != want || (want == 2) != strings.Contains(said, string(code.LimitUnpacked)) {
			t.Errorf("%s: exit status %d, want %d: %.2000s", memory, status, want, said)
		}
	}
}

// TestFoldersOfReferencesNeedMemory: the files of a reference in a folder, which are kept in memory as a
// whole, may have an eighth of the memory together, in both formats. One fault names the first file that
// is too much.
func TestFoldersOfReferencesNeedMemory(t *testing.T) {
	t.Parallel()
	files := map[string]string{"in/good.yaml": strictCR}
	long := "\n# " + strings.Repeat("x", 6<<20) + "\n"
	metadata := "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    allOf:\n"
	for i := range 4 {
		name := fmt.Sprintf("t%d.yaml", i)
		metadata += "    - path: " + name + "\n"
		files["listed/"+name], files["plain/"+name] = strictCR+long, strictCR+long
	}
	files["listed/metadata.yaml"] = metadata
	dir := pack.Folder(t, files)
	for reference := range map[string]bool{"listed": true, "plain": true} {
		for memory, want := range map[string]bool{"128MiB": true, "256MiB": false} {
			status, said := inMemory(t, dir, memory, reference, "in")
			message := reference + "/t2.yaml"
			if reference == "listed" {
				message = `"t2.yaml" was not read`
			}
			refused := strings.Contains(said, string(code.LimitMemory)) && strings.Contains(said, message) &&
				strings.Contains(said, "1 fault")
			if refused != want || want && status != 2 {
				t.Errorf("%s, %s: exit status %d: %.2000s", reference, memory, status, said)
			}
		}
	}
}
