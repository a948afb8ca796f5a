package compare

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// Collected is the data that was read about a cluster.
type Collected = cluster.Collected

// Options of a run. The zero value compares everything as the reference says.
type Options struct {
	EveryKind bool // count unmatched objects of any kind, not only of the kinds of templates
	// the report names unmatched objects one by one, and does not only count them
	ListUnmatched bool
	ListOthers    bool // it also names those of kinds that the reference does not have, which do not count
	// an object that no template matches is compared with the nearest one, see assignNearest
	Nearest bool
	Manual  map[string]*refconfig.Template // by object key, see manifest.ID.Key
	// by object key, what templates read beside the fields of the object; nil for nothing
	Beside map[string]map[string]any
	// the objects are source CRs, which have placeholders in place of values
	Placeholders bool
	Overrides    []refconfig.Override            // accepted deviations
	Given        bool                            // judge only the objects of the input: nothing is missing
	Warnings     []refconfig.Problem             // problems in the files that the options were read from
	Today        string                          // the current date (2006-01-02); "" if no override expires
	Keep         func(*refconfig.Component) bool // components to analyse; nil for all
	LeftOut      []string                        // names of the components that Keep excludes
	// names and globs by which the user chose the components, see refconfig.Reference.Unanswered;
	// nil for all
	Chosen     []string
	Choose     func(finding.Question) (int, bool) // chooses one of several matching templates, see run.ask; may be nil
	Suppressed Suppressed                         // how much to report about fields that are not compared
	Accept     *patch.Request                     // make overrides that accept the findings; nil for none
	Validate   bool                               // validate CRs with the schemas of their kinds
	// what was read of the earlier CRs, by the name of their cluster, or "" for any cluster; see
	// Options.Old of render
	Old       map[string]Collected
	Schemas   *crdschema.Set     // preferred to the schemas in the input; nil for none
	Fix       bool               // find the changes that make CRs agree with the reference
	Create    bool               // of Fix, find only the CRs to create
	Workers   int                // 0 for as many as there are processors
	Limits    render.Limits      // limits of each execution of a template
	Shown     int                // maximum number of bytes of an object whose differences are shown; 0 for no limit
	Semaphore *workers.Semaphore // memory for the objects that are being compared; nil for no limit
	// called by several goroutines at once with the number of compared objects; may be nil
	Progress func(done, of int)
	// called by several goroutines at once with what each CR reached in its template; may be nil
	Reached func(template.Reached)
	// the result of Wants for the same reference, templates and options; nil to compute it again
	Wanted *Wanted
	// the parts of the findings that are kept, so that memory grows only with what is reported
	Show diff.Show
	// the run may drop the texts of objects that it has compared, because nobody else needs them
	Release bool
}

// run is the state of comparing a cluster.
type run struct {
	*comparer // compares its objects
	ref       *refconfig.Reference
	in        Collected
	old       Collected // what was read of the earlier CRs
	// the nearest templates of objects that no template matches, see assignNearest
	assigned map[*stored]*render.Template
	keeps    bool            // CRs with findings are compared again, see Kept
	warned   map[string]bool // the warnings that a run gives once, see warning
	result   *finding.Run

	compared  []*verdict          // with the final comparisons
	unmatched []*manifest.Object  // the unmatched objects that count
	others    []*manifest.Object  // objects of kinds that the reference does not have, if they are listed
	unread    []refconfig.Problem // problems with reading objects
}

// Run compares the objects of an input with a reference. If the context ends too early, or the
// input was not read to its end, the result has the findings so far and says so. Rules are then not
// evaluated, because missing CRs may be in the rest of the input. The error is that of the context
// if the context ended too early.
func Run(
	ctx context.Context, ref *refconfig.Reference, engine *render.Engine, in Collected, opt Options,
) (*finding.Run, error) {
	r := newRun(ctx, ref, engine, in, opt)
	err := r.complete(r.compareAll())
	return r.result, err
}

// complete does the work of Run after all objects were compared. Each step adds its findings to the
// result. All objects are compared first, because the other steps need to know which CRs are there
// and what their templates looked up. What was lost of the input is sorted before the steps that
// depend on it, rules are evaluated before the steps that name missing and accepted CRs, and the end
// counts and sorts everything.
func (r *run) complete(verdicts []*verdict) error {
	r.warnOfReference()
	left, cut := r.collect(verdicts)
	err := r.noteInterruption(left, cut)
	r.sortLost()
	if !r.result.Interrupted {
		there := presentOf(r.templates, r.compared)
		r.addGaps(there)
		r.warnOfUnusedPairs()
		if !r.opt.Given {
			r.addRules(there)
		}
		r.warnOfWrapped()
		r.warnOfPlaceholders()
	}
	r.validateOthers()
	r.tellChosen()
	r.addUnvalidated()
	r.addOverrides()
	r.warnOfNameless()
	r.addMisspelt()
	r.describeCluster()
	r.warnOfCutArchives()
	r.finish()
	return err
}

// warnOfReference adds the warnings about the reference and about the files of the options.
func (r *run) warnOfReference() {
	r.add(r.templates.warnings())
	for _, w := range r.opt.Warnings {
		r.result.Warnings = append(
			r.result.Warnings,
			finding.Warning{Code: w.Code, Message: w.Message, Place: w.Place.String(), OfOption: true},
		)
	}
}

// noteInterruption records whether the run was interrupted, given the number of objects that were not
// compared, and whether copies were not. The error is that of the context if it was the reason.
func (r *run) noteInterruption(left int, cut bool) error {
	why := r.in.Stopped
	switch of := len(r.store.distinct); {
	case why != nil:
	case left > 0:
		why = watch.Cause(r.ctx).And(fmt.Sprintf(": %s not looked at, and no rule was evaluated",
			finding.Plural(left, fmt.Sprintf("of %d CRs was", of), fmt.Sprintf("of %d CRs were", of))))
	case cut:
		why = watch.Cause(r.ctx).And(": not all copies of CRs were looked at, and no rule was evaluated")
	}
	if why == nil {
		return nil
	}
	r.result.Interrupted = true
	p := refconfig.Problem{Code: why.Code, Message: why.Message(), Place: refconfig.Place{}}
	if len(r.in.Inputs) > 0 {
		p.Place.File = r.in.Inputs[0].Path
	}
	r.unread = append(r.unread, p)
	if left > 0 || cut {
		return r.ctx.Err()
	}
	return nil
}

// newRun prepares a run: the index of the analysed templates, and the distinct objects.
func newRun(ctx context.Context, ref *refconfig.Reference, engine *render.Engine, in Collected, opt Options) *run {
	if opt.Keep == nil {
		opt.Keep = func(*refconfig.Component) bool { return true }
	}
	if opt.Wanted == nil {
		opt.Wanted = Wants(ref, engine, opt)
	}
	objects := newStore(in.Objects, opt.Placeholders)
	old, named := opt.Old[in.Cluster]
	if !named {
		old = opt.Old[""]
	}
	var known *schemas
	if opt.Validate {
		known = newSchemas(opt.Schemas, objects.distinct)
	}
	c := &comparer{
		ctx:       ctx,
		opt:       opt,
		templates: opt.Wanted.templates,
		layout:    in.Layout,
		store:     objects,
		evidence:  cluster.NewEvidence(&in),
		before:    newStore(old.Objects, false),
		earlier:   cluster.NewEvidence(&old),
		oldLayout: old.Layout,
		files:     in.Files,
		globs:     &sync.Map{},
		printings: &sync.Map{},
		rooms:     &sync.Pool{},
		overrides: patch.NewSet(opt.Overrides, opt.Today),
		schemas:   known,
		ignored:   &verdict{none: true},
	}
	return &run{comparer: c, ref: ref, in: in, old: old, assigned: map[*stored]*render.Template{}, result: c.blank(in)}
}

// blank returns the result for an input before anything is compared.
func (c *comparer) blank(in Collected) *finding.Run {
	return &finding.Run{
		Chosen:     len(c.opt.Chosen) > 0,
		Given:      c.opt.Given,
		Cluster:    finding.Cluster{Name: in.Cluster},
		Inputs:     in.Inputs,
		NotRead:    finding.SortedProblems(in.NotRead),
		LeftOut:    c.opt.LeftOut,
		Suppressed: rulesOfSuppression(c.opt.Suppressed, c.opt.Validate),
	}
}

// compareAll compares all distinct objects in parallel. It returns their verdicts by index. If the
// context ends, objects at work have none, because a large one takes long.
func (r *run) compareAll() []*verdict {
	todo := r.store.distinct
	var done atomic.Int64
	verdicts := workers.Each(r.ctx, r.opt.Workers, len(todo), func(i int) *verdict {
		if r.opt.Progress != nil {
			defer func() { r.opt.Progress(int(done.Add(1)), len(todo)) }()
		}
		v := r.safely(todo[i], nil)
		r.release(todo[i], v)
		return v
	})
	r.ask(verdicts)
	if r.opt.Nearest {
		r.assignNearest(verdicts)
	}
	return verdicts
}

// release drops the text of an object that was compared and that nothing reads again: no template
// looks it up, it has no copies to compare it with, and it defines no kind. A run that is kept needs
// those with findings.
func (r *run) release(e *stored, v *verdict) {
	if r.keeps && v != nil && v.found != nil && v.found.Result != finding.Clean {
		return
	}
	if r.opt.Release && v != nil && v.found != nil && !e.copied && r.schemas == nil && !r.templates.keeps(e.object.ID) {
		e.object.Drop()
	}
}

// collect adds the verdicts to the result, in order. It returns how many objects were not compared
// because the context ended, and whether it ended before all copies were compared.
func (r *run) collect(verdicts []*verdict) (left int, cut bool) {
	res := r.result
	for _, v := range verdicts {
		switch {
		case v == nil:
			left++
		case v.found != nil:
			r.compared = append(r.compared, v)
			res.Comparisons = append(res.Comparisons, v.found)
			res.Summary.Masked += v.masked
			r.tellSuppressed(v)
			r.add(v.warnings)
		case v.refused != nil:
			res.Refused = append(res.Refused, *v.refused)
		case v.leftOut != nil:
			res.Summary.Objects.LeftOut++
			res.Summary.Objects.Ignored++
		case v.counts:
			r.unmatched = append(r.unmatched, v.stored.object)
		case v.none:
			res.Summary.Objects.Ignored++
			if v.stored != nil {
				r.others = append(r.others, v.stored.object)
			}
		}
	}
	return left, r.tellCopies(verdicts)
}

// addOverrides adds the states of the overrides to the result.
func (r *run) addOverrides() {
	uses := func(yield func(finding.Object, []patch.Use) bool) {
		for _, c := range r.compared {
			if !yield(c.found.Object, c.uses) {
				return
			}
		}
	}
	stated := func(leftOut bool) patch.Stated {
		return func(yield func(*refconfig.Template, finding.Object) bool) {
			for _, t := range r.templates.index.Templates() {
				is := r.opt.Given || r.templates.leftOut[t]
				if r.result.Interrupted || is == leftOut && !yield(t.Ref, statedID(t.Identity)) {
					return
				}
			}
		}
	}
	r.result.Overrides = r.overrides.States(patch.Outcome{
		Uses: uses, Accepted: r.result.AcceptedCRs,
		Stated: stated(false), Required: r.required(), LeftOut: stated(true),
	})
	r.result.Warnings = append(r.result.Warnings, r.overrides.Warnings(r.result.Overrides)...)
}

// finish sorts and counts the results.
func (r *run) finish() {
	res, o := r.result, &r.result.Summary.Objects
	o.Read, o.Copies = r.store.read, r.store.read-len(r.store.distinct)
	o.NotPresent = len(r.in.Refused)
	o.Read += o.NotPresent
	o.Ignored += len(res.Refused)
	r.brokenLookups()
	res.Unreadable = finding.SortedProblems(r.unread)
	res.NotKnown = finding.SortedProblems(res.NotKnown)
	slices.SortFunc(res.NotCollected, finding.CompareKinds)
	res.NotCollected = slices.Compact(res.NotCollected)
	slices.SortStableFunc(res.Warnings, finding.CompareWarnings)
	res.Warnings, res.Alarms = finding.WithoutAlarms(res.Warnings)
	for i, o := range slices.Concat(r.unmatched, r.others) {
		res.Unmatched = append(res.Unmatched, finding.Unmatched{
			Object: finding.Object(o.ID), Source: finding.SourceOf(o.Source()), OtherKind: i >= len(r.unmatched),
		})
	}
	res.Conclude()
	if !r.opt.ListUnmatched {
		res.Unmatched = nil
	}
}
