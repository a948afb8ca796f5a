package compare

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/patch"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
)

// fix finds what an object has to become to agree with a template.
func (w *weighing) fix(input map[string]any, a *attempt) *finding.Fix {
	m := w.repairer(input, a.template, a.before)
	if !slices.ContainsFunc(a.differences, diff.Difference.Told) { // what was revealed of texts is said in the tree too
		m.First = a.mending
	}
	if w.in.Layout != nil {
		m.Layout = w.in.Layout(w.of.object.Place)
	}
	return m.Make()
}

// repairer makes ready to find what an object has to become.
func (w *weighing) repairer(input map[string]any, t *render.Template, before *render.Before) *patch.FixMaker {
	return &patch.FixMaker{
		Object:   w.of.object.ID,
		Input:    input,
		Template: t.Ref,
		Runtime:  w.runtime,
		Searched: w.searched,
		Compare: func(input map[string]any) *patch.Trial {
			a := &attempt{template: t, before: before}
			x, refusal := w.render(a, input, w.accepted)
			switch {
			case refusal != nil || a.err != nil:
				return nil
			case x.IsPlain() && diff.Meets(input, x.Value, x.Notes):
				return &patch.Trial{Tree: &diff.Pair{}} // as with most mended objects
			}
			return w.try(&attempt{template: t}, x)
		},
	}
}

// fixMissing finds what the object of a template would have to be, of which only what the template
// states is known.
func (r *run) fixMissing(t *render.Template, id finding.Object) (out *finding.Fix) {
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
	w := r.weighing(&stored{object: &manifest.Object{ID: manifest.ID(id)}})
	m := w.repairer(input, t, &render.Before{})
	m.Missing, m.Blank = true, func() *patch.Trial {
		blank, ok := t.Blank()
		if !ok {
			return nil
		}
		omit := r.omit[t.Ref]
		value, notes := tree.Omit(blank.Value, omit), tree.Omit(blank.Notes, omit)
		return &patch.Trial{Tree: diff.Of(value, input, notes, secret.OfKind(id.Kind)), Notes: notes}
	}
	out = m.Make()
	if r.ctx.Err() != nil {
		return &finding.Fix{Held: "the run was ended before it was found"}
	}
	return out
}
