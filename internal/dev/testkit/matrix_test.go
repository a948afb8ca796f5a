package testkit

import "testing"

// TestMatrix checks that each two values stand together in a choice, in few choices, and that Whole
// gives all choices.
func TestMatrix(t *testing.T) {
	for _, c := range []struct {
		sizes       []int
		most, whole int // numbers of choices
	}{
		{[]int{}, 0, 1},
		{[]int{5}, 5, 5},
		{[]int{2, 3}, 6, 6},
		{[]int{3, 3, 3}, 10, 27},
		{[]int{2, 2, 2, 2}, 6, 16},
		{[]int{13, 3, 2, 7}, 95, 546},
	} {
		t.Setenv("WHOLE", "")
		some, seen := Matrix(c.sizes...), map[pair]bool{}
		for _, row := range some {
			for b := range row {
				for a := range b + 1 {
					seen[pair{a, row[a], b, row[b]}] = true
				}
			}
		}
		pairs := 0
		for b := range c.sizes {
			pairs += c.sizes[b]
			for a := range b {
				pairs += c.sizes[a] * c.sizes[b]
			}
		}
		if len(seen) != pairs || len(some) > c.most {
			t.Errorf("%v: %d choices have %d pairs of %d", c.sizes, len(some), len(seen), pairs)
		}
		t.Setenv("WHOLE", "1")
		if all := Matrix(c.sizes...); len(all) != c.whole {
			t.Errorf("%v: there are %d choices, want %d", c.sizes, len(all), c.whole)
		}
	}
}

// TestTries checks that a test makes some tries, and all of them with Whole.
func TestTries(t *testing.T) {
	for whole, want := range map[string]int{"": 3, "1": 10} {
		t.Setenv("WHOLE", whole)
		if got := Tries(10); got != want {
			t.Errorf("WHOLE=%q: %d tries, want %d", whole, got, want)
		}
	}
}
