package compare

import (
	"context"
	"slices"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// ExplainedTemplate says which objects met a template, and why others did not.
type ExplainedTemplate struct {
	Cluster     string // as in ExplainedObject
	Template    *refconfig.Template
	Identity    []IdentityField // without an object's side
	NotAnalysed bool            // its component was left out
	Objects     []MetObject     // those of its kind, and those paired with it, sorted by identity
	Rules       []refconfig.RuleKind
	Broken      []BrokenRule // rules that do not hold, and that this template is a part of the reason for
	Nearest     *Nearest     // the unmatched object that comes nearest, where the template met none
	Referenced  *Referenced  // set where the template met no object, but others point at one
	// NotCollected is set where the template met no object, and the input is an archive that has nothing of the kind.
	NotCollected *KindOf
	Interrupted  bool // the rules were not evaluated
}

// MetObject is an object that a template was considered for.
type MetObject struct {
	Object     manifest.ID
	Source     manifest.Place
	Root       string
	By         string     // as in Correlation
	Considered Considered // what became of this template
	With       *refconfig.Template
	WithScore  int
	Candidates int // how many templates the object was compared with
}

// Met reports whether the object is compared with the template.
func (m MetObject) Met() bool { return m.Considered.Standing == Chosen }

// template explains what became of one template. The run is complete.
func (x explainer) template(ctx context.Context, t *render.Template) (ExplainedTemplate, error) {
	out := ExplainedTemplate{Template: t.Ref, Identity: identityFields(t.Identity, manifest.ID{}), NotAnalysed: x.byRef(t.Ref) == nil,
		Interrupted: x.result.Interrupted}
	for i := range out.Identity {
		out.Identity[i].Agrees = true
	}
	for _, e := range x.store.distinct {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		if !t.Identity.Kind.Meets(e.object.ID.Kind) && x.manual(e.object.ID) != t.Ref {
			continue
		}
		out.Objects = append(out.Objects, metObject(t, x.object(e)))
	}
	listed := func(other *refconfig.Template) bool { return sameTemplate(other, t.Ref.Path) }
	for _, c := range x.ref.Components() {
		if !out.NotAnalysed && !x.opt.Keep(c) {
			continue
		}
		for _, rule := range c.Rules {
			if slices.ContainsFunc(rule.Templates, listed) {
				out.Rules = append(out.Rules, rule.Kind)
			}
		}
	}
	for _, b := range x.result.Rules {
		if slices.ContainsFunc(b.Templates, listed) {
			out.Broken = append(out.Broken, b)
		}
	}
	if !out.NotAnalysed && !slices.ContainsFunc(out.Objects, MetObject.Met) {
		x.absent(&out, t)
	}
	return out, nil
}

// absent says why a template may have met no object.
func (x explainer) absent(out *ExplainedTemplate, t *render.Template) {
	for i := range x.result.Referenced {
		if x.result.Referenced[i].Template == t.Ref {
			out.Referenced = &x.result.Referenced[i]
		}
	}
	if n, ok := x.nearest(t); ok {
		out.Nearest = &n
	}
	if kind, missed := x.notGathered(t.Identity); missed {
		out.NotCollected = &kind
	}
}

// metObject takes out of what is said of an object what is about one template.
func metObject(t *render.Template, o ExplainedObject) MetObject {
	m := MetObject{Object: o.Object, Source: o.Source, By: o.By}
	for _, c := range o.Considered {
		if c.Template == t.Ref {
			m.Considered = c
		}
		if c.Standing == Chosen {
			m.With, m.WithScore = c.Template, c.Score
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
