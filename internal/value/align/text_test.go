package align

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	tests := []struct {
		name string
		a, b []string
		want []string // "a=b" for equal lines, "a|b" for changed ones, "a|" and "|b" for lines on one side
	}{
		{"equal", []string{"x", "y"}, []string{"x", "y"}, []string{"0=0", "1=1"}},
		{"changed", []string{"k = 1"}, []string{"k = 2"}, []string{"0|0"}},
		{"nothing in common is still one row", []string{"foo"}, []string{"bar"}, []string{"0|0"}},
		{
			"a line put in before a changed one",
			[]string{"vm.swappiness = 10"},
			[]string{"net.core.somaxconn = 1024", "vm.swappiness = 60"},
			[]string{"|0", "0|1"},
		},
		{
			"like lines find each other",
			[]string{"alpha one two", "beta three four", "gamma five six"},
			[]string{"beta three for", "gamma five seven"},
			[]string{"0|", "1|0", "2|1"},
		},
		{"one side ends first", []string{"a", "b", "c"}, []string{"x"}, []string{"0|0", "1|", "2|"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rows := Lines(test.a, test.b)
			checkRows(t, test.a, test.b, rows)
			if diff := cmp.Diff(test.want, describe(test.a, test.b, rows)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func describe(a, b []string, rows []Pair) []string {
	var out []string
	for _, r := range rows {
		side := func(n int) string {
			if n < 0 {
				return ""
			}
			return fmt.Sprint(n)
		}
		mark := "|"
		if r.A >= 0 && r.B >= 0 && a[r.A] == b[r.B] {
			mark = "="
		}
		// A line that is only in b is written "|b" so that both one-sided forms read alike.
		out = append(out, strings.Join([]string{side(r.A), side(r.B)}, mark))
	}
	return out
}

// checkRows checks that each line of both sides is in one row, in order.
func checkRows(t *testing.T, a, b []string, rows []Pair) {
	t.Helper()
	i, j := 0, 0
	for _, r := range rows {
		if r.A < 0 && r.B < 0 || r.A >= 0 && r.A != i || r.B >= 0 && r.B != j {
			t.Fatalf("row %+v comes where line %d and line %d are next", r, i, j)
		}
		if r.A >= 0 {
			i++
		}
		if r.B >= 0 {
			j++
		}
	}
	if i != len(a) || j != len(b) {
		t.Fatalf("the rows hold %d of %d and %d of %d lines", i, len(a), j, len(b))
	}
}
