package render

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Engine holds the compiled templates of one reference. It is not modified after Compile and may be used by any number
// of goroutines.
type Engine struct {
	set       *template.Set
	templates []*Template
	warnings  []refconfig.Problem
}

// Template is one compiled template.
type Template struct {
	Ref      *refconfig.Template
	Identity template.Identity
	*template.Template
}

// All templates of a reference may take so many steps together when they are executed without an object, beside some for each and for each byte of its
// text. It is so much that only loops over fixed numbers get there.
const (
	blankSteps = 60_000_000
	freeSteps  = 1000
	freeBytes  = 50
)

// Compile parses the function files and all templates of a reference and finds each template's identity. Every fault is
// returned with file and line; a template with a fault is left out of the engine.
func Compile(ref *refconfig.Reference) (*Engine, []refconfig.Problem) {
	set, problems := template.NewSet(ref.Functions)
	e := &Engine{set: set}
	left := blankSteps
	for _, r := range ref.Templates {
		before, work := set.Visits(), 0
		parsed, faults := set.Parse(r)
		t := &Template{Ref: r, Template: parsed}
		if len(faults) == 0 {
			t.Identity, work = t.identify()
		}
		if left -= max(0, set.Visits()-before+work-freeSteps-freeBytes*len(r.Source)); left < 0 {
			return e, append(problems, refconfig.Place{File: r.File, Line: 1 + r.LinesBefore}.Problem(code.LimitBlank,
				"the templates up to this one take more than %d steps without a CR, beside %d for each and %d for each byte of it; does one loop over a fixed number, or call thousands of others?",
				blankSteps, freeSteps, freeBytes))
		}
		if len(faults) == 0 {
			if t.Literal || t.Identity.Kind.Fixed() {
				e.templates = append(e.templates, t)
				continue
			}
			faults = []refconfig.Problem{{Code: code.RefTemplateNoKind, Place: refconfig.Place{File: r.File, Line: 1 + r.LinesBefore},
				Message: "the template's kind cannot be known without an input; write it as literal text: kind: ..."}}
		}
		for _, p := range faults {
			if !slices.Contains(problems, p) { // templates share function files
				problems = append(problems, p)
			}
		}
	}
	e.warnings = set.Warnings()
	return e, problems
}

// Templates returns the compiled templates in the order of the reference.
func (e *Engine) Templates() []*Template { return e.templates }

// Warnings returns what may be wrong with the templates, such as calls of functions whose result may differ from run to run, sorted by
// file and line.
func (e *Engine) Warnings() []refconfig.Problem { return e.warnings }

// Stated returns the calls of violation and note in the templates of the reference, sorted by place.
func (e *Engine) Stated() []template.Stated { return e.set.Stated() }

// Replaced are definitions of function files that others of their name are used for, see template.Set.
func (e *Engine) Replaced() [][2]*template.Definition { return e.set.Replaced() }

// Lookups returns what the templates of the reference, and some texts of templates beside them (see Text), may look up.
func (e *Engine) Lookups(texts ...string) template.Lookups { return e.set.Lookups(texts...) }

// Blank is what a template yields without an input.
type Blank struct {
	Rendering
	// Whole says that an input can only fill in values.
	Whole bool
}

// Blank executes the template on an empty object. An action that fails prints nothing. False where that is no YAML.
func (t *Template) Blank() (Blank, bool) {
	x, err := t.onEmpty(false)
	if err != nil {
		return Blank{}, false
	}
	r, err := x.out.place(x.limits, nil)
	if err != nil {
		return Blank{}, false
	}
	return Blank{Rendering: r, Whole: t.Fixed()}, true
}

// onEmpty executes the template on an empty object, for its identity or not. An action that fails prints nothing.
func (t *Template) onEmpty(identity bool) (*exec, error) {
	x := Options{Searched: &secret.Searched{Most: blankSteps}}.exec(t.Template, &output{})
	x.tolerant, x.identity = true, identity
	return x, x.run(value{v: map[string]any{}, input: true, pure: true, at: root()})
}

// Text executes a template that is no CR, such as an override's patch, for an object, and returns what it prints. File
// names the template in errors; the error is an *Error.
func Text(file, source string, object map[string]any, opt Options) (string, error) {
	fault := func(message string) error { return &Error{Code: code.EvalOverride, Position: file, Message: message} }
	t, faults := template.ParseText(file, source)
	if len(faults) > 0 {
		return "", fault(faults[0].Message)
	}
	t.Mutates = true // what it looks up is shared
	x := opt.exec(t, &output{})
	err := x.run(x.object(tree.Copy(object)))
	if opt.Work != nil {
		*opt.Work += x.work() + int(budget.Steps(x.out.buf))
	}
	if err != nil {
		return "", x.explain(err)
	}
	var failed []string
	for _, p := range x.out.prints {
		if p.secret && opt.Secret != nil {
			*opt.Secret = true
		}
		if p.fail != "" {
			failed = append(failed, p.fail)
		}
	}
	if failed != nil {
		return "", fault(strings.Join(failed, "; "))
	}
	return string(x.out.buf), nil
}
