// Package lint says what is wrong with a reference, and what may not be what its author meant, without any input.
//
// In: a reference as package refconfig has loaded it, with its faults. Out: a finding.Lint with everything at its place. It guesses
// nothing: what it cannot know of a template for sure, it leaves out.
package lint

import (
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Reference says what is wrong with a reference that was loaded with some faults.
func Reference(ref *refconfig.Reference, faults []refconfig.Problem) *finding.Lint {
	l := &linter{ref: ref, wrong: faults, doubtful: ref.Warnings}
	engine, more := render.Compile(ref)
	l.engine = engine
	l.wrong = append(l.wrong, more...)
	l.wrong = append(l.wrong, compare.Check(engine)...)
	l.doubtful = append(l.doubtful, engine.Warnings()...)
	l.doubtful = append(l.doubtful, compare.Malformed(engine)...)
	l.doubtful = append(l.doubtful, compare.Overlaps(engine.Templates())...)
	return finding.NewLint(ref, l.wrong, l.doubtful)
}

// linter is the examination of one reference.
type linter struct {
	ref             *refconfig.Reference
	engine          *render.Engine
	wrong, doubtful []refconfig.Problem
}
