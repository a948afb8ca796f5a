package diff

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Names identifies the items of lists independently of their index, so that a finding stays the
// same if the list is reordered. It caches the names of a list by its path.
type Names map[string]listNames

// listNames has the names of the items of a list. A name that several items share identifies none
// of them.
type listNames struct {
	fields Fields
	scope  secret.Scope // the scope of the items
	n      map[string]int
}

// in returns the names for a list with a scope.
func (n Names) in(path string, list []any, fields Fields, scope secret.Scope) listNames {
	l, known := n[path]
	if !known {
		l = listNames{fields, scope.Elements(list), map[string]int{}}
		for _, one := range list {
			l.n[l.name(one)]++
		}
		n[path] = l
	}
	return l
}

// of returns the name that identifies an item, or "".
func (l listNames) of(item any) string {
	if name := l.name(item); l.n[name] == 1 {
		return name
	}
	return ""
}

// name returns the name of an item, unique or not. It contains no secret data, because the data
// could be guessed from a hash of the name.
func (l listNames) name(item any) string {
	var all []string
	scope := l.scope.Below("", item)
	for _, key := range l.fields.Keys(item) {
		v, of := scope.At(item, key)
		if of.Holds(v) {
			return ""
		}
		all = append(all, key.String()+"="+align.Texts([]any{v})[0])
	}
	return strings.Join(all, ",")
}

// named returns a step with a name. The name may be "" for any item of the list. Findings then
// differ by the value of the item.
func named(name string) refconfig.Step { return refconfig.Step{Key: "[" + name + "]", Index: -1} }

// step returns the step from a pair at a path to its child, for fingerprints. The step to an item has
// the name of the item or, if there is none, its index in the reference's list, which does not
// depend on the CR. Items of a set, and items that the reference lacks, are identified by their
// value.
func (n Names) step(at refconfig.FieldPath, p, child *Pair) refconfig.Step {
	if !p.List {
		return child.Step
	}
	path, side, item := at.String(), p.Right, child.Right
	if !item.Present {
		path, side, item = "of the reference: "+path, p.Left, child.Left
	}
	list, _ := side.Data.([]any)
	switch name := n.in(path, list, p.fields, p.Secret).of(item.Data); {
	case name != "":
		return named(name)
	case child.From < 0 || p.fields.IsSet() && child.Children == nil:
		return named("")
	}
	return refconfig.Step{Index: child.From}
}

// path returns the path with names to the last pair of a way, on which each pair is a child of the
// one before it. It returns "" if this path equals the usual one.
func (n Names) path(usual refconfig.FieldPath, way []*Pair) string {
	path := slices.Clone(usual)
	for i, child := range way[1:] {
		path[i] = n.step(usual[:i], way[i], child)
	}
	if slices.Equal(path, usual) {
		return ""
	}
	return path.String()
}

// Path does the same as path for a field of the object, which is the right value of the pair p.
func (n Names) Path(path refconfig.FieldPath, p *Pair, object any) string {
	out, fields, scope := slices.Clone(path), p.fields, p.Secret
	for i, step := range path {
		list, isList := object.([]any)
		object, _ = tree.At(object, path[i:i+1])
		if isList {
			names := n.in(path[:i].String(), list, fields, scope)
			if name := names.of(object); name != "" || fields.IsSet() && i+1 == len(path) {
				out[i] = named(name)
			}
			scope = names.scope
		}
		fields, scope = fields.Below(step), scope.Below(step.Key, object)
	}
	return out.String()
}
