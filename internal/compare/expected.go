package compare

import (
	"errors"
	"slices"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/placeholder"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// expected is the expected value of an object for one template, with the object.
type expected struct {
	template *render.Template
	input    map[string]any        // the object, with its documents opened as those of the expected value
	printed  any                   // the value as the template printed it
	plain    *provenance.Node      // the value without overrides
	value    patch.Patched         // the value with overrides; the object is compared with it
	unnamed  []refconfig.FieldPath // fields that the template does not name; set if the run reports suppressed fields
	unplaced []provenance.Finding  // findings that belong to no field
	closed   []diff.Closed
	twice    []diff.Twice
	remarks  []function.Statement
	source   bool             // the object is a source CR, whose texts may be placeholders
	reached  template.Reached // set if Options.Reached is
	trace    *render.Trace    // set if the subject is traced
}

// Refusal is a template's reason not to match an object.
type Refusal struct {
	Template *refconfig.Template
	Reason   string
	At       refconfig.Place // location of doNotMatch
}

// expect executes a template for an object, opens the documents in both values, and adds the fields
// that the template leaves open. If the template refuses the object or fails, the result contains
// what is known.
func (c *comparer) expect(s subject, t *render.Template) (*expected, *Refusal, *render.Error) {
	x := &expected{template: t, input: s.value, source: c.opt.Placeholders}
	opt := c.rendering(s)
	if c.opt.Reached != nil {
		x.reached = template.Reached{}
		opt.Reached = x.reached
	}
	read := s.value
	if c.opt.Beside != nil {
		read = tree.Beside(read, c.opt.Beside[s.stored.object.ID.Key()])
	}
	rendering, err := t.Execute(read, opt)
	x.trace, x.remarks, x.unplaced = rendering.Trace, rendering.Remarks, rendering.Unplaced
	if err != nil {
		refusal, failed := c.failure(err, t, s.value)
		return x, refusal, failed
	}
	x.value = patch.Patched{
		ID:      s.stored.object.ID,
		Node:    rendering.Node,
		Clear:   c.opt.Show.Secrets,
		Secrets: s.secrets(),
	}
	x.printed = rendering.Value
	if s.refused != nil {
		x.unplaced = slices.Concat(x.unplaced, s.refused())
	}
	config := t.Ref.Config
	if o := diff.Open(config, diff.Sides{
		Left:    rendering.Node,
		Right:   s.value,
		Most:    s.mostDecoded(),
		Secrets: s.secrets(),
		Context: c.ctx,
	}); o != nil {
		x.printed, x.input, x.closed, x.twice = o.Left.Value(), o.Right, o.Closed, o.Twice
		x.value.Node, x.value.Reopen, x.value.Opened = o.Left, o.Reopen, o.Paths
	}
	if config.IgnoreUnspecified {
		var unnamed func(refconfig.FieldPath)
		if c.opt.Suppressed != Untold {
			unnamed = func(path refconfig.FieldPath) { x.unnamed = append(x.unnamed, path) }
		}
		fields := diff.FieldsOf(config).Until(c.ctx)
		x.value.Node = diff.Unspecified(x.input, x.value.Node, fields, unnamed)
	}
	x.plain = x.value.Node
	return x, nil, nil
}

// failure distinguishes a template that refuses an object from a template that fails.
func (c *comparer) failure(err error, t *render.Template, input map[string]any) (*Refusal, *render.Error) {
	var refused *render.Refused
	if errors.As(err, &refused) {
		return &Refusal{Template: t.Ref, Reason: refused.Reason, At: refused.At}, nil
	}
	var failed *render.Error
	if !errors.As(err, &failed) {
		failed = &render.Error{Code: code.Internal, At: refconfig.Place{File: t.Ref.File}, Message: err.Error()}
	}
	if c.opt.Placeholders && placeholder.Within(input) {
		failed.Message += "; the CR has placeholders, and the template may need their values: fill them in"
	}
	return nil, failed
}

// unanswered returns the findings that belong to no field and that no override answers. An override
// answers a violation if it states the value of the field; left and right contain only compared
// fields.
func (x *expected) unanswered(left, right any) []provenance.Finding {
	answers := x.value.Answers()
	return slice.Without(x.unplaced, func(f provenance.Finding) bool {
		stated, there := tree.At(left, f.Path)
		found, is := tree.At(right, f.Path)
		any := !code.IsOwn(f.Code) && !code.IsInvalid(f.Code) // the override may state any value of the field
		return answers(f, found) && (any || there == is && tree.Equal(stated, found))
	})
}

// scope returns which parts of the expected value and of the object are secret.
func (x *expected) scope(value any) secret.Scope {
	scope := x.value.Secrets.Or(secret.Of(value)).Or(secret.Of(x.input))
	if x.value.Secret {
		return scope.Values()
	}
	return scope
}
