package compare

import (
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
)

// fix returns the fix of an object for a template.
func (c *comparer) fix(s subject, input map[string]any, a *attempt) *finding.Fix {
	m := c.fixMaker(s, input, a.expected.template)
	m.First = trial(a.expected, a.diff)
	m.Layout = c.layoutOf(s.stored.object)
	return m.Make()
}

// fixMaker prepares the fix of an object.
func (c *comparer) fixMaker(s subject, input map[string]any, t *render.Template) *patch.FixMaker {
	return &patch.FixMaker{
		Object:   s.stored.object.ID,
		Input:    input,
		Template: t.Ref,
		Runtime:  c.templates.runtime,
		Secrets:  s.secrets(),
		Compare: func(input map[string]any) *patch.Trial {
			x, refusal, err := c.expect(s, input, t)
			if refusal != nil || err != nil {
				return nil
			}
			return c.try(s, x)
		},
	}
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
	m := c.fixMaker(s, input, t)
	m.Missing, m.Blank = true, func() *patch.Trial {
		blank, ok := t.Blank()
		if !ok {
			return nil
		}
		policy := diff.Policy{Omit: c.templates.omitted(t.Ref)}
		compared := diff.Compare(blank.Node, input, s.secrets(), policy)
		return &patch.Trial{Compared: diff.Compared{Tree: compared.Tree, Left: compared.Left}}
	}
	out = m.Make()
	if c.ctx.Err() != nil {
		return &finding.Fix{Held: "the run ended before it was found"}
	}
	return out
}
