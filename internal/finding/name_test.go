package finding_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// TestAClusterWithoutANameIsCalledByItsFirstTenPlaces: an eleventh is only counted.
func TestAClusterWithoutANameIsCalledByItsFirstTenPlaces(t *testing.T) {
	r := finding.Run{}
	for i := range 13 {
		r.Inputs = append(r.Inputs, finding.Input{Path: fmt.Sprintf("place-%d", i)})
	}
	if name := r.Name(); strings.Count(name, "place-") != 10 || !strings.Contains(name, "place-9") ||
		strings.Contains(name, "place-10") {
		t.Errorf("13 places: %s", name)
	}
	r.Inputs = r.Inputs[:10]
	if name := r.Name(); strings.Count(name, "place-") != 10 {
		t.Errorf("10 places: %s", name)
	}
	r.Cluster.Name = "mine"
	if name := r.Name(); name != "mine" {
		t.Errorf("with a name: %s", name)
	}
}

// TestObstacles: a problem is said once, by what it means for the result, and counts as a file that could
// not be read only if it means nothing else.
func TestObstacles(t *testing.T) {
	for _, c := range []struct {
		what        string
		read        int
		interrupted bool
		problems    []code.Code
		want        string
	}{
		{"an unclear cluster", 1, false, []code.Code{code.ClusterUnclear}, "it is not clear which CRs are of this cluster"},
		{"a component", 1, false, []code.Code{code.ComponentLacking}, "a component that was named has no CR in the input"},
		{"both, and a file", 1, false, []code.Code{code.ComponentLacking, code.ArchiveBroken, code.ClusterUnclear},
			"it is not clear which CRs are of this cluster; a component that was named has no CR in the input; 1 file could not be read"},
		{"files", 1, false, []code.Code{code.ArchiveBroken, code.ArchiveBroken}, "2 files could not be read"},
		{"inputs without CRs", 1, false, []code.Code{code.InputNoObjects, code.InputNoObjects, code.ArchiveBroken}, "2 inputs hold no CR; 1 file could not be read"},
		{"one without CRs, which is all", 0, false, []code.Code{code.InputNoObjects}, "the input holds no CR"},
		{"no file is broken, and no CR is there", 0, false, nil, "the input holds no CR"},
		{"another cluster", 1, false, []code.Code{code.ClusterLacking, code.ArchiveBroken}, "the baseline has this cluster, but the input has no CR of it"},
		{"an interrupt", 1, true, []code.Code{code.Interrupted}, "the run was interrupted"},
		{"one before a CR was read", 0, true, []code.Code{code.Interrupted}, "the run was interrupted before a CR was read"},
		{"one beside other problems", 1, true, []code.Code{code.Interrupted, code.ArchiveBroken, code.InputNoObjects},
			"1 input holds no CR; the run was interrupted; 1 file could not be read"},
		{"a limit of time", 1, true, []code.Code{code.LimitTime}, "the run took more time than its limit"},
		{"a limit of memory", 0, true, []code.Code{code.LimitMemory}, "the run took more memory than its limit before a CR was read"},
		{"an interrupt after a limit", 1, true, []code.Code{code.Interrupted, code.LimitTime}, "the run was interrupted; 1 file could not be read"},
		{"both limits", 1, true, []code.Code{code.LimitMemory, code.LimitTime}, "the run took more time than its limit; 1 file could not be read"},
	} {
		r := finding.Run{Interrupted: c.interrupted}
		for _, one := range c.problems {
			r.Unreadable = append(r.Unreadable, refconfig.Problem{Code: one})
		}
		r.Summary.Objects.Read, r.Summary.Objects.Compared, r.Summary.Unreadable = c.read, c.read, len(c.problems)
		if got := strings.Join(r.Obstacles(), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
