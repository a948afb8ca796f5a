package diff

import (
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Suppressed is a field that was not compared, and the reason.
type Suppressed struct {
	Rule finding.SuppressedBy
	finding.SuppressedField
}

// LeftOut lists the fields that were not compared: those that the walk omitted, and those that the
// template does not name. It lists no fields inside a listed field, and no names of secret data
// unless secrets is set.
func LeftOut(printed, input any, omitted []Omitted, config refconfig.Config, secrets bool) []Suppressed {
	l := &suppressedList{sides: [2]any{printed, input}, secrets: secrets, seen: map[string]bool{}}
	for _, o := range omitted {
		rule := finding.ByBuiltIn
		if o.By.Place.File != "" {
			rule = finding.ByReference
		}
		l.add(rule, o.Path, o.By.String(), o.By.Place)
	}
	if config.IgnoreUnspecified {
		eachUnspecified(nil, input, printed, FieldsOf(config), func(path refconfig.FieldPath) {
			l.add(finding.ByUnspecified, path, "ignore-unspecified-fields", config.UnspecifiedPlace)
		})
	}
	return l.all
}

// suppressedList lists the fields that were not compared, of the printed value and the input.
type suppressedList struct {
	sides   [2]any
	secrets bool // names of secret data may be told
	seen    map[string]bool
	all     []Suppressed
}

// add lists a field if neither the field nor a parent is listed.
func (l *suppressedList) add(rule finding.SuppressedBy, path refconfig.FieldPath, by string, place refconfig.Place) {
	if !l.secrets {
		path = untilSecret(l.sides[0], untilSecret(l.sides[1], path))
	}
	for n := 1; n <= len(path); n++ {
		if l.seen[path[:n].String()] {
			return
		}
	}
	category, there := l.category(path)
	if !there {
		return
	}
	field := finding.SuppressedField{Path: path.String(), Category: category, By: by, Place: place.String()}
	l.seen[field.Path] = true
	l.all = append(l.all, Suppressed{rule, field})
}

// category returns the category of the difference which would be found at a path, and whether one of
// the sides has the field: an override may have added it.
func (l *suppressedList) category(path refconfig.FieldPath) (c finding.Category, either bool) {
	left, expected := tree.At(l.sides[0], path)
	right, there := tree.At(l.sides[1], path)
	switch {
	case !expected:
		return finding.Extra, there
	case !there:
		return finding.Missing, true
	case !tree.Equal(left, right):
		return finding.Drift, true
	}
	return finding.Same, true
}

// untilSecret shortens a path to the keys that may be shown. Of secret data, that is only the
// topmost key.
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
