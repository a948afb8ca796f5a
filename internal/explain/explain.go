// Package explain says why an object is compared with a template: which templates came into
// question, what became of each, and what is behind a comparison. It goes by what a compare.Study
// tells, and decides nothing. An Explanation is the document that JSON and YAML print;
// docs/explain.schema.json describes it.
package explain

import (
	"context"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Options say what is to be explained, and how much of it is told.
type Options struct {
	// Subject is KIND, KIND/NAME or KIND/NAMESPACE/NAME of objects, where KIND may have its group
	// behind a dot, or the path of a template.
	Subject       string
	NoDetail      bool // leave out what is behind the comparisons
	AllCandidates bool // tell of every candidate what is behind the comparison with it, not only of the chosen one
}

// Match says why a run with the same arguments compares what the subject names as it does. The
// error is a *NotFound where nothing fits, or the context's.
func Match(
	ctx context.Context,
	ref *refconfig.Reference,
	engine *render.Engine,
	in compare.Collected,
	opt compare.Options,
	what Options,
) (*Explanation, error) {
	x := explainer{study: compare.NewStudy(ctx, ref, engine, in, opt), ref: ref, what: what, secrets: opt.Show.Secrets}
	objects, templates := x.find(what.Subject)
	if len(objects)+len(templates) == 0 {
		return nil, x.notFound(what.Subject)
	}
	out := &Explanation{
		Tool:       finding.Tool{Name: finding.ToolName},
		Subject:    what.Subject,
		Cluster:    in.Cluster,
		Reference:  finding.ReferenceOf(ref),
		Files:      filesOf(ref),
		Inputs:     x.study.Result().Inputs,
		LeftOut:    opt.LeftOut,
		Unreadable: finding.ProblemsOf(x.study.Unreadable()),
		NotRead:    finding.ProblemsOf(in.NotRead),
	}
	if len(templates) > 0 || opt.Nearest { // what becomes of one depends on all
		if err := x.study.Complete(); err != nil {
			return nil, err
		}
	}
	for _, at := range objects {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out.Objects = append(out.Objects, x.object(at))
	}
	for _, t := range templates {
		one, err := x.template(ctx, t)
		if err != nil {
			return nil, err
		}
		out.Templates = append(out.Templates, one)
	}
	if err := ctx.Err(); err != nil {
		return nil, err // the last one may have been left in the middle
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
	study   *compare.Study
	ref     *refconfig.Reference
	what    Options
	secrets bool // may be shown
}
