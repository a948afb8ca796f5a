package places

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
)

// TestPlacesAreShort: as short as what stands in the head of a report allows, and no two places
// look alike.
func TestPlacesAreShort(t *testing.T) {
	gathered := finding.Input{Path: "a/must-gather.tar.gz", Format: "tar.gz", Folder: "mg.1/quay"}
	for name, c := range map[string]struct {
		inputs []finding.Input
		places map[string]string
	}{
		"backslash":      {[]finding.Input{{Path: `in\put/`, Format: "directory"}}, map[string]string{`in\put/x.yaml:2`: "x.yaml:2"}},
		"archive":        {[]finding.Input{gathered}, map[string]string{"a/must-gather.tar.gz!mg.1/quay/x/y.yaml:4": "x/y.yaml:4", "a/must-gather.tar.gz!mg.1/z.yaml": "a/must-gather.tar.gz!mg.1/z.yaml", "a/must-gather.tar.gz": "must-gather.tar.gz", "ref/t.yaml:3:1": "ref/t.yaml:3:1"}},
		"folder":         {[]finding.Input{{Path: "./in/", Format: "directory"}}, map[string]string{"in/x.yaml:2": "x.yaml:2", "inner/x.yaml": "inner/x.yaml"}},
		"this folder":    {[]finding.Input{{Path: ".", Format: "directory", Folder: "b"}}, map[string]string{"b/x.yaml:2": "x.yaml:2", "c.yaml": "c.yaml"}},
		"archive inside": {[]finding.Input{{Path: "in", Format: "directory", Folder: "a.tar!/mg"}}, map[string]string{"in/a.tar!mg/x.yaml:2": "x.yaml:2"}},
		"file":           {[]finding.Input{{Path: "in/x.yaml", Format: "file"}}, map[string]string{"in/x.yaml:2": "x.yaml:2"}},
		"stdin":          {[]finding.Input{{Path: "-", Format: "stdin"}}, map[string]string{"standard input:2": "standard input:2"}},
		"several": {[]finding.Input{gathered, {Path: "b/must-gather.tar.gz", Format: "tar.gz"}, {Path: "more", Format: "directory"}, {Path: "b/x.yaml", Format: "file"}}, map[string]string{
			"a/must-gather.tar.gz!mg.1/quay/x.yaml:4": "a/must-gather.tar.gz!x.yaml:4", "b/must-gather.tar.gz!x.yaml:4": "b/must-gather.tar.gz!x.yaml:4",
			"more/x.yaml:1": "more/x.yaml:1", "b/x.yaml:1": "x.yaml:1"}},
	} {
		short := Of(c.inputs)
		for long, want := range c.places {
			if got := short.Short(long); got != want {
				t.Errorf("%s: %s is %s, want %s", name, long, got, want)
			}
		}
	}
	if got := Shared(finding.Input{Root: "mg", Folder: "mg/quay"}); got != "quay/" {
		t.Errorf("the shared folder is %q", got)
	}
}

// TestManyPlacesAreShort: long paths, and places in many inputs. With a look at each input for each
// place, or a text for each end of a path, this would not end.
func TestManyPlacesAreShort(t *testing.T) {
	const n = 100_000
	deep := strings.Repeat("a/", 2_000_000)
	short := Of([]finding.Input{{Path: deep, Format: "tar"}, {Path: "b/" + deep, Format: "tar"}})
	for place, want := range map[string]string{deep + "a!x": deep + "a!x", "b/" + deep[:len(deep)-1] + "!x": "b/" + deep[:len(deep)-1] + "!x"} {
		if got := short.Short(place); got != want {
			t.Errorf("a place in a deep folder is %.50s, want %.50s", got, want)
		}
	}
	var inputs []finding.Input
	for i := range n {
		inputs = append(inputs, finding.Input{Path: fmt.Sprint("in/", i, ".tar"), Format: "tar"})
	}
	short = Of(inputs)
	for i := range n {
		if got, want := short.Short(fmt.Sprint("in/", i, ".tar!x:", i)), fmt.Sprint(i, ".tar!x:", i); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	}
}

// TestNamesOfInputsAreTheShortestOfTheirOwn: whatever others end with.
func TestNamesOfInputsAreTheShortestOfTheirOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var inputs []finding.Input
		for range 1 + r.IntN(5) {
			path := []string{"", "/"}[r.IntN(2)]
			for range 1 + r.IntN(4) {
				path += []string{"a", "b", "aa", "ba"}[r.IntN(4)] + "/"
			}
			inputs = append(inputs, finding.Input{Path: strings.TrimSuffix(path, "/")})
		}
		ends := func(in finding.Input) (all []string) {
			steps := strings.Split(strings.TrimPrefix(in.Path, "/"), "/")
			for i := range steps {
				all = append(all, strings.Join(steps[len(steps)-1-i:], "/"))
			}
			return all
		}
		for i, got := range shortNames(inputs) {
			all := ends(inputs[i])
			want := all[len(all)-1]
			for _, end := range slices.Backward(all) {
				others := slices.Delete(slices.Clone(inputs), i, i+1)
				if slices.ContainsFunc(others, func(in finding.Input) bool { return slices.Contains(ends(in), end) }) {
					break
				}
				want = end
			}
			if got != want {
				t.Fatalf("%v: %s, want %s", inputs, got, want)
			}
		}
	}
}
