package notation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxCPU is the highest CPU number a set may name; Linux itself supports 8192 at most.
const maxCPU = 1 << 16

// maxNamed is how many CPUs the parts of a set may name together, those counted again that several parts name.
const maxNamed = 4 * maxCPU

// CPUs is a set of CPUs, by their numbers.
type CPUs map[int]bool

// ParseCPUs reads a Linux cpuset list such as "0-1,20-21" (see cpuset(7), "List format"; also with strides, "0-30:2/4").
func ParseCPUs(set string) (CPUs, error) {
	fault := func(format string, part string) error {
		return fmt.Errorf("%q is not a set of CPUs: "+format, set, part)
	}
	cpus, named := CPUs{}, 0
	for part := range strings.SplitSeq(strings.TrimSpace(set), ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		span, stride, strided := strings.Cut(part, ":")
		used, group := 1, 1
		if strided {
			u, g, ok := strings.Cut(stride, "/")
			var err1, err2 error
			used, err1 = strconv.Atoi(u)
			group, err2 = strconv.Atoi(g)
			if !ok || err1 != nil || err2 != nil || used < 1 || group < used {
				return nil, fault("%q is not used/group", stride)
			}
		}
		low, high, ranged := strings.Cut(span, "-")
		first, err := strconv.Atoi(low)
		last := first
		if err == nil && ranged {
			last, err = strconv.Atoi(high)
		}
		if err != nil || first < 0 || last < first || last > maxCPU {
			return nil, fault("%q is neither a number nor a range", span)
		}
		if named += last - first + 1; named > maxNamed {
			return nil, fmt.Errorf("the set of CPUs names more than %d", maxNamed)
		}
		for c := first; c <= last; c++ {
			if (c-first)%group < used {
				cpus[c] = true
			}
		}
	}
	return cpus, nil
}

// Overlap reports whether two sets share a CPU.
func (c CPUs) Overlap(other CPUs) bool {
	for cpu := range c {
		if other[cpu] {
			return true
		}
	}
	return false
}

// String lists the CPUs in order: two sets have the same text if they have the same CPUs.
func (c CPUs) String() string {
	numbers := make([]int, 0, len(c))
	for cpu := range c {
		numbers = append(numbers, cpu)
	}
	slices.Sort(numbers)
	return fmt.Sprint(numbers)
}
