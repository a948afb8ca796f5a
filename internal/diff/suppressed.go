package diff

import (
	"cmp"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Suppressed is a field that was left out of a comparison, and the rule by which it was.
type Suppressed struct {
	Rule finding.SuppressedBy
	finding.SuppressedField
}

// LeftOut lists the fields that are left out of the comparison of what a template printed with the
// input because entries name them, or because the template does not. What lies in a field that is
// listed is not listed again. Names of secret data are not told, unless secrets says so.
func LeftOut(printed, input any, omit []refconfig.OmitEntry, config refconfig.Config, secrets bool) []Suppressed {
	l := &suppressedList{sides: [2]any{printed, input}, secrets: secrets, seen: map[string]bool{}}
	eachOmitted(nil, l.sides, tree.Omitting(omit), func(path refconfig.FieldPath, by *refconfig.OmitEntry) {
		rule := finding.ByBuiltIn
		if by.Place.File != "" {
			rule = finding.ByReference
		}
		l.add(rule, path, by.String(), by.Place)
	})
	if config.IgnoreUnspecified {
		eachUnspecified(nil, input, printed, FieldsOf(config), func(path refconfig.FieldPath) {
			l.add(finding.ByUnspecified, path, "ignore-unspecified-fields", config.UnspecifiedPlace)
		})
	}
	return l.all
}

// eachOmitted calls f for the fields below a path that are left out of one side or the other, and not
// for those in them.
func eachOmitted(
	at refconfig.FieldPath, sides [2]any, omit tree.Omission, f func(refconfig.FieldPath, *refconfig.OmitEntry),
) {
	if omit.None() {
		return
	}
	var steps []refconfig.Step
	for _, side := range sides {
		switch c := side.(type) {
		case map[string]any:
			for k := range c {
				steps = append(steps, refconfig.Key(k))
			}
		case []any:
			for i := range c {
				steps = append(steps, refconfig.Step{Index: i})
			}
		}
	}
	slices.SortFunc(steps, func(a, b refconfig.Step) int { return cmp.Or(cmp.Compare(a.Key, b.Key), a.Index-b.Index) })
	for _, step := range slices.Compact(steps) {
		path := at.Below(step)
		gone, rest := omit.Below(step)
		if gone != nil {
			f(path, gone)
			continue
		}
		left, _ := tree.At(sides[0], path[len(at):])
		right, _ := tree.At(sides[1], path[len(at):])
		eachOmitted(path, [2]any{left, right}, rest, f)
	}
}

// suppressedList collects what is left out of a comparison of two sides, what was expected and the
// input.
type suppressedList struct {
	sides   [2]any
	secrets bool // names of secret data may be told
	seen    map[string]bool
	all     []Suppressed
}

// add lists a field, if neither it nor one above it is listed.
func (l *suppressedList) add(rule finding.SuppressedBy, path refconfig.FieldPath, by string, place refconfig.Place) {
	if !l.secrets {
		path = untilSecret(l.sides[0], untilSecret(l.sides[1], path))
	}
	for n := 1; n <= len(path); n++ {
		if l.seen[path[:n].String()] {
			return
		}
	}
	field := finding.SuppressedField{Path: path.String(), Category: l.category(path), By: by, Place: place.String()}
	l.seen[field.Path] = true
	l.all = append(l.all, Suppressed{rule, field})
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

// untilSecret is a path as far as its keys may be shown: what lies in secret data is named by the
// uppermost key.
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
