package cli

import (
	"context"

	"github.com/validationtool/validationtool/internal/author/refdiff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/workers"
)

// refDiff reports the changes between two versions of a reference.
func (p *program) refDiff(ctx context.Context, o *diffOptions) error {
	var versions [2]refdiff.Version
	for i := range versions {
		var err error
		p.useReference(o.args[i])
		if versions[i].Ref, versions[i].Engine, err = p.loadReference(ctx, o.args[i], o.read.Inputs...); err != nil {
			return err
		}
	}
	d, err := refdiff.Of(ctx, versions[0], versions[1])
	if err != nil {
		return err
	}
	d.Tool = p.tool()
	if len(o.read.Inputs) > 0 {
		if err := p.compareBoth(ctx, &o.comparing, versions, d); err != nil {
			return err
		}
	}
	p.status = d.ExitStatus
	write := d.Text
	if o.format == "markdown" {
		write = d.Markdown
	}
	return p.answer(ctx, o.format, "what changed", d, write)
}

// compareBoth compares the inputs with both versions.
func (p *program) compareBoth(ctx context.Context, o *comparing, versions [2]refdiff.Version, d *refdiff.Diff) error {
	var plans [2]plan
	for i, v := range versions {
		opt, err := p.comparison(ctx, o, v.Ref)
		if err != nil {
			return err
		}
		plans[i] = plan{ref: v.Ref, engine: v.Engine, opt: opt}
	}
	p.startProgress(o.read.Inputs)
	defer p.progress.End()
	whole := func(*manifest.Object) {} // drop nothing, because either version may need any content
	var before []*finding.Run
	how := comparer{
		trim:  whole,
		files: true,
		run: func(ctx context.Context, in cluster.Collected, semaphore *workers.Semaphore) *finding.Run {
			before = append(before, plans[0].compare(ctx, in, semaphore))
			return plans[1].compare(ctx, in, semaphore)
		},
	}
	runs, err := p.runs(ctx, p.read(ctx, o.read), how)
	if err != nil {
		return err
	}
	for i, run := range runs {
		d.Add(before[i], run)
	}
	return nil
}
