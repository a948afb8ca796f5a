package formats

import (
	"io"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
)

// TestAnnotationsThatAreNotShownAreOnlyCounted: GitHub shows few, so no more of them are put into
// words.
func TestAnnotationsThatAreNotShownAreOnlyCounted(t *testing.T) {
	report := func(n int) *finding.Report {
		c := &finding.Comparison{
			Object:   finding.Object{Kind: "A", Name: "a"},
			Template: finding.Template{Path: "a.yaml"},
			Source:   finding.Source{File: "in.yaml"},
		}
		for range n {
			c.Differences = append(
				c.Differences, finding.Difference{Category: finding.Drift, Path: "a.b", Message: "x", Fingerprint: "y"},
			)
		}
		return &finding.Report{Runs: []*finding.Run{{Comparisons: []*finding.Comparison{c}}}}
	}
	allocations := func(n int, w io.Writer) float64 {
		r := report(n)
		return testing.AllocsPerRun(2, func() {
			if err := GitHub(w, r, ""); err != nil {
				t.Fatal(err)
			}
		})
	}
	var out strings.Builder
	if each := (allocations(3000, io.Discard) - allocations(1000, &out)) / 2000; each > 8 {
		t.Errorf("a finding that is not shown takes %.0f allocations", each)
	}
	if !strings.Contains(out.String(), "and 991 more ") {
		t.Errorf("it says %.1500s", out.String())
	}
}
