package code

import (
	"fmt"
	"testing"
)

// Of many names without a near one, only the first must be compared with all.
func TestWhatIsMeantTakesBoundedWork(t *testing.T) {
	few := NewNames([]string{"NTP-SERVERS", "NTP-ALONE"})
	for range 1000 {
		if got, want := few.DidYouMean("NTP-SERVER"), DidYouMean("NTP-SERVER", few.all); got != want || got.Instead == "" {
			t.Fatalf("%q, want %q", got, want)
		}
	}
	const n = 20_000
	var all []string
	for i := range n {
		all = append(all, fmt.Sprint("C", n+i))
	}
	many, meant := NewNames(all), 0
	for i := range n {
		if many.Nearest(fmt.Sprint("D", n+i)) != "" {
			meant++
		}
	}
	if most := 100_000_000 / (6 * 6 * n); meant == 0 || meant > most {
		t.Errorf("of %d names it is said what they mean, want some, and %d at most", meant, most)
	}
}
