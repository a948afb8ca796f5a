package render

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Engine holds the compiled templates of one reference. It is not modified after Compile and is
// safe for concurrent use.
type Engine struct {
	*template.Set
	templates []*Template
	partial   []*Template
}

// Template is one compiled template.
type Template struct {
	Ref      *refconfig.Template
	Identity template.Identity
	*template.Template
	blank func() (Rendering, bool) // computes the result of Blank on the first call
}

// Compile parses the function files and all templates of a reference and determines the identity of
// each template. All problems are returned with file and line; the engine lacks the templates that
// have problems. If the context ends, templates are missing and the engine must not be used.
func Compile(ctx context.Context, ref *refconfig.Reference) (*Engine, []refconfig.Problem) {
	set, problems := template.NewSet(ref.Functions)
	return compile(ctx, set, ref.Templates, problems)
}

// Compiled returns an engine with one template and the function files that the engine has. Several
// goroutines may call it.
func (e *Engine) Compiled(ctx context.Context, r *refconfig.Template) (*Engine, []refconfig.Problem) {
	return compile(ctx, e.Set.Functions(), []*refconfig.Template{r}, nil)
}

// compile adds templates to a set; problems are those of its function files.
func compile(
	ctx context.Context, set *template.Set, templates []*refconfig.Template, problems []refconfig.Problem,
) (*Engine, []refconfig.Problem) {
	e := &Engine{Set: set}
	for _, r := range templates {
		if ctx.Err() != nil {
			break
		}
		parsed, faults := set.Parse(r)
		t := &Template{Ref: r, Template: parsed}
		t.blank = sync.OnceValues(func() (Rendering, bool) { return t.executeBlank(ctx) })
		if len(faults) == 0 {
			if t.Identity = t.identify(ctx); t.Literal || t.Identity.Kind.Fixed() {
				e.templates = append(e.templates, t)
				continue
			}
			faults = []refconfig.Problem{
				{Code: code.RefTemplateNoKind, Place: refconfig.Place{File: r.File, Line: 1 + r.LinesBefore},
					Message: "the template's kind cannot be known without an input; write it as literal text: kind: ..."},
			}
		}
		isCall := func(p refconfig.Problem) bool { return p.Code == code.RefUndefined }
		if parsed != nil && len(slice.Without(faults, isCall)) == 0 {
			t.Identity = t.identify(ctx)
			e.partial = append(e.partial, t)
		}
		for _, p := range faults {
			if !slices.Contains(problems, p) { // templates that share a function file have the same problems
				problems = append(problems, p)
			}
		}
	}
	return e, problems
}

// Templates returns the compiled templates in the order of the reference.
func (e *Engine) Templates() []*Template { return e.templates }

// Partial returns the templates whose only problems are calls of undefined templates. They can be
// read, but not used for a comparison.
func (e *Engine) Partial() []*Template { return e.partial }

// Blank executes the template on an empty object, once for all callers. An action that fails prints
// nothing. ok is false if the output is not valid YAML. The result must not be changed.
func (t *Template) Blank() (Rendering, bool) { return t.blank() }

func (t *Template) executeBlank(ctx context.Context) (Rendering, bool) {
	x, err := t.onEmpty(ctx, false)
	if err != nil {
		return Rendering{}, false
	}
	r, err := x.place(nil)
	return r, err == nil
}

// mostOnEmpty is the time limit for an execution on an empty object, which usually takes
// milliseconds. The limit keeps a template that loops from blocking the comparison of other CRs.
const mostOnEmpty = 5 * time.Second

// onEmpty executes the template on an empty object. An action that fails prints nothing. identity
// sets Execution.identity.
func (t *Template) onEmpty(ctx context.Context, identity bool) (*Execution, error) {
	ctx, cancel := context.WithTimeout(ctx, mostOnEmpty)
	defer cancel()
	x := Options{Context: ctx, Searched: &secret.Searched{Context: ctx}}.exec(t.Template, &Output{})
	x.tolerant, x.identity = true, identity
	return x, x.run(Value{V: map[string]any{}, Input: true, pure: true, at: root()})
}

// Text executes a template that is not a CR, such as the patch of an override, for an object and
// returns the output. file is the name of the template in errors. The error is an *Error.
func Text(file, source string, object map[string]any, opt Options) (string, error) {
	fault := func(message string) error {
		return &Error{Code: code.EvalOverride, At: refconfig.Place{File: file}, Message: message}
	}
	t, faults := template.ParseText(file, source)
	if len(faults) > 0 {
		return "", fault(faults[0].Message)
	}
	t.Mutates = true // objects from lookups are shared, so x must copy them
	x := opt.exec(t, &Output{})
	err := x.run(x.object(tree.Copy(object)))
	if err != nil {
		return "", x.explain(err)
	}
	var failed []string
	for _, p := range x.Out.Prints {
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
	return string(x.Out.Buf), nil
}
