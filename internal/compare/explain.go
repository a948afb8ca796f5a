package compare

import (
	"context"
	"path"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// ExplainOptions say what is to be explained, and how much of it is told.
type ExplainOptions struct {
	// Subject is KIND, KIND/NAME or KIND/NAMESPACE/NAME of objects, where KIND may have its group behind a dot, or the path of a template.
	Subject       string
	NoDetail      bool // leave out what is behind the comparisons
	AllCandidates bool // tell of every candidate what is behind the comparison with it, not only of the chosen one
}

// Explain says why a run with the same arguments compares what the subject names as it does. The error is a *NotFound where nothing fits,
// or the context's.
func Explain(ctx context.Context, ref *refconfig.Reference, engine *render.Engine, in Collected, opt Options, what ExplainOptions) (*finding.Explanation, error) {
	x := explainer{engine: engine, what: what, show: overlay.Show{Secrets: opt.Show.Secrets, Expected: true}}
	opt.Choose, opt.Accept, opt.AllResources = nil, nil, false
	opt.Show = overlay.Show{Secrets: opt.Show.Secrets, NoValues: true}
	x.run = newRun(ref, engine, in, opt)
	objects, templates := x.find(what.Subject)
	if len(objects)+len(templates) == 0 {
		return nil, x.notFound(what.Subject)
	}
	out := &finding.Explanation{Tool: finding.Tool{Name: finding.ToolName}, Subject: what.Subject, Cluster: in.Cluster, Reference: finding.ReferenceOf(ref),
		Files: filesOf(ref), Inputs: inputsOf(in), LeftOut: opt.LeftOut, Unreadable: problemsOf(in.Unreadable), NotRead: problemsOf(in.NotRead)}
	if len(templates) > 0 || opt.Nearest { // what becomes of one depends on all
		if err := x.complete(ctx, engine); err != nil {
			return nil, err
		}
	}
	x.trace = true
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
	return out.Complete(), nil
}

// filesOf says by what path within the reference its files are known.
func filesOf(ref *refconfig.Reference) map[string]string {
	files := map[string]string{}
	for _, t := range ref.Templates {
		files[t.File] = t.Path
	}
	for _, f := range ref.Functions {
		files[f.File] = f.Path
	}
	return files
}

// explainer explains the comparisons of a run.
type explainer struct {
	*run
	engine *render.Engine
	what   ExplainOptions
	show   overlay.Show // of what is behind a comparison
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
