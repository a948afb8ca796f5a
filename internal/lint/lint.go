// Package lint reports errors and likely mistakes in a reference, without any input.
//
// Its input is a reference that package refconfig loaded, with the problems of loading it. Its
// output is a Document, in which each finding has a location. It reports nothing that is uncertain.
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

// Options select the checks. The zero value is usable.
type Options struct {
	Faults     []refconfig.Problem  // errors from loading the reference
	Compatible bool                 // also report what kube-compare rejects or reads differently
	Schemas    *crdschema.Set       // schemas to check the templates with; nil for none
	Overrides  []refconfig.Override // overrides to check with the schemas
	Doubts     []refconfig.Problem  // warnings from reading the schemas and overrides
}

// Reference checks a reference. If the context ends, the document is incomplete.
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
	if l.partly { // the entry with the error may list the file
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
		checked = l.schemas(ctx, opt)
	}
	if l.partly && len(ref.Functions) == 0 { // the entry with the error may list the function files
		undefined := func(p refconfig.Problem) bool { return p.Code == code.RefUndefined || p.Code == code.RefBareKey }
		l.wrong, l.doubtful = slices.DeleteFunc(l.wrong, undefined), slices.DeleteFunc(l.doubtful, undefined)
	}
	found := newDocument(ref, l.wrong, l.doubtful)
	found.Schemas = checked
	return found
}

// probed adds the findings of the probe, and a warning if the probe did not reach the end of the
// template.
func (l *linter) probed(ctx context.Context, t *render.Template) {
	asked := l.asked[t]
	l.wrong = append(l.wrong, asked.Lacking...)
	if asked.Incomplete && ctx.Err() == nil {
		l.warn(code.RefProbeCut, refconfig.Place{File: t.Ref.File, Line: 1 + t.Ref.LinesBefore}, "the template is too "+
			"large or too deep to be checked to its end; divide it")
	}
}

// linter checks one reference.
type linter struct {
	ref             *refconfig.Reference
	engine          *render.Engine
	compatible      bool
	wrong, doubtful []refconfig.Problem
	asked           map[*render.Template]*render.Probed
	printings       map[*render.Template]*render.Printing
	partly          bool            // the metadata has an error, so there may be more templates
	kinds           map[string]bool // kinds with a template
	never           map[string]bool // paths of templates that no CR can match
}

// complete reports whether all templates of the reference were loaded.
func (l *linter) complete() bool {
	return !l.partly && len(l.engine.Templates()) == len(l.ref.Templates)
}

// fail adds an error.
func (l *linter) fail(code string, at refconfig.Place, format string, args ...any) {
	l.wrong = append(l.wrong, at.Problem(code, format, args...))
}

// warn adds a warning.
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
