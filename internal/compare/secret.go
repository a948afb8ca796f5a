package compare

import (
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// scope is the scope of both sides of a comparison: the expected value, and the object. What is secret of them stays it, whatever is left
// out of them afterwards, as far as the scope is told.
func (x *expected) scope(searched *secret.Searched) secret.Scope {
	origin := &secret.Origin{}
	scope := origin.Add(x.Value).Or(origin.Add(x.input)).Or(secret.OfKind(x.object.object.ID.Kind)).Counted(searched)
	if x.Secret {
		return scope.Values()
	}
	return scope
}

// redacts reports whether messages about a field, which the input has at another path, must not show its texts.
func (x *expected) redacts(path, at refconfig.FieldPath, lists secret.Lists) bool {
	kind := x.object.object.ID.Kind
	if x.Clear {
		return false
	}
	if x.Secret || secret.OfKind(kind).IsObject() {
		return true
	}
	note, _ := tree.At(x.Notes, path)
	if n, isNote := note.(provenance.Note); isNote && n.Secret {
		return true
	}
	return lists.HeldAt(kind, x.Value, path) || lists.HeldAt(kind, x.input, at)
}
