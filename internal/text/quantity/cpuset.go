package quantity

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// maxCPU is the highest CPU number of a set; Linux supports at most 8192 CPUs.
const maxCPU = 1 << 16

// maxNamed is the maximum number of CPUs in the ranges of a set, all added up.
const maxNamed = 4 * maxCPU

// CPUs is a set of CPUs with a bit for each number, because a text of ten characters can name
// thousands.
type CPUs struct{ bits *big.Int }

// ParseCPUs parses a Linux cpuset list such as "0-1,20-21" or, with strides, "0-30:2/4" (see
// cpuset(7), "List format").
func ParseCPUs(set string) (CPUs, error) {
	fault := func(format string, part string) (CPUs, error) {
		return CPUs{}, fmt.Errorf("%q is not a set of CPUs: "+format, set, part)
	}
	cpus, named := CPUs{new(big.Int)}, 0
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
				return fault("%q is not used/group", stride)
			}
		}
		low, high, ranged := strings.Cut(span, "-")
		first, err := strconv.Atoi(low)
		last := first
		if err == nil && ranged {
			last, err = strconv.Atoi(high)
		}
		if err != nil || first < 0 || last < first || last > maxCPU {
			return fault("%q is neither a number nor a range", span)
		}
		if named += last - first + 1; named > maxNamed {
			return CPUs{}, fmt.Errorf("the set of CPUs names more than %d", maxNamed)
		}
		words := make([]big.Word, last/bits.UintSize+1)
		for cpu := first; cpu <= last; cpu++ {
			if (cpu-first)%group < used {
				words[cpu/bits.UintSize] |= 1 << (cpu % bits.UintSize)
			}
		}
		cpus.bits.Or(cpus.bits, new(big.Int).SetBits(words))
	}
	return cpus, nil
}

// Size returns the number of CPUs.
func (c CPUs) Size() int {
	n := 0
	for _, word := range c.bits.Bits() {
		n += bits.OnesCount(uint(word))
	}
	return n
}

// Overlap reports whether two sets share a CPU.
func (c CPUs) Overlap(other CPUs) bool { return new(big.Int).And(c.bits, other.bits).Sign() != 0 }

// Equal reports whether two sets have the same CPUs.
func (c CPUs) Equal(other CPUs) bool { return c.bits.Cmp(other.bits) == 0 }

// Key returns a short text that is equal for equal sets.
func (c CPUs) Key() string {
	numbers := c.bits.Bytes()
	if len(numbers) <= sha256.Size {
		return string(numbers)
	}
	sum := sha256.Sum256(numbers)
	return "sum " + string(sum[:])
}
