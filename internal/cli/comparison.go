package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// plan is a reference, and how CRs are compared with it.
type plan struct {
	ref    *refconfig.Reference
	engine *render.Engine
	opt    compare.Options
	chosen selection
	fields bool         // expected variations are shown
	base   *baseCluster // nil if the reference is no cluster
	keep   *acceptor    // compares CRs again later; nil if nobody wants that
}

// plan loads the reference, and reads the files that options name.
func (p *program) plan(ctx context.Context, o *comparing) (l plan, err error) {
	if l, err = p.load(ctx, o); err != nil {
		return l, err
	}
	if l.opt, err = p.comparison(ctx, o, l.ref); err != nil {
		return l, err
	}
	return l, p.readMore(ctx, o, &l)
}

// load loads the reference, or the cluster in its place.
func (p *program) load(ctx context.Context, o *comparing) (l plan, err error) {
	l.chosen = o.selection
	l.base, err = p.readBase(ctx, o)
	if err == nil && l.base == nil {
		l.ref, l.engine, err = p.loadReference(ctx, o.reference, o.read.Inputs...)
		return l, err
	}
	p.own.add(o.reference, nil) // who reads the input waits for the files of the reference
	if err == nil {
		l.ref, l.engine, err = l.base.alone(ctx)
	}
	return l, err
}

// comparer returns the comparer that compares clusters by this plan.
func (l plan) comparer() comparer {
	if l.base != nil {
		return comparer{trim: l.base.opt.Trim, run: l.compare}
	}
	return comparer{trim: l.opt.Wanted.Trim, files: l.opt.Wanted.Files, run: l.compare}
}

// compare compares a cluster. The result records an interruption.
func (l plan) compare(ctx context.Context, in cluster.Collected, semaphore *workers.Semaphore) *finding.Run {
	l, in, base := l.of(ctx, in)
	l.opt.Semaphore = semaphore
	if l.keep != nil {
		run, kept := compare.RunKept(ctx, l.ref, l.engine, in, l.opt)
		run.Base = base
		l.keep.kept = append(l.keep.kept, kept)
		return run
	}
	run, _ := compare.Run(ctx, l.ref, l.engine, in, l.opt)
	run.Base = base
	return run
}

// of returns the plan for a cluster, and what is compared of it. They differ from the given ones only if
// another cluster is the reference: it is then described.
func (l plan) of(ctx context.Context, in cluster.Collected) (plan, cluster.Collected, *finding.Base) {
	if l.base == nil {
		return l, in, nil
	}
	pair, of, base, err := l.base.of(ctx, l, in)
	if err != nil {
		problem := refconfig.Place{File: l.base.name}.Problem(code.Internal, "%s", err)
		in.Unreadable = append(slices.Clip(in.Unreadable), problem)
		return l, in, nil
	}
	return pair, of, base
}

// comparison reads the files that options name, and returns the options of the comparison.
func (p *program) comparison(
	ctx context.Context, o *comparing, ref *refconfig.Reference,
) (compare.Options, error) {
	opt := compare.Options{
		ListOthers:    o.allResources,
		Limits:        p.limits.Render(),
		Shown:         p.limits.decoded(ofShown),
		Placeholders:  o.read.Placeholders,
		Chosen:        o.components,
		Given:         o.onlyGiven,
		Show:          diff.Show{Brief: true},
		ListUnmatched: true,
		Nearest:       o.correlation == "nearest" || (o.correlation == "" && ref.Format == refconfig.Annotations),
		Today:         today(),
	}
	var err error
	if opt.Keep, opt.LeftOut, err = o.selected(ref); err != nil {
		return opt, err
	}
	configs := []string{o.diffConfig}
	if o.diffConfig == "" {
		configs = nil
	}
	err = p.limits.written(ctx, "the diff config", code.DiffConfigBroken, configs, func(
		name string, text []byte,
	) []refconfig.Problem {
		config, problems := refconfig.ParseDiffConfig(name, text)
		pairs, more := config.Resolve(ref)
		opt.Manual, opt.Warnings = pairs, config.Warnings
		return append(problems, more...)
	})
	if err != nil {
		return opt, err
	}
	overrides, warnings, err := p.limits.readOverrides(ctx, o.overrides)
	if err != nil {
		return opt, err
	}
	opt.Overrides = overrides
	opt.Warnings = append(opt.Warnings, warnings...)
	if o.impact != nil {
		opt.Warnings = append(opt.Warnings, o.impact.warnings...)
	}
	return opt, nil
}

// readOverrides reads files of overrides. It also returns warnings about them.
func (l limits) readOverrides(
	ctx context.Context, files []string,
) (all []refconfig.Override, warnings []refconfig.Problem, err error) {
	err = l.written(ctx, "the overrides", code.OverridesBroken, files, func(name string, text []byte) []refconfig.Problem {
		overrides, odd, faults := refconfig.ParseOverrides(name, text)
		all, warnings = append(all, overrides...), append(warnings, odd...)
		return faults
	})
	return all, warnings, err
}

// selected returns the result of Reference.Select for the components that the options select.
func (o *selection) selected(ref *refconfig.Reference) (func(*refconfig.Component) bool, []string, error) {
	keep, leftOut, err := ref.Select(o.components, o.skipComponents)
	if err == nil {
		return keep, leftOut, nil
	}
	c := code.ComponentUnknown
	var problem refconfig.Problem
	if errors.As(err, &problem) {
		c = problem.Code
	}
	return nil, nil, fmt.Errorf("%s: %w", c, err)
}
