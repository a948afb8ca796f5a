package watch

import (
	"runtime/debug"
	"testing"
)

// TestHowOftenGarbageIsCollected: rarely for a small input, often for one that is large as a whole, in
// one of its files or in its number of objects.
func TestHowOftenGarbageIsCollected(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	const kb, mb = 1 << 10, 1 << 20
	type files struct{ number, objects, bytes int }
	for _, c := range []struct {
		name string
		read []files
		want int // percentage of the live memory
	}{
		{"nothing was read", nil, 400},
		{"a folder of some CRs", []files{{100, 1, 2 * kb}}, 400},
		{"a file that is not large", []files{{1, 1, 4 * mb}}, 400},
		{"a file that may hold a large text", []files{{1, 0, 4*mb + 1}}, 50},
		{"an object counts a kilobyte", []files{{1, 20 * 1024, 0}}, 120},
		{"files and objects add up", []files{{10, 0, 1 * mb}, {1, 10 * 1024, 0}}, 120},
		{"a small step is not worth it", []files{{10, 0, 1 * mb}, {1, 1200, 0}}, 240},
		{"a step of an eighth is", []files{{10, 0, 1 * mb}, {1, 1470, 0}}, 209},
		{"thirteen thousand small CRs", []files{{13_000, 1, 150}}, 182},
		{"a must-gather", []files{{2000, 1, 10 * kb}}, 123},
		{"very many objects", []files{{1000, 300, 30 * kb}}, 56},
		{"a large dump, then a small file", []files{{1, 20_000, 80 * mb}, {1, 1, kb}}, 50},
	} {
		v := NewVolume()
		for _, f := range c.read {
			for range f.number {
				v.Add(f.objects, f.bytes)
			}
		}
		if got := debug.SetGCPercent(100); got != c.want {
			t.Errorf("%s: %d %%, want %d %%", c.name, got, c.want)
		}
	}
}
