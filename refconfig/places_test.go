package refconfig_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/refconfig"
)

func TestProblemsAreShownWithTheirPlace(t *testing.T) {
	for _, c := range []struct {
		problem refconfig.Problem
		want    string
	}{
		{refconfig.Problem{Place: refconfig.Place{File: "f", Line: 3, Column: 4}, Message: "m"}, "f:3:4: m"},
		{refconfig.Problem{Place: refconfig.Place{File: "f", Line: 3}, Message: "m"}, "f:3: m"},
		{refconfig.Problem{Place: refconfig.Place{File: "f", Column: 4}, Message: "m"}, "f: m"},
		{refconfig.Problem{Place: refconfig.Place{File: "f", Entry: "e/f", Line: 3}, Message: "m"}, "f!e/f:3: m"},
		{refconfig.Problem{Place: refconfig.Place{Entry: "e"}, Message: "m"}, "!e: m"},
		{refconfig.Problem{Message: "m"}, "m"},
	} {
		if got := c.problem.Error(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestPlacesAreOrderedAsAReaderMeetsThem(t *testing.T) {
	places := []refconfig.Place{
		{},
		{File: "a", Document: 2},
		{File: "a", Entry: "b"},
		{File: "a", Entry: "b", Document: 1, Line: 9},
		{
			File:     "a",
			Entry:    "b",
			Document: 2,
			Item:     1,
		},
		{File: "a", Entry: "b", Document: 2, Item: 2},
		{File: "a", Entry: "b", Document: 2, Item: 2, Line: 1},
		{File: "a", Entry: "b", Document: 2, Item: 2, Line: 1, Column: 1},
		{File: "b"},
	}
	for i, p := range places {
		for j, q := range places {
			if got := p.Compare(q); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%+v and %+v: %d", p, q, got)
			}
		}
	}
}

func TestWhatAnnotatedFoldersLink(t *testing.T) {
	fsys := folder(map[string]string{"ref/a.yaml": "kind: A", "b.yaml": "kind: B"})
	fsys["ref/out.yaml"] = &fstest.MapFile{Data: []byte("../b.yaml"), Mode: fs.ModeSymlink}
	fsys["ref/large.yaml"] = &fstest.MapFile{Data: make([]byte, 16<<20+1)}
	_, problems := refconfig.Load(fsys, "ref", refconfig.LoadOptions{})
	want := `error VT5001 ref/large.yaml: this is larger than a file of a reference can be: the limit is 16 MiB; raise it with --limit reference=N
error VT2031 ref/out.yaml: this leads out of the reference; everything must be in the folder of the metadata file, or below it
`
	if diff := cmp.Diff(want, list("error", problems)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A large reference with many components, templates and includes is read in a time that grows with
// its size.
func TestALargeReference(t *testing.T) {
	const n = 1000
	var b strings.Builder
	b.WriteString("apiVersion: v2\nparts:\n  - name: p\n    components:\n")
	for i := range n {
		fmt.Fprintf(&b, "      - name: c%d\n        allOf: [{path: a, config: {fieldsToOmitRefs: [l0]}}]\n", i)
	}
	b.WriteString("fieldsToOmit:\n  items:\n")
	for i := range n {
		fmt.Fprintf(&b, "    l%d: [{pathToKey: spec.x%d}, {include: l%d}]\n", i, i, min(i+1, n))
	}
	fmt.Fprintf(&b, "    l%d: [{pathToKey: status}]\n", n)
	ref := load(t, b.String(), "a")
	if len(ref.Templates) != n || len(ref.Templates[0].Config.Omit) != n+1 || len(ref.Warnings) != n-1 {
		t.Errorf(
			"%d templates, %d fields to omit, %d warnings",
			len(ref.Templates),
			len(ref.Templates[0].Config.Omit),
			len(ref.Warnings),
		)
	}
}
