package source

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/pack"
)

// TestLookingAheadChangesNothing: files of folders that are read and looked at by several
// goroutines come in the same order, with the same content and the same counts, as those of a plain
// walk.
func TestLookingAheadChangesNothing(t *testing.T) {
	tree := map[string]string{
		"empty.yaml": "",
		"notes.txt":  "no object",
		"log":        strings.Repeat("a line\n", 100),
		"x.bin":      "1",
		"inner.tar":  "not really",
	}
	for i := range 300 {
		tree[fmt.Sprintf("d%d/e%d/f%d.yaml", i%7, i%3, i)] = config(fmt.Sprint("c", i))
	}
	tree["d1/large.yaml"] = config("large") + strings.Repeat("# a comment\n", 20_000)      // more than one buffer
	tree["d1/largest.yaml"] = config("largest") + strings.Repeat("# a comment\n", 400_000) // not read ahead
	for i := range 100 {
		tree[fmt.Sprintf("many/%d.yaml", i)] = config(fmt.Sprint("m", i))
	}
	root := pack.Folder(t, tree)
	for _, limit := range []int64{0, 1 << 20, 60} {
		opt := Options{Want: Candidate, Limits: Limits{File: limit}}
		plain := walk(t, opt, root)
		var mu sync.Mutex
		looked := map[string]string{}
		opt.Buffers = &Buffers{}
		opt.Look = func(f File) any {
			text := string(f.Data)
			opt.Buffers.Give(f.Data)
			mu.Lock()
			looked[f.Path] = text
			mu.Unlock()
			return text
		}
		got := walk(t, opt, root)
		if limit == 0 && len(looked) < 300 {
			t.Errorf("only %d files were looked at ahead", len(looked))
		}
		for i, f := range got.files {
			if text, ok := f.Looked.(string); ok {
				if f.Data != nil {
					t.Errorf("%s has data too", f.Name)
				}
				got.files[i].Data, got.files[i].Looked = []byte(text), nil
			}
		}
		if diff := cmp.Diff(plain.files, got.files, cmp.Comparer(bytes.Equal)); diff != "" {
			t.Errorf("limit %d: %.2000s", limit, diff)
		}
		if diff := cmp.Diff(plain.sum, got.sum); diff != "" {
			t.Errorf("limit %d: %s", limit, diff)
		}
	}
}

// TestAWalkThatEndsEarlyLeavesNothingRunning: halting waits for those who read ahead.
func TestAWalkThatEndsEarlyLeavesNothingRunning(t *testing.T) {
	tree := map[string]string{}
	for i := range 200 {
		tree[fmt.Sprintf("d%d/f.yaml", i)] = config("c")
	}
	root := pack.Folder(t, tree)
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	over := false
	_, err := Walk(ctx, []string{root}, Options{Look: func(File) any {
		if over {
			t.Error("a file is looked at after the end")
		}
		return 1
	}}, func(File) error {
		if n++; n == 3 {
			cancel()
		}
		return nil
	})
	over = true
	if err != context.Canceled || n > 3 {
		t.Errorf("%v after %d files", err, n)
	}
}
