package testkit

import "os"

// Whole reports whether tests try all that they can try, instead of a choice that finds nearly as
// much in a fraction of the time: the environment has WHOLE.
func Whole() bool { return os.Getenv("WHOLE") != "" }

// Tries returns how many of n tries of the same sort a test makes: a quarter, and all with Whole.
func Tries(n int) int {
	if Whole() {
		return n
	}
	return (n + 3) / 4
}

// Matrix returns choices of a value in each of some dimensions, by the numbers of their values. With
// Whole it returns each choice there is; otherwise few choices in which each two values of any two
// dimensions stand together.
func Matrix(sizes ...int) [][]int {
	all := [][]int{{}}
	for _, size := range sizes {
		var longer [][]int
		for _, row := range all {
			for value := range size {
				longer = append(longer, append(row[:len(row):len(row)], value))
			}
		}
		all = longer
	}
	if Whole() {
		return all
	}
	return pairwise(all)
}

// pair is two values, each with its dimension.
type pair struct{ a, va, b, vb int }

// pairwise returns some of the choices, so that each pair that one of them has is in one that is
// returned. Of the choices, it takes time and again the first one that has the most new pairs.
func pairwise(all [][]int) (some [][]int) {
	covered := map[pair]bool{}
	news := func(row []int, see func(pair)) {
		for b, vb := range row {
			for a, va := range row[:b+1] { // itself too, for where there is one dimension
				if p := (pair{a, va, b, vb}); !covered[p] {
					see(p)
				}
			}
		}
	}
	for {
		var best []int
		most := 0
		for _, row := range all {
			n := 0
			news(row, func(pair) { n++ })
			if n > most {
				best, most = row, n
			}
		}
		if best == nil {
			return some
		}
		some = append(some, best)
		news(best, func(p pair) { covered[p] = true })
	}
}
