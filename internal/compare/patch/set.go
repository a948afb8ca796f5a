package patch

import (
	"cmp"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/correlate"
	"github.com/validationtool/validationtool/refconfig"
)

// Set holds the overrides of a run. It is not modified after NewSet.
type Set struct {
	all     []refconfig.Override
	today   string
	patches byName // overrides of differences that have not expired
	whole   byName // overrides that accept missing or present CRs
}

// NewSet returns a set of overrides. Overrides expire by the date (2006-01-02); if it is "", none
// expires.
func NewSet(all []refconfig.Override, today string) *Set {
	s := &Set{all: all, today: today}
	s.patches.named, s.whole.named = map[string][]int{}, map[string][]int{}
	for i, one := range all {
		switch {
		case !isPatch(one):
			s.whole.add(i, one)
		case !one.Expired(today):
			s.patches.add(i, one)
		}
	}
	return s
}

// byName indexes overrides by the name of the CR that they are for.
type byName struct {
	all   []int            // in a set
	named map[string][]int // by their name, or the last word of an exact match; "" for any
}

func (x *byName) add(i int, o refconfig.Override) {
	name := o.Name
	if o.ExactMatch != "" {
		name = lastWord(o.ExactMatch)
	}
	x.all, x.named[name] = append(x.all, i), append(x.named[name], i)
}

// near returns the indexes of the overrides that may be for objects of a name, in order. The name
// that a template states may be open or a glob.
func (x *byName) near(name string) []int {
	if name == "" || isGlob(name) {
		return x.all
	}
	some := slices.Concat(x.named[""], x.named[name])
	if end := lastWord(name); end != name && end != "" {
		some = append(some, x.named[end]...)
	}
	slices.Sort(some)
	return some
}

// lastWord returns the text after the last underscore. An exact match has underscores between its
// fields; a name may contain them too.
func lastWord(text string) string { return text[strings.LastIndexByte(text, '_')+1:] }

// Use is an override for an object, and its state there.
type Use struct {
	index int                   // in its set
	state finding.OverrideState // used, obsolete or stale
	why   string                // why the override is stale
}

// For returns the overrides for an object that is compared with a template. Of the overrides
// that match the object, only the most specific ones count; of these, the ones for the template.
// Expired overrides are ignored.
func (s *Set) For(id manifest.ID, t *refconfig.Template) (out []Use) {
	for _, i := range s.mostSpecific(id) {
		if isFor(s.all[i], t) {
			out = append(out, Use{index: i, state: finding.OverrideUsed})
		}
	}
	return out
}

// mostSpecific returns the overrides that match an object and name its most specific fields.
func (s *Set) mostSpecific(id manifest.ID) (best []int) {
	for _, i := range s.patches.near(id.Name) {
		switch one := s.all[i]; {
		case !matches(one, id, false):
		case best == nil || specificity(one) < specificity(s.all[best[0]]):
			best = []int{i}
		case specificity(one) == specificity(s.all[best[0]]):
			best = append(best, i)
		}
	}
	return best
}

// specificity ranks an override by the fields of an object that it names. The most specific
// override comes first.
func specificity(o refconfig.Override) int {
	const kindless = 100 // behind all that name a kind
	if o.ExactMatch != "" {
		return -1
	}
	var fields correlate.Field
	for _, f := range []struct {
		value string
		field correlate.Field
	}{{o.APIVersion, correlate.APIVersion}, {o.Kind, correlate.Kind}, {o.Namespace, correlate.Namespace},
		{o.Name, correlate.Name}} {
		if f.value != "" {
			fields |= f.field
		}
	}
	rank := (fields | correlate.Kind).Rank()
	if o.Kind == "" {
		rank += kindless
	}
	return rank
}

// Outcome is what a run reports about its overrides.
type Outcome struct {
	Uses     iter.Seq2[finding.Object, []Use] // the overrides for each compared object
	Accepted []finding.AcceptedCR             // see Rules
	// the identity that each template states; none if the rules were not evaluated
	Stated Stated
	// the same for templates that a rule may require, and for those of components that are left out
	Required, LeftOut Stated
}

// States returns the state of each override, in order.
func (s *Set) States(out Outcome) []finding.OverrideUse {
	var all []finding.OverrideUse
	if len(s.all) == 0 { // as in most runs; there may be thousands of templates and clusters
		return nil
	}
	index := map[string]int{}
	for _, one := range s.all {
		use := finding.OverrideUse{
			File:    one.Place.File,
			Line:    one.Place.Line,
			Index:   index[one.Place.File],
			Reason:  one.Reason,
			Expires: one.Expires,
			State:   finding.OverrideUnused,
			Objects: []finding.Object{},
		}
		if one.Expired(s.today) {
			use.State = finding.OverrideExpired
		}
		index[one.Place.File]++
		all = append(all, use)
	}
	for object, used := range out.Uses {
		for _, u := range used {
			use := &all[u.index]
			if weight(u.state) > weight(use.State) {
				use.State, use.Message, use.Objects = u.state, u.why, []finding.Object{}
			}
			if u.state == use.State {
				use.Objects = append(use.Objects, object)
			}
		}
	}
	type acceptance struct {
		override int
		object   finding.Object
	}
	listed := map[acceptance]bool{} // a CR may break several rules
	for _, a := range out.Accepted {
		use := &all[a.Override]
		use.State = finding.OverrideUsed
		if of := (acceptance{override: a.Override, object: a.Object}); !listed[of] {
			listed[of] = true
			use.Objects = append(use.Objects, a.Object)
		}
	}
	may := s.meantBy(out.Required)
	for t, stated := range out.Stated {
		for _, i := range s.whole.near(stated.Name) {
			use := &all[i]
			is := isFor(s.all[i], t) && matches(s.all[i], manifest.ID(stated), true)
			if !is || use.State != finding.OverrideUnused {
				continue
			}
			if lacking := unnamed(s.all[i], stated); lacking != "" && s.all[i].Missing {
				use.Message = "does not name the CR that may be missing, and was not applied; add " + lacking
			} else if len(may[i]) > 1 {
				use.Message = cmp.Or(use.Message,
					"may mean any of several required CRs, and was not applied; add a templatePath, such as "+t.Path)
			} else {
				use.State, use.Message, use.Objects = finding.OverrideObsolete, "", append(use.Objects, stated)
			}
		}
	}
	for t, stated := range out.LeftOut {
		for _, i := range slices.Concat(s.whole.near(stated.Name), s.patches.near(stated.Name)) {
			use, one := &all[i], s.all[i]
			if use.State == finding.OverrideUnused && isFor(one, t) && matches(one, manifest.ID(stated), true) {
				use.State, use.Message = finding.OverrideLeftOut, ""
			}
		}
	}
	return all
}

// weight ranks the state of an override, for overrides of several objects: the state that needs the
// most attention wins, and an override that one object still needs is not obsolete.
func weight(s finding.OverrideState) int {
	return slices.Index(
		[]finding.OverrideState{
			finding.OverrideUnused,
			finding.OverrideObsolete,
			finding.OverrideUsed,
			finding.OverrideStale,
		},
		s,
	)
}

// Warnings returns a warning for each override that was not applied, according to the states, and
// one for all stale overrides.
func (s *Set) Warnings(states []finding.OverrideUse) []finding.Warning {
	var out, stale []finding.Warning
	for i, one := range s.all {
		w := finding.Warning{Place: place(one)}
		why := "the CR agrees with the reference without it"
		if !isPatch(one) {
			why = "no rule is broken without it"
		}
		switch name := nameOverride(one); states[i].State {
		case finding.OverrideUnused:
			what := "applied to no compared CR"
			if !isPatch(one) {
				what = cmp.Or(states[i].Message, "is for no CR of the reference")
			}
			w.Code, w.Message = code.OverrideUnused, fmt.Sprintf("the override of %s %s", name, what)
		case finding.OverrideExpired:
			w.Code, w.Message = code.OverrideExpired, fmt.Sprintf(
				"the override of %s expired on %s and is not applied", name, one.Expires,
			)
		case finding.OverrideObsolete:
			w.Code, w.Message = code.OverrideObsolete, fmt.Sprintf(
				"the override of %s is obsolete, delete it: %s, so it was not applied", name, why)
		case finding.OverrideStale:
			stale = append(stale, finding.Warning{Place: w.Place, Message: name + ": " + states[i].Message})
			w.Code, w.Message = code.OverrideStale, fmt.Sprintf(
				"the override of %s is stale: %s; it was not applied to %s: accept the deviation again or delete it",
				name,
				states[i].Message,
				states[i].Objects[0],
			)
		default:
			continue
		}
		out = append(out, w)
	}
	switch len(stale) {
	case 0:
		return out
	case 1:
		return append(out, finding.Warning{Code: code.OverridesMovedOn, Place: stale[0].Place,
			Message: "an override is stale and was not applied: " + stale[0].Message})
	}
	return append(out, finding.Warning{Code: code.OverridesMovedOn, Place: stale[0].Place,
		Message: fmt.Sprintf(
			"%d overrides are stale and were not applied, the first of them: %s", len(stale), stale[0].Message,
		)})
}

// place returns the location of an override.
func place(o refconfig.Override) string {
	return refconfig.Place{File: o.Place.File, Line: o.Place.Line}.String()
}

// nameOverride returns a name for an override: what it is for.
func nameOverride(o refconfig.Override) string {
	switch {
	case o.ExactMatch != "":
		return o.ExactMatch
	case o.Name != "":
		return o.Kind + " " + o.Name
	case o.Kind != "":
		return o.Kind
	case o.TemplatePath != "":
		return o.TemplatePath
	}
	return "any CR"
}

// Explain returns the state of each override that matches an object and a template. used are the
// overrides that were selected for the object.
func (s *Set) Explain(id manifest.ID, t *refconfig.Template, uses []Use) []finding.UsedOverride {
	var all []finding.UsedOverride
	for i, one := range s.all {
		if !isPatch(one) || !matches(one, id, false) || !isFor(one, t) {
			continue
		}
		use := finding.UsedOverride{
			File:    one.Place.File,
			Line:    one.Place.Line,
			Type:    string(one.Type),
			Reason:  one.Reason,
			Expires: one.Expires,
			State:   finding.OverrideOverruled,
		}
		at := slices.IndexFunc(uses, func(u Use) bool { return u.index == i })
		switch {
		case one.Expired(s.today):
			use.State = finding.OverrideExpired
		case at >= 0:
			use.State, use.Message, use.Applied = uses[at].state, uses[at].why, uses[at].state == finding.OverrideUsed
		}
		all = append(all, use)
	}
	return all
}

// matches reports whether an override matches an object. An object that is only stated has the
// identity that a template states: "*" replaces the open parts of a pattern, and "" is an open
// field.
func matches(o refconfig.Override, id manifest.ID, stated bool) bool {
	if o.ExactMatch != "" {
		return o.ExactMatch == id.Key()
	}
	agree := func(want, have string) bool {
		if stated && isGlob(have) {
			met, _ := path.Match(have, want)
			return met || want == ""
		}
		return want == "" || want == have || stated && have == ""
	}
	return agree(o.APIVersion, id.APIVersion) && agree(o.Kind, id.Kind) && agree(o.Namespace, id.Namespace) &&
		agree(o.Name, id.Name)
}

// isFor reports whether an override may be for objects of a template.
func isFor(o refconfig.Override, t *refconfig.Template) bool {
	return o.TemplatePath == "" || o.TemplatePath == t.Path || path.Clean(o.TemplatePath) == path.Clean(t.Path)
}
