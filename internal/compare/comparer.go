package compare

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// comparer has what the comparisons of all objects need. It does not change while several
// goroutines compare objects. Each step of a comparison is one of its methods and makes a new
// value. They call each other in this order:
//
//	subject          prepares the comparison of an object                   subject
//	  find           names its templates                                    candidates
//	compare          compares an object and its copies                      verdict
//	  alone          compares it without its copies                         verdict
//	    weigh        compares it with each of its templates                 choice
//	      open       decodes the object                                     subject
//	      attempt    compares it with one template                          attempt
//	        expect   executes the template                                  expected
//	        diff     compares the object with the expected value            attempt
//	        under    does so again under the overrides, if any are for it   attempt
//	    resolve      prepares the closest attempt for the report            verdict
//	  worst          compares the copies, and decides which counts          verdict
type comparer struct {
	ctx       context.Context
	opt       Options
	templates *templates
	layout    func(refconfig.Place) string // returns the layout of the archive at a place; nil if unknown
	store     *store
	evidence  *cluster.Evidence            // which objects were gathered
	before    *store                       // objects as they were
	earlier   *cluster.Evidence            // which of them were gathered
	oldLayout func(refconfig.Place) string // as layout, for them
	files     []string                     // names of the input's files
	globs     *sync.Map                    // the names of files that match a glob, by the globs of templates
	printings *sync.Map                    // the fields that templates print, by templates, see prints
	overrides *patch.Set
	rooms     *sync.Pool // *room, each for one object at a time
	schemas   *schemas   // the schemas to validate objects with; nil if the run does not validate
	ignored   *verdict   // the verdict on all objects that do not matter
	// the templates that the user can choose for an object instead of the nearest one
	alternatives map[*stored][]*render.Template
}

// safely compares an object, and its copies if none is known to be the newest. After a panic, only
// this object has an error. The verdict is nil if the context ends before memory is available.
func (c *comparer) safely(e *stored, nearest *render.Template) (v *verdict) {
	defer func() {
		if p := recover(); p != nil {
			t, by := c.templates.first(e.object.ID, nearest)
			failed := newVerdict(subject{stored: e}, by)
			if t != nil {
				failed.with(t.Ref)
			}
			v = failed.fail(code.Internal, "the CR could not be compared: "+code.Fault(p))
		}
	}()
	found := c.templates.find(e.object.ID, nearest)
	if len(found.all) == 0 { // as of most objects of an archive
		return c.unmatched(e)
	}
	leave, ok := c.enter(e)
	if !ok {
		return nil
	}
	defer leave()
	s := c.subjectOf(e, nearest, found)
	if used, _ := c.rooms.Get().(*room); used != nil {
		s.room = used
	}
	v = c.compare(s)
	if v.open == nil { // a choice refers to the nodes of its object
		s.room.reuse()
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
	case len(one.candidates.all) == 0:
		return c.unmatched(s.stored)
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

// unmatched returns the verdict on an object that has no template.
func (c *comparer) unmatched(e *stored) *verdict {
	if c.opt.EveryKind || c.templates.kept.HasKindOf(e.object.ID) {
		return &verdict{stored: e, none: true, counts: true}
	}
	if c.opt.ListOthers {
		return &verdict{stored: e, none: true}
	}
	return c.ignored
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

// layoutOf returns the layout of the archive that contains an object, or "". A Secret that is masked
// as a whole was copied out of an archive.
func (c *comparer) layoutOf(o *manifest.Object) string {
	layout := ""
	if c.layout != nil {
		layout = c.layout(o.Place)
	}
	if layout != "" || o.ID.Kind != "Secret" {
		return layout
	}
	if secret, err := o.Decode(); err == nil && collector.IsMaskedSecret(secret) {
		return collector.Inspect
	}
	return ""
}

// rendering returns the options for executing templates for an object.
func (c *comparer) rendering(s subject) render.Options {
	return render.Options{
		Context:     c.ctx,
		Lookup:      c.lookup(s.looked),
		Asked:       c.asked(s),
		Old:         func() map[string]any { return c.oldOf(s) },
		Files:       c.matching,
		Limits:      c.opt.Limits,
		Source:      c.opt.Placeholders,
		ShowSecrets: c.opt.Show.Secrets,
		Searched:    s.searched,
		Room:        &s.room.render,
		Trace:       s.trace,
	}
}

// lookup returns the function that finds objects for a template's lookupCRs, among given copies.
func (c *comparer) lookup(among *lookedUp) render.Lookup {
	return func(apiVersion, kind, namespace, name string) []map[string]any {
		return c.store.find(c.ctx, among, apiVersion, kind, namespace, name)
	}
}

// asked returns the function that records the lookups in the templates of an object in the evidence; nil
// for a proposal.
func (c *comparer) asked(s subject) func(query, shown [4]string, found int) {
	if s.looked.proposed {
		return nil
	}
	lookup := func(q [4]string) cluster.Lookup {
		return cluster.Lookup{APIVersion: q[0], Kind: q[1], Namespace: q[2], Name: q[3]}
	}
	return func(query, shown [4]string, found int) {
		l := lookup(query)
		c.evidence.Ask(l, lookup(shown), s.stored.object, l.Exact() && found > 0)
	}
}

// oldOf returns an object as it was, nil if it was not there, and records the lookup in the evidence.
func (c *comparer) oldOf(s subject) map[string]any {
	o := s.stored.object
	_, was := c.before.same(o.ID, s.looked)
	if l := cluster.Lookup(o.ID); !s.looked.proposed {
		c.earlier.Ask(l, l, o, was != nil)
	}
	return was
}

// matching returns the names of files whose last elements match a glob, sorted.
func (c *comparer) matching(glob string) []string {
	known, _ := c.globs.LoadOrStore(glob, sync.OnceValue(func() (found []string) {
		for _, name := range c.files {
			all := strings.Split(name, "/")
			last := all[max(0, len(all)-strings.Count(glob, "/")-1):]
			if ok, _ := path.Match(glob, strings.Join(last, "/")); ok {
				found = append(found, name)
			}
		}
		slices.Sort(found)
		return slices.Compact(found)
	}))
	return known.(func() []string)()
}

// prints reports whether a template prints a field for any object.
func (c *comparer) prints(t *render.Template, path refconfig.FieldPath) bool {
	known, _ := c.printings.LoadOrStore(
		t, sync.OnceValue(func() *probe.Printing { return probe.Print(c.ctx, t.Template) }),
	)
	return known.(func() *probe.Printing)().Has(path) != probe.Never
}
