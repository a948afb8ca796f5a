package saved

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
)

// TestRunsOfTheSameClusterFindEachOther: as holding each against each other does, the first of
// several, each once.
func TestRunsOfTheSameClusterFindEachOther(t *testing.T) {
	plain := func(now, then []*finding.Run) []*finding.Run {
		found := make([]*finding.Run, len(now))
		for key := range nameCount {
			for i, run := range now {
				at := slices.IndexFunc(then, func(old *finding.Run) bool {
					name := names(run.Cluster)[key]
					return name != "" && name == names(old.Cluster)[key] && !otherCluster(run, old) &&
						!slices.Contains(found, old)
				})
				if found[i] == nil && at >= 0 {
					found[i] = then[at]
				}
			}
		}
		return found
	}
	r := rand.New(rand.NewPCG(1, 2))
	runs := func() (all []*finding.Run) {
		for range 2 + r.IntN(6) {
			of := func() string { return []string{"", "", "=", "a", "b"}[r.IntN(5)] }
			all = append(all, &finding.Run{Cluster: finding.Cluster{ID: of(), Infrastructure: of(), Name: of()}})
		}
		return all
	}
	for range 20_000 {
		now, then := runs(), runs()
		got := match(now, then)
		if want := plain(now, then); !slices.Equal(got, want) {
			t.Fatalf("%v of %v: %v, want %v", now, then, got, want)
		}
		for _, old := range then {
			if slices.Contains(unmatched(then, got), old) == slices.Contains(got, old) {
				t.Fatal("a run is both matched and not, or neither")
			}
		}
	}
}

// TestManyClustersFindEachOther: with a look at each for each other one this would not end.
func TestManyClustersFindEachOther(t *testing.T) {
	const n = 60_000
	for name, cluster := range map[string]func(side, i int) finding.Cluster{
		"of one name": func(int, int) finding.Cluster { return finding.Cluster{Name: "a"} },
		"of one id":   func(int, int) finding.Cluster { return finding.Cluster{ID: "a"} },
		"of other ids": func(side, i int) finding.Cluster {
			return finding.Cluster{ID: fmt.Sprint(side, " ", i), Infrastructure: "a", Name: "a"}
		},
		"of other infrastructures": func(side, i int) finding.Cluster {
			return finding.Cluster{Infrastructure: fmt.Sprint(side, " ", i), Name: "a"}
		},
		"of which nothing is the same":  func(side, i int) finding.Cluster { return finding.Cluster{Name: fmt.Sprint(side, " ", i)} },
		"of which nothing at all known": func(int, int) finding.Cluster { return finding.Cluster{} },
	} {
		var sides [2][]*finding.Run
		for side := range sides {
			for i := range n {
				sides[side] = append(sides[side], &finding.Run{Cluster: cluster(side, i)})
			}
		}
		matched := match(sides[1], sides[0])
		want := 0
		if name == "of one name" || name == "of one id" {
			want = n
		}
		if got := n - len(unmatched(sides[0], matched)); got != want {
			t.Errorf("%s: %d are matched, want %d", name, got, want)
		}
	}
}
