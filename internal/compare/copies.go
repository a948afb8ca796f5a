package compare

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/run/workers"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// copies are the objects of one identity.
type copies struct {
	at   int // index of kept in the store
	kept *stored
	all  []*stored
}

// lookedUp has the copies of other objects that the result for one object depends on, where no copy
// is known to be the newest: objects that its templates look up, the object as it was, and the
// definition of its kind.
type lookedUp struct {
	found []*stored           // these objects, in the order in which they are needed
	use   map[*stored]*stored // copies to find instead of them
	// the object is a proposal, so what is looked up for it says nothing about the input
	proposed bool
}

// forProposal returns the same choice of copies for proposals.
func (l *lookedUp) forProposal() *lookedUp { return &lookedUp{use: l.use, proposed: true} }

// choose returns the copy of an object that counts, and records that it has others.
func (l *lookedUp) choose(e *stored) *stored {
	if len(e.others) == 0 {
		return e
	}
	if l.proposed {
		return cmp.Or(l.use[e], e)
	}
	e.chosen.Store(true)
	if !slices.Contains(l.found, e) {
		l.found = append(l.found, e)
	}
	return cmp.Or(l.use[e], e)
}

// hasCopies reports whether several copies of the object, or of objects that its templates look up,
// are compared.
func (s subject) hasCopies() bool {
	return len(s.stored.others) > 0 || s.stored.copyOf != nil || len(s.looked.found) > 0
}

// isCopy reports whether a subject takes other copies than the first of each.
func (s subject) isCopy() bool { return s.stored.copyOf != nil || len(s.looked.use) > 0 }

// mostCopies is the number of comparisons of one object with copies of it and of the objects that
// its templates look up.
const mostCopies = 64

// worst compares the copies of an object too, each with the copies of the objects that its
// templates look up, and returns the worst verdict. v is the verdict on the subject itself.
func (c *comparer) worst(s subject, v *verdict) *verdict {
	if !s.hasCopies() || v.none {
		return v
	}
	all := c.withLookups(s, v)
	for _, other := range s.stored.contents() {
		if copied := c.subject(other, s.nearest); c.ctx.Err() == nil && len(all) < mostCopies {
			all = append(all, c.withLookups(copied, c.alone(copied))...)
		}
	}
	worst := slices.MaxFunc(all, (*verdict).compare)
	_, result, _ := worst.grade()
	at := slices.IndexFunc(all, func(v *verdict) bool {
		_, other, _ := v.grade()
		return other != result
	})
	if at < 0 {
		return worst
	}
	worst.disagree = disagreement(all, worst, all[at])
	worst.addCopies(all)
	return worst
}

// withLookups returns the verdict on a subject, and those with other copies of the objects that its
// templates look up.
func (c *comparer) withLookups(s subject, v *verdict) []*verdict {
	all := []*verdict{v}
	c.eachChoice(v.looked, func(looked *lookedUp) {
		next := c.subject(s.stored, s.nearest)
		next.looked = looked
		all = append(all, c.alone(next))
	})
	return all
}

// eachChoice calls a function with each other choice of the copies that a result depends on. first
// has those of the first result; the function records further ones.
func (c *comparer) eachChoice(first *lookedUp, try func(*lookedUp)) {
	all := []*lookedUp{first}
	for i := 0; i < len(all); i++ {
		pinned := maps.Clone(all[i].use)
		for _, e := range all[i].found {
			if pinned[e] != nil {
				continue
			}
			for _, other := range e.contents() {
				if c.ctx.Err() != nil || len(all) >= mostCopies {
					return
				}
				next := &lookedUp{use: withKey(pinned, e, other)}
				try(next)
				all = append(all, next)
			}
			pinned = withKey(pinned, e, e)
		}
	}
}

// withKey returns a copy of a map with one more key.
func withKey[K comparable, V any](m map[K]V, key K, value V) map[K]V {
	out := maps.Clone(m)
	if out == nil {
		out = map[K]V{}
	}
	out[key] = value
	return out
}

// disagreement describes two verdicts on the copies of an object, the first of all and another one.
func disagreement(all []*verdict, worst, other *verdict) string {
	first, second := worst, other
	if slices.IndexFunc(all, func(v *verdict) bool { return v.looked == worst.looked }) >
		slices.IndexFunc(all, func(v *verdict) bool { return v.looked == other.looked }) {
		first, second = other, worst
	}
	what, named := "occurs several times in the input", (*verdict).place
	if first.stored == second.stored {
		what, named = "depends on a CR that occurs several times", (*verdict).lookedPlaces
	}
	copies, more := map[string]bool{}, ""
	for _, v := range all {
		copies[named(v)] = true
	}
	switch n := len(copies) - 2; {
	case len(all) >= mostCopies:
		more = "; there may be more copies, and no more are compared"
	case n > 0:
		more = "; " + finding.Plural(n, "more copy differs from these", "more copies differ from these")
	}
	_, _, is := first.grade()
	_, _, otherIs := second.grade()
	return fmt.Sprintf(
		"%s %s, and the newest copy is unknown: %s %s, %s %s%s; the worst counts",
		first.stored.object.ID, what, named(first), is, named(second), otherIs, more,
	)
}

// compare orders verdicts, the worst last. Of equally bad ones, their fields and then the content
// of the copies decide, so that the names of files do not.
func (v *verdict) compare(other *verdict) int {
	rank, result, _ := v.grade()
	otherRank, otherResult, _ := other.grade()
	if n := cmp.Or(slices.Compare(rank[:], otherRank[:]), cmp.Compare(result, otherResult)); n != 0 {
		return n
	}
	return cmp.Compare(v.text(), other.text())
}

// text returns the content of the copy and of the copies that it depends on, as a checksum of large
// ones.
func (v *verdict) text() (text string) {
	for _, e := range append([]*stored{v.stored}, v.looked.found...) {
		e = v.looked.choose(e)
		if crdschema.IsDefinition(e.object) {
			sum, _ := e.sum()
			text += string(sum[:])
			continue
		}
		value, _ := e.object.Decode() // an undecodable copy is worse than all others
		text += tree.YAML(value)
	}
	return text
}

// place returns the location of the copy.
func (v *verdict) place() string { return v.stored.object.Place.String() }

// lookedPlaces lists the locations of the copies that were looked up.
func (v *verdict) lookedPlaces() string {
	var places []string
	for _, e := range v.looked.found {
		places = append(places, v.looked.choose(e).object.Place.String())
	}
	return "with " + strings.Join(places, ", ") + " it"
}

// grade returns how bad a verdict is, a text that is equal for equal results, and the result in
// words.
func (v *verdict) grade() (rank [2]int, result, words string) {
	switch {
	case v.leftOut != nil:
		words = "is of a component that is left out"
		return rank, words, words
	case v.found == nil:
		words = "is refused by its templates"
		return rank, words, words
	}
	const agrees, hasMore, invalid, differs, failed = 1, 2, 3, 4, 5
	counts := v.found.Counts
	fails := finding.Counts{Drift: counts.Drift, Missing: counts.Missing, Invalid: counts.Invalid}
	switch v.found.Result {
	case finding.Clean:
		rank[0], words = agrees, "agrees with the reference"
	case finding.OnlyExtra:
		rank[0], words = hasMore, "agrees with the reference"
	case finding.OnlyInvalid:
		rank, words = [2]int{invalid, fails.Invalid}, "is invalid ("+fails.String()+")"
	case finding.Drifted:
		rank, words = [2]int{differs, fails.Drift + fails.Missing + fails.Invalid}, "differs ("+fails.String()+")"
	case finding.Failed:
		rank[0], words = failed, "could not be compared"
	}
	result = words
	for _, f := range v.failing {
		result += "\n" + f.key
	}
	return rank, result, words
}

// failing is a field that drifts, is missing or is invalid.
type failing struct {
	key   string // equal for fields that fail in the same way
	field finding.Difference
}

// failingFields lists the failing fields among differences.
func failingFields(all []diff.Difference, secrets bool) (fields []failing) {
	all = slice.Without(all, func(one diff.Difference) bool {
		return one.Category == finding.Extra || one.Category == finding.Expected
	})
	compared := diff.Show{Secrets: true}.Differences(all, nil)
	for i, field := range (diff.Show{Secrets: secrets}).Differences(all, nil) {
		how := []string{string(field.Category), field.Path, string(compared[i].Input), field.Message}
		fields = append(fields, failing{strings.Join(how, "\x00"), field})
	}
	return fields
}

// addCopies adds the fields that fail in other copies, and not in the same way in this one.
func (v *verdict) addCopies(all []*verdict) {
	if v.found == nil || v.found.Error != nil {
		return
	}
	known := map[string]bool{}
	for _, f := range v.failing {
		known[f.key] = true
	}
	var added []finding.Difference
	for _, other := range all {
		for _, f := range other.failing {
			if known[f.key] {
				continue
			}
			known[f.key] = true
			added = append(added, finding.Difference{
				Category: f.field.Category,
				Path:     f.field.Path,
				Named:    f.field.Named,
				Message:  inCopy(f.field),
				Code:     code.CopiesDisagree,
			})
			v.found.Counts.Count(f.field.Category, 1)
		}
	}
	slices.SortFunc(added, func(a, b finding.Difference) int {
		return cmp.Or(
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Category, b.Category), cmp.Compare(a.Message, b.Message),
		)
	})
	finding.Identify(added, v.found.Object, v.found.Template.Path)
	v.found.Differences = append(v.found.Differences, added...)
	v.found.Result = v.found.Counts.Result()
}

// inCopy says what another copy has in the place of a failing field.
func inCopy(d finding.Difference) string {
	const longest = 80
	has := "has another value"
	switch {
	case d.Message != "":
		return "in another copy: " + d.Message
	case d.Input == nil:
		has = "has nothing"
	case len(d.Input) <= longest:
		has = "has " + string(d.Input)
	}
	return "another copy " + has + " at " + d.Path
}

// contents returns the copies that differ from the object and from each other in any field: a template
// may read fields that the cluster changes, such as the status. Copies that cannot be decoded are among
// them.
func (s *stored) contents() []*stored {
	if len(s.others) == 0 {
		return nil
	}
	s.compared.Do(func() {
		known := map[[sha256.Size]byte]bool{}
		for _, e := range slices.Concat([]*stored{s}, s.others) {
			if e != s && s.unsummed == nil && e.object.Repeats(s.object) {
				continue
			}
			sum, err := e.sum()
			if e != s && (err != nil || !known[sum]) {
				s.differing = append(s.differing, e)
			}
			known[sum] = true
		}
	})
	return s.differing
}

// sum returns a checksum of the content.
func (s *stored) sum() (sum [sha256.Size]byte, err error) {
	s.summed.Do(func() {
		var v map[string]any
		if v, s.unsummed = s.object.Decode(); s.unsummed == nil {
			s.checksum = sha256.Sum256([]byte(tree.YAML(v)))
		}
	})
	return s.checksum, s.unsummed
}

// tellCopies warns about copies with other content. If they have other results, the warning is an
// alarm; after a few alarms, one more gives the number of the others. It returns whether the context
// ended before all copies were compared.
func (r *run) tellCopies(verdicts []*verdict) (cut bool) {
	const mostAlarms = 5
	alarms := 0
	tell := func(w finding.Warning) {
		if w.Code == code.CopiesDisagree {
			if alarms++; alarms > mostAlarms {
				w.Code = code.CopiesDiffer
			}
		}
		r.result.Warnings = append(r.result.Warnings, w)
	}
	for _, v := range verdicts {
		if v != nil && v.disagree != "" {
			tell(v.copiesDisagree())
		}
	}
	known, cut := r.differing(slice.Filter(r.store.copies, r.concernsTemplates), func(c copies) *verdict {
		return cmp.Or(verdicts[c.at], r.ignored)
	})
	for _, d := range known {
		if verdicts[d.copies.at] == nil || verdicts[d.copies.at].disagree == "" {
			tell(*d.warning)
		}
	}
	if more := alarms - mostAlarms; more > 0 {
		r.warn(code.CopiesDisagree, "", finding.Plural(more, "more CR occurs", "more CRs occur")+
			" several times in the input with different content; see the warnings "+code.CopiesDiffer)
	}
	return cut
}

// copiesDisagree returns the warning about copies with different results.
func (v *verdict) copiesDisagree() finding.Warning {
	return finding.Warning{Code: code.CopiesDisagree, Place: v.stored.object.Place.String(), Message: v.disagree}
}

// concernsTemplates reports whether an object with copies has a template, or templates look it up.
func (r *run) concernsTemplates(c copies) bool {
	id := c.kept.object.ID
	t, _ := r.templates.first(id, r.assigned[c.kept])
	return t != nil || r.templates.keeps(id)
}

// tellChosen warns about copies of the other objects that results depend on: definitions of kinds,
// and objects as they were.
func (r *run) tellChosen() {
	all := slices.Concat(slice.Without(r.store.copies, r.concernsTemplates), r.before.copies)
	chosen := slice.Filter(all, func(c copies) bool { return c.kept.chosen.Load() })
	known, _ := r.differing(chosen, func(copies) *verdict { return r.ignored })
	for _, d := range known {
		r.result.Warnings = append(r.result.Warnings, *d.warning)
	}
}

// differing is what a comparison of copies gave.
type differing struct {
	copies  copies
	warning *finding.Warning    // nil if they do not differ
	unread  []refconfig.Problem // those that cannot be decoded
}

// differing returns the copies that differ, in their order, and records those that cannot be decoded.
// of returns the verdict on the object. It also returns whether the context ended before all were
// compared; what was compared until then is returned.
func (r *run) differing(all []copies, of func(copies) *verdict) (known []differing, cut bool) {
	compared := workers.Each(r.ctx, r.opt.Workers, len(all), func(i int) *differing {
		d := r.copiesDiffer(all[i], of(all[i]))
		if r.ctx.Err() != nil {
			return nil
		}
		return &d
	})
	for _, d := range compared {
		if d == nil {
			return known, true
		}
		r.unread = append(r.unread, d.unread...)
		if d.warning != nil {
			known = append(known, *d)
		}
	}
	return known, false
}

// copiesDiffer compares the copies of an object in fields that the cluster does not change, although
// they have the same result. v is the verdict on the object.
func (r *run) copiesDiffer(c copies, v *verdict) differing {
	d := differing{copies: c}
	repeats := func(s *stored) bool { return s.object.Repeats(c.kept.object) }
	others := slice.Without(c.all, repeats)
	if len(others) == 0 {
		return d
	}
	kept, err := c.kept.object.Decode()
	if err != nil {
		return d
	}
	lasts := lasting(kept)
	for _, other := range others {
		if r.ctx.Err() != nil {
			break
		}
		if other == c.kept {
			continue
		}
		value, err := other.object.Decode()
		if err != nil {
			d.unread = append(d.unread, unreadable(other.object, err, "a copy of a CR that is compared"))
			continue
		}
		if tree.Equal(lasts, lasting(value)) {
			continue
		}
		d.warning = &finding.Warning{Code: code.CopiesDiffer, Place: c.kept.object.Place.String()}
		how := "occurs several times in the input with different content: %s is compared, %s is not"
		switch {
		case other.copyOf != nil && v.found == nil && v.refused == nil:
			how = "occurs several times with different content, and each copy counts: %s, %s"
		case other.copyOf != nil:
			how = "occurs several times in the input with different content and the same result: %s, %s"
		case c.kept.object.Wrapper != "":
			d.warning.Code = code.CopiesDisagree
			how = "is inside several CRs, with different content, and it is unknown which counts: " +
				"%s is compared, %s is not"
		}
		d.warning.Message = fmt.Sprintf("%s "+how, c.kept.object.ID, c.kept.object.Place, other.object.Place)
		break
	}
	return d
}
