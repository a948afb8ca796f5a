package pattern

import (
	"regexp/syntax"

	"github.com/validationtool/validationtool/internal/placeholder"
)

// Admits reports whether the placeholders of an input can have values with which a function accepts
// all of it. A value of an expression that asks for more than its characters, such as a word
// boundary, is not excluded by that. What would take too much work is not accepted.
func Admits(function, template, input string) bool {
	re, err := syntax.Parse(expression(function, template), syntax.Perl)
	if err != nil {
		return false
	}
	program, err := syntax.Compile(re.Simplify())
	const most = 1 << 26
	if err != nil || len(program.Inst)*(len(input)+1) > most {
		return false
	}
	s := states{program: program, in: make([]bool, len(program.Inst))}
	s.add(uint32(program.Start), false)
	for _, p := range placeholder.Cut(input) {
		if p.Open {
			s.anything()
			continue
		}
		for _, c := range p.Text {
			s.step(c)
		}
	}
	for i := range program.Inst {
		if s.in[i] && program.Inst[i].Op == syntax.InstMatch {
			return true
		}
	}
	return false
}

// expression is one regular expression for what a function accepts.
func expression(function, template string) string {
	if function == Regex {
		return template
	}
	pieces, _ := scan(template)
	return expressionOf(pieces)
}

// states are the instructions of a program that the text so far may have led to.
type states struct {
	program *syntax.Prog
	in      []bool
}

// add puts in an instruction, and those that it leads to without a character; all that it leads to,
// where any text may follow.
func (s *states) add(at uint32, any bool) {
	for todo := []uint32{at}; len(todo) > 0; {
		at, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if s.in[at] {
			continue
		}
		s.in[at] = true
		switch i := &s.program.Inst[at]; i.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, i.Out, i.Arg)
		case syntax.InstCapture, syntax.InstEmptyWidth, syntax.InstNop:
			todo = append(todo, i.Out)
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if any {
				todo = append(todo, i.Out)
			}
		}
	}
}

// step takes one character.
func (s *states) step(c rune) {
	before := s.in
	s.in = make([]bool, len(before))
	for at, in := range before {
		switch i := &s.program.Inst[at]; i.Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			if in && i.MatchRune(c) {
				s.add(i.Out, false)
			}
		}
	}
}

// anything takes any text.
func (s *states) anything() {
	before := s.in
	s.in = make([]bool, len(before))
	for at, in := range before {
		if in {
			s.add(uint32(at), true)
		}
	}
}
