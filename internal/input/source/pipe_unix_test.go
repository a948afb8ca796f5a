//go:build unix

package source

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

func TestPipesInAFolderAreCountedAndPipesAsArgumentsAreRead(t *testing.T) {
	root := testkit.Folder(t, map[string]string{"a.yaml": config("a")})
	pipe := filepath.Join(root, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if got := walk(t, Options{}, root); got.skipped()[ReasonSpecial] != 1 || len(got.files) != 1 {
		t.Errorf("skipped %v", got.sum.Skipped)
	}
	if got, err := Match(filepath.Join(root, "*")); err != nil || !slices.Equal(got, []string{filepath.Join(root, "a.yaml")}) {
		t.Errorf("a glob matches %q, %v", got, err)
	}
	written := make(chan error, 1)
	go func() {
		written <- os.WriteFile(pipe, testkit.GZ(testkit.Tar(testkit.Entry{Name: "in.tar", Data: string(standardTar())})), 0o600)
	}()
	got := walk(t, Options{Want: Candidate}, pipe)
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"in.tar!/a.yaml=a", "in.tar!/sub/b.yaml=b"}, got.names()); diff != "" {
		t.Error(diff)
	}
}

// TestAPipeWithoutAWriterEndsWithTheContext: neither opening nor reading one comes back by itself.
func TestAPipeWithoutAWriterEndsWithTheContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	for what, writer := range map[string]bool{"nobody opens it": false, "nobody writes": true} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		ended := make(chan error)
		go func() {
			_, err := Walk(ctx, []string{path}, Options{}, func(File) error { return nil })
			ended <- err
		}()
		if writer {
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			must(err)
			defer f.Close()
		}
		select {
		case err := <-ended:
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: it does not end", what)
		}
		cancel()
	}
}
