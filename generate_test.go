package main

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/validationtool/validationtool/internal/cli"
)

// TestGeneratedExample makes the reference that docs/generate.md shows again, from the same
// clusters.
func TestGeneratedExample(t *testing.T) {
	const example = "examples/references/generate"
	made := filepath.Join(t.TempDir(), "made")
	clusters, err := filepath.Glob("examples/fleet/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"validationTool", "reference", "generate", "--output", made}, clusters...)
	none := func(string) (string, bool) { return "", false }
	if status := cli.Run(context.Background(), args, cli.IO{Out: io.Discard, Err: io.Discard, Env: none}); status != 0 {
		t.Fatalf("exit status %d", status)
	}
	files := 0
	err = filepath.WalkDir(made, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		got, err := os.ReadFile(name)
		inside, _ := filepath.Rel(made, name)
		if want, err := os.ReadFile(filepath.Join(example, inside)); err != nil || string(want) != string(got) {
			t.Errorf("%s: %v, and this is made now:\n%s", inside, err, got)
		}
		return err
	})
	if err != nil || files != 5 {
		t.Errorf("%d files, %v", files, err)
	}
}
