//go:build unix

package source

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPipesInAFolderAreCountedAndPipesAsArgumentsAreRead(t *testing.T) {
	root := writeTree(t, map[string]string{"a.yaml": config("a")})
	pipe := filepath.Join(root, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if got := walk(t, Options{}, root); got.skipped()[ReasonSpecial] != 1 || len(got.files) != 1 {
		t.Errorf("skipped %v", got.sum.Skipped)
	}
	written := make(chan error, 1)
	go func() {
		written <- os.WriteFile(pipe, gz(tarOf(entry{name: "in.tar", data: string(standardTar())})), 0o600)
	}()
	got := walk(t, Options{Want: Candidate}, pipe)
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"in.tar!/a.yaml=a", "in.tar!/sub/b.yaml=b"}, got.names()); diff != "" {
		t.Error(diff)
	}
}
