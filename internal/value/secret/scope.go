package secret

import (
	"regexp"
	"strings"

	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Scope says which part of a value is secret. Below derives the scope of a nested value. The zero
// value is the scope of a value about which only its own content is known, such as its kind.
type Scope struct {
	part     part
	all      bool      // all values are secret, but not the keys
	searched *Searched // nil to remember nothing
}

// part is a part of a Secret.
type part uint8

const (
	open        part = iota // not part of a known Secret; may contain Secrets
	object                  // an object of kind Secret
	metadata                // its metadata
	annotations             // its annotations
	list                    // an object of kind SecretList
	items                   // its items, which may have no kind
	data                    // the data of a Secret: only the top-level keys are shown
	client                  // an object of kind OAuthClient
	whole                   // secret as a whole, including keys
)

// These annotations of Secrets contain their data.
const (
	lastApplied = "kubectl.kubernetes.io/last-applied-configuration" // set by kubectl: a copy of the object
	tokenSecret = "openshift.io/token-secret.value"
)

// OfKind returns the scope of an object of a kind.
func OfKind(kind string) Scope { return Scope{part: partOfKind(kind)} }

// Of returns the scope of a value by its own content.
func Of(v any) Scope { return Scope{part: partOf(v)} }

// Whole returns the scope of a value that is secret as a whole.
func Whole() Scope { return Scope{part: whole} }

// Values returns the scope s with all values secret, but not the keys.
func (s Scope) Values() Scope {
	s.all = true
	return s
}

// Reset returns the scope of another value of the same object, without any knowledge of that
// value.
func (s Scope) Reset() Scope { return Scope{searched: s.searched} }

// With returns the scope with a memory for the search in texts.
func (s Scope) With(by *Searched) Scope {
	s.searched = by
	return s
}

// partOfKind does not depend on the spelling: an API server refuses "secret" and "Secrets", but the
// data of such a CR is secret all the same.
func partOfKind(kind any) part {
	text, _ := kind.(string)
	text = strings.TrimSpace(text)
	is := func(word string) bool { return strings.EqualFold(text, word) || strings.EqualFold(text, word+"s") }
	switch {
	case len(text) < len(kindWord):
		return open
	case is(kindWord):
		return object
	case is(kindWord + "List"):
		return list
	case is(clientKind):
		return client
	}
	return open
}

// isData reports whether a key of a Secret has its data, in any spelling, such as stringData, Data
// and binaryData.
func isData(key string) bool {
	key = strings.TrimSuffix(strings.ToLower(key), "s")
	return strings.HasSuffix(key, "data") && key != "metadata"
}

// kindIn returns the kind of an object.
func kindIn(m map[string]any) any {
	for _, key := range []string{"kind", "Kind", "KIND"} {
		if kind, has := m[key]; has {
			return kind
		}
	}
	return nil
}

// clientKind is the kind of objects of OpenShift that have the secrets of a client among their
// fields.
const clientKind = "OAuthClient"

// partOf returns which part of a Secret a value is by its own content.
func partOf(v any) part {
	m, _ := v.(map[string]any)
	if m == nil {
		return open
	}
	if _, patches := m["patch"]; patches && selectsSecret(field(m["target"], "kind")) {
		return object // the patch applies to a Secret
	}
	return partOfKind(kindIn(m))
}

// selectsSecret reports whether the kind of a patch's target, a regular expression for the whole
// kind, selects Secrets.
func selectsSecret(kind any) bool {
	text, _ := kind.(string)
	if partOfKind(text) == object {
		return true
	}
	selects, err := regexp.MatchString("^(?i:"+text+")$", kindWord)
	return selects || err != nil && strings.Contains(strings.ToLower(text), strings.ToLower(kindWord))
}

// resolved returns the scope, with the value's own content considered unless its position says more.
func (s Scope) resolved(v any) Scope {
	if s.part == open {
		s.part = partOf(v)
	}
	return s
}

// Below returns the scope of the value v nested in a value of this scope, at a key of a map, or at
// an element of a list, for which the key is "".
func (s Scope) Below(key string, v any) Scope {
	if s.part != open {
		s.part = s.part.below(key).of(v)
	}
	if s.part == open && isCredentials(key, v) {
		s.part = whole
	}
	return s.resolved(v)
}

// of returns the part. It returns whole for a value with an unexpected layout, because then its
// layout does not show what is secret.
func (p part) of(v any) part {
	_, isList := v.([]any)
	m, isMap := v.(map[string]any)
	if v != nil && (p == items && !isList || p == object && (!isMap || partOfKind(kindIn(m)) == list)) {
		return whole
	}
	return p
}

// below returns the part of what is at a key of a value of this part.
func (p part) below(key string) part {
	switch p {
	case data, whole:
		return whole
	case object:
		switch lower := strings.ToLower(key); {
		case isData(key):
			return data
		case lower == lastApplied, lower == "patch":
			return whole
		case lower == "metadata":
			return metadata
		}
	case client:
		switch strings.ToLower(key) {
		case "secret", "secrets", "additionalsecret", "additionalsecrets":
			return whole
		case "metadata":
			return metadata
		}
	case metadata:
		if strings.EqualFold(key, "annotations") {
			return annotations
		}
	case annotations:
		switch key {
		case lastApplied, tokenSecret:
			return whole
		}
	case list:
		if strings.EqualFold(key, "items") {
			return items
		}
	case items:
		return object
	}
	return open
}

// Or returns the scope of a value that may have either scope. A value is secret if one of them says
// so.
func (s Scope) Or(t Scope) Scope {
	s.all = s.all || t.all
	switch {
	case s.part == open:
		s.part = t.part
	case t.part != open && t.part != s.part:
		s.part = whole
	}
	return s
}

// IsOwn reports whether only the content of the value itself can make it secret.
func (s Scope) IsOwn() bool { return s.part == open && !s.all }

// IsObject reports whether the scope is that of a Secret.
func (s Scope) IsObject() bool { return s.part == object }

// IsData reports whether a value of this scope is the data of a Secret or part of it.
func (s Scope) IsData() bool { return s.part == data || s.part == whole }

// IsWhole reports whether a value of this scope is secret as a whole, including its keys.
func (s Scope) IsWhole() bool { return s.part == whole }

// At returns the value at a path in a value of this scope, and its scope.
func (s Scope) At(v any, path refconfig.FieldPath) (any, Scope) {
	for i, step := range path {
		if l, isList := v.([]any); isList {
			s = s.Elements(l)
		}
		v, _ = tree.At(v, path[i:i+1])
		s = s.Below(step.Key, v)
	}
	return v, s
}

// Opened reports whether a map of a Secret is always shown key by key, so that its secret parts are
// separate from the others.
func Opened(path refconfig.FieldPath) bool {
	return len(path) == 0 ||
		path[0].Key == "metadata" && (len(path) == 1 || len(path) == 2 && path[1].Key == "annotations")
}
