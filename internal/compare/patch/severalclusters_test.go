package patch

import (
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// TestObjectsOfOneNameInSeveralClusters: an override for them is written once where all need the
// same, and not at all where they do not.
func TestObjectsOfOneNameInSeveralClusters(t *testing.T) {
	run := func(template, patch string) *finding.Run {
		c := &finding.Comparison{Object: finding.Object{Kind: "Thing", Name: "a"}}
		c.Template.Path = template
		if patch != "" {
			c.Acceptance = &finding.Acceptance{Overrides: []refconfig.Override{{Patch: patch}}}
		}
		return &finding.Run{Comparisons: []*finding.Comparison{c}}
	}
	for name, c := range map[string]struct {
		runs          []*finding.Run
		written, left int
	}{
		"the same":        {[]*finding.Run{run("t", "x"), run("t", "x")}, 1, 0},
		"another":         {[]*finding.Run{run("t", "x"), run("t", "y")}, 0, 2},
		"none in one":     {[]*finding.Run{run("t", ""), run("t", "y")}, 0, 1},
		"other templates": {[]*finding.Run{run("t", "x"), run("u", "y")}, 2, 0},
	} {
		Twins(c.runs)
		written, left := 0, 0
		for _, r := range c.runs {
			if a := r.Comparisons[0].Acceptance; a != nil {
				written, left = written+len(a.Overrides), left+len(a.Left)
			}
		}
		if written != c.written || left != c.left {
			t.Errorf("%s: %d are written, %d are left", name, written, left)
		}
	}
}
