package refconfig_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// load loads metadata with templates of the names given, and wants no fault.
func load(t *testing.T, metadata string, templates ...string) *refconfig.Reference {
	t.Helper()
	files := map[string]string{"metadata.yaml": metadata}
	for _, name := range templates {
		files[name] = "kind: " + name + "\n"
	}
	return loadFiles(t, files)
}

// loadComponents loads metadata with components of one part.
func loadComponents(t *testing.T, components string, templates ...string) *refconfig.Reference {
	t.Helper()
	return load(t, "apiVersion: v2\nparts:\n  - name: p\n    components:"+components, templates...)
}

func loadFiles(t *testing.T, files map[string]string) *refconfig.Reference {
	t.Helper()
	ref, problems := refconfig.Load(folder(files), ".", refconfig.LoadOptions{})
	for _, p := range problems {
		t.Errorf("%s %v", p.Code, p)
	}
	return ref
}

func folder(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// Messages name files as the user would open them, however the reference was named.
func TestNamesInMessages(t *testing.T) {
	fsys := folder(map[string]string{
		"metadata.yaml":         "parts: 1",
		"sub/dir/metadata.yaml": "parts: 1",
		"sub/dir/own.yaml":      "parts: 1",
	})
	for _, c := range []struct{ load, name, want string }{
		{".", "", "metadata.yaml"},
		{"", "", "metadata.yaml"},
		{".", ".", "metadata.yaml"},
		{".", "ref", "ref/metadata.yaml"},
		{".", "./ref/", "./ref/metadata.yaml"},
		{".", "/abs/ref", "/abs/ref/metadata.yaml"},
		{".", "/", "/metadata.yaml"},
		{".", `C:\ref\`, `C:\ref\metadata.yaml`},
		{".", "ref.tar.gz", "ref.tar.gz/metadata.yaml"},
		{"sub/dir", "", "sub/dir/metadata.yaml"},
		{"sub/dir", "x/dir", "x/dir/metadata.yaml"},
		{"sub/dir/", "x/dir/", "x/dir/metadata.yaml"},
		{"sub/dir", "ref.tar.gz", "ref.tar.gz/sub/dir/metadata.yaml"},
		{"sub/dir/own.yaml", "x/own.yaml", "x/own.yaml"},
		{"sub/dir/own.yaml", `x\own.yaml`, `x\own.yaml`},
		{"sub/dir/own.yaml", "ref.tar.gz", "ref.tar.gz/sub/dir/own.yaml"},
	} {
		ref, problems := refconfig.Load(fsys, c.load, refconfig.LoadOptions{Name: c.name})
		if len(problems) != 1 || problems[0].Place.File != c.want {
			t.Errorf("%q named %q: %v, want a problem of %s", c.load, c.name, problems, c.want)
		}
		if c.name != "" && ref.Path != c.name {
			t.Errorf("the path is %q, want it as the user named it: %q", ref.Path, c.name)
		}
	}
	ref, problems := refconfig.Load(
		folder(map[string]string{
			"d/own.yaml": "parts: [{name: p, components: [{name: c, type: Required, requiredTemplates: [{path: x/../a}]}]}]",
			"d/a":        "",
		}),
		"d/own.yaml",
		refconfig.LoadOptions{Name: "../d/own.yaml"},
	)
	if len(problems) != 0 || ref.Templates[0].File != "../d/a" {
		t.Errorf("%v, %+v", problems, ref.Templates)
	}
}

func TestWhatCannotBeFound(t *testing.T) {
	fsys := folder(map[string]string{"a/b.txt": ""})
	for _, name := range []string{"b", "a/c", "../a", "/a", "a/b.txt/c"} {
		ref, problems := refconfig.Load(fsys, name, refconfig.LoadOptions{})
		if len(problems) != 1 || problems[0].Code != code.RefNotFound || problems[0].Place.File != name || ref == nil {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

// hash loads files and returns the reference's hash.
func hash(t *testing.T, files map[string]string) string {
	t.Helper()
	return loadFiles(t, files).Hash
}

func TestTheHashCoversWhatIsUsed(t *testing.T) {
	files := map[string]string{
		"metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a}, {path: b}]}]}]\ntemplateFunctionFiles: [f]\n",
		"a":             "kind: A", "b": "kind: B", "f": "", "readme": "text",
	}
	first := hash(t, files)
	if !strings.HasPrefix(first, "sha256:") || len(first) != len("sha256:")+64 {
		t.Errorf("hash %q", first)
	}
	for name, change := range map[string]bool{"metadata.yaml": true, "a": true, "b": true, "f": true, "readme": false} {
		changed := maps.Clone(files)
		changed[name] += "\n"
		if got := hash(t, changed) != first; got != change {
			t.Errorf("a change of %s changes the hash: %v, want %v", name, got, change)
		}
	}
	swapped := maps.Clone(files)
	swapped["a"], swapped["b"] = files["b"], files["a"]
	if hash(t, swapped) == first {
		t.Error("two files that are swapped have the same hash")
	}
	below := fstest.MapFS{}
	for name, text := range files {
		below["deep/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	if ref, _ := refconfig.Load(below, "deep", refconfig.LoadOptions{Name: "elsewhere"}); ref.Hash != first {
		t.Error("the hash depends on where the reference lies")
	}
}

// broken is a file system in which some files cannot be read.
type broken struct {
	fstest.MapFS
	name string
	err  error
}

func (b broken) Open(name string) (fs.File, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "open", Path: "/secret/place/" + name, Err: b.err}
	}
	return b.MapFS.Open(name)
}

func (b broken) Stat(name string) (fs.FileInfo, error) {
	if name == b.name {
		return nil, &fs.PathError{Op: "stat", Path: "/secret/place/" + name, Err: b.err}
	}
	return b.MapFS.Stat(name)
}

// ReadFile would be the one of MapFS.
func (b broken) ReadFile(name string) ([]byte, error) {
	if name == b.name {
		return nil, b.err
	}
	return b.MapFS.ReadFile(name)
}

func TestFilesThatCannotBeRead(t *testing.T) {
	fsys := folder(map[string]string{
		"v2/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a}]}]}]\ntemplateFunctionFiles: [f]\n",
		"v2/a":             "kind: A", "v2/f": "", "annotations/a.yaml": "kind: A", "annotations/b.yaml": "kind: B",
	})
	for _, c := range []struct{ file, load, want string }{
		{"v2/metadata.yaml", "v2", "VT2032 v2/metadata.yaml: this cannot be read: permission denied"},
		{"v2/metadata.yaml", "v2/metadata.yaml", "VT2032 v2/metadata.yaml: this cannot be read: permission denied"},
		{"v2/a", "v2", `VT2032 v2/metadata.yaml:2:57: the template "a" cannot be read: permission denied`},
		{"v2/f", "v2", `VT2032 v2/metadata.yaml:3:25: the template function file "f" cannot be read: permission denied`},
		{"annotations/b.yaml", "annotations", "VT2032 annotations/b.yaml: this cannot be read: permission denied"},
		{"v2", "v2", "VT2032 v2: this cannot be read: permission denied"},
	} {
		_, problems := refconfig.Load(
			broken{fsys, c.file, errors.New("permission denied")}, c.load, refconfig.LoadOptions{},
		)
		if got := strings.TrimSpace(list("", problems)); got != c.want {
			t.Errorf("%s: got %s\nwant %s", c.file, got, c.want)
		}
	}
}

func TestFilesThatAreTooLargeOrNoFiles(t *testing.T) {
	fsys := folder(map[string]string{
		"metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: large}, {path: pipe}]}]}]\n",
	})
	fsys["large"] = &fstest.MapFile{Data: make([]byte, 16<<20+1)}
	fsys["pipe"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	_, problems := refconfig.Load(fsys, ".", refconfig.LoadOptions{})
	want := `error VT5001 metadata.yaml:2:57: the template "large" is larger than a file of a reference can be: the limit is 16 MiB; raise it with --limit reference=N
error VT2032 metadata.yaml:2:72: the template "pipe" is not a file
`
	if diff := cmp.Diff(want, list("error", problems)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSymbolicLinks(t *testing.T) {
	link := func(to string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(to), Mode: fs.ModeSymlink} }
	fsys := folder(map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: good}, {path: dir/a}, {path: up}, {path: out/a}, {path: abs}]}]}]\n",
		"ref/real/a":        "kind: A", "a": "kind: Outside",
	})
	fsys["ref/good"] = link("dir/a")
	fsys["ref/dir"] = link("./real")
	fsys["ref/up"] = link("../a")
	fsys["ref/out"] = link("real/../..")
	fsys["ref/abs"] = link("/a")
	ref, problems := refconfig.Load(fsys, "ref", refconfig.LoadOptions{})
	var codes []string
	for _, p := range problems {
		codes = append(codes, fmt.Sprintf("%s %d", p.Code, p.Place.Column))
	}
	if diff := cmp.Diff([]string{"VT2031 86", "VT2031 98", "VT2031 113"}, codes); diff != "" {
		t.Errorf("-want +got:\n%s\n%v", diff, problems)
	}
	if len(ref.Templates) != 2 || string(ref.Templates[0].Source) != "kind: A" ||
		string(ref.Templates[1].Source) != "kind: A" {
		t.Errorf("templates %v", ref.Templates)
	}

	for _, to := range []string{"../other.yaml", "/other.yaml", "../nowhere.yaml"} {
		fsys["other.yaml"] = fsys["ref/metadata.yaml"]
		fsys["linked/metadata.yaml"] = link(to)
		if _, problems := refconfig.Load(fsys, "linked", refconfig.LoadOptions{}); len(problems) != 1 ||
			problems[0].Code != code.RefPathOutside {
			t.Errorf("metadata.yaml leads to %s: %v", to, problems)
		}
	}
	fsys["linked/metadata.yaml"] = link("data/metadata.yaml")
	fsys["linked/data/metadata.yaml"] = &fstest.MapFile{
		Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a}]}]}]\n"),
	}
	fsys["linked/a"] = &fstest.MapFile{Data: []byte("kind: A")}
	if _, problems := refconfig.Load(fsys, "linked", refconfig.LoadOptions{}); len(problems) != 0 {
		t.Errorf("a link inside: %v", problems)
	}

	annotations := folder(map[string]string{"a.yaml": "kind: A", "real/b.yaml": "kind: B"})
	annotations["c.yaml"] = link("real/b.yaml")
	annotations["dir"] = link("real")
	ref, problems = refconfig.Load(annotations, ".", refconfig.LoadOptions{})
	if len(problems) != 0 || len(ref.Templates) != 3 || len(ref.Warnings) != 1 ||
		ref.Warnings[0].Code != code.LinkSkipped ||
		ref.Warnings[0].Place.File != "dir" {
		t.Errorf("%v, %v, %v", problems, ref.Templates, ref.Warnings)
	}
}

// A small file that stands for a huge one by way of aliases is refused, and quickly.
func TestAliasesThatMultiply(t *testing.T) {
	var b strings.Builder
	b.WriteString("apiVersion: v2\nx0: &x0 [{path: gone}]\nx1: &x1 {name: c, allOf: *x0}\nx2: &x2 [")
	b.WriteString(strings.TrimSuffix(strings.Repeat("*x1, ", 2000), ", "))
	b.WriteString("]\nparts: [")
	b.WriteString(strings.TrimSuffix(strings.Repeat("{name: p, components: *x2}, ", 2000), ", "))
	b.WriteString("]\n")
	_, problems := refconfig.Load(folder(map[string]string{"metadata.yaml": b.String()}), ".", refconfig.LoadOptions{})
	found := false
	for _, p := range problems {
		found = found || p.Code == code.LimitAliases
	}
	if !found {
		t.Errorf("%d problems, none about the size", len(problems))
	}
}
