// Package lint reports errors and likely mistakes in a reference, without any input.
//
// Its input is a reference that package refconfig loaded, with the problems of loading it. Its
// output is a Document, in which each finding has a location. It reports nothing that is uncertain.
package lint

import (
	"context"
	"slices"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/template/correlate"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
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
	isOfMetadata := func(p refconfig.Problem) bool { return p.Place.File == ref.Metadata }
	l := &linter{
		ref:        ref,
		engine:     engine,
		compatible: opt.Compatible,
		isPartial:  slices.ContainsFunc(opt.Faults, isOfMetadata),
		never:      map[string]bool{},
		kinds:      map[string]bool{},
	}
	l.add(Wrong, slices.Concat(opt.Faults, faults, engine.Faults()))
	l.add(Doubtful, slices.Concat(ref.Warnings, engine.Warnings()))
	var distinct []*render.Template // one for each path
	known := map[string]bool{}
	for _, t := range engine.Templates() {
		kind, _ := t.Identity.Kind.Exact()
		l.kinds[kind] = true
		if !known[t.Ref.Path] {
			known[t.Ref.Path] = true
			distinct = append(distinct, t)
		}
	}
	l.add(Doubtful, correlate.Overlaps(distinct))
	for _, s := range workers.Each(ctx, 0, len(engine.Templates()), func(i int) *subject {
		s := l.subject(ctx, engine.Templates()[i])
		s.sample(ctx)
		return s
	}) {
		if s != nil && ctx.Err() == nil {
			s.template(ctx)
		}
	}
	for _, t := range engine.Partial() {
		if ctx.Err() == nil {
			l.subject(ctx, t).calls() // it is not known what the undefined templates print
		}
	}
	passes := []func(){l.rules, l.calls, l.codes, l.places, l.siblings, l.references, l.groups, l.shapes}
	if opt.Compatible {
		passes = append(passes, l.compatiblePaths)
	}
	for _, pass := range passes {
		if ctx.Err() == nil {
			pass()
		}
	}
	l.add(Doubtful, opt.Doubts)
	checked := l.schemas(ctx, opt)
	l.lookups()
	l.alike()
	for _, s := range l.subjects {
		s.operators()
	}
	found := newDocument(ref, l.certain())
	found.Schemas = checked
	return found
}

// linter checks one reference.
type linter struct {
	ref        *refconfig.Reference
	engine     *render.Engine
	prober     probe.Prober
	compatible bool
	flaws      []Flaw
	subjects   []*subject
	isPartial  bool            // the metadata has an error, so there may be more templates and function files
	kinds      map[string]bool // kinds with a template
	never      map[string]bool // paths of templates that no CR can match
}

// subject is a template that is checked.
type subject struct {
	*linter
	*render.Template
	printing *probe.Printing
	root     *probe.Part // what the template prints
	isWhole  bool        // root has everything that the template prints
	asked    *probe.Probed
	faults   []probe.SampleFault // what fails on CRs that were made for it
	checked  diff.Checked        // what such CRs show of its entries of perField
}

// subject executes a template for its checks. Several goroutines may call it.
func (l *linter) subject(ctx context.Context, t *render.Template) *subject {
	asked, printing := l.prober.Execute(ctx, t.Template), probe.Print(ctx, t.Template)
	s := &subject{linter: l, Template: t, asked: asked, printing: printing}
	s.root, s.isWhole = s.printing.Parts()
	return s
}

// template checks a template by itself. It warns if the probe did not reach the end of the template.
func (s *subject) template(ctx context.Context) {
	l := s.linter
	l.subjects = append(l.subjects, s)
	s.matches()
	s.keys()
	s.add(Doubtful, s.printing.Strays())
	s.calls()
	if s.asked.Incomplete && len(s.asked.Computed) == 0 && ctx.Err() == nil {
		l.warn(code.RefProbeCut, s.at(), "the template is too large or too deep to be checked to its end; divide it")
	}
	s.onAlmostNothing()
	s.onSamples()
	s.fields()
	s.allOmitted()
	if l.compatible {
		s.compatibility()
	}
}

// calls reports what is wrong with the calls of a template and with the fields that they read.
func (s *subject) calls() {
	s.reads()
	s.habits()
	s.add(Wrong, s.asked.Lacking)
	s.add(Doubtful, s.asked.Computed)
	for _, d := range s.asked.Doubts {
		if !s.hasError(func(at refconfig.Place) bool { return at.File == d.File && at.Line == d.Line }) {
			s.add(Doubtful, []refconfig.Problem{d})
		}
	}
	if !s.hasError(func(at refconfig.Place) bool { return at.File == s.Ref.File }) {
		s.names() // with an error, the template may print something else
	}
}

// certain returns the flaws that are certain although the metadata may have an error: the entry with
// the error may list files.
func (l *linter) certain() []Flaw {
	var uncertain []code.Code
	if l.isPartial {
		uncertain = append(uncertain, code.RefUnlisted)
		if len(l.ref.Functions) == 0 {
			uncertain = append(uncertain, code.RefUndefined, code.RefBareKey)
		}
	}
	return slices.DeleteFunc(l.flaws, func(f Flaw) bool { return slices.Contains(uncertain, f.Code) })
}

// isComplete reports whether all templates of the reference were loaded.
func (l *linter) isComplete() bool {
	return !l.isPartial && len(l.engine.Templates()) == len(l.ref.Templates)
}

// add adds problems as flaws.
func (l *linter) add(s Severity, problems []refconfig.Problem) {
	for _, p := range problems {
		l.flaws = append(l.flaws, Flaw{Severity: s, Problem: p})
	}
}

// fail adds an error.
func (l *linter) fail(code string, at refconfig.Place, format string, args ...any) {
	l.add(Wrong, []refconfig.Problem{at.Problem(code, format, args...)})
}

// warn adds a warning.
func (l *linter) warn(code string, at refconfig.Place, format string, args ...any) {
	l.add(Doubtful, []refconfig.Problem{at.Problem(code, format, args...)})
}

// needs returns what an entry of perField needs besides, as the end of a message.
func (s *subject) needs() string {
	if s.ref.Format == refconfig.V1 {
		return ", which needs apiVersion v2"
	}
	return ""
}

// entry says which entry of perField would resolve the flaw that was added last.
func (s *subject) entry(path refconfig.FieldPath, key refconfig.FieldKey, value string) {
	if s.ref.Format == refconfig.V2 {
		s.flaws[len(s.flaws)-1].PerField = PerField{s.Ref.Line, path.String(), key, value}
	}
}

// hasError reports whether an error has been found for which a function returns true.
func (l *linter) hasError(is func(at refconfig.Place) bool) bool {
	return slices.ContainsFunc(l.flaws, func(f Flaw) bool { return f.Severity == Wrong && is(f.Place) })
}
