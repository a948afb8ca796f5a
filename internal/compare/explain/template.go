package explain

import (
	"context"
	"path"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// template explains the outcome for one template. The study must be complete.
func (x explainer) template(ctx context.Context, t *render.Template) (ExplainedTemplate, error) {
	out := ExplainedTemplate{
		Template:    finding.TemplateOf(t.Ref),
		File:        t.Ref.File,
		Identity:    identityFields(t.Identity, nil),
		NotAnalysed: !x.study.Analyses(t),
		Interrupted: x.study.Result().Interrupted,
		Rules:       []string{},
		Broken:      []finding.Rule{},
		Objects:     []MetObject{},
	}
	for at, o := range x.study.Objects() {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if !t.Identity.Kind.Matches(o.ID.Kind) && x.study.Manual(o.ID) != t.Ref {
			continue
		}
		out.Objects = append(out.Objects, metObject(t.Ref.Path, x.object(at)))
	}
	for _, c := range x.ref.Components() {
		if !out.NotAnalysed && !x.study.AnalysesComponent(c) {
			continue
		}
		for _, rule := range c.Rules {
			if slices.ContainsFunc(
				rule.Templates, func(other *refconfig.Template) bool { return sameTemplate(other, t.Ref.Path) },
			) {
				out.Rules = append(out.Rules, string(rule.Kind))
			}
		}
	}
	for _, b := range x.study.Result().Rules {
		if slices.ContainsFunc(
			b.Templates, func(other string) bool { return path.Clean(other) == path.Clean(t.Ref.Path) },
		) {
			out.Broken = append(out.Broken, b)
		}
	}
	if !out.NotAnalysed && !slices.ContainsFunc(out.Objects, MetObject.Met) {
		x.absent(&out, t)
	}
	return out, nil
}

// absent adds why no object may have matched the template.
func (x explainer) absent(out *ExplainedTemplate, t *render.Template) {
	for _, one := range x.study.Result().Referenced {
		if one.Template == t.Ref.Path {
			out.Referenced = &one
		}
	}
	out.Nearest, out.NotCollected, out.Because = x.study.Absent(t)
	if slices.ContainsFunc(out.Rules, func(rule string) bool { return rule != string(refconfig.NoneOf) }) {
		fix := x.study.Creation(t)
		out.Create = &Creation{CR: fix.CR, Held: fix.Held, First: fix.First}
		for _, open := range fix.Open {
			out.Create.Open = append(out.Create.Open, open.Words())
		}
	}
}

// metObject extracts the outcome for one template from the explanation of an object.
func metObject(template string, o ExplainedObject) MetObject {
	m := MetObject{Object: o.Object, Source: o.Source, By: o.By}
	for _, c := range o.Considered {
		if c.Template.Path == template {
			m.Considered = c
		}
		if c.Standing == Chosen {
			m.With = c.Template.Path
			if c.Score != nil {
				m.WithScore = *c.Score
			}
		}
		if c.Standing.Candidate() {
			m.Candidates++
		}
	}
	if !m.Met() {
		m.Considered.Detail = nil
	}
	return m
}
