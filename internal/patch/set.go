package patch

import (
	"fmt"
	"iter"
	"path"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/correlate"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/refconfig"
)

// Set holds the accepted deviations of a run. It is not modified after it was made.
type Set struct {
	all   []refconfig.Override
	today string
	// those that have not expired, as indexes, by what they are for and by template ("" for any)
	patches map[subject]map[string][]int
	whole   []int // those that accept missing or present CRs
	// these by the name that they are for, or the last word of an exact match; "" for any
	named map[string][]int
}

// subject is what an override is for: one exact match, or fields of an object, "" for any.
type subject struct {
	exact string
	manifest.ID
}

// NewSet returns a set of overrides that expire by a date (2006-01-02), "" for never.
func NewSet(all []refconfig.Override, today string) *Set {
	s := &Set{all: all, today: today, patches: map[subject]map[string][]int{}, named: map[string][]int{}}
	for i, one := range all {
		switch of := subjectOf(one); {
		case !isPatch(one):
			name := one.Name
			if one.ExactMatch != "" {
				name = lastWord(one.ExactMatch)
			}
			s.whole, s.named[name] = append(s.whole, i), append(s.named[name], i)
		case !one.Expired(today):
			if s.patches[of] == nil {
				s.patches[of] = map[string][]int{}
			}
			t := templateOf(one)
			s.patches[of][t] = append(s.patches[of][t], i)
		}
	}
	return s
}

func subjectOf(o refconfig.Override) subject {
	if o.ExactMatch != "" {
		return subject{exact: o.ExactMatch}
	}
	return subject{ID: manifest.ID{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}}
}

// templateOf is the path of the template that an override is for; "" for any.
func templateOf(o refconfig.Override) string {
	if o.TemplatePath == "" {
		return ""
	}
	return path.Clean(o.TemplatePath)
}

// Use is an override that is for an object.
type Use struct {
	index int                   // in its set
	state finding.OverrideState // used, obsolete or stale
	why   string                // it is stale
}

// selected returns which overrides are for an object compared with a template: of those that fit
// the object, the ones that name it exactly, else the ones that name the most specific fields of
// it; and of these, the ones for the template. Those that expired count as if they were not there.
func (s *Set) selected(id manifest.ID, t *refconfig.Template) []Use {
	group := s.group(id)
	some := slices.Concat(group[""], group[path.Clean(t.Path)])
	slices.Sort(some)
	var out []Use
	for _, i := range some {
		out = append(out, Use{index: i, state: finding.OverrideUsed})
	}
	return out
}

// group returns the most specific overrides that fit an object, by template.
func (s *Set) group(id manifest.ID) map[string][]int {
	if len(s.patches) == 0 {
		return nil
	}
	if exact := s.patches[subject{exact: id.Key()}]; exact != nil {
		return exact
	}
	const fields = 4
	var best map[string][]int
	least := 0
	for open := range 1 << fields { // which fields an override may leave open
		of := id
		for i, field := range []*string{&of.APIVersion, &of.Kind, &of.Namespace, &of.Name} {
			if open&(1<<i) != 0 {
				*field = ""
			}
		}
		group := s.patches[subject{ID: of}]
		rank := specificity(
			refconfig.Override{APIVersion: of.APIVersion, Kind: of.Kind, Namespace: of.Namespace, Name: of.Name},
		)
		if group != nil && (best == nil || rank < least) {
			best, least = group, rank
		}
	}
	return best
}

// specificity orders overrides by what they name of an object, the most specific first.
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

// Outcome is what a run tells of the use of its overrides.
type Outcome struct {
	Uses     iter.Seq2[finding.Object, []Use] // of each object that was compared
	Accepted []finding.AcceptedCR             // see Rules
	// what each template that rules are about states; none where they were not evaluated
	Stated iter.Seq2[*refconfig.Template, finding.Object]
}

// States says what became of each override, in their order.
func (s *Set) States(out Outcome) []finding.OverrideUse {
	var all []finding.OverrideUse
	if len(s.all) == 0 { // as in most runs, for each of whose clusters there may be thousands of templates
		return nil
	}
	index := map[string]int{}
	for _, one := range s.all {
		use := finding.OverrideUse{
			File:    one.Place.File,
			Line:    one.Place.Line,
			Index:   index[one.Place.File],
			Reason:  one.Reason,
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
	for _, a := range out.Accepted {
		use := &all[a.Override]
		use.State, use.Objects = finding.OverrideUsed, append(use.Objects, a.Object)
	}
	for t, stated := range out.Stated {
		for _, i := range s.near(stated) {
			one := s.all[i]
			if use := &all[i]; use.State == finding.OverrideUnused && isFor(one, t) && meetsStated(one, stated) {
				use.State, use.Objects = finding.OverrideObsolete, append(use.Objects, stated)
			}
		}
	}
	return all
}

// weight orders what an override is for several objects: what has to be looked at weighs the most,
// and one that is still needed for any of them is not obsolete.
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

// Warnings names the overrides that were not applied to anything, as their states tell, and counts
// those that are stale.
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
			what := "applied to no CR that was compared"
			if !isPatch(one) {
				what = "is for no CR that the reference speaks of"
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

// place says where an override stands.
func place(o refconfig.Override) string {
	return refconfig.Place{File: o.Place.File, Line: o.Place.Line}.String()
}

// nameOverride names what an override is for.
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

// Explain says what became of each override that fits an object and a template, of which some are
// in use.
func (s *Set) Explain(id manifest.ID, t *refconfig.Template, uses []Use) []finding.UsedOverride {
	var all []finding.UsedOverride
	for i, one := range s.all {
		if !isPatch(one) || !meets(one, id) || !isFor(one, t) {
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

// meets reports whether an override fits an object.
func meets(o refconfig.Override, id manifest.ID) bool {
	if o.ExactMatch != "" {
		return o.ExactMatch == id.Key()
	}
	agree := func(want, have string) bool { return want == "" || want == have }
	return agree(o.APIVersion, id.APIVersion) && agree(o.Kind, id.Kind) && agree(o.Namespace, id.Namespace) &&
		agree(o.Name, id.Name)
}

// isFor reports whether an override may be for objects compared with a template.
func isFor(o refconfig.Override, t *refconfig.Template) bool {
	return o.TemplatePath == "" || o.TemplatePath == t.Path || path.Clean(o.TemplatePath) == path.Clean(t.Path)
}
