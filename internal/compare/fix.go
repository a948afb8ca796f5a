package compare

import (
	"cmp"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
)

// patches returns the fix of an object and the overrides that accept its differences, as far as the
// run makes them. found is what is reported about an attempt.
func (c *comparer) patches(s subject, a *attempt, found *finding.Comparison) (*finding.Fix, *finding.Acceptance) {
	fixes := c.opt.Fix && found.Result == finding.Drifted
	scope, accepts := c.opt.Accept.Scope(a.template.Ref, found.Object)
	if !fixes && !accepts {
		return nil, nil
	}
	m := c.maker(s, a.template, cmp.Or(a.without, a))
	var fix *finding.Fix
	var acceptance *finding.Acceptance
	if fixes {
		m.Layout = c.layoutOf(s.stored.object)
		fix = m.Fix(&a.shown().compared)
	}
	if accepts {
		m.Scope, m.Extra = scope, c.opt.Accept.Extra
		acceptance = m.Overrides(&a.compared)
	}
	return fix, acceptance
}

// maker prepares the patches of an object for a template. plain is the comparison of the two without
// overrides; nil if there is none.
func (c *comparer) maker(s subject, t *render.Template, plain *attempt) *patch.Maker {
	return &patch.Maker{
		Object:   s.stored.object.ID,
		Input:    s.value,
		Template: t.Ref,
		Secrets:  s.secrets(),
		Compare:  c.again(s, t, plain),
		Active:   c.overrides,
		Runtime:  c.templates.runtime,
	}
}

// creation returns the fix for a missing object of a template, and what has to be done before.
func (c *comparer) creation(t *render.Template) *finding.Fix {
	fix := c.fixMissing(t, statedID(t.Identity))
	if c.evidence.Undefined(queryFor(t.Identity)) {
		fix.First = "no CustomResourceDefinition of the input defines this kind: " +
			"install what defines it first, such as its operator"
	}
	return fix
}

// fixMissing returns the fix for a missing object. Only the identity that the template states is
// known.
func (c *comparer) fixMissing(t *render.Template, id finding.Object) (out *finding.Fix) {
	defer func() {
		if p := recover(); p != nil {
			out = &finding.Fix{Held: "it could not be made: " + code.Fault(p)}
		}
	}()
	metadata, input := map[string]any{}, map[string]any{}
	for _, field := range []struct {
		of        map[string]any
		key, text string
	}{{input, "apiVersion", id.APIVersion}, {input, "kind", id.Kind}, {metadata, "namespace", id.Namespace}, {metadata, "name", id.Name}} {
		if field.text != "" && !strings.Contains(field.text, "*") {
			field.of[field.key] = field.text
		}
	}
	input["metadata"] = metadata
	s := c.subject(&stored{object: &manifest.Object{ID: manifest.ID(id)}}, nil)
	s.value = input
	m := c.maker(s, t, nil)
	rendered := m.Compare
	m.Missing, m.Compare = true, func(p patch.Proposal) *diff.Compared {
		if compared := rendered(p); compared != nil {
			return compared
		}
		blank, ok := t.Blank()
		if !ok {
			return nil
		}
		policy := diff.Policy{Omit: c.templates.omitted(t.Ref)}
		compared := diff.Compare(blank.Node, input, s.secrets(), policy)
		return &diff.Compared{Tree: compared.Tree, Left: compared.Left}
	}
	out = m.Fix(nil)
	if c.ctx.Err() != nil {
		return &finding.Fix{Held: "the run ended before it was found"}
	}
	return out
}
