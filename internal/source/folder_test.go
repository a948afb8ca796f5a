package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/testkit"
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
	root := testkit.Folder(t, map[string]string{"real/a.yaml": config("a"), "real/blob.bin": config("blob")})
	at := func(name string) string { return filepath.Join(root, name) }
	symlink(t, "real", at("folder"))
	symlink(t, "real/a.yaml", at("file.yaml"))
	symlink(t, "real/blob.bin", at("named.yaml"))
	symlink(t, "real/blob.bin", at("named-again.yaml"))
	symlink(t, ".", at("real/loop"))
	symlink(t, "nowhere.yaml", at("dangling.yaml"))
	symlink(t, "circle", at("circle"))
	symlink(t, filepath.Join(outside, "out.yaml"), at("out.yaml"))
	symlink(t, outside, at("outside"))
	symlink(t, "..", at("up"))
	got := walk(t, Options{Want: Candidate}, root)
	if diff := cmp.Diff([]string{"real/a.yaml=a", "named-again.yaml=blob"}, got.names()); diff != "" {
		t.Error(diff)
	}
	var skipped []string
	for _, p := range got.sum.Problems {
		if p.Code != code.LinkSkipped {
			t.Errorf("problem %v", p)
		}
		skipped = append(skipped, filepath.Base(p.Place.File))
	}
	if diff := cmp.Diff([]string{"circle", "dangling.yaml", "out.yaml", "outside", "up"}, skipped); diff != "" {
		t.Error(diff)
	}
	if n := got.skipped()[ReasonLink]; n != 4 {
		t.Errorf("%d links counted: %v", n, got.sum.Skipped)
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
