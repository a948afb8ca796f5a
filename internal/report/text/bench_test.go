package text

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/refconfig"
)

// BenchmarkTextLongStrings prints an object in which two strings of a megabyte differ in every
// line.
func BenchmarkTextLongStrings(b *testing.B) {
	side := func(name string) any {
		var text strings.Builder
		for i := range 30_000 {
			fmt.Fprintf(&text, "%s %d is a line of some length\n", name, i)
		}
		return map[string]any{"data": text.String(), "line": strings.Repeat(name, 1<<18)}
	}
	benchmarkText(b, benchmarkResult(side("left"), side("right"), 1), 1)
}

// BenchmarkTextManyObjects prints two thousand objects of 60 lines with a difference each.
func BenchmarkTextManyObjects(b *testing.B) { benchmarkText(b, manyObjects(2000), 2000) }

// BenchmarkJSONManyObjects writes the same as a document.
func BenchmarkJSONManyObjects(b *testing.B) {
	r := manyObjects(2000)
	benchmark(b, 2000, func(w io.Writer) error { return formats.JSON(w, r, formats.Omit{}) })
}

func manyObjects(n int) *finding.Report {
	side := func(last string) any {
		m := map[string]any{}
		for i := range 58 {
			m[fmt.Sprint("key-", i)] = "a value that is not too short"
		}
		m["last"] = last
		return m
	}
	return benchmarkResult(side("one"), side("two"), n)
}

func benchmarkResult(left, right any, n int) *finding.Report {
	g := &generator{random: rand.New(rand.NewSource(1))}
	var all []*finding.Comparison
	for range n {
		c := &finding.Comparison{Object: finding.Object{APIVersion: "v1", Kind: "ConfigMap", Name: "name"}}
		finish(c, g.pair(refconfig.Step{Index: -1}, diff.Present(left), diff.Present(right)), diff.Show{Context: 3})
		all = append(all, c)
	}
	return reportOf(all...)
}

func benchmarkText(b *testing.B, r *finding.Report, n int) {
	benchmark(b, n, func(w io.Writer) error { return Report(w, r, Options{Color: true}) })
}

// benchmark prints a report of n objects, and tells how fast its bytes come and what an object
// costs.
func benchmark(b *testing.B, n int, report func(io.Writer) error) {
	var once bytes.Buffer
	if err := report(&once); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(once.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if err := report(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/object")
}
