package generate_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/author/generate"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/run/code"
)

// TestReferencesAreBounded: a template that would be larger than a file of a reference may be is
// left out and told, without much memory.
func TestReferencesAreBounded(t *testing.T) {
	times := func(n int, one string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(one, "%", fmt.Sprintf("%04d", i)))
		}
		return b.String()
	}
	long := "apiVersion: v1\nkind: A\nmetadata: {name: a}\n? " + strings.Repeat("k", 50_000) + "\n: {"
	var all []cluster.Collected
	for i, text := range []string{long + times(2000, "a%: 1, ") + "}\n", long + times(2000, "a%: 2, ") + "}\n"} {
		all = append(all, collected(t, fmt.Sprint(i), text))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := generate.From(t.Context(), all, generate.Options{})
	runtime.ReadMemStats(&after)
	if err != nil || len(r.Files) > 0 || len(r.Problems) != 1 || r.Problems[0].Code != code.LimitSize {
		t.Errorf("%v, %+v", err, r)
	}
	if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 100 {
		t.Errorf("it takes %d MiB", mib)
	}
}

// TestGeneratingEndsWithTheContext: what is not complete is no reference.
func TestGeneratingEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := generate.From(
		ctx,
		[]cluster.Collected{collected(t, "a", "apiVersion: v1\nkind: A\nmetadata: {name: a}\n")},
		generate.Options{},
	)
	if r != nil || err == nil || !strings.Contains(err.Error(), "VT1021") {
		t.Errorf("%+v, %v", r, err)
	}
}
