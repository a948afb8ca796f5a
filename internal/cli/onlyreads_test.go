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

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// snapshot is everything below a folder: names, modes, times of change and contents.
func snapshot(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := ""
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			text = string(data)
		}
		all[p] = fmt.Sprintf("%v %v %q", info.Mode(), info.ModTime(), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestNothingIsWritten runs every command in a folder, with inputs that would be unpacked out of it
// and into it, and finds the folder, the one for temporary files, and the home as they were.
func TestNothingIsWritten(t *testing.T) {
	dir := t.TempDir()
	pack.Files(t, dir, agreeing())
	bomb := pack.Tar(
		pack.Entry{Name: "../up.yaml", Data: config("up")},
		pack.Entry{Name: filepath.Join(dir, "abs.yaml"), Data: config("abs")},
		pack.Entry{Name: "in/good.yaml", Data: config("good")},
		pack.Entry{Name: "in.tar", Data: string(pack.Tar(pack.Entry{Name: "../../x.yaml", Data: config("x")}))},
	)
	pack.Files(t, dir, map[string]string{
		"work/x.txt":                "x",
		"tmp/x":                     "",
		"home/x":                    "",
		"ref/tests/one/expect.yaml": "verdict: drift\n",
		"ref/tests/one/input.yaml":  config("good"),
		"in/bomb.tar.gz":            string(pack.GZ(bomb)),
		"in/bomb.zip":               string(pack.Zip(zip.Deflate, pack.Entry{Name: "../../up.yaml", Data: config("up")})),
		"in/broken.yaml":            "kind: [\napiVersion: v1\n",
		"diff.yaml":                 "correlationSettings:\n  manualCorrelation:\n    correlationPairs:\n      v1_ConfigMap_app_x: good.yaml\n",
		"overrides.yaml":            "- kind: ConfigMap\n  type: mergepatch\n  reason: x\n  patch: '{\"data\":{\"mode\":\"strict\"}}'\n",
	})
	t.Chdir(filepath.Join(dir, "work"))
	t.Setenv("TMPDIR", filepath.Join(dir, "tmp"))
	t.Setenv("HOME", filepath.Join(dir, "home"))
	before := snapshot(t, dir)
	for _, args := range [][]string{
		{}, {"--nested", "--verbose", "--all-resources", "--timings"}, {"-o", "json"}, {"-o", "yaml"}, {"-o", "overrides", "--override-reason", "x"}, {"--overrides", "../overrides.yaml"},
		{"--diff-config", "../diff.yaml"}, {"--limit", "unpacked=1KiB", "--nested"},
	} {
		if status, out, errs := runIn(t, "", append(args, "../ref", "../in")...); status > 2 || out+errs == "" {
			t.Errorf("%q: exit status %d", args, status)
		}
	}
	runIn(t, string(pack.GZ(bomb)), "../ref", "-")
	runIn(t, "", "explain-match", "../ref", "../in", "ConfigMap")
	runIn(t, "", "explain", "VT5001")
	runIn(t, "", "reference", "test", "../ref")
	runIn(t, "", "version")
	runIn(t, "", "reference", "inspect", "--values-stub", "../ref")
	runIn(t, "", "reference", "render", "-o", "-", "../ref")
	runIn(t, "", "reference", "render", "--check", "../in", "../ref")
	runIn(t, "", "../in/bomb.tar.gz", "../in")
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Errorf("something was changed (-before +after):\n%s", diff)
	}
	// Where a report cannot be written, or there is none, what was there stays.
	runIn(t, "", "-o", "text=x.txt", "-o", "json=../none/report.json", "../ref", "../in")
	runIn(t, "", "-o", "json=report.json", "../ref", "../none")
	left, err := os.ReadDir(".")
	if text, err2 := os.ReadFile("x.txt"); err != nil || err2 != nil || len(left) != 1 || string(text) != "x" {
		t.Errorf("there is %v, %q, want x.txt alone, as it was", left, text)
	}
}

// TestNoLinkLeadsOut: a link in an input or in a reference shows nothing of what lies outside of
// it.
func TestNoLinkLeadsOut(t *testing.T) {
	const canary = "cnryOUTSIDE"
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside.yaml")
	inside := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: app}\ndata: {mode: " + canary + "}\n"
	pack.Files(t, dir, agreeing())
	pack.Files(t, dir, map[string]string{
		"outside.yaml":         fmt.Sprintf(inside, "good"),
		"outside/x.yaml":       fmt.Sprintf(inside, "x"), // Of a name that is passed over, so that a link would give it one.
		"outside.conf":         fmt.Sprintf(inside, canary),
		"folder/good.yaml":     agreeing()["in/good.yaml"],
		"linked/metadata.yaml": agreeing()["ref/metadata.yaml"],
		"linked/more.yaml":     agreeing()["ref/more.yaml"],
	})
	for name, target := range map[string]string{"folder/a.yaml": outside, "folder/b.yaml": "../outside.yaml", "folder/c": "../outside", "folder/d.yaml": "../outside.conf", "linked/good.yaml": "../outside.yaml"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	sound := pack.Entry{Name: "good.yaml", Data: agreeing()["in/good.yaml"]}
	archive := pack.Tar(
		sound,
		pack.Entry{Name: "a.yaml", Kind: '2', Link: outside},
		pack.Entry{Name: "b.yaml", Kind: '1', Link: outside},
		pack.Entry{Name: "c.yaml", Kind: '2', Link: "../outside.yaml"},
	)
	reference := pack.Tar(
		pack.Entry{Name: "metadata.yaml", Data: agreeing()["ref/metadata.yaml"]},
		pack.Entry{Name: "more.yaml", Data: agreeing()["ref/more.yaml"]},
		pack.Entry{Name: "good.yaml", Kind: '2', Link: outside},
	)
	pack.Files(t, dir, map[string]string{
		"a.tar":   string(archive),
		"z.zip":   string(pack.Zip(zip.Store, pack.Entry{Name: "z.yaml", Kind: tar.TypeSymlink, Link: outside})),
		"ref.tar": string(reference),
	})
	t.Chdir(dir)
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"ref", "folder"}, 0, "VT1009"}, {[]string{"ref", "a.tar"}, 0, "COMPLIANT"}, {[]string{"ref", "folder", "z.zip"}, 0, "COMPLIANT"},
		{[]string{"linked", "in"}, 2, "VT2031"}, {[]string{"ref.tar", "in"}, 2, "good.yaml"}, {[]string{"ref", "outside.yaml"}, 1, canary},
	} {
		status, out, errs := runIn(
			t,
			"",
			append([]string{"--verbose", "--full", "--all-resources", "--nested"}, c.args...)...)
		if status != c.status || !strings.Contains(out+errs, c.want) ||
			c.want != canary && strings.Contains(out+errs, canary) {
			t.Errorf("%q: exit status %d, want %d with %q: %.3000s", c.args, status, c.status, c.want, out+errs)
		}
	}
}

// TestFixturesStayInsideTheReference: no fixture is compared whose input, options or expectation
// lead out of the reference, and nothing is written there.
func TestFixturesStayInsideTheReference(t *testing.T) {
	const canary = "cnryOUTSIDE"
	dir := t.TempDir()
	pack.Files(t, dir, agreeing())
	pack.Files(t, dir, map[string]string{
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
	for name, target := range map[string]string{"ref/tests/linked/input": "../../../outside", "ref/tests/file/expect.yaml": "../../../expect.yaml", "ref/tests/whole": "../../outside",
		"ref/tests/dangling/expect.yaml": "../../../new.yaml"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	before := snapshot(t, dir)
	status, out, errs := runIn(t, "", "reference", "test", "--update", filepath.Join(dir, "ref"))
	if status != 2 || strings.Count(out, "VT2031") != 4 || strings.Contains(out+errs, canary) {
		t.Errorf("exit status %d: %s%s", status, out, errs)
	}
	after, written := snapshot(t, dir), filepath.Join(dir, "ref", "tests", "sound", "expect.yaml")
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
