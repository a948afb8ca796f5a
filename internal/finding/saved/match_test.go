package saved

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
)

// TestRunsOfTheSameClusterFindEachOther: whatever the order of the runs is, each once, and never with
// one that is known to be another cluster.
func TestRunsOfTheSameClusterFindEachOther(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	runs := func() (all []*finding.Run) {
		for i := range 2 + r.IntN(6) {
			of := func() string { return []string{"", "", "=", "a", "b"}[r.IntN(5)] }
			all = append(all, &finding.Run{
				Inputs:  []finding.Input{{Path: fmt.Sprint(i)}},
				Cluster: finding.Cluster{ID: of(), Infrastructure: of(), Name: of()},
			})
		}
		return all
	}
	for range testkit.Tries(20_000) {
		now, then := runs(), runs()
		got := match(now, then)
		was := map[*finding.Run]*finding.Run{}
		for i, old := range got {
			was[now[i]] = old
			if old != nil && (otherCluster(now[i], old) || !mayBe(now[i], old)) {
				t.Fatalf("%v is taken for %v", now[i].Cluster, old.Cluster)
			}
		}
		for _, old := range then {
			if slices.Contains(unmatched(then, got), old) == slices.Contains(got, old) {
				t.Fatal("a run is both matched and not, or neither")
			}
		}
		r.Shuffle(len(now), func(i, j int) { now[i], now[j] = now[j], now[i] })
		r.Shuffle(len(then), func(i, j int) { then[i], then[j] = then[j], then[i] })
		for i, old := range match(now, then) {
			if was[now[i]] != old {
				t.Fatalf("in another order, %v is %v, not %v", now[i], old, was[now[i]])
			}
		}
	}
}

// TestWhichClusterIsMeant: one that could be several of the other side is none of them.
func TestWhichClusterIsMeant(t *testing.T) {
	run := func(id, name string) *finding.Run {
		return &finding.Run{Cluster: finding.Cluster{ID: id, Name: name}}
	}
	plain, first, second, other := run("", "k"), run("1", "k"), run("2", "k"), run("3", "x")
	for name, c := range map[string]struct {
		now, then, want []*finding.Run
	}{
		"one with one":   {[]*finding.Run{first, other}, []*finding.Run{plain}, []*finding.Run{plain, nil}},
		"one of two":     {[]*finding.Run{first, second}, []*finding.Run{plain}, []*finding.Run{nil, nil}},
		"two of one":     {[]*finding.Run{plain, other}, []*finding.Run{first, second}, []*finding.Run{nil, nil}},
		"the one of two": {[]*finding.Run{first, second}, []*finding.Run{second, plain}, []*finding.Run{plain, second}},
		"the one that is equal": {
			[]*finding.Run{first, run("", "k")}, []*finding.Run{plain}, []*finding.Run{nil, plain},
		},
	} {
		if got := match(c.now, c.then); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestManyClustersFindEachOther: with a look at each for each other one this would not end.
func TestManyClustersFindEachOther(t *testing.T) {
	n := testkit.Tries(60_000)
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
