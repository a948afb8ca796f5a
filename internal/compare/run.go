package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/validationtool/validationtool/internal/cluster"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/crew"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/patch"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/internal/watch"
	"github.com/validationtool/validationtool/refconfig"
)

// Collected is what was read of a cluster.
type Collected = cluster.Collected

// Options of a run. The zero value compares everything as the reference says.
type Options struct {
	AllResources bool // unmatched objects of any kind count as such
	// the report names unmatched objects one by one, and does not only count them
	ListUnmatched bool
	// objects that no template fits are compared with the nearest, see assignNearest
	Nearest bool
	Manual  map[string]*refconfig.Template // by object key, see manifest.ID.Key
	// the objects are source CRs, in which placeholders stand for values
	Placeholders bool
	Overrides    []refconfig.Override            // accepted deviations
	Warnings     []refconfig.Problem             // what is odd about the files that the options were read from
	Today        string                          // the date (2006-01-02) that overrides expire by; "" for never
	Keep         func(*refconfig.Component) bool // components to analyse; nil for all
	LeftOut      []string                        // names of the components that Keep leaves out
	// names and globs by which the user chose the components, see refconfig.Reference.Unanswered;
	// nil for all
	Chosen     []string
	Choose     func(finding.Question) (int, bool) // asked where several templates fit, see run.ask; nil for never
	Suppressed Suppressed                         // how much is told of what is left out of comparisons
	Accept     *patch.Request                     // find overrides that accept what is found; nil for none
	Fix        bool                               // find what CRs have to become to agree with the reference
	Workers    int                                // 0 for as many as there are processors
	Limits     render.Limits                      // of each execution of a template
	Room       *crew.Room                         // memory for the objects that are being compared; nil for any
	// is told how many objects were compared, by several goroutines at once; nil for nobody
	Progress func(done, of int)
	// is told what the template of each CR came to, by several goroutines at once; nil for nobody
	Reached func(template.Reached)
	// what Wants returned for the same reference, templates and options; nil to find it out again
	Wanted *Wanted
	// what is kept for the report, so that memory grows with what is reported
	Show diff.Show
}

// run is the state of one Run.
type run struct {
	*selection
	ctx      context.Context // of the comparisons
	ref      *refconfig.Reference
	opt      Options
	in       Collected
	store    *store
	looked   int  // how often names were held against each other, see looks
	left     int  // objects that were not compared because the context ended
	cut      bool // the context ended before all else was looked at
	accepted *patch.Set
	// what objects are compared with for want of a template that fits, see assignNearest
	assigned map[*stored]*render.Template
	warned   map[string]bool   // entries of perField with malformed groups, and places where templates fail
	evidence *cluster.Evidence // of what was gathered
	result   *finding.Run

	compared  []*compared         // what the result has of them is settled
	unmatched []*manifest.Object  // those worth listing
	unread    []refconfig.Problem // what could not be read
}

// Run compares the objects of an input with a reference. Where the context ends before that is
// done, or the input was not read to its end, the result holds what was found until then and says
// so; rules are not evaluated then, because what is missing from a part may be in the rest. The
// error is the context's, where it ended too early.
func Run(
	ctx context.Context, ref *refconfig.Reference, engine *render.Engine, in Collected, opt Options,
) (*finding.Run, error) {
	r := newRun(ctx, ref, engine, in, opt)
	err := r.complete()
	return r.result, err
}

// complete does what Run does.
func (r *run) complete() error {
	r.warnOfReference()
	for _, w := range r.opt.Warnings {
		r.result.Warnings = append(
			r.result.Warnings,
			finding.Warning{Code: w.Code, Message: w.Message, Place: w.Place.String(), OfOption: true},
		)
	}
	err := r.compareAll()
	r.stopped()
	if !r.result.Interrupted {
		r.unusedPairs()
		r.rules()
		r.wrapped()
		r.placeholders()
	}
	r.overrides()
	r.nameless()
	r.cluster()
	r.wrongReference()
	r.cutArchives()
	r.finish()
	return err
}

// stopped takes down that the run was interrupted, if it was.
func (r *run) stopped() {
	why := r.in.Stopped
	switch of := len(r.store.distinct); {
	case why != nil:
	case r.left > 0:
		why = watch.Cause(r.ctx).And(fmt.Sprintf(": %s not looked at, and no rule was evaluated",
			finding.Plural(r.left, fmt.Sprintf("of %d CRs was", of), fmt.Sprintf("of %d CRs were", of))))
	case r.cut:
		why = watch.Cause(r.ctx).And(": not all copies of CRs were looked at, and no rule was evaluated")
	}
	if why == nil {
		return
	}
	r.result.Interrupted = true
	p := refconfig.Problem{Code: why.Code, Message: why.Message(), Place: refconfig.Place{}}
	if len(r.in.Inputs) > 0 {
		p.Place.File = r.in.Inputs[0].Path
	}
	r.unread = append(r.unread, p)
}

// newRun prepares a run: the index of the templates that are analysed, and the distinct objects.
func newRun(ctx context.Context, ref *refconfig.Reference, engine *render.Engine, in Collected, opt Options) *run {
	if opt.Keep == nil {
		opt.Keep = func(*refconfig.Component) bool { return true }
	}
	if opt.Wanted == nil {
		opt.Wanted = Wants(ref, engine, opt)
	}
	in.Settle(opt.Wanted.selection.index.HasKind)
	return &run{
		selection: opt.Wanted.selection,
		ctx:       ctx,
		ref:       ref,
		opt:       opt,
		in:        in,
		evidence:  cluster.NewEvidence(&in),
		store:     newStore(in.Objects, opt.Placeholders),
		accepted:  patch.NewSet(opt.Overrides, opt.Today),
		assigned:  map[*stored]*render.Template{},
		unread:    slices.Clone(in.Unreadable),
		result: &finding.Run{Chosen: len(opt.Chosen) > 0, Cluster: finding.Cluster{Name: in.Cluster}, Inputs: in.Inputs,
			NotRead: finding.ProblemsOf(
				in.NotRead,
			), LeftOut: opt.LeftOut, Warnings: warningsOf(in), Suppressed: rulesOfSuppression(opt.Suppressed)},
	}
}

// verdict is what the comparison of one object came to: one of the three, or none where it is of no
// interest.
type verdict struct {
	comparison *compared
	unmatched  *manifest.Object
	refused    *finding.Unmatched
	done       bool
	open       *choice // set where the comparison is one of several, and somebody is to be asked for which
	of         *stored // the copy that it is about, where copies were compared
	disagree   string  // what these came to, where that is not the same
}

// compareAll compares every distinct object, in parallel. The results are collected by index. The
// error is the context's, where it ended before all were done; what is being compared then is left,
// for a large object takes long.
func (r *run) compareAll() error {
	todo := r.store.distinct
	var done atomic.Int64
	verdicts := crew.Each(r.ctx, r.opt.Workers, len(todo), func(i int) verdict {
		if r.opt.Progress != nil {
			defer func() { r.opt.Progress(int(done.Add(1)), len(todo)) }()
		}
		return r.safely(i)
	})
	r.ask(verdicts)
	if r.opt.Nearest {
		r.assignNearest(verdicts)
	}
	r.collect(verdicts)
	for _, v := range verdicts {
		if v == (verdict{}) {
			r.left++
		}
	}
	if r.left > 0 || r.cut {
		return r.ctx.Err()
	}
	return nil
}

// collect puts the verdicts into the result, in their order.
func (r *run) collect(verdicts []verdict) {
	res := r.result
	for _, v := range verdicts {
		switch {
		case v.comparison != nil:
			r.compared = append(r.compared, v.comparison)
			res.Comparisons = append(res.Comparisons, v.comparison.Comparison)
			res.Summary.Masked += len(v.comparison.masked)
			r.tellSuppressed(v.comparison)
			r.warnMalformed(v.comparison.malformed)
			r.warnFailed(v.comparison.failed)
			res.Warnings = append(res.Warnings, v.comparison.warnings()...)
		case v.refused != nil:
			res.Refused = append(res.Refused, *v.refused)
		case v.unmatched != nil:
			r.unmatched = append(r.unmatched, v.unmatched)
		case v.done:
			res.Summary.Objects.Ignored++
		}
	}
	r.tellCopies(verdicts)
}

// overrides says what became of the overrides.
func (r *run) overrides() {
	uses := func(yield func(finding.Object, []patch.Use) bool) {
		for _, c := range r.compared {
			if !yield(c.Object, c.overrides) {
				return
			}
		}
	}
	stated := func(yield func(*refconfig.Template, finding.Object) bool) {
		for _, t := range r.index.Templates() {
			if r.result.Interrupted || !yield(t.Ref, statedID(t.Identity)) {
				return
			}
		}
	}
	r.result.Overrides = r.accepted.States(patch.Outcome{Uses: uses, Accepted: r.result.AcceptedCRs, Stated: stated})
	r.result.Warnings = append(r.result.Warnings, r.accepted.Warnings(r.result.Overrides)...)
}

// safely compares the object of an index, and lets go of what the report does not need. A panic is
// a failure of this object only. Nothing comes of one that waits for room when the context ends.
func (r *run) safely(at int) (v verdict) {
	e := r.store.distinct[at]
	defer func() {
		if p := recover(); p != nil {
			t, correlation := r.firstFor(e)
			failed := newCompared(e, correlation)
			if t != nil {
				failed.with(t.Ref)
			}
			failed.fail(code.Internal, "the CR could not be compared: "+code.Fault(p))
			v = verdict{comparison: failed}
		}
	}()
	w, leave, ok := r.enter(at)
	if !ok {
		return verdict{}
	}
	defer leave()
	v = w.object()
	if r.ctx.Err() != nil {
		return verdict{} // it may have been left in the middle
	}
	if v.comparison != nil {
		v.comparison.tree, v.comparison.differences = nil, nil
	}
	return v
}

// object finds an object's template and compares the two, and its copies where they count.
func (w *weighing) object() verdict {
	v := w.alone()
	if v.open != nil { // see ask
		return v
	}
	return w.worst(v)
}

// alone compares an object without its copies.
func (w *weighing) alone() verdict {
	e, one := w.of, w.weigh()
	switch {
	case len(one.candidates) == 0:
		v := verdict{done: true}
		if w.opt.AllResources || w.index.HasKind(e.object.ID.Kind) {
			v.unmatched = e.object
		}
		return v
	case one.err == nil && len(one.attempts) == 0:
		return verdict{refused: one.refused()}
	case w.opt.Choose != nil && e.copyOf == nil && len(one.ranked) > 1 && one.correlation.By != "manual":
		return verdict{open: one}
	}
	return verdict{comparison: one.smallest()}
}

// weigh finds an object's candidates and compares it with each.
func (w *weighing) weigh() *choice {
	e := w.of
	one := &choice{weighing: w}
	if one.candidates, one.correlation = w.templatesFor(e); len(one.candidates) == 0 {
		return one
	}
	if one.input, one.locator, one.twice, one.err = w.open(e); one.err == nil {
		one.err = w.fits(e.object, one.input)
	}
	if one.err != nil {
		return one
	}
	if path, found := diff.FirstOpen(any(one.input)); found && !w.opt.Placeholders {
		one.open = max(1, one.locator.Line(path))
	}
	one.attempts, one.refusals = w.attempts(one.input, one.candidates)
	if len(one.attempts) > 0 {
		one.ranked = closest(one.attempts)
	}
	return one
}

// smallest is the comparison of an object that has candidates, not all of which refuse it, where
// nobody chooses another: the one with the smallest difference.
func (c *choice) smallest() *compared {
	if c.err != nil {
		failed := newCompared(c.of, c.correlation).with(c.candidates[0].Ref)
		failed.twice = c.twice
		failed.fail(undecoded(c.of.object, c.err))
		return failed
	}
	return c.settle(c.ranked[0])
}

// fits refuses an object that is far larger when it is printed than it was in its file, as one is
// that lies deep. What is large in its file already may be so.
func (r *run) fits(o *manifest.Object, input map[string]any) error {
	const times = 4
	def := render.DefaultLimits()
	most := max(cmp.Or(r.opt.Limits.Output, def.Output), times*o.Text())
	size, ok := tree.Measure(
		input, tree.Size{Nodes: most, Bytes: most, Height: max(r.opt.Limits.Text.Nesting, def.Text.Nesting) + 1},
	)
	if ok && size.Printed() <= most {
		return nil
	}
	return &kubeyaml.SyntaxError{Code: code.LimitOutput, Message: fmt.Sprintf(
		"it takes more than %d bytes to print, the limit; leave it out of the input, or raise the limit with --limit output=N",
		most,
	)}
}

// open decodes an object for its comparison, and returns the keys in it that stand twice. The value
// is only kept where it may be asked for again.
func (r *run) open(e *stored) (value map[string]any, locator manifest.Locator, twice []*kubeyaml.Node, err error) {
	node, err := e.object.Node()
	if err != nil {
		return nil, locator, nil, err
	}
	locator, twice = manifest.NewLocator(node), kubeyaml.DuplicateKeys(node)
	if r.keeps(e.object.ID) || e.value != nil {
		value, err = e.decode()
	} else {
		value, _ = node.Value().(map[string]any)
	}
	if !r.opt.Show.Secrets {
		twice = secret.Keys(twice, value)
	}
	return value, locator, twice, err
}

// finish sorts what is not in its order yet, and counts.
func (r *run) finish() {
	res, o := r.result, &r.result.Summary.Objects
	o.Read, o.Copies = r.store.read, r.store.read-len(r.store.distinct)
	o.Ignored += len(res.Refused)
	r.brokenLookups()
	r.unread = append(r.unread, r.evidence.InVain()...)
	res.Unreadable = finding.ProblemsOf(r.unread)
	slices.SortStableFunc(res.Warnings, finding.CompareWarnings)
	res.Warnings, res.Alarms = finding.WithoutAlarms(res.Warnings)
	for _, u := range r.unmatched {
		res.Unmatched = append(
			res.Unmatched, finding.Unmatched{Object: finding.Object(u.ID), Source: finding.SourceOf(u.Source())},
		)
	}
	res.Conclude()
	if !r.opt.ListUnmatched {
		res.Unmatched = nil
	}
}
