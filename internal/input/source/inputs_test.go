package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/code"
)

func TestSeveralInputsKeepTheirOrder(t *testing.T) {
	one, two := writeFile(
		t, "one.yaml", []byte(config("1")),
	), testkit.Folder(t, map[string]string{"x/two.yaml": config("2")})
	got := walk(t, Options{Stdin: strings.NewReader(config("3"))}, two, "-", one)
	if diff := cmp.Diff([]string{"x/two.yaml=2", "-=3", "one.yaml=1"}, got.names()); diff != "" {
		t.Error(diff)
	}
	for i, f := range got.files {
		if f.Input != i {
			t.Errorf("%s is of input %d", f.Name, f.Input)
		}
	}
	var formats []string
	for _, in := range got.sum.Inputs {
		formats = append(formats, in.Format)
		if in.Files != 1 || in.Bytes != int64(len(config("1"))) {
			t.Errorf("%+v", in)
		}
	}
	if diff := cmp.Diff([]string{"directory", "stdin", "file"}, formats); diff != "" {
		t.Error(diff)
	}
}

func TestPatternsTheShellLeftAlone(t *testing.T) {
	root := testkit.Folder(t, map[string]string{
		"b.yaml":      config("b"),
		"a.yaml":      config("a"),
		"c.json":      config("c"),
		"odd[1].yaml": config("odd"),
	})
	got := walk(t, Options{}, filepath.Join(root, "?.yaml"))
	if diff := cmp.Diff([]string{"a.yaml=a", "b.yaml=b"}, got.names()); diff != "" {
		t.Error(diff)
	}
	got = walk(t, Options{}, filepath.Join(root, "odd[1].yaml"))
	if diff := cmp.Diff([]string{"odd[1].yaml=odd"}, got.names()); diff != "" {
		t.Error(diff)
	}
}

func TestAllMissingInputsAreInOneError(t *testing.T) {
	root := testkit.Folder(t, map[string]string{"a.yaml": config("a")})
	t.Chdir(root)
	visited := false
	visit := func(File) error {
		visited = true
		return nil
	}
	missing := []string{"no.yaml", "*.tar", "[", ""}
	_, err := Walk(context.Background(), missing, Options{}, visit)
	if !errors.Is(err, ErrNotFound) || visited {
		t.Fatalf("error %v, visited: %t", err, visited)
	}
	want := `no.yaml: no such input: the path does not exist
*.tar: no such input: it does not exist, and matches nothing as a pattern
[: no such input: it does not exist, and matches nothing as a pattern
no such input: an argument is empty`
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
	sum, err := Walk(context.Background(), append(missing, "a.yaml"), Options{}, visit)
	if err != nil || !visited || len(sum.Problems) != len(missing) {
		t.Fatalf("with one that is there: error %v, visited: %t, problems %v", err, visited, sum.Problems)
	}
	for _, p := range sum.Problems {
		if p.Code != code.InputNotFound {
			t.Error(p)
		}
	}
}

func TestStandardInputIsReadOnceAtMost(t *testing.T) {
	for _, opt := range []Options{{}, {Stdin: strings.NewReader("")}} {
		_, err := Walk(context.Background(), []string{"-", "-"}, opt, nil)
		if !errors.Is(err, ErrStdin) || errors.Is(err, ErrNotFound) {
			t.Errorf("error %v", err)
		}
	}
	if _, err := Walk(context.Background(), []string{"-"}, Options{}, nil); !errors.Is(err, ErrStdin) {
		t.Errorf("error %v", err)
	}
}

// failing is a source that breaks.
type failing struct{ data *strings.Reader }

func (f failing) Read(p []byte) (int, error) {
	if n, err := f.data.Read(p); err == nil {
		return n, nil
	}
	return 0, errors.New("the cable was pulled")
}

func TestAnInputThatBreaksIsAProblem(t *testing.T) {
	for _, data := range []string{"", config("a"), string(standardTar()[:1700]), string(testkit.GZ(standardTar())[:150])} {
		got := walk(t, Options{Want: Candidate, Stdin: failing{strings.NewReader(data)}}, "-")
		if diff := cmp.Diff([]string{"VT1003"}, codeTexts(got.sum.Problems)); diff != "" {
			t.Errorf("%.20q: %s", data, diff)
		}
		if p := got.sum.Problems; len(p) > 0 && !strings.Contains(p[0].Message, "the cable was pulled") {
			t.Errorf("message: %s", p[0])
		}
	}
}

func codeTexts(problems []Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, string(p.Code))
	}
	return out
}

// TestFileWithCharactersOfPatterns: a file that is there is no pattern, also where it cannot be
// opened; what it would match is not read.
func TestFileWithCharactersOfPatterns(t *testing.T) {
	t.Chdir(t.TempDir())
	must(os.WriteFile("[a].yaml", []byte(config("literal")), 0o600))
	must(os.WriteFile("a.yaml", []byte(config("matched")), 0o600))
	if got := walk(t, Options{}, "[a].yaml").names(); !slices.Equal(got, []string{"[a].yaml=literal"}) {
		t.Errorf("%q", got)
	}
	must(os.Remove("[a].yaml"))
	if got := walk(t, Options{}, "[a].yaml").names(); !slices.Equal(got, []string{"a.yaml=matched"}) {
		t.Errorf("%q", got)
	}
	if err := os.Symlink("[a].yaml", "[a].yaml"); err != nil {
		t.Skip(err)
	}
	_, err := Expand([]string{"[a].yaml"}, false)
	if err == nil || !strings.HasPrefix(err.Error(), "[a].yaml: no such input: cannot be opened: ") {
		t.Errorf("a file that leads to itself: %v", err)
	}
}
