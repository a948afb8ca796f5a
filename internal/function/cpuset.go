package function

import (
	"fmt"
	"strconv"
	"strings"
)

// maxCPU is the highest CPU number a set may name; Linux itself supports 8192 at most.
const maxCPU = 1 << 16

// parseCPUSet reads a Linux cpuset list such as "0-1,20-21" (see cpuset(7), "List format"; also with strides, "0-30:2/4")
// into the set of CPU numbers. A text that is no set is a finding on the CR.
func parseCPUSet(set string) (map[int]bool, error) {
	fault := func(format string, part string) error {
		return &Failure{Message: fmt.Sprintf("%q is not a set of CPUs: "+format, set, part)}
	}
	cpus := map[int]bool{}
	for _, part := range strings.Split(strings.TrimSpace(set), ",") {
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
		for c := first; c <= last; c++ {
			if (c-first)%group < used {
				cpus[c] = true
			}
		}
	}
	return cpus, nil
}

// cpuSetSize returns the number of CPUs in a set.
func cpuSetSize(set string) (int, error) {
	cpus, err := parseCPUSet(set)
	return len(cpus), err
}

// cpuSetsOverlap reports whether two sets share a CPU.
func cpuSetsOverlap(a, b string) (bool, error) {
	as, err := parseCPUSet(a)
	if err != nil {
		return false, err
	}
	bs, err := parseCPUSet(b)
	for c := range as {
		if bs[c] {
			return true, nil
		}
	}
	return false, err
}
