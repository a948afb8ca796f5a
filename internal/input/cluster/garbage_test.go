package cluster

import (
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/input/manifest"
)

// TestHowOftenGarbageIsCollected: rarely for a small input, often for one that is large as a whole or
// in one of its files or CRs, with each limit at its boundary.
func TestHowOftenGarbageIsCollected(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	const mb = 1 << 20
	cr := func(size int) *manifest.Object {
		const head = "apiVersion: v1\nkind: A\nmetadata: {name: a}\n#"
		text := head + strings.Repeat("x", size-len(head))
		return manifest.Read("a.yaml", "", []byte(text), manifest.Hints{}).Objects[0]
	}
	crs := func(n int) []*manifest.Object { return slices.Repeat([]*manifest.Object{{}}, n) }
	type file struct{ objects, bytes int }
	for _, c := range []struct {
		files     []file
		want      int
		compared  []*manifest.Object
		comparing int
	}{
		{nil, 400, nil, 400},
		{[]file{{0, 4 * mb}}, 400, crs(100), 400},
		{[]file{{0, 4 * mb}}, 400, crs(101), 100},
		{[]file{{0, 4*mb + 1}}, 25, nil, 50},
		{[]file{{0, 4 * mb}, {0, 1}}, 100, nil, 50},
		{[]file{{0, 4 * mb}, {0, 1}, {0, 65 * mb}, {0, 1}}, 25, nil, 50},
		{[]file{{0, 3 * mb}, {0, 2 * mb}}, 100, []*manifest.Object{cr(2 * mb), cr(2*mb - 1)}, 50},
		{[]file{{0, 3 * mb}, {0, 2 * mb}}, 100, []*manifest.Object{cr(2 * mb), cr(2 * mb)}, 100},
		{[]file{{0, 3 * mb}, {0, 2 * mb}}, 100, []*manifest.Object{cr(4*mb + 1)}, 25},
		{[]file{{20_000, 0}}, 400, nil, 400},
		{[]file{{20_000, 0}, {1, 0}}, 25, nil, 25},
		{[]file{{20_001, 0}}, 25, nil, 25},
		{[]file{{300_000, 0}, {1, 0}}, 50, nil, 50},
		{[]file{{300_001, 0}, {1, 0}}, 50, nil, 50},
	} {
		v := newVolume()
		for _, f := range c.files {
			v.add(f.objects, f.bytes)
		}
		got := debug.SetGCPercent(100)
		debug.SetGCPercent(got)
		v.beforeComparing([]Collected{{Objects: c.compared}})
		if comparing := debug.SetGCPercent(100); got != c.want || comparing != c.comparing {
			t.Errorf("%v, then %d CRs: %d%% and %d%%, want %d%% and %d%%", c.files, len(c.compared), got, comparing, c.want, c.comparing)
		}
	}
}
