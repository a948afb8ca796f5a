package compare

import (
	"context"
	"path"
	"slices"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Explanation says of some objects, or of some templates, why they were compared as they were.
type Explanation struct {
	Subject    string // what was asked for, as the user wrote it
	Cluster    string // the name of the cluster that it is about
	Reference  *refconfig.Reference
	Inputs     []Input
	LeftOut    []string            // components that --component or --skip-component left out
	Objects    []ExplainedObject   // sorted by identity
	Templates  []ExplainedTemplate // in the order of the reference
	Unreadable []manifest.Problem  // what of the input was not read: the answer may lie in it; sorted by place
	NotRead    []manifest.Problem
}

// ExplainedObject says which templates came into question for an object, and what became of each.
type ExplainedObject struct {
	Object      manifest.ID
	Source      manifest.Place
	Cluster     string              // the name of its cluster, set only where the inputs hold several
	Copies      []manifest.Place    // where the object stands besides; these were not compared
	By          string              // as in Correlation; "" where no template came into question
	Manual      *refconfig.Template // the template that the user paired the object with, nil for none
	Considered  []Considered        // the templates of its kind, in the order of the reference
	Comparison  *Comparison         // with the template that was chosen; nil where there is none
	Warnings    []Warning
	KindUnknown bool // the reference has no template of the kind
}

// Chosen returns what is said of the template that the object is compared with, nil if there is none.
func (o *ExplainedObject) Chosen() *Considered {
	for i := range o.Considered {
		if o.Considered[i].Standing == Chosen {
			return &o.Considered[i]
		}
	}
	return nil
}

// Standing says what became of a template in the search for an object's template.
type Standing string

// The standings. The first five are those of candidates.
const (
	Chosen       Standing = "chosen"       // the object is compared with it
	Larger       Standing = "larger"       // the difference is larger than that of the chosen one
	Tie          Standing = "tie"          // as small a difference, but later in the reference
	NotEvaluated Standing = "notEvaluated" // it cannot be evaluated on the object, and another one can, or comes first
	RefusedIt    Standing = "refused"      // it refuses the object by doNotMatch
	LessSpecific Standing = "lessSpecific" // all it states agrees, but others of which that is true state more
	Pattern      Standing = "pattern"      // it states a part of a field, and another one that agrees states the whole
	Differs      Standing = "differs"      // a field that it states is not the object's
	Farther      Standing = "farther"      // no template fits, and others are nearer
	Overruled    Standing = "overruled"    // the user paired the object with another template
	NotAnalysed  Standing = "notAnalysed"  // its component was left out
)

// Candidate reports whether the object was compared with the template.
func (s Standing) Candidate() bool {
	switch s {
	case Chosen, Larger, Tie, NotEvaluated, RefusedIt:
		return true
	}
	return false
}

// Considered is what became of one template in the search for an object's template.
type Considered struct {
	Template *refconfig.Template
	Identity []IdentityField // apiVersion, kind, namespace, name
	Standing Standing
	Score    int         // changed characters, where it was compared
	Compared *Comparison // what comparing came to; nil for no candidate, for one that refuses the object, and for one that could not be read
	Refusal  *Refusal
	Detail   *Detail // nil for no candidate and for one that refuses the object
}

// IdentityField is one of the four fields of an identity, as a template states it and as an object has it.
type IdentityField struct {
	Name   string
	States string // a value, a pattern with * for what is open, or "" for a field that the template leaves open
	Stated bool
	Whole  bool // the template states the whole value, not a pattern
	Has    string
	Agrees bool // true too for what is left open
}

// Detail is what is behind a comparison.
type Detail struct {
	Lines     []RenderedLine
	Asked     []render.Asked
	Queries   []render.Query
	Overrides []UsedOverride
	Functions []refconfig.FieldFunction // the template's inline diff functions
	Omitted   []refconfig.FieldPath     // fields of either side that were left out of the comparison
	Merged    bool                      // what the template does not say was taken from the object (ignore-unspecified-fields)
}

// UsedOverride is an override that fits an object and a template.
type UsedOverride struct {
	refconfig.Override
	State OverrideState // where it is not OverrideUsed, it was not applied
}

// Explain says why a run with the same arguments compares what the subject names as it does. The subject is KIND,
// KIND/NAME or KIND/NAMESPACE/NAME of objects, where KIND may have its group behind a dot, or the path of a template. The
// error is a *NotFound where nothing fits, or the context's.
func Explain(ctx context.Context, ref *refconfig.Reference, engine *render.Engine, in Collected, opt Options, subject string) (*Explanation, error) {
	opt.Choose, opt.Accept = nil, nil
	r := newRun(ref, engine, in, lean(opt))
	x := explainer{run: r, engine: engine}
	objects, templates := x.find(subject)
	if len(objects)+len(templates) == 0 {
		return nil, x.notFound(subject)
	}
	out := &Explanation{Subject: subject, Cluster: in.Cluster, Reference: ref, Inputs: inputsOf(in), LeftOut: opt.LeftOut,
		Unreadable: slices.Clone(in.Unreadable), NotRead: slices.Clone(in.NotRead)}
	slices.SortStableFunc(out.Unreadable, byPlace)
	slices.SortStableFunc(out.NotRead, byPlace)
	if len(templates) > 0 || opt.Nearest { // what becomes of one depends on all
		if err := r.complete(ctx, engine); err != nil {
			return nil, err
		}
	}
	r.trace = true
	for _, e := range objects {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.Objects = append(out.Objects, x.object(e))
	}
	for _, t := range templates {
		one, err := x.template(ctx, t)
		if err != nil {
			return nil, err
		}
		out.Templates = append(out.Templates, one)
	}
	return out, nil
}

// Joined makes one of the explanations of several clusters, whose names are those of their inputs' clusters. It reads the
// reference, the subject and what was left out from the first.
func Joined(all []*Explanation) *Explanation {
	if len(all) == 1 {
		return all[0]
	}
	out := *all[0]
	out.Inputs, out.Objects, out.Templates, out.Unreadable, out.NotRead = nil, nil, nil, nil, nil
	for _, one := range all {
		for _, o := range one.Objects {
			o.Cluster = one.Cluster
			out.Objects = append(out.Objects, o)
		}
		for _, t := range one.Templates {
			t.Cluster = one.Cluster
			out.Templates = append(out.Templates, t)
		}
		out.Inputs = append(out.Inputs, one.Inputs...)
		out.Unreadable = append(out.Unreadable, one.Unreadable...)
		out.NotRead = append(out.NotRead, one.NotRead...)
	}
	return &out
}

// lean returns the options of a run of which only the verdicts are of interest.
func lean(opt Options) Options {
	opt.Each = func(c *Comparison) { c.Tree, c.Differences = nil, nil }
	opt.AllResources = false
	return opt
}

// explainer explains the comparisons of a run.
type explainer struct {
	*run
	engine *render.Engine
}

// templates returns the templates of the reference, one for each path: that which is analysed, if any is.
func (x explainer) templates() []*render.Template {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(x.engine.Templates()), func(t *render.Template) bool {
		name, analysed := path.Clean(t.Ref.Path), x.byRef(t.Ref)
		again := seen[name] || analysed != nil && analysed != t
		seen[name] = seen[name] || !again
		return again
	})
}
