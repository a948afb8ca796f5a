// Package explain says why an object is compared with a template: which templates were considered,
// the outcome for each, and the details of a comparison. It reports the results of a compare.Study
// and decides nothing itself. An Explanation is the document that is printed as JSON and YAML;
// docs/explain.schema.json describes it.
package explain

import (
	"context"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Options select what is explained, and in how much detail.
type Options struct {
	// Subject is the path of a template, or KIND, KIND/NAME or KIND/NAMESPACE/NAME of objects. KIND
	// may be followed by a dot and the group.
	Subject       string
	NoDetail      bool // omit the details of comparisons
	AllCandidates bool // report details for every candidate, not only for the chosen one
}

// Match explains how a run with the same arguments compares the objects or templates that the
// subject names. The error is a *NotFound if nothing matches, or the error of the context.
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
		Tool:      finding.Tool{Name: finding.ToolName},
		Subject:   what.Subject,
		Cluster:   in.Cluster,
		Reference: finding.ReferenceOf(ref),
		Files:     filesOf(ref),
		Inputs:    x.study.Result().Inputs,
		LeftOut:   opt.LeftOut,
		NotRead:   finding.SortedProblems(in.NotRead),
	}
	if len(templates) > 0 || opt.Nearest { // the result for one object depends on all others
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
		return nil, err // the last explanation may be incomplete
	}
	out.Unreadable = finding.SortedProblems(x.study.Unreadable())
	return out.Complete(), nil
}

// filesOf maps the files of a reference to their paths within the reference.
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
	secrets bool // secret data may be shown
}
