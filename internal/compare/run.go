package compare

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// Collected is the data that was read about a cluster.
type Collected = cluster.Collected

// Options of a run. The zero value compares everything as the reference says.
type Options struct {
	AllResources bool // count unmatched objects of any kind, not only of the kinds of templates
	// the report names unmatched objects one by one, and does not only count them
	ListUnmatched bool
	// an object that no template matches is compared with the nearest one, see assignNearest
	Nearest bool
	Manual  map[string]*refconfig.Template // by object key, see manifest.ID.Key
	// the objects are source CRs, which have placeholders in place of values
	Placeholders bool
	Overrides    []refconfig.Override            // accepted deviations
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
}

// run is the state of comparing a cluster.
type run struct {
	*comparer // compares its objects
	ref       *refconfig.Reference
	in        Collected
	old       Collected // what was read of the earlier CRs
	left      int       // objects that were not compared because the context ended
	cut       bool      // the context ended before all copies were compared
	// the nearest templates of objects that no template matches, see assignNearest
	assigned map[*stored]*render.Template
	warned   map[string]bool // the warnings that a run gives once, see warning
	result   *finding.Run

	compared  []*verdict          // with the final comparisons
	unmatched []*manifest.Object  // the unmatched objects that count
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
	err := r.complete()
	return r.result, err
}

// complete does the work of Run. Each step adds its findings to the result. All objects are compared
// first, because the other steps need to know which CRs are there and what their templates looked
// up. What was lost of the input is sorted before the steps that depend on it, rules are evaluated
// before the steps that name missing and accepted CRs, and the end counts and sorts everything.
func (r *run) complete() error {
	r.warnOfReference()
	err := r.collect(r.compareAll())
	r.noteInterruption()
	r.sortLost()
	if !r.result.Interrupted {
		there := presentOf(r.templates, r.compared)
		r.addGaps(there)
		r.warnOfUnusedPairs()
		r.addRules(there)
		r.warnOfWrapped()
		r.warnOfPlaceholders()
	}
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

// noteInterruption records whether the run was interrupted.
func (r *run) noteInterruption() {
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
	return &run{
		comparer: &comparer{
			ctx:       ctx,
			opt:       opt,
			templates: opt.Wanted.templates,
			layout:    in.Layout,
			store:     objects,
			evidence:  cluster.NewEvidence(&in),
			before:    newStore(old.Objects, false),
			earlier:   cluster.NewEvidence(&old),
			files:     in.Files,
			overrides: patch.NewSet(opt.Overrides, opt.Today),
			schemas:   known,
			ignored:   &verdict{none: true},
		},
		ref:      ref,
		in:       in,
		old:      old,
		assigned: map[*stored]*render.Template{},
		warned:   map[string]bool{},
		result: &finding.Run{
			Chosen:     len(opt.Chosen) > 0,
			Cluster:    finding.Cluster{Name: in.Cluster},
			Inputs:     in.Inputs,
			NotRead:    finding.SortedProblems(in.NotRead),
			LeftOut:    opt.LeftOut,
			Suppressed: rulesOfSuppression(opt.Suppressed, opt.Validate),
		},
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
		return r.safely(todo[i], nil)
	})
	r.ask(verdicts)
	if r.opt.Nearest {
		r.assignNearest(verdicts)
	}
	return verdicts
}

// collect adds the verdicts to the result, in order. The error is that of the context if it ended
// before everything was compared.
func (r *run) collect(verdicts []*verdict) error {
	res := r.result
	for _, v := range verdicts {
		switch {
		case v == nil:
			r.left++
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
		}
	}
	r.tellCopies(verdicts)
	if r.left > 0 || r.cut {
		return r.ctx.Err()
	}
	return nil
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
	stated := func(leftOut bool) iter.Seq2[*refconfig.Template, finding.Object] {
		return func(yield func(*refconfig.Template, finding.Object) bool) {
			for _, t := range r.templates.index.Templates() {
				if r.result.Interrupted || r.templates.leftOut[t] == leftOut && !yield(t.Ref, statedID(t.Identity)) {
					return
				}
			}
		}
	}
	r.result.Overrides = r.overrides.States(patch.Outcome{
		Uses: uses, Accepted: r.result.AcceptedCRs, Stated: stated(false), LeftOut: stated(true),
	})
	r.result.Warnings = append(r.result.Warnings, r.overrides.Warnings(r.result.Overrides)...)
}

// safely compares an object, and its copies if none is known to be the newest. After a panic, only
// this object has an error. The verdict is nil if the context ends before memory is available.
func (c *comparer) safely(e *stored, nearest *render.Template) (v *verdict) {
	defer func() {
		if p := recover(); p != nil {
			t, by := c.templates.first(e.object.ID, nearest)
			failed := newVerdict(e, by)
			if t != nil {
				failed.with(t.Ref)
			}
			v = failed.fail(code.Internal, "the CR could not be compared: "+code.Fault(p))
		}
	}()
	leave, ok := c.enter(e)
	if !ok {
		return nil
	}
	defer leave()
	s := c.subject(e, nearest)
	if room, _ := c.rooms.Get().(*kubeyaml.Room); room != nil {
		s.room = room
	}
	v = c.compare(s)
	if v.open == nil { // a choice refers to the nodes of its object
		s.room.Reuse(kubeyaml.Mark{})
		c.rooms.Put(s.room)
	}
	if c.ctx.Err() != nil {
		return nil // the comparison may be incomplete
	}
	return v
}

// enter waits for memory to compare an object and returns the function that releases it. It returns
// false if the context ends first.
func (c *comparer) enter(e *stored) (leave func(), ok bool) {
	const timesText = 64 // approximate bytes of memory for each byte of an object's text
	text := e.object.Text()
	for _, other := range e.others { // copies are compared one after the other
		text = max(text, other.object.Text())
	}
	claim, ok := c.opt.Semaphore.Acquire(c.ctx, timesText*int64(text))
	return claim.Release, ok
}

// compare finds the template of an object and compares the two. It also compares the copies of the
// object if none is known to be the newest.
func (c *comparer) compare(s subject) *verdict {
	v := c.alone(s)
	if v.open != nil { // see ask
		return v
	}
	return c.worst(s, v)
}

// alone compares an object without its copies.
func (c *comparer) alone(s subject) *verdict {
	one := c.weigh(s)
	switch {
	case len(one.candidates.all) == 0 && (c.opt.AllResources || c.templates.kept.HasKindOf(s.stored.object.ID)):
		return &verdict{stored: s.stored, none: true, counts: true}
	case len(one.candidates.all) == 0:
		return c.ignored
	case c.templates.leavesOut(one.candidates.all) && len(one.ranked) == 0:
		return &verdict{stored: s.stored, looked: s.looked, leftOut: one.candidates.all[0]}
	case one.err == nil && len(one.attempts) == 0:
		return &verdict{stored: s.stored, looked: s.looked, refused: one.refused()}
	case c.opt.Choose != nil && !s.isCopy() && len(one.ranked) > 1 &&
		one.candidates.by.By != finding.ByManual:
		return &verdict{open: one}
	}
	return c.chosen(one, 0)
}

// chosen returns the verdict with one of the ranked attempts. If the object cannot be decoded, there
// are none.
func (c *comparer) chosen(one *choice, at int) *verdict {
	if one.err == nil {
		if t := c.templates.byRef(one.ranked[at].template.Ref); c.templates.leftOut[t] {
			return &verdict{stored: one.subject.stored, looked: one.subject.looked, leftOut: t}
		}
	}
	return c.resolve(one, at)
}

// ask asks the user to choose templates, one question at a time in the order of the objects, after
// all comparisons. An answer is the index of a choice; false leaves this and all further questions
// to the smallest difference. If the context ends, the objects have no comparison.
func (c *comparer) ask(verdicts []*verdict) {
	total, number, asking := 0, 0, true
	for _, v := range verdicts {
		if v != nil && v.open != nil {
			total++
		}
	}
	for i, v := range verdicts {
		if v == nil || v.open == nil {
			continue
		}
		number++
		one, chosen := *v.open, 0
		if asking && c.ctx.Err() == nil {
			chosen, asking = c.opt.Choose(c.question(&one, number, total))
		}
		if asking {
			one.candidates.by.By = finding.ByInteractive
		}
		if !asking || chosen < 0 || chosen >= len(one.ranked) {
			chosen = 0
		}
		verdicts[i] = nil
		if c.ctx.Err() != nil {
			continue
		}
		settled := c.worst(one.subject, c.chosen(&one, chosen))
		if c.ctx.Err() == nil { // if the context ended, the comparison may be incomplete
			verdicts[i] = settled
		}
	}
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
