package pattern

import (
	"regexp/syntax"

	"github.com/validationtool/validationtool/internal/text/placeholder"
)

// Admits reports whether a function accepts the input for some values of its placeholders. It
// assumes that conditions beyond characters, such as word boundaries, can hold. It returns false if
// the check is too much work.
func Admits(function, template, input string) bool {
	re, err := syntax.Parse(expression(function, template), syntax.Perl)
	if err != nil {
		return false
	}
	program, _ := syntax.Compile(re.Simplify()) // what parses compiles
	const most = 1 << 26
	if len(program.Inst)*(len(input)+1) > most {
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

// expression returns a regular expression for the texts that a function accepts.
func expression(function, template string) string {
	if function == Regex {
		return template
	}
	pieces, _ := scan(template)
	return expressionOf(pieces)
}

// states are the instructions of a program that can be active after the text so far.
type states struct {
	program *syntax.Prog
	in      []bool
}

// add activates an instruction and those that follow without a character, or all that can ever
// follow if any text may come next.
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

// step consumes one character.
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

// anything consumes any text.
func (s *states) anything() {
	before := s.in
	s.in = make([]bool, len(before))
	for at, in := range before {
		if in {
			s.add(uint32(at), true)
		}
	}
}
