package function

import (
	"fmt"

	"github.com/validationtool/validationtool/internal/text/quantity"
)

// These functions compare texts that may write the same value in different ways. An invalid text is
// a finding on the CR.

// readCPUs parses a set of CPUs.
func readCPUs(set string) (quantity.CPUs, error) {
	cpus, err := quantity.ParseCPUs(set)
	if err != nil {
		return cpus, &Failure{Message: err.Error()}
	}
	return cpus, nil
}

// cpuSetSize returns the number of CPUs in a set, which is a text, or nil for no CPU.
func cpuSetSize(set any) (int, error) {
	text, isText := set.(string)
	if !isText && set != nil {
		return 0, fmt.Errorf("cpuSetSize takes a string as argument 1, not %s", Describe(set))
	}
	cpus, err := readCPUs(text)
	if err != nil {
		return 0, err
	}
	return cpus.Size(), nil
}

// onCPUSets returns a template function that parses two sets and compares them.
func onCPUSets(holds func(a, b quantity.CPUs) bool) func(a, b string) (bool, error) {
	return func(a, b string) (bool, error) {
		as, err := readCPUs(a)
		if err != nil {
			return false, err
		}
		bs, err := readCPUs(b)
		return err == nil && holds(as, bs), err
	}
}

// quantityCompare returns -1, 0 or 1: whether the first quantity is smaller than the second, equal,
// or larger.
func quantityCompare(a, b any) (int, error) {
	var amounts [2]quantity.Amount
	for i, v := range []any{a, b} {
		amount, err := quantity.ParseQuantity(fmt.Sprint(v)) // a number in a CR is a quantity too
		if err != nil {
			return 0, &Failure{Message: fmt.Sprintf("%.100q: %s", fmt.Sprint(v), err)}
		}
		amounts[i] = amount
	}
	return amounts[0].Compare(amounts[1]), nil
}

// quantityEqual reports whether two quantities are the same amount.
func quantityEqual(a, b any) (bool, error) {
	order, err := quantityCompare(a, b)
	return err == nil && order == 0, err
}
