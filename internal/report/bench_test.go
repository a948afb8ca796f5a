package report

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/refconfig"
)

// BenchmarkTextLongStrings prints an object in which two strings of a megabyte differ in every line.
func BenchmarkTextLongStrings(b *testing.B) {
	side := func(name string) any {
		var text strings.Builder
		for i := range 30_000 {
			fmt.Fprintf(&text, "%s %d is a line of some length\n", name, i)
		}
		return map[string]any{"data": text.String(), "line": strings.Repeat(name, 1<<18)}
	}
	benchmarkText(b, side("left"), side("right"), 1)
}

// BenchmarkTextManyObjects prints two thousand objects of 60 lines with a difference each.
func BenchmarkTextManyObjects(b *testing.B) {
	side := func(last string) any {
		m := map[string]any{}
		for i := range 58 {
			m[fmt.Sprint("key-", i)] = "a value that is not too short"
		}
		m["last"] = last
		return m
	}
	benchmarkText(b, side("one"), side("two"), 2000)
}

func benchmarkText(b *testing.B, left, right any, n int) {
	r := &compare.Result{}
	for range n {
		c := compare.Comparison{Object: manifest.ID{APIVersion: "v1", Kind: "ConfigMap", Name: "name"}}
		d := describedObject{}
		finish(&c, d.pair(nil, refconfig.Step{Index: -1}, left, right))
		r.Comparisons = append(r.Comparisons, c)
	}
	count(r, n, 0)
	for b.Loop() {
		if err := Text(io.Discard, r, TextOptions{Context: 3, Color: true}); err != nil {
			b.Fatal(err)
		}
	}
}
