// Package lint says what is wrong with a reference, and what may not be what its author meant,
// without any input.
//
// In: a reference as package refconfig has loaded it, with its faults. Out: a Document with
// everything at its place. It guesses nothing: what it cannot know of a template for sure, it
// leaves out.
package lint

import (
	"context"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/correlate"
	"github.com/validationtool/validationtool/internal/crdschema"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Options say what is looked for. The zero value is usable.
type Options struct {
	Faults     []refconfig.Problem // that were found when the reference was loaded
	Compatible bool                // tell what kube-compare refuses or reads otherwise too
	Schemas    *crdschema.Set      // of kinds, that the templates are held against; nil for none
	Doubts     []refconfig.Problem // that were found when the schemas were read
}

// Reference says what is wrong with a reference. What it says after the end of the context is not
// all.
func Reference(ctx context.Context, ref *refconfig.Reference, opt Options) *Document {
	engine, faults := render.Compile(ctx, ref)
	l := &linter{
		ref:        ref,
		engine:     engine,
		compatible: opt.Compatible,
		wrong:      append(opt.Faults, faults...),
		doubtful:   ref.Warnings,
		asked:      map[*render.Template]*render.Probed{},
		printings:  map[*render.Template]*render.Printing{},
		never:      map[string]bool{},
		kinds:      map[string]bool{},
	}
	for _, p := range opt.Faults {
		l.partly = l.partly || p.Place.File == ref.Metadata
	}
	if l.partly { // what is listed by what has a fault, nobody knows
		l.doubtful = slices.DeleteFunc(slices.Clone(ref.Warnings),
			func(p refconfig.Problem) bool { return p.Code == code.RefUnlisted })
	}
	l.wrong = append(l.wrong, engine.CallFaults()...)
	l.doubtful = append(l.doubtful, engine.Warnings()...)
	for _, t := range engine.Templates() {
		checked := diff.Check(t)
		l.wrong, l.doubtful = append(l.wrong, checked.Errors...), append(l.doubtful, checked.Doubts...)
	}
	l.doubtful = append(l.doubtful, correlate.Overlaps(l.distinct())...)
	for _, t := range engine.Templates() {
		kind, _ := t.Identity.Kind.Exact()
		l.kinds[kind] = true
	}
	for _, t := range engine.Templates() {
		if ctx.Err() != nil {
			break
		}
		l.asked[t], l.printings[t] = t.Probe(ctx), t.Printing(ctx)
		l.matches(t)
		l.keys(t)
		l.reads(t)
		l.habits(t)
		l.probed(ctx, t)
		l.fields(t)
		l.onAlmostNothing(t)
		if opt.Compatible {
			l.compatibility(t)
		}
	}
	passes := []func(){l.rules, l.calls, l.codes, l.places}
	if opt.Compatible {
		passes = append(passes, l.compatiblePaths)
	}
	for _, pass := range passes {
		if ctx.Err() == nil {
			pass()
		}
	}
	var checked *Checked
	if opt.Schemas != nil {
		l.doubtful = append(l.doubtful, opt.Doubts...)
		checked = l.schemas(ctx, opt.Schemas)
	}
	found := newDocument(ref, l.wrong, l.doubtful)
	found.Schemas = checked
	return found
}

// probed takes over what an execution on a stub finds, and says where that did not come to the end
// of the template.
func (l *linter) probed(ctx context.Context, t *render.Template) {
	asked := l.asked[t]
	l.wrong = append(l.wrong, asked.Lacking...)
	if asked.Incomplete && ctx.Err() == nil {
		l.warn(code.RefProbeCut, refconfig.Place{File: t.Ref.File, Line: 1 + t.Ref.LinesBefore}, "the template is too "+
			"large or too deep to be followed to its end, so that faults in the rest of it are not found here; divide it")
	}
}

// linter is the examination of one reference.
type linter struct {
	ref             *refconfig.Reference
	engine          *render.Engine
	compatible      bool
	wrong, doubtful []refconfig.Problem
	asked           map[*render.Template]*render.Probed
	printings       map[*render.Template]*render.Printing
	partly          bool            // the metadata has a fault, so that there may be more templates
	kinds           map[string]bool // that there are templates for
	never           map[string]bool // paths of templates that no CR can match
}

// complete reports whether all templates that there may be are there.
func (l *linter) complete() bool {
	return !l.partly && len(l.engine.Templates()) == len(l.ref.Templates)
}

// fail notes an error.
func (l *linter) fail(code string, at refconfig.Place, format string, args ...any) {
	l.wrong = append(l.wrong, at.Problem(code, format, args...))
}

// warn notes a warning.
func (l *linter) warn(code string, at refconfig.Place, format string, args ...any) {
	l.doubtful = append(l.doubtful, at.Problem(code, format, args...))
}

// distinct returns the templates, one for each path.
func (l *linter) distinct() []*render.Template {
	var all []*render.Template
	seen := map[string]bool{}
	for _, t := range l.engine.Templates() {
		if !seen[t.Ref.Path] {
			seen[t.Ref.Path] = true
			all = append(all, t)
		}
	}
	return all
}
