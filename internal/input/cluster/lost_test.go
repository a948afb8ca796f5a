package cluster

import (
	"slices"
	"testing"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// TestWhatIsLostCountsByItsKind holds what is lost of a kind that is wanted against what is of
// another kind, or of none that is known.
func TestWhatIsLostCountsByItsKind(t *testing.T) {
	lost := func(line int, message string, kinds ...string) manifest.Lost {
		place := refconfig.Place{File: "a.yaml", Line: line}
		return manifest.Lost{
			Problem: refconfig.Problem{Code: code.ObjectLost, Place: place, Message: message},
			Kinds:   kinds,
		}
	}
	all := Collected{Warnings: make([]refconfig.Problem, 0, 9),
		Lost: []manifest.Lost{lost(1, "one", "Other", "Wanted"), lost(2, "two", "Other"), lost(3, "two", "Other"),
			lost(4, "three"), lost(5, "four", "Wanted")}}
	isWanted := func(kind string) bool { return kind == "Wanted" }
	texts := func(all []refconfig.Problem) (texts []string) {
		for _, p := range all {
			texts = append(texts, p.Error())
		}
		return texts
	}
	for range 2 { // settling a copy changes nothing of what it is a copy of
		in := all
		in.SortLost(isWanted)
		if got := texts(in.Unreadable); !slices.Equal(got, []string{"a.yaml:1: one", "a.yaml:5: four"}) {
			t.Errorf("not readable: %q", got)
		}
		if got := texts(in.Warnings); !slices.Equal(
			got, []string{"a.yaml:2: two (and 1 more like it)", "a.yaml:4: three"},
		) {
			t.Errorf("warnings: %q", got)
		}
		if len(in.Blank) != 3 || in.Lost != nil {
			t.Errorf("%d places, %d left", len(in.Blank), len(in.Lost))
		}
	}
	in := all
	in.SkipUnreadable()
	if in.SortLost(isWanted); len(in.Unreadable) > 0 || len(in.Warnings) != 4 {
		t.Errorf("skipped: %q, %q", texts(in.Unreadable), texts(in.Warnings))
	}
}
