package formats_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/report/formats"
)

// TestWritingTakesFewAllocations: there may be hundreds of thousands of CRs in an input of a
// megabyte.
func TestWritingTakesFewAllocations(t *testing.T) {
	const n = 1000
	run := &finding.Run{}
	for i := range n {
		run.Comparisons = append(run.Comparisons, &finding.Comparison{
			Object: finding.Object{APIVersion: "v1", Kind: "ConfigMap", Namespace: "n", Name: fmt.Sprint("a", i)},
			Source: finding.Source{
				File:  "in.tar.xz",
				Entry: fmt.Sprintf("a%d.yaml", i),
				Line:  1,
			},
			Template: finding.Template{Path: "cm.yaml", Part: "p", Component: "c"},
			Correlation: finding.Correlation{
				By:     "fixed",
				Fields: []string{"apiVersion", "kind"},
			},
			Result:      finding.Failed,
			Error:       &finding.Error{Code: "VT5016", Message: "given up"},
			Differences: []finding.Difference{},
		})
	}
	for name, c := range map[string]struct {
		write func(io.Writer, *finding.Report, formats.Omit) error
		most  float64
	}{"json": {formats.JSON, 35}, "yaml": {formats.YAML, 200}} {
		got := testing.AllocsPerRun(5, func() {
			if err := c.write(io.Discard, &finding.Report{Runs: []*finding.Run{run}}, formats.Omit{}); err != nil {
				t.Error(err)
			}
		})
		if got > c.most*n {
			t.Errorf("%s takes %.0f allocations for each CR", name, got/n)
		}
	}
}
