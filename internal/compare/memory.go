package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/validationtool/validationtool/internal/budget"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/embed"
	"github.com/validationtool/validationtool/internal/expected"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/perfield"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Share is what a comparison may take of what there is for all clusters. The zero value is for any memory, and the default of work.
type Share struct {
	Room     *budget.Room  // memory for the objects that are being compared
	Rendered *budget.Room  // memory for reading what templates print
	Large    *budget.Turns // of objects for which templates make much text, which are not many at once
	Report   int64         // bytes of what is found, until it is reported; 0 for any
	Work     *budget.Work  // steps
}

// timesDecoded is how many times the memory of an object's values the comparison with one template takes: what is expected, copies
// without what is left out, the pairs and the report's part on it. The texts in them are shared: while comparing takes up to timesText times
// the object's text, however many templates there are. Both were measured.
const (
	timesDecoded = 3
	timesText    = 7
)

// small is up to which size the text of an object is not looked at to tell what comparing it takes.
const small = 16 << 10

// cost is how much memory comparing an object takes, roughly; 0 for one whose content was let go.
func (r *run) cost(e *stored) int64 {
	if r.opt.Share.Room == nil {
		return 0
	}
	const ofByte = 64
	n := ofByte*int64(e.object.Text()) + (1+timesDecoded)*e.object.Repeated()
	if e.object.Text() <= small && !r.embeds {
		return n
	}
	candidates, _ := r.templatesFor(e)
	if e.object.Text() > small {
		n = comparedSize(e.object, len(candidates))
	}
	opening := slices.DeleteFunc(slices.Clone(candidates), func(t *render.Template) bool { return len(t.Ref.Config.Fields(refconfig.Embedded)) == 0 })
	return min(n+int64(len(opening))*r.inside(e), max(n, r.opt.Share.Room.Size()))
}

// inside is how much memory the documents may take together that are in the texts of an object and of what one template expects of it.
func (r *run) inside(e *stored) int64 {
	return min(embed.Memory(e.object.Text()), r.opt.Share.Room.Size()/budget.Quarter)
}

// comparedSize is how much memory an object takes while it is compared with some templates, roughly and rather too much than too little.
func comparedSize(o *manifest.Object, templates int) int64 {
	return timesText*int64(o.Text()) + int64(1+timesDecoded*max(1, templates))*o.ValuesSize()
}

// decode decodes an object where no other is being compared.
func (r *run) decode(o *manifest.Object) (map[string]any, error) {
	if room := r.opt.Share.Room; room != nil {
		if n := comparedSize(o, 1); !room.Fits(n) {
			return nil, tooLarge(n, room)
		}
	}
	return o.Decode()
}

func tooLarge(n int64, room *budget.Room) error {
	return &kubeyaml.SyntaxError{Code: code.LimitMemory, Message: fmt.Sprintf(
		"comparing it takes about %d bytes of memory, more than the %d that there are for that; leave it out of the input, or raise the limit with --limit memory=N",
		n, room.Size())}
}

// found is what was found about the object of an index.
type found struct {
	at int
	*compared
}

// newShelf is for comparisons. Those that are more than there is memory for are let go, the last ones first.
func (r *run) newShelf() *budget.Shelf[found] {
	size := cmp.Or(r.opt.Share.Report, math.MaxInt64)
	return budget.NewShelf(size, func(a, b found) int { return a.at - b.at }, func(f found) {
		if c := r.lacking(r.store.distinct[f.at], r.short[2]); c != nil {
			*f.Comparison = *c.Comparison
			c.Comparison = f.Comparison
			*f.compared = *c
		}
	})
}

// longPaths is the error of an object whose paths with differences take more than half of what there is for what is reported; nil for others. They
// are long, or lie deep.
func (r *run) longPaths(a *attempt, x *expected.CR) *render.Error {
	n, most := overlay.PathsSize(a.tree), cmp.Or(r.opt.Share.Report/2, math.MaxInt64)
	if n <= most {
		return nil
	}
	return &render.Error{Code: code.LimitMemory, Position: x.Template.Ref.File, Message: fmt.Sprintf(
		"the paths of the fields in which %s differs from this template take about %d bytes of memory, more than the %d that there are for that; "+
			"leave these fields out of the comparison, or raise the limit with --limit memory=N", x.ID, n, most)}
}

// shortage is what there is too little of for all objects: what is told of each that is given up for it, which is short, for there may be
// hundreds of thousands, and what is told of all of them together.
type shortage struct {
	code       code.Code
	each, what string
}

// shortages are those of steps that objects take beyond what is free, of steps of all kinds, and of memory for what is found.
func (r *run) shortages() [3]*shortage {
	const noSteps, noMemory = "given up: no steps are left for it, see the alarm", "given up: no memory is left for what is found about it, see the alarm"
	share := r.opt.Share
	return [3]*shortage{
		{code.LimitWork, noSteps, fmt.Sprintf("comparing the CRs up to these takes more than the %d steps that there are for those of all clusters, beside %d for each and %d for each byte of it; "+
			"let fewer templates fit each CR, compare a part of the input, or raise the limit with --limit work=N", share.Work.Limit(), freeSteps, freeBytes)},
		{code.LimitWork, noSteps, r.beyondAll("comparing the CRs up to these")},
		{code.LimitMemory, noMemory, fmt.Sprintf("what was found about the CRs up to these takes more than %d bytes of memory; "+
			"compare a part of the input, leave components out, or raise the limit with --limit memory=N", share.Report)},
	}
}

// setAside decides how many of the objects are looked at: as many as can be read with half of the steps there are for all. A file of a few hundred
// kilobytes can hold a million others, and to tell of each that it is given up takes as long as to compare a part of them. They are counted; what
// they are of is there, as far as rules ask.
func (r *run) setAside() {
	const least = 20 // which take as long as what else there is of a cluster
	all := r.store.distinct
	r.within = int(min(int64(len(all)), max(least, r.opt.Share.Work.All()/(2*reading))))
	if r.within < len(all) {
		r.unread = append(r.unread, refconfig.Problem{Code: code.LimitWork, Place: all[r.within].object.Place, Message: fmt.Sprintf("%s set aside, this one first, and not listed: ",
			finding.Plural(len(all)-r.within, "CR was", "CRs were")) + r.beyondAll("reading the CRs up to this one, beside comparing them,")})
	}
}

// untilAside is how many steps there have to be for none to be set aside, of those that there are: so many are spent, for whoever compares a
// cluster with other steps than there turn out to be has to see that it may come to something else.
func (r *run) untilAside() int64 {
	return min(2*reading*int64(len(r.store.distinct)), r.opt.Share.Work.All())
}

// comparing is how many steps of a template comparing an object with one takes, beside those for the sizes of both. It was measured. Maps and lists
// of objects lie up to ordinary deep in each other; what lies deeper is looked at again for each around it.
const comparing, ordinary = 500, 32

// reading is how many steps it takes to read an object and to tell that it is given up, and reporting how many to keep what was found about one, and
// to report it in the formats that take most, beside ofTold for every byte that is told of it. They were measured. Which format is written decides nothing.
const (
	reading   = 1000
	reporting = 2000
	ofTold    = 5
)

// Every object may take freeSteps, and more for each byte of its text: so many that a megabyte of objects takes no more than some ten seconds,
// and that ten templates that say as much as an object has are compared with it for nothing, but for objects of less than 300 bytes. So no
// input is too large for an honest reference. Objects of published references have one template, and take about 600 steps and as much as
// reading them twice.
const (
	freeSteps = 1000
	freeBytes = 50
)

// newWork is for the indexes of what was compared: what takes more steps than there are is let go, the last first.
func (r *run) newWork(steps int64) *budget.Shelf[int] {
	return budget.NewShelf(steps, cmp.Compare[int], func(int) {}) // see giveUp
}

// taken are the steps of what was compared, of those that there were: all of them where there were too few.
func taken(worked *budget.Shelf[int], of int64) int64 {
	steps := worked.End()
	if worked.Full(math.MaxInt) {
		return of
	}
	return steps
}

// free is how many steps an object may take that do not count, with its copies that are compared.
func (r *run) free(e *stored) int64 {
	steps := freeSteps + freeBytes*int64(e.object.Text())
	for _, other := range e.others {
		steps += r.free(other)
	}
	return steps
}

// tooMuch reports whether an object takes more steps than there are if no other takes any.
func (r *run) tooMuch(e *stored, steps int64) bool {
	more := steps - r.work
	return more > 0 && more > r.free(e)
}

// omitting is how many steps it takes to leave fields out: an entry with a wildcard goes through both sides, and where elements of lists may
// be left out, each is held against all entries. Every other entry is looked up several times, and held against each finding that belongs to no field.
func (r *run) omitting(x *expected.CR) (steps int) {
	const perValue, perEntry = 2, 3 // measured
	wild, anywhere := 0, false
	all := r.omit[x.Template.Ref]
	for _, e := range all {
		if slices.ContainsFunc(e.Path, func(s refconfig.Step) bool { return s.Any }) || e.Prefix {
			wild++
		}
		last := e.Path[max(0, len(e.Path)-1):]
		anywhere = anywhere || len(last) > 0 && (last[0].Any || last[0].Index >= 0)
	}
	if anywhere {
		wild = len(all)
	}
	if wild > 0 {
		wild *= 1 + perValue*(tree.SizeOf(x.Value).Nodes+tree.SizeOf(x.Input).Nodes)
	}
	return perEntry*len(all)*(1+len(x.Unplaced)) + wild
}

// pairing is how many steps it takes to find out which values belong together where the reference says how fields are compared.
func (r *run) pairing(x *expected.CR) int {
	fields := perfield.FieldsOf(x.Template.Ref.Config)
	if fields.None() {
		return 0
	}
	return fields.Work(tree.SizeOf(x.Value)) + fields.Work(tree.SizeOf(x.Input))
}

// endless is the error of an object that takes more steps with one template than there are, see lacking.
func (r *run) endless(e *stored, t *render.Template) *render.Error {
	return &render.Error{Code: code.LimitWork, Position: t.Ref.File, Message: fmt.Sprintf(
		"comparing %s with this template takes more than %d steps, the limit; raise it with --limit work=N", e.object.ID, r.opt.Share.Work.Limit())}
}

// lacking is what is told of an object for which there is not enough of something left; nil for one without templates.
func (r *run) lacking(e *stored, of *shortage) *compared {
	c := r.given(e, of.code, of.each)
	if c != nil {
		c.lacks = of
	}
	return c
}

// tellShortages says how many objects were given up, and why, once for each reason.
func (r *run) tellShortages() {
	n := map[*shortage]int{}
	for _, c := range r.compared {
		if c.lacks != nil {
			n[c.lacks]++
		}
	}
	for _, s := range r.short {
		if n[s] > 0 {
			r.warn(s.code, "", finding.Plural(n[s], "CR was", "CRs were")+" given up: "+s.what)
		}
	}
}

// mostSearched is how many steps the search for Secrets in an object's texts may take, with those that its templates look up or make: several
// times of what it takes where every text is a manifest that has to be parsed.
func (r *run) mostSearched(e *stored) int64 {
	const ofLimit, perByte = 4, 40
	return r.opt.Share.Work.Limit()/ofLimit + perByte*int64(e.object.Text())
}

// unsearched is what is told of an object whose texts take more to search.
func (r *run) unsearched(e *stored) *compared {
	return r.given(e, code.LimitWork, fmt.Sprintf("%s: looking for Secrets in the texts of this CR takes more than %d steps; leave these texts out of the comparison, "+
		"or raise the limit with --limit work=N", e.object.Place, r.mostSearched(e)))
}

// beyondAll says what takes more steps than there are of all kinds. It is the same for all CRs, so that a report can tell it once.
func (r *run) beyondAll(what string) string {
	return fmt.Sprintf("%s takes more than the %d steps that there are for all clusters, those that are free included, beside %d for each byte of the inputs as they are given, and %d beyond a MiB; "+
		"unpack them, compare a part of them, or raise the limit with --limit work=N", what, budget.TimesLimit*r.opt.Share.Work.Limit(), budget.OfGiven, budget.OfLarge)
}

// given is what is told of an object that is given up, whatever was found about it; nil for one without templates.
func (r *run) given(e *stored, why code.Code, message string) *compared {
	t, correlation := r.firstFor(e)
	if t == nil {
		return nil
	}
	c := newCompared(e, correlation).with(t.Ref)
	c.fail(why, message)
	return c
}

// beyond is what is told of the object of an index where it lies behind what there are steps and memory for; nil where it does not.
func (r *run) beyond(at int) *compared {
	for i, full := range [...]bool{r.worked.Full(at), r.steps.Full(at), r.found.Full(found{at: at})} {
		if full {
			return r.lacking(r.store.distinct[at], r.short[i])
		}
	}
	return nil
}

// isBeyond reports whether the object of an index lies behind what there are steps and memory for, as far as that is known.
func (r *run) isBeyond(at int) bool {
	return r.worked.Full(at) || r.steps.Full(at) || r.found.Full(found{at: at})
}

// giveUp gives up all that lies behind the limits: what was compared before they were reached, and what was not, are alike then.
func (r *run) giveUp(verdicts []verdict) {
	r.found.Settle()
	for i, v := range verdicts {
		if v == (verdict{}) || v.comparison != nil && v.comparison.lacks != nil {
			continue
		}
		if c := r.beyond(i); c != nil {
			verdicts[i] = verdict{comparison: c}
		}
	}
}

// take takes in the verdict on the object of an index, and returns it.
func (r *run) take(at int, v verdict) verdict {
	if more := v.steps - r.free(r.store.distinct[at]); more > 0 {
		r.worked.Put(at, min(more, r.work)) // what takes more by itself ends all behind it, too
	}
	if v.comparison != nil {
		v.steps += reporting + ofTold*v.comparison.told // before it is put where it may be let go
		r.found.Put(found{at, v.comparison}, v.comparison.Held())
	}
	if v.comparison != nil || v.refused != nil {
		v.steps += r.store.copying(at)
	}
	if v.steps > 0 {
		r.steps.Put(at, min(v.steps, r.opt.Share.Work.All()))
	}
	return v
}
