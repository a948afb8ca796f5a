package acceptance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestStartUp limits what every run does before it reads its first file: what libraries allocate when
// they are loaded, and the files that it opens. The largest part is that of libraries for rules in CEL.
func TestStartUp(t *testing.T) {
	loading := exec.Command("validationTool", "version")
	loading.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := loading.CombinedOutput()
	must(err)
	total := 0
	for _, m := range regexp.MustCompile(`(?m)^init (\S+) .* (\d+) bytes,`).FindAllSubmatch(trace, -1) {
		n, err := strconv.Atoi(string(m[2]))
		must(err)
		total += n
	}
	if total < 100_000 || total > 1_300_000 { // 1,190 kB
		t.Errorf("libraries allocate %d bytes:\n%s", total, trace)
	}
}

// TestOpensAtStartUp lists the files that a comparison of one CR opens.
func TestOpensAtStartUp(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil || runtime.GOOS != "linux" {
		t.Skip("there is no strace")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"reference/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n",
		"reference/a.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
		"input/a.yaml":            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
	} {
		must(os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		must(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	run := exec.Command("strace", "-f", "-e", "trace=open,openat", "validationTool", "reference", "input")
	run.Dir = dir
	trace, err := run.CombinedOutput()
	if err != nil {
		t.Skipf("strace cannot run it: %v", err)
	}
	opened := regexp.MustCompile(`open(?:at)?\((?:AT_FDCWD, )?"([^"]+)"`).FindAllSubmatch(trace, -1)
	var of []string
	for _, m := range opened {
		of = append(of, string(m[1]))
	}
	own := slices.DeleteFunc(slices.Clone(of), func(name string) bool { return strings.HasPrefix(name, "/") })
	if want := 7; len(own) > want { // two folders each twice, and three files
		t.Errorf("%d opens of the reference and the input, more than %d: %s", len(own), want, own)
	}
	if n := len(of) - len(own); n > 12 { // the runtime, control groups, a library, the time zone
		t.Errorf("%d opens of other files: %s", n, fmt.Sprint(of))
	}
}
