package secret

import (
	"reflect"

	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Scope says what of a value is secret. It goes along on the way from an object to its fields, see
// Below. The zero value is the scope of a value of which nothing is known but what it says itself,
// by its kind.
type Scope struct {
	part   part
	all    bool    // every value is secret, whatever the part; the keys are not
	origin *Origin // nil where only the value itself tells

	searched *Searched // nil where nothing is remembered
}

// part is a part of a Secret.
type part uint8

const (
	open        part = iota // no part of a Secret that is known, though there may be Secrets below
	object                  // an object of kind Secret
	metadata                // its metadata
	annotations             // its annotations
	list                    // an object of kind SecretList
	items                   // its items, whose kind need not be stated
	data                    // the data of a Secret: its own keys are shown, and nothing else of it
	whole                   // secret as a whole
)

// Annotations of Secrets that hold their data.
const (
	lastApplied = "kubectl.kubernetes.io/last-applied-configuration" // a whole copy of the object, by kubectl
	tokenSecret = "openshift.io/token-secret.value"
)

// OfKind is the scope of an object of a kind.
func OfKind(kind string) Scope { return Scope{part: partOfKind(kind)} }

// Of is the scope of a value by what it says itself.
func Of(v any) Scope { return Scope{part: partOf(v)} }

// Whole is the scope of a value that is secret as a whole.
func Whole() Scope { return Scope{part: whole} }

// Values is the scope s of a value of which all values are secret, though its keys may be shown.
func (s Scope) Values() Scope {
	s.all = true
	return s
}

// Afresh is the scope of another value of the same object, of which nothing is known.
func (s Scope) Afresh() Scope { return Scope{searched: s.searched} }

// With is the scope with what the search in texts of an object remembers.
func (s Scope) With(by *Searched) Scope {
	s.searched = by
	return s
}

func partOfKind(kind any) part {
	switch kind {
	case "Secret":
		return object
	case "SecretList":
		return list
	}
	return open
}

// partOf returns what a value says itself that it is.
func partOf(v any) part {
	m, _ := v.(map[string]any)
	if m == nil {
		return open
	}
	if _, patches := m["patch"]; patches && field(m["target"], "kind") == "Secret" {
		return object // its patch is of one
	}
	return partOfKind(m["kind"])
}

// resolved is the scope with what the value says itself, where no place or origin says more.
func (s Scope) resolved(v any) Scope {
	if s.part == open {
		s.part = s.origin.partOf(v)
	}
	return s
}

// Below is the scope of what lies in a value of this scope: v, at a key of a map, or at an element
// of a list, whose key is "".
func (s Scope) Below(key string, v any) Scope {
	if s.part != open {
		s.part = s.part.below(key).of(v)
	}
	if s.part == open && loginField(key, v) {
		s.part = whole
	}
	return s.resolved(v)
}

// of is the part, or the whole where a value is not what stands there in a Secret or a list of
// them: its layout tells nothing then.
func (p part) of(v any) part {
	_, isList := v.([]any)
	m, isMap := v.(map[string]any)
	if v != nil && (p == items && !isList || p == object && (!isMap || partOfKind(m["kind"]) == list)) {
		return whole
	}
	return p
}

func (p part) below(key string) part {
	switch {
	case p == data || p == whole:
		return whole
	case p == object && (key == "data" || key == "stringData"):
		return data
	case p == object && (key == lastApplied || key == "patch"):
		return whole
	case p == object && key == "metadata":
		return metadata
	case p == metadata && key == "annotations":
		return annotations
	case p == annotations && (key == lastApplied || key == tokenSecret):
		return whole
	case p == list && key == "items":
		return items
	case p == items:
		return object
	}
	return open
}

// Or is the scope of a value that may be either of two: secret is what is so by one of them. The
// origin is that of s.
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

// IsOwn reports whether a value of this scope is secret by nothing but what it says itself.
func (s Scope) IsOwn() bool { return s.part == open && !s.all && s.origin == nil }

// IsObject reports whether the scope is that of a Secret.
func (s Scope) IsObject() bool { return s.part == object }

// IsData reports whether a value of this scope is the data of a Secret, or lies in it.
func (s Scope) IsData() bool { return s.part == data || s.part == whole }

// IsWhole reports whether a value of this scope is secret as a whole, the keys below it too.
func (s Scope) IsWhole() bool { return s.part == whole }

// Origin remembers which maps were Secrets when they came in, so that it stays so whatever is done
// to them afterwards. The zero value remembers none.
type Origin struct{ maps map[uintptr]known }

// known is a map that was a Secret. It is kept, so that no other map can come to stand at its
// address.
type known struct {
	m    map[string]any
	part part
}

// Of is the scope of a value that nothing changes.
func (o *Origin) Of(v any) Scope { return Scope{origin: o}.resolved(v) }

// Add takes in a value with everything in it, and returns its scope.
func (o *Origin) Add(v any) Scope {
	o.add(v)
	return o.Of(v)
}

func (o *Origin) add(v any) {
	switch v := v.(type) {
	case map[string]any:
		if p := partOf(v); p != open {
			o.remember(address(v), known{v, p})
		}
		for _, x := range v {
			o.add(x)
		}
	case []any:
		for _, x := range v {
			o.add(x)
		}
	}
}

func (o *Origin) remember(at uintptr, k known) {
	if o.maps == nil {
		o.maps = map[uintptr]known{}
	}
	o.maps[at] = k
}

// Instead takes notice of a map that stands in the place of one that the scope may remember.
func (s Scope) Instead(of, is map[string]any) {
	if k, found := s.origin.maps[address(of)]; found {
		s.origin.remember(address(is), known{is, k.part})
	}
}

// Alike reports whether of two equal values of this scope the one is secret as the other is: what
// they were before is not remembered.
func (s Scope) Alike() bool { return s.origin == nil }

// Settled is the scope for values that nothing changes any more: its origin remembers only what
// they do not say themselves.
func (s Scope) Settled() Scope {
	if s.origin == nil {
		return s
	}
	left := &Origin{}
	for at, k := range s.origin.maps {
		if partOf(k.m) != k.part {
			left.remember(at, k)
		}
	}
	s.origin = left
	if left.maps == nil {
		s.origin = nil
	}
	return s
}

func address(m map[string]any) uintptr { return reflect.ValueOf(m).Pointer() }

// partOf returns what a value was when it came in, or else what it says itself.
func (o *Origin) partOf(v any) part {
	if o != nil && o.maps != nil {
		if m, ok := v.(map[string]any); ok {
			if k, found := o.maps[address(m)]; found {
				return k.part
			}
		}
	}
	return partOf(v)
}

// At returns the value at a path of a value of this scope, and its scope.
func (s Scope) At(v any, path refconfig.FieldPath) (any, Scope) { return s.at(v, path, Lists{}) }

func (s Scope) at(v any, path refconfig.FieldPath, known Lists) (any, Scope) {
	for i, step := range path {
		if l, isList := v.([]any); isList && s.part == open && len(l) > 1 {
			if _, looked := known[&l[0]]; !looked {
				known[&l[0]] = s.Elements(l).part
			}
			s.part = known[&l[0]]
		}
		v, _ = tree.At(v, path[i:i+1])
		s = s.Below(step.Key, v)
	}
	return v, s
}

// Lists remember of which lists the elements are secret because they are the lines of a text that
// is, so that this is asked once however many of them are looked at. Such a list, known by its
// first element, counts as what it was when it was first asked about.
type Lists map[*any]part

// HeldAt reports whether there is something secret in the value at a path of an object of a kind.
func (known Lists) HeldAt(kind string, object any, path refconfig.FieldPath, by *Searched) bool {
	v, scope := OfKind(kind).Or(Of(object)).With(by).at(object, path, known)
	return scope.Holds(v)
}
