package compare

import (
	"context"
	"slices"

	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Kept is a run that is over, and whose CRs with findings can be compared again, each by itself.
type Kept struct {
	run      *run
	in, old  Collected // as they were before the run sorted what is lost of them
	verdicts []*verdict
}

// RunKept is Run, and returns the run to compare CRs of it again. It keeps their texts in memory.
func RunKept(
	ctx context.Context, ref *refconfig.Reference, engine *render.Engine, in Collected, opt Options,
) (*finding.Run, *Kept) {
	r := newRun(ctx, ref, engine, in, opt)
	r.keeps = true
	all := &Kept{run: r, in: r.in, old: r.old, verdicts: r.compareAll()}
	_ = r.complete(all.verdicts) // the result says why it ended early
	return r.result, all
}

// Made reports whether a result is of this run, also one of Again: all have the same list of inputs.
func (k *Kept) Made(result *finding.Run) bool {
	return len(result.Inputs) > 0 && len(k.in.Inputs) > 0 && &result.Inputs[0] == &k.in.Inputs[0]
}

// Has reports whether the run compared a CR that is wanted.
func (k *Kept) Has(wanted func(*finding.Comparison) bool) bool {
	return slices.ContainsFunc(k.run.result.Comparisons, wanted)
}

// Again returns the result of the run under more overrides, with the overrides that accept what a
// request names; nil if the run was interrupted. Only the CRs with findings that one of them is for
// are compared again.
func (k *Kept) Again(more []refconfig.Override, accept *patch.Request) *finding.Run {
	if k.run.result.Interrupted {
		return nil
	}
	r := k.under(more, accept)
	added := patch.NewSet(more, r.opt.Today)
	verdicts := workers.Each(r.ctx, r.opt.Workers, len(k.verdicts), func(i int) *verdict {
		v, e := k.verdicts[i], r.store.distinct[i]
		if v.found == nil || v.found.Result == finding.Clean {
			return v
		}
		_, named := accept.Scope(v.template, v.found.Object)
		if !named && len(added.For(manifest.ID(v.found.Object), v.template)) == 0 {
			return v
		}
		return r.safely(e, r.assigned[e])
	})
	if r.complete(verdicts) != nil {
		return nil
	}
	r.result.Base = k.run.result.Base
	return r.result
}

// under returns a run of the same CRs under more overrides, which has compared none.
func (k *Kept) under(more []refconfig.Override, accept *patch.Request) *run {
	c := *k.run.comparer
	c.opt.Accept, c.opt.Overrides = accept, slices.Concat(c.opt.Overrides, more)
	c.overrides = patch.NewSet(c.opt.Overrides, c.opt.Today)
	return &run{
		comparer: &c, ref: k.run.ref, in: k.in, old: k.old, assigned: k.run.assigned, result: c.blank(k.in),
	}
}
