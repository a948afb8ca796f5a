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

// TestAProblemIsAnObstacleOnce: what an obstacle of its own says is not counted as a file that
// could not be read.
func TestAProblemIsAnObstacleOnce(t *testing.T) {
	for _, c := range []code.Code{code.ClusterUnclear, code.ComponentLacking} {
		r := finding.Run{Unreadable: []refconfig.Problem{{Code: c}}}
		r.Summary.Objects.Read, r.Summary.Unreadable = 1, 1
		if all := r.Obstacles(); len(all) != 1 || strings.Contains(all[0], "file") {
			t.Errorf("%s: %q", c, all)
		}
	}
}
