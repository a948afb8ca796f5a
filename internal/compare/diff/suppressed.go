package diff

import (
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Suppressed is a field that was not compared, and the reason.
type Suppressed struct {
	Rule finding.SuppressedBy
	finding.SuppressedField
}

// Listing lists the fields that are not compared. It lists no fields inside a listed field, and no
// names of secret data unless Secrets is set.
type Listing struct {
	Printed, Input any // the two sides before overrides
	Secrets        bool
	All            []Suppressed

	seen map[string]bool
}

// omit lists a field that an entry of the reference omits.
func (l *Listing) omit(path refconfig.FieldPath, by *refconfig.OmitEntry) {
	rule := finding.ByBuiltIn
	if by.Place.File != "" {
		rule = finding.ByReference
	}
	l.Add(rule, path, by.String(), by.Place)
}

// Add lists a field if neither the field nor a parent is listed, and one of the sides has it.
func (l *Listing) Add(rule finding.SuppressedBy, path refconfig.FieldPath, by string, place refconfig.Place) {
	if !l.Secrets {
		path = untilSecret(l.Printed, untilSecret(l.Input, path))
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
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	field := finding.SuppressedField{Path: path.String(), Category: category, By: by, Place: place.String()}
	l.seen[field.Path] = true
	l.All = append(l.All, Suppressed{rule, field})
}

// category returns the category of the difference that a comparison would find at a path, and
// whether either side has the field. Neither has it if only an override added it.
func (l *Listing) category(path refconfig.FieldPath) (c finding.Category, either bool) {
	left, expected := tree.At(l.Printed, path)
	right, there := tree.At(l.Input, path)
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
