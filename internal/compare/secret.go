package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// scope is the scope of both sides of a comparison: the expected value, and a copy of the object. What is secret of them stays it,
// whatever is left out of them afterwards.
func (x *expected) scope(input any) secret.Scope {
	origin := &secret.Origin{}
	scope := origin.Add(x.value).Or(origin.Add(input)).Or(secret.OfKind(x.object.object.ID.Kind))
	if x.secret {
		return scope.Values()
	}
	return scope
}

// scopeAt returns the value at a path of a value, and its scope.
func scopeAt(s secret.Scope, v any, path refconfig.FieldPath) (any, secret.Scope) {
	for i, step := range path {
		if l, isList := v.([]any); isList {
			s = s.Elements(l)
		}
		v, _ = tree.At(v, path[i:i+1])
		s = s.Below(step.Key, v)
	}
	return v, s
}

// hidden reports whether there is something secret in a value at a path of a Secret.
func hidden(path refconfig.FieldPath, v any) bool {
	_, scope := scopeAt(secret.OfKind("Secret"), nil, path)
	return scope.IsData() || scope.Holds(v)
}

// hiddenAt reports whether there is something secret in the value at a path of an object of a kind.
func hiddenAt(kind string, object any, path refconfig.FieldPath) bool {
	v, scope := scopeAt(secret.OfKind(kind).Or(secret.Of(object)), object, path)
	return scope.Holds(v)
}

// errHidden stands in the place of an error that may hold secret data.
var errHidden = errors.New("(hidden, because it may hold secret data; --show-secrets shows it)")

// redacts reports whether messages about a field must not show its texts.
func (x *expected) redacts(path refconfig.FieldPath, input map[string]any) bool {
	kind := x.object.object.ID.Kind
	if x.clear {
		return false
	}
	if x.secret || secret.OfKind(kind).IsObject() {
		return true
	}
	note, _ := tree.At(x.notes, path)
	if n, isNote := note.(render.Note); isNote && n.Secret {
		return true
	}
	return hiddenAt(kind, x.value, path) || hiddenAt(kind, input, path)
}

// noteMove takes notice of a patch that brings something secret to another place, where neither a note nor the place tells it.
func (x *expected) noteMove(kind refconfig.PatchType, patch string) {
	if kind == refconfig.JSONPatch && strings.Contains(patch, `"from"`) {
		x.secret = x.secret || overlay.PrintedSecret(x.notes) || secret.OfKind(x.object.object.ID.Kind).Or(secret.Of(x.value)).Holds(x.value)
	}
}

// withoutSecretKeys returns what an override made of the value, without the keys that it may have made of secret data: those that neither
// the value nor the input had.
func (x *expected) withoutSecretKeys(value any, input map[string]any) any {
	if !x.secret || x.clear {
		return value
	}
	return withoutKeys(value, secret.ShownKeys(input), secret.ShownKeys(x.value))
}

// withoutKeys returns a value in which all keys but some are numbered.
func withoutKeys(v any, known ...map[string]bool) any {
	switch v := v.(type) {
	case map[string]any:
		out, hidden := make(map[string]any, len(v)), 0
		for _, k := range tree.Keys(v) {
			name := k
			if !slices.ContainsFunc(known, func(keys map[string]bool) bool { return keys[k] }) {
				hidden++
				name = fmt.Sprintf("(hidden key %d)", hidden)
			}
			out[name] = withoutKeys(v[k], known...)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = withoutKeys(x, known...)
		}
		return out
	}
	return v
}

// withoutSecretNames returns keys of an object with another name in the place of those that lie deep in secret data.
func withoutSecretNames(keys []*manifest.Node, object map[string]any) []*manifest.Node {
	if len(keys) == 0 {
		return keys
	}
	shown, out := secret.ShownKeys(object), slices.Clone(keys)
	for i, k := range keys {
		if !shown[manifest.KeyString(k)] {
			out[i] = &manifest.Node{Text: "(hidden key)", Style: manifest.DoubleQuoted, Line: k.Line, Column: k.Column, Offset: k.Offset}
		}
	}
	return out
}
