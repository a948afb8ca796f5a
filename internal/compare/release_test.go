package compare

import (
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/dev/given"
)

// TestComparedObjectsAreReleased checks which objects keep their text after a run that may drop it: those
// that templates look up, and those with copies.
func TestComparedObjectsAreReleased(t *testing.T) {
	ref, engine := given.Load(t, fstest.MapFS{
		"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [" +
			"{path: a.yaml}, {path: b.yaml}, {path: c.yaml}]}]}]\n")},
		"a.yaml": {Data: []byte("apiVersion: v1\nkind: A\nmetadata:\n  name: {{ .metadata.name }}\nv: 1\n")},
		"b.yaml": {Data: []byte("apiVersion: v1\nkind: B\nmetadata:\n  name: b\n" +
			"v: {{ (lookupCR \"v1\" \"C\" \"\" \"c\").v }}\n")},
		"c.yaml": {Data: []byte("apiVersion: v1\nkind: C\nmetadata:\n  name: c\nv: 3\n")},
	}, "")
	const objects = `apiVersion: v1
kind: A
metadata: {name: same}
v: 1
---
apiVersion: v1
kind: A
metadata: {name: drifting}
v: 2
---
apiVersion: v1
kind: A
metadata: {name: copied}
v: 2
---
apiVersion: v1
kind: A
metadata: {name: copied}
v: 3
---
apiVersion: v1
kind: B
metadata: {name: b}
v: 3
---
apiVersion: v1
kind: C
metadata: {name: c}
v: 3
---
apiVersion: v1
kind: D
metadata: {name: d}
`
	for _, release := range []bool{false, true} {
		in := Collected{Objects: given.Objects(t, "in.yaml", objects)}
		found, err := Run(t.Context(), ref, engine, in, Options{Release: release})
		if err != nil || len(found.Comparisons) != 5 || len(found.NotRead)+len(found.Refused) > 0 {
			t.Fatalf("%v, %+v", err, found)
		}
		for _, o := range in.Objects {
			last := o.ID.Name == "copied" || o.ID.Kind > "B" || !release
			if kept := o.Text() > 0; kept != last {
				t.Errorf("release %v: %s keeps its text: %v", release, o.ID, kept)
			}
		}
	}
}
