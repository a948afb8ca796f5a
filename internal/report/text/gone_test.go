package text

import (
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
)

// TestWhatIsGoneMayLackItsRule: an earlier report that somebody else made may name none, and lists
// the finding all the same.
func TestWhatIsGoneMayLackItsRule(t *testing.T) {
	run := &finding.Run{Baseline: &finding.Baseline{Path: "old.json"}}
	for _, class := range []finding.Class{finding.ClassRule, finding.ClassAbsent, finding.ClassNotCollected, finding.ClassWanted} {
		run.Baseline.Gone = append(run.Baseline.Gone, finding.Finding{
			Change:   finding.Gone,
			Class:    class,
			Words:    "was " + string(class),
			Template: finding.Template{Path: "a.yaml"},
		})
	}
	run.Conclude()
	r := &finding.Report{Runs: []*finding.Run{run}}
	r.Conclude()
	var out strings.Builder
	if err := Report(&out, r, Options{}); err != nil || !strings.Contains(out.String(), "was rule") ||
		strings.Count(out.String(), "a.yaml") != 3 {
		t.Errorf("%v: %s", err, out.String())
	}
}
