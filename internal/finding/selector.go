package finding

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Selector names CRs, written as KIND, KIND/NAME or KIND/NAMESPACE/NAME. KIND may have its group,
// or version and group, behind a dot. Each of them may be a glob (path.Match).
type Selector struct {
	Kind                   string
	Group                  string // group, or version.group; only where HasGroup
	Namespace              string // only where HasNamespace: "" is that of a CR without one
	Name                   string // "" for any
	HasGroup, HasNamespace bool
}

// ParseSelector reads a selector.
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
			return Selector{}, fmt.Errorf("%q is no glob: a [ has to be closed, or to stand behind a backslash", word)
		}
	}
	return s, nil
}

// Meets reports whether a selector names an object. The case of the kind does not matter.
func (s Selector) Meets(o Object) bool {
	return s.OfKind(o) && (!s.HasNamespace || Globs(s.Namespace, o.Namespace)) &&
		(s.Name == "" || Globs(s.Name, o.Name))
}

// OfKind reports whether an object is of the kind, and of the group, that a selector names.
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

// Selector writes what selects an object: KIND/NAME, or KIND/NAMESPACE/NAME.
func (o Object) Selector() string {
	return strings.Join(
		slices.DeleteFunc([]string{o.Kind, o.Namespace, o.Name}, func(s string) bool { return s == "" }), "/",
	)
}

// Globs reports whether a name, which may be a glob, means a text.
func Globs(pattern, text string) bool {
	met, _ := path.Match(pattern, text)
	return met || pattern == text
}

// MayMeet reports whether a selector may name a CR of which only this is known: in an identity that
// a template states, a field left open is "", and a pattern has * for what is open.
func (s Selector) MayMeet(stated Object) bool {
	open := func(text string) bool { return text == "" || strings.Contains(text, "*") }
	return s.OfKind(stated) && (!s.HasNamespace || open(stated.Namespace) || Globs(s.Namespace, stated.Namespace)) &&
		(s.Name == "" || open(stated.Name) || Globs(s.Name, stated.Name))
}
