package cli

import (
	"context"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/cluster"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/refdiff"
	"github.com/validationtool/validationtool/internal/workers"
)

// refDiffCommand returns the command reference diff.
func (p *program) refDiffCommand() *cli.Command {
	o := p.newOptions()
	return p.command(o, p.refDiff, &cli.Command{
		Name: "diff", ArgsUsage: "OLD NEW", Usage: "show what changed between two versions of a reference",
		Description: `It lists what a cluster that agreed with OLD must change or add, what may now
vary, what is no longer required, and changes that only authors notice. With
--input it compares CRs with both versions, and lists the findings that only one
version gives.

  OLD, NEW  folder with metadata.yaml, folder of CRs or templates, or archive

Examples:
  validationTool reference diff ref-4.16 ref-4.17
  validationTool reference diff --input must-gather.tar.gz ref-4.16 ref-4.17

Exit status:
  0  the result is the same for every CR
  1  the result may differ for some CRs
  2  bad usage, an invalid reference, or an incompletely compared input`,
		Flags: append(
			o.flags("join", "skip-unreadable", "nested", "limit"), o.formatFlag("the changes", "text", "json", "markdown"),
			&cli.GenericFlag{
				Name: "input", Category: often, Value: list(&o.read.Inputs),
				Usage: "compare `INPUT` with both versions; INPUT is as for a comparison (repeatable)",
			},
		),
	})
}

// refDiff reports the changes between two versions of a reference.
func (p *program) refDiff(ctx context.Context, o *options) error {
	var versions [2]refdiff.Version
	for i := range versions {
		var err error
		o.reference = o.args[i]
		if versions[i].Ref, versions[i].Engine, err = p.loadReference(ctx, o); err != nil {
			return err
		}
	}
	d, err := refdiff.Of(ctx, versions[0], versions[1])
	if err != nil {
		return err
	}
	d.Tool = p.tool()
	if len(o.read.Inputs) > 0 {
		if err := p.compareBoth(ctx, o, versions, d); err != nil {
			return err
		}
	}
	p.status = d.ExitStatus
	write := d.Text
	if o.format == "markdown" {
		write = d.Markdown
	}
	return p.answer(ctx, o, "what changed", d, write)
}

// compareBoth compares the inputs with both versions.
func (p *program) compareBoth(ctx context.Context, o *options, versions [2]refdiff.Version, d *refdiff.Diff) error {
	var opts [2]compare.Options
	for i, v := range versions {
		var err error
		if opts[i], err = p.comparison(o, v.Ref); err != nil {
			return err
		}
	}
	p.startProgress(o)
	defer p.progress.End()
	whole := func(*manifest.Object) {} // either version may need the content
	var mutex sync.Mutex
	before := map[*finding.Run]*finding.Run{} // the run with the old version, by the run with the new one
	how := comparer{
		trim:  whole,
		files: true,
		run: func(ctx context.Context, in cluster.Collected, semaphore *workers.Semaphore) *finding.Run {
			var both [2]*finding.Run
			for i, v := range versions {
				opt := opts[i]
				opt.Semaphore = semaphore
				both[i], _ = compare.Run(ctx, v.Ref, v.Engine, in, opt) // the run records where it was interrupted
			}
			mutex.Lock()
			defer mutex.Unlock()
			before[both[1]] = both[0]
			return both[1]
		},
	}
	runs, err := p.runs(ctx, o, p.read(ctx, p.inputs(o)), how)
	if err != nil {
		return err
	}
	for _, run := range runs {
		d.Add(before[run], run)
	}
	return nil
}
