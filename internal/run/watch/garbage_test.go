package watch

import "testing"

// TestGarbage says how much garbage an input allows, in percent of the live memory.
func TestGarbage(t *testing.T) {
	const kilo, mega = 1 << 10, 1 << 20
	for _, c := range []struct {
		name           string
		files, objects int
		bytes          int // of each file
		want           int
	}{
		{"nothing was read", 0, 0, 0, 400},
		{"a folder of some CRs", 100, 100, 2 * kilo, 400},
		{"a folder of very many small CRs", 10_000, 10_000, 150, 214},
		{"a must-gather", 2000, 2000, 10 * kilo, 111},
		{"a file that may hold a large text", 1, 1, 5 * mega, 29},
		{"very many objects in small files", 1000, 300_000, 30 * kilo, 25},
		{"a large dump", 1, 20_000, 80 * mega, 25},
	} {
		size := sizeOf(c.objects, 0)
		for range c.files {
			size += sizeOf(0, c.bytes)
		}
		if got := garbage(size); got != c.want {
			t.Errorf("%s: %d %%, want %d %%", c.name, got, c.want)
		}
	}
}
