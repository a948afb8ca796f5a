package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
)

func writeAt(root, name, data string) error {
	return os.WriteFile(filepath.Join(root, name), []byte(data), 0o600)
}

// symlink makes a symbolic link, or skips the test where there are none.
func symlink(t *testing.T, target, at string) {
	t.Helper()
	if err := os.Symlink(target, at); err != nil {
		t.Skip(err)
	}
}

func TestPathsAreAsTheUserWouldTypeThem(t *testing.T) {
	root := testkit.Folder(t, map[string]string{"sub/a.yaml": config("a")})
	t.Chdir(root)
	for arg, want := range map[string]string{"sub": "sub/a.yaml", "./sub/": "sub/a.yaml", ".": "sub/a.yaml", "sub/a.yaml": "sub/a.yaml", "s*b": "sub/a.yaml"} {
		got := walk(t, Options{}, arg)
		if len(got.files) != 1 || filepath.ToSlash(got.files[0].Path) != want {
			t.Errorf("%s: %+v", arg, got.files)
		}
	}
}

func TestLinksInsideAFolder(t *testing.T) {
	outside := testkit.Folder(t, map[string]string{"out.yaml": config("out")})
	root := testkit.Folder(t, map[string]string{"real/a.yaml": config("a"), "real/blob.bin": farDown("blob")})
	at := func(name string) string { return filepath.Join(root, name) }
	symlink(t, "real", at("folder"))
	symlink(t, "real/a.yaml", at("file.yaml"))
	symlink(t, "real/blob.bin", at("named.yaml"))
	symlink(t, "real/blob.bin", at("named-again.yaml"))
	symlink(t, ".", at("real/loop"))
	symlink(t, "nowhere.yaml", at("dangling.yaml"))
	symlink(t, "nowhere/values.yaml", at("values.yaml"))
	symlink(t, "user@host.1234:5", at(".#a.yaml"))
	symlink(t, os.DevNull, at("masked.yaml"))
	symlink(t, "circle", at("circle"))
	symlink(t, filepath.Join(outside, "out.yaml"), at("out.yaml"))
	symlink(t, outside, at("outside"))
	symlink(t, "..", at("up"))
	got := walk(t, Options{Want: Candidate}, root)
	if diff := cmp.Diff([]string{"real/a.yaml=a", "named-again.yaml=blob"}, got.names()); diff != "" {
		t.Error(diff)
	}
	skipped := map[code.Code][]string{}
	for _, p := range got.sum.Problems {
		skipped[p.Code] = append(skipped[p.Code], filepath.Base(p.Place.File))
	}
	want := map[code.Code][]string{
		code.InputUnreadable: {"dangling.yaml", "out.yaml"},
		code.LinkSkipped:     {".#a.yaml", "circle", "outside", "up", "values.yaml"},
	}
	if diff := cmp.Diff(want, skipped); diff != "" {
		t.Error(diff)
	}
	if got.skipped()[ReasonSpecial] != 1 {
		t.Errorf("skipped %v", got.sum.Skipped)
	}
	if n := got.skipped()[ReasonLink]; n != 4 {
		t.Errorf("%d links counted: %v", n, got.sum.Skipped)
	}
}

// TestLinksIntoGit: git-annex keeps the content of files below .git.
func TestLinksIntoGit(t *testing.T) {
	root := testkit.Folder(t, map[string]string{".git/annex/objects/a.yaml": config("a"), ".git/config.yaml": config("git")})
	symlink(t, ".git/annex/objects/a.yaml", filepath.Join(root, "a.yaml"))
	symlink(t, ".git/annex/objects/a.yaml", filepath.Join(root, "same.yaml"))
	symlink(t, ".git/annex/objects/gone.yaml", filepath.Join(root, "gone.yaml"))
	got := walk(t, Options{Want: Candidate}, root)
	if diff := cmp.Diff([]string{"a.yaml=a"}, got.names()) + cmp.Diff([]code.Code{code.InputUnreadable}, got.codes()); diff != "" {
		t.Error(diff)
	}
}

// TestFollowedLinksReadEachFileOnce: links lead to folders in, around and beside each other.
func TestFollowedLinksReadEachFileOnce(t *testing.T) {
	around := testkit.Folder(t, map[string]string{
		"in/a.yaml": config("a"), "in/store/b.yaml": config("b"),
		"store/c.yaml": config("c"), "store/deep/d.yaml": config("d"), "store/.git/e.yaml": config("e"),
		"file/f.yaml": config("f"), "file/g": config("g"),
	})
	at := func(name string) string { return filepath.Join(around, name) }
	for link, target := range map[string]string{
		"in/1": "../store/deep", "in/2": "../store", "in/3": "../store/deep", "in/up": "..", "in/here": ".",
		"in/f.yaml": "../file/f.yaml", "in/f2.yaml": "../file/f.yaml", "in/g.yaml": "../file/g", "in/c.yaml": "../store/c.yaml",
		"store/back": "../in", "store/circle": ".", "store/deep/up": "../..", "store/f.yaml": "../in/f.yaml",
		"in/null.yaml": os.DevNull,
	} {
		symlink(t, target, at(link))
	}
	got := walk(t, Options{Want: Candidate, FollowLinks: true}, at("in"))
	want := []string{"a.yaml=a", "store/b.yaml=b", "1/d.yaml=d", "2/c.yaml=c", "f.yaml=f", "g.yaml=g"}
	if diff := cmp.Diff(want, got.names()); diff != "" {
		t.Error(diff)
	}
	for _, p := range got.sum.Problems {
		if p.Code != code.LinkSkipped || !strings.Contains(p.Message, "circle") {
			t.Errorf("problem %v", p)
		}
	}
	for _, f := range got.files {
		if _, err := os.Stat(filepath.FromSlash(f.Path)); err != nil {
			t.Error(err)
		}
	}
}

// TestCollectorsKeepLinksOfTheirMachines: where a collector writes CRs, a link is lost, and nowhere
// else.
func TestCollectorsKeepLinksOfTheirMachines(t *testing.T) {
	files := map[string]string{
		"mg/version": "4.20", "mg/must-gather.log": "x", "mg/timestamp": "x",
		"mg/cluster-scoped-resources/core/nodes/a.yaml": config("a"),
	}
	root := testkit.Folder(t, files)
	symlink(t, "/etc/none.yaml", filepath.Join(root, "mg/kubeconfig.yaml"))
	symlink(t, "/etc/none.yaml", filepath.Join(root, "mg/cluster-scoped-resources/core/nodes/b.yaml"))
	got := walk(t, Options{Want: Candidate}, root)
	if diff := cmp.Diff([]code.Code{code.InputUnreadable, code.LinkSkipped}, got.codes()); diff != "" || got.sum.Inputs[0].Layout == "" {
		t.Errorf("%s %+v", diff, got.sum.Inputs)
	}
}

func TestALinkThatIsTheArgumentIsFollowed(t *testing.T) {
	root := testkit.Folder(t, map[string]string{"a.yaml": config("a"), "b.yaml": config("b")})
	links := t.TempDir()
	symlink(t, root, filepath.Join(links, "folder"))
	symlink(t, filepath.Join(root, "b.yaml"), filepath.Join(links, "file"))
	symlink(t, "a.yaml", filepath.Join(root, "inner.yaml"))
	got := walk(t, Options{Want: Candidate}, filepath.Join(links, "folder"), filepath.Join(links, "file"))
	if diff := cmp.Diff([]string{"a.yaml=a", "b.yaml=b", "file=b"}, got.names()); diff != "" ||
		got.sum.Problems != nil {
		t.Error(diff, got.sum.Problems)
	}
}

func TestUnreadableFilesAndFoldersAreProblems(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	root := testkit.Folder(t, map[string]string{
		"a.yaml":        config("a"),
		"file.yaml":     config("f"),
		"folder/x.yaml": config("x"),
		"z.yaml":        config("z"),
	})
	for _, name := range []string{"file.yaml", "folder"} {
		if err := os.Chmod(filepath.Join(root, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(root, "folder"), 0o700) })
	got := walk(t, Options{Want: Candidate}, root)
	if diff := cmp.Diff([]string{"a.yaml=a", "z.yaml=z"}, got.names()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]code.Code{code.InputUnreadable, code.InputUnreadable}, got.codes()); diff != "" {
		t.Error(diff)
	}
}

func TestLinksOfMountedConfigMaps(t *testing.T) {
	root := testkit.Folder(t, map[string]string{"..2024_05/x.yaml": config("x")})
	symlink(t, "..2024_05", filepath.Join(root, "..data"))
	symlink(t, "..data/x.yaml", filepath.Join(root, "x.yaml"))
	got := walk(t, Options{Want: Candidate}, root)
	if len(got.files) != 1 || got.sum.Problems != nil {
		t.Errorf("files %v, problems %v", got.names(), got.sum.Problems)
	}
}

func TestReadAllKeepsLinks(t *testing.T) {
	packed := writeFile(t, "ref.tar.gz", testkit.GZ(testkit.Tar(
		testkit.Entry{
			Name: "again.yaml",
			Kind: '2',
			Link: "a.yaml",
		},
		testkit.Entry{Name: "a.yaml", Kind: '2', Link: "./common/a.yaml"},
		testkit.Entry{Name: "common/a.yaml", Data: config("a")},
		testkit.Entry{Name: "common/sub/b.yaml", Data: config("b")},
		testkit.Entry{Name: "copy", Kind: '2', Link: "common"},
		testkit.Entry{Name: "common/up", Kind: '2', Link: ".."},
		testkit.Entry{
			Name: "round",
			Kind: '2',
			Link: "round",
		},
		testkit.Entry{Name: "abs.yaml", Kind: '2', Link: "/etc/passwd"},
	)))
	fsys, _, err := ReadAll(t.Context(), packed, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"again.yaml": "a", "a.yaml": "a", "common/a.yaml": "a", "copy/a.yaml": "a", "copy/sub/b.yaml": "b",
		"abs.yaml": "", "common/up/a.yaml": "",
	} {
		data, err := fs.ReadFile(fsys, name)
		if want == "" && err == nil || want != "" && string(data) != config(want) {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	if to, err := fs.ReadLink(fsys, "abs.yaml"); to != ".." {
		t.Errorf("a link out of the archive leads to %q, %v", to, err)
	}
	if info, err := fs.Stat(fsys, "round"); err != nil || info.Mode().IsRegular() || info.IsDir() {
		t.Errorf("a link to itself: %v, %v", info, err)
	}
}
