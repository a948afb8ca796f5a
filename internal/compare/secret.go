package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// secret reports whether an object's data must not be shown.
func secret(id manifest.ID) bool { return id.Kind == "Secret" }

// guardOf returns the guard of an object. Its identity says it too where the comparison leaves its kind out.
func guardOf(id manifest.ID) tree.Guard {
	if secret(id) {
		return tree.Secret
	}
	return tree.Open
}

// below is the guard of what lies at a key of both sides: secret is what is so on either.
func below(g tree.Guard, key string, left, right any) tree.Guard {
	a, b := g.Below(key, left), g.Below(key, right)
	switch {
	case a == b || b == tree.Open:
		return a
	case a == tree.Open:
		return b
	}
	return tree.Hidden
}

// opened reports whether a map of a Secret is always shown key by key, so that what is secret in it can be told from
// what is not.
func opened(path refconfig.FieldPath) bool {
	return len(path) == 0 || path[0].Key == "metadata" && (len(path) == 1 || len(path) == 2 && path[1].Key == "annotations")
}

// hides reports whether a pair that is told as a whole must not show its values: because they are secret, because the template
// printed something secret into them, or because only their place says that there is a secret in them. Values that say so
// themselves are shown without it, see Shown.
func hides(g tree.Guard, left, right Value, note any) bool {
	if g == tree.Hidden {
		return true
	}
	printed := false
	eachNote(note, func(n render.Note) bool {
		printed = n.Secret
		return !printed
	})
	return printed || onlyByPlace(g, left.Data) || onlyByPlace(g, right.Data)
}

// onlyByPlace reports whether there is a secret in a value that does not say so itself.
func onlyByPlace(g tree.Guard, v any) bool {
	if g == tree.Open || tree.GuardOf(v) == g {
		return false
	}
	_, found := tree.Conceal(v, g, func(any) any { return nil })
	return found
}

// Shown is a side as it may be shown: hide makes what stands in the place of a secret value. Hidden says that all of it is one; but
// there may also be Secrets, or texts of Secrets, in a value that is none.
func (v Value) Shown(hidden bool, hide func(any) any) Value {
	switch {
	case !v.Present:
	case hidden:
		v.Data = hide(v.Data)
	default:
		v.Data, _ = tree.Conceal(v.Data, tree.Open, hide)
	}
	return v
}

// hidden reports whether there is something secret in a value at a path of a Secret.
func hidden(path refconfig.FieldPath, v any) bool {
	g := tree.Secret
	for _, step := range path {
		g = g.Below(step.Key, nil)
	}
	return g == tree.Hidden || conceals(v, g)
}

// conceals reports whether there is something secret in a value.
func conceals(v any, g tree.Guard) bool {
	_, found := tree.Conceal(v, g, func(any) any { return nil })
	return found
}

// hiddenAt reports whether there is something secret in the value at a path of an object.
func hiddenAt(id manifest.ID, object any, path refconfig.FieldPath) bool {
	v, g := object, guardOf(id)
	if g == tree.Open {
		g = tree.GuardOf(v)
	}
	for i, step := range path {
		v, _ = tree.At(v, path[i:i+1])
		g = g.Below(step.Key, v)
	}
	return conceals(v, g)
}

// errHidden stands in the place of an error that may hold secret data.
var errHidden = errors.New("(hidden, because it may hold secret data; --show-secrets shows it)")

// guard takes notice of a patch that brings something secret to another place, where no note tells it.
func (x *expected) guard(kind refconfig.PatchType, patch string) {
	if kind != refconfig.JSONPatch || !strings.Contains(patch, `"from"`) {
		return
	}
	eachNote(x.notes, func(n render.Note) bool {
		x.secret = x.secret || n.Secret
		return !x.secret
	})
}

// discreet returns what an override made of the value, without the keys that it may have made of secret data: those that neither
// the value nor the input had.
func (x *expected) discreet(value any, input map[string]any) any {
	if !x.secret || x.clear {
		return value
	}
	return withoutKeys(value, tree.ShownKeys(input), tree.ShownKeys(x.value))
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
