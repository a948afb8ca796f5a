package source

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestReadingAheadChangesNothing: files of folders that several goroutines read are the same files,
// with the same content and counts, as those of a plain walk.
func TestReadingAheadChangesNothing(t *testing.T) {
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
	tree["d1/large.yaml"] = config("large") + strings.Repeat("# a comment\n", 20_000) // not read ahead
	root := testkit.Folder(t, tree)
	for _, limit := range []int64{0, 1 << 20, 60} {
		opt := Options{Want: Candidate, Limits: Limits{File: limit}}
		plain := walk(t, opt, root)
		slices.SortFunc(plain.files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
		opt.Buffers, opt.Unordered = &Buffers{}, true
		got := walk(t, opt, root)
		ignored := cmpopts.IgnoreFields(File{}, "Turn")
		if diff := cmp.Diff(plain.files, got.files, cmp.Comparer(bytes.Equal), ignored); diff != "" {
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
	root := testkit.Folder(t, tree)
	ctx, cancel := context.WithCancel(context.Background())
	var over atomic.Bool
	_, err := Walk(ctx, []string{root}, Options{Unordered: true}, func(File) error {
		if over.Load() {
			t.Error("a file is delivered after the end")
		}
		cancel()
		return nil
	})
	over.Store(true)
	if err != context.Canceled {
		t.Error(err)
	}
}
