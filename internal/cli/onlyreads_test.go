package cli

import (
	"archive/tar"
	"archive/zip"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// snapshot returns everything in a folder: names, modes, times and contents.
func snapshot(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must(filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		text := ""
		if err == nil && info.Mode().IsRegular() {
			text = read(t, p)
		}
		all[p] = fmt.Sprintf("%v %v %q", info.Mode(), info.ModTime(), text)
		return err
	}))
	return all
}

// TestNothingIsWritten runs commands in a folder, with archives that try to write outside of it and
// into it. The folder, the folder for temporary files and the home must stay the same.
func TestNothingIsWritten(t *testing.T) {
	dir := t.TempDir()
	bomb := pack.Tar(
		pack.Entry{Name: "../up.yaml", Data: config("up")},
		pack.Entry{Name: filepath.Join(dir, "abs.yaml"), Data: config("abs")},
		pack.Entry{Name: "in/good.yaml", Data: config("good")},
		pack.Entry{Name: "in.tar", Data: string(pack.Tar(pack.Entry{Name: "../../x.yaml", Data: config("x")}))},
	)
	pack.Files(t, dir, map[string]string{"tmp/x": "", "home/x": ""})
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
	t.Setenv("HOME", filepath.Join(dir, "home"))
	agreeing(t, map[string]string{
		"work/x.txt":                "x",
		"ref/tests/one/expect.yaml": "verdict: drift\n",
		"ref/tests/one/input.yaml":  config("good"),
		"in/bomb.tar.gz":            string(pack.GZ(bomb)),
		"in/bomb.zip":               string(pack.Zip(zip.Deflate, pack.Entry{Name: "../../up.yaml", Data: config("up")})),
		"in/broken.yaml":            "kind: [\napiVersion: v1\n",
		"diff.yaml":                 "correlationSettings:\n  manualCorrelation:\n    correlationPairs:\n      v1_ConfigMap_app_x: good.yaml\n",
		"overrides.yaml":            "- kind: ConfigMap\n  type: mergepatch\n  reason: x\n  patch: '{\"data\":{\"mode\":\"strict\"}}'\n",
	})
	t.Chdir("work")
	before, outside := snapshot(t, ".."), snapshot(t, dir)
	for _, line := range []string{
		"../ref ../in", "--nested --verbose --all-resources --timings ../ref ../in", "-o json ../ref ../in", "-o yaml ../ref ../in",
		"-o overrides --override-reason x ../ref ../in", "--overrides ../overrides.yaml ../ref ../in",
		"--diff-config ../diff.yaml ../ref ../in", "--limit unpacked=1KiB --nested ../ref ../in", "../ref -",
		"explain-match ../ref ../in ConfigMap", "explain VT5001", "test ../ref", "version",
		"inspect --values-stub ../ref", "render -o - ../ref", "render --check ../in ../ref",
		"../in/bomb.tar.gz ../in",
	} {
		if status, out, errs := fed(string(pack.GZ(bomb)), strings.Fields(line)...); status > 2 || out+errs == "" && !strings.Contains(line, "render") {
			t.Errorf("%q: exit status %d", line, status)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, "..")) + cmp.Diff(outside, snapshot(t, dir)); diff != "" {
		t.Errorf("something was changed (-before +after):\n%s", diff)
	}
	// Where a report cannot be written, or there is none, what was there stays.
	typed("-o text=x.txt -o json=../none/report.json ../ref ../in")
	typed("-o json=report.json ../ref ../none")
	left, err := os.ReadDir(".")
	if text := read(t, "x.txt"); err != nil || len(left) != 1 || text != "x" {
		t.Errorf("there is %v, %q, want x.txt alone, as it was", left, text)
	}
}

// link makes links, and skips the test if the system has none.
func link(t *testing.T, targets map[string]string) {
	t.Helper()
	for name, target := range targets {
		if err := os.Symlink(target, name); err != nil {
			t.Skip(err)
		}
	}
}

// TestNoLinkLeadsOut checks that a link in an input or a reference shows no content from outside.
func TestNoLinkLeadsOut(t *testing.T) {
	const canary = "cnryOUTSIDE"
	const inside = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: app}\ndata: {mode: " + canary + "}\n"
	const metadata = "parts:\n- name: p\n  components:\n  - name: c\n    type: Optional\n    optionalTemplates:\n    - path: good.yaml\n"
	agreeing(t, map[string]string{
		"outside.yaml":         fmt.Sprintf(inside, "good"),
		"outside/x.yaml":       fmt.Sprintf(inside, "x"), // Of a name that is passed over, so that a link would give it one.
		"outside.conf":         fmt.Sprintf(inside, canary),
		"folder/good.yaml":     strictCR,
		"linked/metadata.yaml": metadata,
	})
	link(t, map[string]string{
		"folder/a.yaml": "../outside.yaml", "folder/c": "../outside", "folder/d.yaml": "../outside.conf", "linked/good.yaml": "../outside.yaml",
	})
	outside, err := filepath.Abs("outside.yaml")
	must(err)
	pack.Files(t, ".", map[string]string{
		"a.tar": string(pack.Tar(
			pack.Entry{Name: "good.yaml", Data: strictCR},
			pack.Entry{Name: "a.yaml", Kind: tar.TypeSymlink, Link: outside},
			pack.Entry{Name: "b.yaml", Kind: tar.TypeLink, Link: outside},
			pack.Entry{Name: "c.yaml", Kind: tar.TypeSymlink, Link: "../outside.yaml"},
		)),
		"z.zip": string(pack.Zip(zip.Store, pack.Entry{Name: "z.yaml", Kind: tar.TypeSymlink, Link: outside})),
		"ref.tar": string(pack.Tar(
			pack.Entry{Name: "metadata.yaml", Data: metadata}, pack.Entry{Name: "good.yaml", Kind: tar.TypeSymlink, Link: outside},
		)),
	})
	for line, want := range map[string]struct {
		status int
		text   string
	}{
		"ref folder": {2, "VT1009"}, "ref a.tar": {2, "VT1003"}, "ref z.zip": {2, "z.yaml"}, "ref folder z.zip": {2, "VT1003"}, "--follow-links ref a.tar": {2, "VT1003"},
		"linked in": {2, "VT2031"}, "ref.tar in": {2, "good.yaml"}, "ref outside.yaml": {1, canary},
	} {
		status, out, errs := typed("--verbose --full --all-resources --nested " + line)
		if status != want.status || !strings.Contains(out+errs, want.text) ||
			want.text != canary && strings.Contains(out+errs, canary) {
			t.Errorf("%q: exit status %d, want %d with %q: %.3000s", line, status, want.status, want.text, out+errs)
		}
	}
}

// TestFixturesStayInsideTheReference checks that a fixture whose input, options or expectation are
// outside the reference is neither compared nor written.
func TestFixturesStayInsideTheReference(t *testing.T) {
	const canary = "cnryOUTSIDE"
	agreeing(t, map[string]string{
		"outside/x.yaml":                config(canary),
		"expect.yaml":                   "verdict: drift\n",
		"ref/tests/linked/expect.yaml":  "",
		"ref/tests/file/input.yaml":     config("good"),
		"ref/tests/option/expect.yaml":  "options: {overrides: ../../../expect.yaml}\n",
		"ref/tests/option/input.yaml":   config("good"),
		"ref/tests/dangling/input.yaml": config("good"),
		"ref/tests/sound/expect.yaml":   "",
		"ref/tests/sound/input.yaml":    config("good"),
	})
	link(t, map[string]string{
		"ref/tests/linked/input": "../../../outside", "ref/tests/file/expect.yaml": "../../../expect.yaml", "ref/tests/whole": "../../outside",
		"ref/tests/dangling/expect.yaml": "../../../new.yaml",
	})
	before := snapshot(t, ".")
	status, out, errs := typed("test --update ref")
	if status != 2 || strings.Count(out, "VT2031") != 4 || strings.Contains(out+errs, canary) {
		t.Errorf("exit status %d: %s%s", status, out, errs)
	}
	after, written := snapshot(t, "."), filepath.Join("ref", "tests", "sound", "expect.yaml")
	if before[written] == after[written] {
		t.Error("the sound fixture was not written")
	}
	for _, name := range []string{written, filepath.Dir(written)} {
		delete(before, name)
		delete(after, name)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("something else was changed (-before +after):\n%s", diff)
	}
}
