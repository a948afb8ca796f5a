package destination

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// names lists what a folder holds, with what files say.
func names(dir string) string {
	var all []string
	must(filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all = append(all, filepath.ToSlash(name)+"="+string(text))
		return err
	}))
	return strings.Join(all, " ")
}

// TestAFileIsWrittenWholeOrNotAtAll: until Commit there is what was there before, and after Drop
// nothing else. What is appended goes behind what the file has.
func TestAFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	for last, begin := range map[string]func(string, *InUse) (*File, error){"a=2": Create, "a=12": Append} {
		dir := t.TempDir()
		for _, step := range []struct {
			text   string
			commit bool
			want   string
		}{{"1", false, ""}, {"1", true, "a=1"}, {"2", false, "a=1"}, {"2", true, last}} {
			before := names(dir)
			f, err := begin(filepath.Join(dir, "a"), nil)
			must(err)
			f.Write([]byte(step.text))
			if got := strings.TrimSpace(strings.Replace(names(dir), ".a.part0=", "", 1)); got != before {
				t.Errorf("%+v: while it is written there is %q, want %q", step, got, before)
			}
			if step.commit {
				must(f.Commit())
			}
			f.Drop()
			if got := names(dir); got != step.want {
				t.Errorf("%+v: there is %q, want %q", step, got, step.want)
			}
		}
		if _, err := begin(dir, nil); err == nil {
			t.Error("something is written to a folder")
		}
	}
}

// TestWhatIsThereIsKept: a link stays a link, a file keeps its mode, and nothing but a file is
// replaced.
func TestWhatIsThereIsKept(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	must(os.WriteFile(target, []byte("old"), 0o600))
	if err := os.Symlink("target", link); err != nil {
		t.Skip(err)
	}
	must(WriteFile(link, []byte("new"), nil))
	if got := names(dir); got != "link=new target=new" {
		t.Errorf("there is %q, want what the link leads to to be new", got)
	}
	if info, err := os.Stat(target); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, want 0600", info.Mode())
	}
	for _, name := range []string{dir, filepath.Join(dir, "none", "a")} {
		if _, err := Create(name, nil); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("writing %s: %v, want an error that begins with the name", name, err)
		}
	}
}

// TestAFolderIsWrittenWholeOrNotAtAll: what a folder is to hold is not there before Commit, and
// nothing is after Drop.
func TestAFolderIsWrittenWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	must(os.Mkdir(empty, 0o777))
	for _, name := range []string{empty, filepath.Join(dir, "new", "er")} {
		for _, commit := range []bool{false, true} {
			d, err := MakeFolder(name)
			must(err)
			must(d.Write("x/y.yaml", []byte("1")))
			if err := d.Write("x/y.yaml", []byte("2")); err == nil {
				t.Error("a file was written twice")
			}
			if err := d.Write("../out", nil); err == nil {
				t.Error("a name led out of the folder")
			}
			want := ""
			if commit {
				want = "x/y.yaml=1"
				must(d.Commit())
			}
			d.Drop()
			if _, err := os.Stat(name); commit == (err != nil) && name != empty {
				t.Errorf("%s after commit=%v: %v", name, commit, err)
			} else if err == nil && names(name) != want {
				t.Errorf("%s holds %q, want %q", name, names(name), want)
			}
		}
		if _, err := MakeFolder(name); err == nil || !strings.Contains(err.Error(), "not empty") {
			t.Errorf("%s is written over: %v", name, err)
		}
	}
}

// TestAFolderIsFilledAnew: what was made before goes when the rest is complete, everything else
// stays, and nothing takes its place.
func TestAFolderIsFilledAnew(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a": "made", "b": "made", "c": "mine"} {
		must(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	made := func(path string) bool {
		text, err := os.ReadFile(path)
		return err == nil && string(text) == "made"
	}
	for _, commit := range []bool{false, true} {
		d, err := Refill(dir, made, nil)
		must(err)
		if err := d.Write("C", nil); err == nil || !strings.Contains(err.Error(), "in the way") {
			t.Errorf("another file is written over: %v", err)
		}
		must(d.WritePrivate("b", []byte("new")))
		if info, err := os.Stat(filepath.Join(dir, ".part0", "b")); err != nil ||
			runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("the mode of a private file is %v: %v", info, err)
		}
		want := "a=made b=made c=mine"
		if commit {
			want = "b=new c=mine"
			must(d.Commit())
		}
		d.Drop()
		if got := names(dir); got != want {
			t.Errorf("there is %q, want %q", got, want)
		}
	}
}

// TestWhatCannotBeWrittenIsAnError: what is in the way, before or while it is written, is told, and
// nothing is left behind.
func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	dir := t.TempDir()
	if err := WriteFile(filepath.Join(dir, "no", "folder"), nil, nil); err == nil {
		t.Error("a file is written where there is no folder")
	}
	inTheWay := func(name string) {
		must(os.MkdirAll(filepath.Join(dir, name, "other"), 0o777))
	}
	f, err := Create(filepath.Join(dir, "a"), nil)
	must(err)
	inTheWay("a")
	if err := f.Commit(); err == nil {
		t.Error("a file takes the place of a folder")
	}
	d, err := MakeFolder(filepath.Join(dir, "b"))
	must(err)
	must(d.Write("c", []byte("1")))
	if err := d.Write("c", []byte("2")); err == nil {
		t.Error("a file is written twice")
	}
	inTheWay("b/c")
	if err := d.Commit(); err == nil {
		t.Error("a file of a folder takes the place of a folder")
	}
	d.Drop()
	for _, left := range []string{".*", "*/.*"} {
		if found, _ := filepath.Glob(filepath.Join(dir, left)); len(found) > 0 {
			t.Errorf("%v is left behind", found)
		}
	}
}

// TestAFileOfAKilledProgramIsBegun: until somebody clears what it left, however often it was killed.
func TestAFileOfAKilledProgramIsBegun(t *testing.T) {
	name := filepath.Join(t.TempDir(), "new", "a")
	must(MakeDir(filepath.Dir(name)))
	for range 2 {
		f, err := Create(name, nil)
		must(err)
		f.part.Close() // and neither Commit nor Drop
	}
	must(WriteFile(name, []byte("1"), nil))
	if !Begun(name) {
		t.Error("the file was not begun")
	}
	if Clear(name); Begun(name) || names(filepath.Dir(name)) != "a=1" {
		t.Errorf("%q is left", names(filepath.Dir(name)))
	}
	if err := MakeDir(filepath.Join(name, "below")); err == nil || !strings.HasPrefix(err.Error(), name) {
		t.Errorf("a folder below a file: %v", err)
	}
}

// TestLinksToNoFileAreKept checks that a link which leads nowhere is neither replaced nor followed.
func TestLinksToNoFileAreKept(t *testing.T) {
	dir := t.TempDir()
	for name, target := range map[string]string{"dangling": "later", "circle": "back", "back": "circle", "up": "none/later"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range []string{"dangling", "circle", "up"} {
		path := filepath.Join(dir, name)
		for _, begin := range []func(string, *InUse) (*File, error){Create, Append} {
			if _, err := begin(path, nil); err == nil || !strings.Contains(err.Error(), "leads to no file") {
				t.Errorf("%s: %v, want an error about the link", name, err)
			}
		}
		if _, err := MakeFolder(path); err == nil {
			t.Errorf("%s becomes a folder", name)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", name, err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 4 {
		t.Errorf("there is %v, want the four links", entries)
	}
}

// TestFilesInUseAreNotWritten checks files in use under other names, when an output begins and when
// it ends.
func TestFilesInUseAreNotWritten(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"in", "folder/x/y", "free", "copy"} {
		must(os.MkdirAll(filepath.Dir(at(name)), 0o777))
		must(os.WriteFile(at(name), []byte(name), 0o666))
	}
	must(os.Link(at("in"), at("hard")))
	before := names(dir)
	var inUse InUse
	inUse.Add("the INPUT", at("in"), at("folder"), at("gone"))
	var refused InUseError
	for _, name := range []string{"in", "hard", "folder/x/y"} {
		for _, begin := range []func(string, *InUse) (*File, error){Create, Append} {
			if _, err := begin(at(name), &inUse); !errors.As(err, &refused) {
				t.Errorf("%s: %v, want an error", name, err)
			}
		}
		if _, err := Refill(filepath.Dir(at(name)), func(string) bool { return true }, &inUse); !errors.As(err, &refused) {
			t.Errorf("the folder of %s: %v, want an error", name, err)
		}
	}
	f, err := Create(at("free"), &inUse)
	must(err)
	for _, name := range []string{"free", dir + "/folder/../free"} {
		if name == "free" {
			name = at(name)
		}
		if _, err := Create(name, &inUse); !errors.As(err, &refused) {
			t.Errorf("two outputs are %s: %v", name, err)
		}
	}
	inUse.Add("a file with CRs", at("free"))
	if err := f.Commit(); !errors.As(err, &refused) {
		t.Errorf("a file that was read since is written: %v", err)
	}
	if after := names(dir); after != before {
		t.Errorf("there is %q, want %q", after, before)
	}
	inUse.Release(at("free"))
	must(WriteFile(at("copy"), nil, &inUse))
	must(WriteFile(at("new"), nil, &inUse))
}

// TestAFolderIsChangedAsAWhole checks that the former files are there again if a new one cannot get
// its name.
func TestAFolderIsChangedAsAWhole(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		must(os.WriteFile(filepath.Join(dir, name), []byte("made"), 0o600))
	}
	for _, late := range []string{"c", "z"} {
		d, err := Refill(dir, func(string) bool { return true }, nil)
		must(err)
		for _, name := range []string{"b", late} {
			must(d.Write(name, []byte("new")))
		}
		must(os.WriteFile(filepath.Join(dir, late), []byte("mine"), 0o600)) // by another program
		if err := d.Commit(); err == nil || !strings.Contains(err.Error(), "in the way") {
			t.Errorf("%s is replaced: %v", late, err)
		}
		d.Drop()
		if got := names(dir); got != "a=made b=made "+late+"=mine" {
			t.Errorf("there is %q", got)
		}
		must(os.Remove(filepath.Join(dir, late)))
	}
}

// TestAFolderOfAKilledProgramIsFilled checks that unfinished folders neither block a later run nor
// stay after it, and that of two runs at once one fills the folder.
func TestAFolderOfAKilledProgramIsFilled(t *testing.T) {
	name := filepath.Join(t.TempDir(), "new")
	for range 2 {
		d, err := MakeFolder(name)
		must(err)
		must(d.Write("a", []byte("killed")))
	}
	first, err := MakeFolder(name)
	must(err)
	second, err := MakeFolder(name)
	must(err)
	must(first.Write("a", []byte("1")))
	must(second.Write("a", []byte("2")))
	must(first.Commit())
	if err := second.Commit(); err == nil {
		t.Error("two programs filled one folder")
	}
	second.Drop()
	if got := names(name); got != "a=1" {
		t.Errorf("there is %q", got)
	}
}
