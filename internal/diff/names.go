package diff

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Names call the items of lists by what they are told by wherever they stand, so that a finding is
// the same one in a list of another order. They are kept by list, which its first item stands for.
type Names map[*any]listNames

// listNames are what the items of a list are called, and how many of them: what several are called
// tells none of them.
type listNames struct {
	fields Fields
	scope  secret.Scope // of the items
	n      map[string]int
}

// in are those of a list. The scope is that of the list.
func (n Names) in(list []any, fields Fields, scope secret.Scope) listNames {
	if len(list) == 0 {
		return listNames{scope: scope}
	}
	l, known := n[&list[0]]
	if !known {
		l = listNames{fields, scope.Elements(list), map[string]int{}}
		for _, one := range list {
			l.n[l.name(one)]++
		}
		n[&list[0]] = l
	}
	return l
}

// of is what an item of the list is called; "" for nothing that tells it from the others.
func (l listNames) of(item any) string {
	if name := l.name(item); l.n[name] == 1 {
		return name
	}
	return ""
}

// name is what an item is called, be it the only one or not. Nothing secret is part of it: whoever
// has its hash could find out what it is.
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

// named is a step that no field has. One without a name is to any item of the list: findings are
// then told from each other by what the item is.
func named(name string) refconfig.Step { return refconfig.Step{Key: "[" + name + "]", Index: -1} }

// step is the one from a pair to one of its kids, with what tells an item from others in the place
// of its index. That is the name; else the index in the reference's list, which does not change
// with what else the CR has; and for an item of a set, or one that the reference lacks, the item
// itself.
func (n Names) step(p, kid *Pair) refconfig.Step {
	if !p.List {
		return kid.Step
	}
	side, item := p.Right, kid.Right
	if !item.Present {
		side, item = p.Left, kid.Left
	}
	list, _ := side.Data.([]any)
	switch name := n.in(list, p.fields, p.Secret).of(item.Data); {
	case name != "":
		return named(name)
	case kid.From < 0 || p.fields.IsSet() && kid.Kids == nil:
		return named("")
	}
	return refconfig.Step{Index: kid.From}
}

// path is that of the last of some pairs, each of them a kid of the one before it; "" where that is
// no other than their steps.
func (n Names) path(way []*Pair) string {
	var path refconfig.FieldPath
	other := false
	for i, kid := range way[1:] {
		path = append(path, n.step(way[i], kid))
		other = other || path[i] != kid.Step
	}
	if !other {
		return ""
	}
	return path.String()
}

// Path is that of a field of an object, which is the right side of a pair, as path has it.
func (n Names) Path(path refconfig.FieldPath, p *Pair, object any) string {
	out, fields, scope := slices.Clone(path), p.fields, p.Secret
	for i, step := range path {
		list, isList := object.([]any)
		object, _ = tree.At(object, path[i:i+1])
		if isList {
			names := n.in(list, fields, scope)
			if name := names.of(object); name != "" || fields.IsSet() && i+1 == len(path) {
				out[i] = named(name)
			}
			scope = names.scope
		}
		fields, scope = fields.Below(step), scope.Below(step.Key, object)
	}
	return out.String()
}
