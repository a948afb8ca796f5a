package lint

import (
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// calls reports definitions that no template calls, and those that another one replaces.
func (l *linter) calls() {
	used, all := map[*template.Definition]bool{}, true
	for _, t := range l.engine.Templates() {
		reached, known := t.Called()
		all = all && known
		for d := range reached {
			if !used[d] {
				l.add(Doubtful, d.Idle())
			}
			used[d] = true
		}
		l.ownDefinitions(t, reached, known)
	}
	for _, pair := range l.engine.Replaced() {
		l.warn(
			code.RefReplaced,
			first(pair[0]),
			"the definition of %q has no effect: the one at %s replaces it",
			pair[0].Name,
			first(pair[1]),
		)
	}
	if all && l.isComplete() { // the calls of a template with an error are unknown
		l.unusedFiles(used)
	}
}

// ownDefinitions reports definitions in the file of a template that it does not use.
func (l *linter) ownDefinitions(t *render.Template, reached map[*template.Definition]bool, all bool) {
	for _, d := range t.Own() {
		if other := t.Find(d.Name); other != d && other != nil {
			l.warn(
				code.RefReplaced,
				first(d),
				"the definition of %q has no effect: the one in the function file replaces it (%s)",
				d.Name,
				first(other),
			)
		} else if all && !reached[d] {
			l.warn(code.RefUnusedDefinition, first(d), "no template calls the definition of %q", d.Name)
		}
	}
}

// unusedFiles reports function files without a definition that is called.
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
				"no template calls a definition of this function file",
			)
		}
	}
}

// first returns the location of the beginning of a definition.
func first(d *template.Definition) refconfig.Place { return d.File.At(d.Root.Pos) }
