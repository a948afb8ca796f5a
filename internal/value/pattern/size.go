package pattern

import (
	"regexp/syntax"
	"strings"
)

// Instructions estimates the number of instructions of a compiled expression. A short expression
// with repetitions may have many. A Unicode class counts as the hundreds of ranges that it has.
// It returns 1 for an invalid expression.
func Instructions(expression string) int {
	if !strings.ContainsAny(expression, "{pP") { // no repetition such as a{9}, no class such as \pL
		return len(expression) + 1
	}
	re, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 1
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 1
	}
	n := 0
	for _, inst := range program.Inst {
		n += 1 + len(inst.Rune)/2
	}
	return n
}
