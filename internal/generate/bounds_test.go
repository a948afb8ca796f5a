package generate_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/generate"
)

// TestReferencesAreBounded: what takes a reference beyond what one may have, or takes too long to search for Secrets, is left out and told, the
// same whatever the scheduling, and what stands before it is taken in.
func TestReferencesAreBounded(t *testing.T) {
	times := func(n int, one string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(one, "%", fmt.Sprintf("%04d", i)))
		}
		return b.String()
	}
	const head = "apiVersion: v1\nkind: A\nmetadata: {name: a%}\n"
	long := head + "? " + strings.Repeat("k", 50_000) + "\n: {"
	text := "kindSecret &x%" + strings.Repeat("\\n---\\na", 20) + "\\n---\\n]"
	hostile := strings.ReplaceAll(text, "%", "$")
	for name, c := range map[string]struct {
		clusters []string
		want     code.Code
		files    int
	}{
		"large ones":     {[]string{times(20, "---\n"+head+"x: "+strings.Repeat("y", 100_000)+"\n")}, code.LimitMemory, 10},
		"long paths":     {[]string{long + times(2000, "a%: 1, ") + "}\n", long + times(2000, "a%: 2, ") + "}\n"}, code.LimitSize, 0},
		"texts in many":  {[]string{times(6000, "---\n"+head+"x: \""+text+"\"\n")}, code.LimitTime, 100},
		"texts in one":   {[]string{head + "x: {" + times(6000, strings.ReplaceAll("a%: \"$\", ", "$", strings.ReplaceAll(hostile, "$", "%"))) + "}\n"}, code.LimitTime, 0},
		"ordinary texts": {[]string{times(300, "---\n"+head+"x: {a: kind of a secret, b: "+strings.Repeat("aGVsbG8g", 20)+"}\n")}, "", 301},
	} {
		seen := ""
		for range 2 {
			var all []gather.Collected
			for i, text := range c.clusters {
				all = append(all, cluster(t, fmt.Sprint(i), text))
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := generate.From(context.Background(), all, generate.Options{All: 1 << 20})
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			told := fmt.Sprint(r.Problems)
			if (c.want == "") != (len(r.Problems) == 0) || !strings.Contains(told, string(c.want)) && c.want != "" && r.Problems[0].Code != c.want || len(r.Files) < c.files {
				t.Errorf("%s: %d files, %.300s", name, len(r.Files), told)
			}
			if told += fmt.Sprint(len(r.Files)); seen != "" && seen != told {
				t.Errorf("%s: once %.200s, and again %.200s", name, seen, told)
			}
			seen = told
			if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; c.want == code.LimitSize && mib > 100 {
				t.Errorf("%s: it takes %d MiB", name, mib)
			}
		}
	}
}
