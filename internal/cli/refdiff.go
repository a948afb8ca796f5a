package cli

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/validationtool/validationtool/internal/command"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/crew"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/fleet"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/refdiff"
)

// refDiffCommand is the command reference diff.
func (p *program) refDiffCommand() *command.Command {
	o := p.newOptions()
	return &command.Command{
		Name: references + " diff", Args: "OLD NEW", Does: "say what changed between two versions of a reference, by what users must do",
		About: []string{
			"It shows what has to be changed or added in a cluster that met the old version, what may vary now, what is no longer asked, and what only " +
				"authors notice. With --input it compares CRs with both versions, and lists the findings that only one of them has.",
		},
		Terms: [][2]string{{"OLD, NEW", referenceTerm()[1]}},
		Examples: []string{"validationTool reference diff reference-4.16 reference-4.17",
			"validationTool reference diff --input must-gather.tar.gz reference-4.16 reference-4.17"},
		Exits: []string{"no CR is compared otherwise", "some may be", "bad usage, a reference that does not load, or an input that could not be compared as a whole"},
		Options: func() []command.Option {
			return o.referenceOptions("the changes", slices.Concat([]command.Option{{Name: "input", Category: command.Often, Into: &o.inputs,
				Usage: "compare `INPUT` with both versions too; it is what a comparison takes (repeatable)"}}, o.shared("join", "skip-unreadable", "nested"))...)
		},
		Takes: func(l command.Line) bool { return len(l.Args) == 2 },
		Run:   func(ctx context.Context, l command.Line) error { return p.refDiff(ctx, l, o) },
	}
}

// refDiff says what changed between two versions of a reference.
func (p *program) refDiff(ctx context.Context, l command.Line, o *options) error {
	if len(l.Args) != 2 {
		return p.usageError("an OLD and a NEW reference are needed, and %d are given", len(l.Args))
	}
	o.jobs = max(1, runtime.GOMAXPROCS(0)/2)
	var versions [2]refdiff.Version
	for i := range versions {
		var err error
		o.reference = l.Args[i]
		if versions[i].Ref, versions[i].Engine, err = p.loadReference(ctx, o); err != nil {
			return err
		}
	}
	d, err := refdiff.Of(ctx, versions[0], versions[1])
	if err != nil {
		return err
	}
	d.Tool = p.tool()
	if len(o.inputs) > 0 {
		if err := p.compareBoth(ctx, o, versions, d); err != nil {
			return err
		}
	}
	p.status = d.ExitStatus
	return p.answer(ctx, o, "what changed", d, d.Text)
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
	p.startProgress(o.inputs)
	defer p.progress.End()
	whole := func(*manifest.Object) {} // either version may look at it
	var mutex sync.Mutex
	before := map[*finding.Run]*finding.Run{} // the runs with the old version, by those with the new one
	how := fleet.Comparer{Trim: whole, Run: func(ctx context.Context, in gather.Collected, room *crew.Room) *finding.Run {
		var both [2]*finding.Run
		for i, v := range versions {
			opt := opts[i]
			opt.Room = room
			both[i], _ = compare.Run(ctx, v.Ref, v.Engine, in, opt) // the run says itself where it was interrupted
		}
		mutex.Lock()
		defer mutex.Unlock()
		before[both[1]] = both[0]
		return both[1]
	}}
	runs, _, err := fleet.Read(ctx, p.fleetOptions(o)).Runs(how)
	if err != nil {
		return p.inputError(err)
	}
	for _, run := range runs {
		d.Add(before[run], run)
	}
	return nil
}
