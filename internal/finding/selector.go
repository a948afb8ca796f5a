package finding

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Selector selects CRs. It is written as KIND, KIND/NAME or KIND/NAMESPACE/NAME. A group, or a
// version and a group, can follow KIND after a dot. Each part can be a glob (path.Match).
type Selector struct {
	Kind                   string
	Group                  string // group or version.group; valid only if HasGroup
	Namespace              string // valid only if HasNamespace; "" selects CRs without a namespace
	Name                   string // "" for any name
	HasGroup, HasNamespace bool
}

// ParseSelector parses a selector.
func ParseSelector(text string) (Selector, error) {
	var s Selector
	words := strings.Split(text, "/")
	s.Kind, s.Group, s.HasGroup = strings.Cut(words[0], ".")
	if len(words) > 1 {
		s.Name = words[len(words)-1]
	}
	if len(words) == 3 {
		s.Namespace, s.HasNamespace = words[1], true
	}
	if s.Kind == "" || len(words) > 3 || len(words) > 1 && s.Name == "" {
		return Selector{}, errors.New("write KIND, KIND/NAME or KIND/NAMESPACE/NAME")
	}
	for _, word := range words {
		if _, err := path.Match(word, ""); err != nil {
			return Selector{}, fmt.Errorf("%q is not a valid glob: close the [, or put a backslash before it", word)
		}
	}
	return s, nil
}

// Matches reports whether the selector selects an object. It ignores the case of the kind.
func (s Selector) Matches(o Object) bool {
	return (s.Name == "" || Globs(s.Name, o.Name)) && (!s.HasNamespace || Globs(s.Namespace, o.Namespace)) && s.OfKind(o)
}

// OfKind reports whether an object has the selector's kind and group.
func (s Selector) OfKind(o Object) bool {
	if !Globs(strings.ToLower(s.Kind), strings.ToLower(o.Kind)) {
		return false
	}
	group, version, grouped := strings.Cut(o.APIVersion, "/")
	if !grouped {
		group, version = "", group
	}
	return !s.HasGroup || Globs(s.Group, group) || Globs(s.Group, strings.TrimSuffix(version+"."+group, "."))
}

// Selector returns a selector for an object: KIND/NAME, or KIND/NAMESPACE/NAME.
func (o Object) Selector() string {
	return strings.Join(
		slices.DeleteFunc([]string{o.Kind, o.Namespace, o.Name}, func(s string) bool { return s == "" }), "/",
	)
}

// Globs reports whether a text matches a glob or equals it.
func Globs(pattern, text string) bool {
	if pattern == text || !strings.ContainsAny(pattern, `*?[\`) { // most patterns are plain names
		return pattern == text
	}
	met, _ := path.Match(pattern, text)
	return met
}

// MayMeet reports whether the selector can select the object of a template that states only some
// fields of the identity: "" matches any value, and * in a pattern matches any text.
func (s Selector) MayMeet(stated Object) bool {
	open := func(text string) bool { return text == "" || strings.Contains(text, "*") }
	return s.OfKind(stated) && (!s.HasNamespace || open(stated.Namespace) || Globs(s.Namespace, stated.Namespace)) &&
		(s.Name == "" || open(stated.Name) || Globs(s.Name, stated.Name))
}
