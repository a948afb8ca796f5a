package compare

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/perfield"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Suppressed says how much a run tells of what was left out of comparisons.
type Suppressed int

// How much.
const (
	Untold  Suppressed = iota // and nothing is looked for
	Counted                   // how many fields, by rule
	Listed                    // each field, too
)

// suppressed is a field that was left out of a comparison.
type suppressed struct {
	rule finding.SuppressedBy
	finding.SuppressedField
}

// suppressed lists the fields that are left out of the comparison because entries name them, or because the template does not. What lies
// in a field that is listed is not listed again.
func (r *run) suppressed(x *expected, omit []refconfig.OmitEntry) []suppressed {
	l := &suppressedList{run: r, sides: [2]any{x.printed, x.input}, seen: map[string]bool{}}
	outermost := slices.SortedStableFunc(slices.Values(omit), func(a, b refconfig.OmitEntry) int { return len(a.Path) - len(b.Path) })
	for _, e := range outermost {
		rule := finding.ByBuiltIn
		if e.Place.File != "" {
			rule = finding.ByReference
		}
		by := ""
		for _, side := range l.sides {
			for _, path := range tree.Omitted(side, e) {
				if by == "" {
					by = e.String()
				}
				l.add(rule, path, by, e.Place)
			}
		}
	}
	if c := x.template.Ref.Config; c.IgnoreUnspecified {
		overlay.EachUnspecified(x.input, x.printed, perfield.FieldsOf(c), func(path refconfig.FieldPath) {
			l.add(finding.ByUnspecified, path, "ignore-unspecified-fields", c.UnspecifiedPlace)
		})
	}
	return l.all
}

// allSuppressed lists, sorted by path, what was left out of an attempt: also what the collector masked, and the differences that there
// would be without overrides.
func (r *run) allSuppressed(c *choice, a *attempt) []suppressed {
	all := slices.Clone(a.suppressed)
	for _, path := range a.masked {
		all = append(all, suppressed{finding.ByMask, finding.SuppressedField{Path: path.String(), Category: finding.Drift,
			By: r.in.Layout(c.stored.object.Place)}})
	}
	accepted, reasons := a.accepted.Accepted(a.differences)
	for i, d := range accepted {
		all = append(all, suppressed{finding.ByOverride, finding.SuppressedField{Path: d.Path.String(), Category: d.Category,
			By: reasons[i], Place: a.accepted.Override.File}})
	}
	slices.SortStableFunc(all, func(a, b suppressed) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// tellSuppressed adds what was left out of a comparison to the result.
func (r *run) tellSuppressed(c *compared) {
	for _, s := range c.suppressed {
		at := slices.IndexFunc(r.result.Suppressed, func(have finding.Suppressed) bool { return have.Rule == s.rule })
		rule := &r.result.Suppressed[at]
		rule.Count++
		if r.opt.Suppressed == Listed {
			s.Object = c.Object
			rule.Fields = append(rule.Fields, s.SuppressedField)
		}
	}
	c.suppressed = nil
}

// rulesOfSuppression are all rules that leave something out, in the order of a report, without a count yet.
func rulesOfSuppression(told Suppressed) []finding.Suppressed {
	if told == Untold {
		return nil
	}
	var all []finding.Suppressed
	for _, rule := range []finding.SuppressedBy{finding.ByBuiltIn, finding.ByReference, finding.ByUnspecified, finding.ByMask, finding.ByOverride} {
		all = append(all, finding.Suppressed{Rule: rule})
	}
	return all
}

// Held is how many bytes of memory what was found about an object keeps, with what was left out.
func (c *compared) Held() int64 {
	const ofField = 160 // bytes of the struct
	n := c.Comparison.Held()
	for _, s := range c.suppressed {
		n += int64(ofField + len(s.Path))
	}
	return n
}

// suppressedList collects what is left out of a comparison of two sides, what was expected and the input.
type suppressedList struct {
	run   *run
	sides [2]any
	seen  map[string]bool
	all   []suppressed
}

// add lists a field, if neither it nor one above it is listed.
func (l *suppressedList) add(rule finding.SuppressedBy, path refconfig.FieldPath, by string, place refconfig.Place) {
	if !l.run.opt.Show.Secrets {
		path = untilSecret(l.sides[0], untilSecret(l.sides[1], path))
	}
	for n := 1; n <= len(path); n++ {
		if l.seen[path[:n].String()] {
			return
		}
	}
	field := finding.SuppressedField{Path: path.String(), Category: l.category(path), By: by, Place: place.String()}
	l.seen[field.Path] = true
	l.all = append(l.all, suppressed{rule, field})
}

// category is that of the difference which would be found at a path.
func (l *suppressedList) category(path refconfig.FieldPath) finding.Category {
	left, expected := tree.At(l.sides[0], path)
	right, there := tree.At(l.sides[1], path)
	switch {
	case !expected:
		return finding.Extra
	case !there:
		return finding.Missing
	case !tree.Equal(left, right):
		return finding.Drift
	}
	return finding.Same
}

// untilSecret is a path as far as its keys may be shown: what lies in secret data is named by the uppermost key.
func untilSecret(v any, path refconfig.FieldPath) refconfig.FieldPath {
	scope := secret.Of(v)
	for i := range path {
		if scope.IsWhole() {
			return path[:i]
		}
		below, _ := tree.At(v, path[i:i+1])
		scope, v = scope.Below(path[i].Key, below), below
	}
	return path
}
