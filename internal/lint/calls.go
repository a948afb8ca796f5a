package lint

import (
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/refconfig"
)

// calls finds definitions that nothing calls, and those that others of their name take the place
// of.
func (l *linter) calls() {
	used, all := map[*template.Definition]bool{}, true
	for _, t := range l.engine.Templates() {
		reached, known := t.Called()
		all = all && known
		for d := range reached {
			used[d] = true
		}
		l.ownDefinitions(t, reached, known)
	}
	for _, pair := range l.engine.Replaced() {
		l.warn(
			code.RefReplaced,
			first(pair[0]),
			"the definition of %q has no effect: that of %s takes its place",
			pair[0].Name,
			first(pair[1]),
		)
	}
	if all && l.complete() { // a template with a fault calls nobody knows what
		l.unusedFiles(used)
	}
}

// ownDefinitions finds those in a template's own file that it does not use.
func (l *linter) ownDefinitions(t *render.Template, reached map[*template.Definition]bool, all bool) {
	for _, d := range t.Own() {
		if other := t.Find(d.Name); other != d && other != nil {
			l.warn(
				code.RefReplaced,
				first(d),
				"the definition of %q has no effect: that of the function file takes its place (%s)",
				d.Name,
				first(other),
			)
		} else if all && !reached[d] {
			l.warn(code.RefUnusedDefinition, first(d), "nothing calls %q, which is defined here", d.Name)
		}
	}
}

// unusedFiles finds function files of whose definitions none is called.
func (l *linter) unusedFiles(used map[*template.Definition]bool) {
	files := map[string]bool{}
	for d := range used {
		files[d.File.Name] = true
	}
	for _, f := range l.ref.Functions {
		if !files[f.File] {
			l.warn(
				code.RefUnusedDefinition,
				refconfig.Place{File: f.File, Line: 1},
				"no template calls anything that this function file defines",
			)
		}
	}
}

// first returns where a definition begins.
func first(d *template.Definition) refconfig.Place { return d.File.At(d.Root.Pos) }
