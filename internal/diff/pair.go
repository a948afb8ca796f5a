package diff

import (
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// Value is one side of a difference: a decoded value, or none.
type Value struct {
	Present bool
	Data    any // nil, bool, int64, float64, string, []any or map[string]any; meaningless where Present is false
}

// Pair is a node of two trees laid over each other: the rendered reference on the left, the input
// on the right. Kids is set where the two sides are both maps or both lists and something below is
// not Same; the kids of a map are sorted by Key, those of a list are in order. Where Kids is nil,
// Left and Right hold whole values. A pair with Kids has Category Same itself.
type Pair struct {
	// the key or the index (of the input's list where it has the item, else of the reference's)
	// that leads here
	Step     refconfig.Step
	Category finding.Category
	Left     Value
	Right    Value
	List     bool // Kids are list items
	Loose    bool // of a list: the order does not count, so that the items of the left side need not stand as Kids do
	// of an item: its index in the left list, without what is left out of it; -1 where that has no
	// such item
	From     int
	Kids     []*Pair
	Message  string       // what more there is to say, e.g. which key a template asked for
	Code     code.Code    // "" for a plain difference
	Inside   *Inside      // what the two texts hold, see Reveal; nil where nobody looked, or they hold no documents
	open     bool         // where placeholders count: all that is expected here is one, or hangs on one
	Variable bool         // the template printed this (or part of it): user-variable content
	Secret   secret.Scope // what of the values must not be shown unless the user asks for it, see Show

	fields Fields // what perField says of the values
	rows   *Pair  // is shown in the place of the pair; nil for the pair itself
}

// HoldsSecret reports whether a pair contains secret data.
func (p *Pair) HoldsSecret() bool {
	if p.Category == finding.Same && p.Kids == nil {
		return p.Secret.Holds(p.Left.Data)
	}
	if p.Kids == nil {
		return p.Left.Present && p.Secret.Holds(p.Left.Data) || p.Right.Present && p.Secret.Holds(p.Right.Data)
	}
	return slices.ContainsFunc(p.Kids, (*Pair).HoldsSecret)
}

// HidesMore reports whether a pair contains secret data, except values that are equal on both sides
// and secret by their own content, which are found in each side alone.
func (p *Pair) HidesMore() bool {
	if p.Kids == nil {
		return !(p.Category == finding.Same && p.Secret.IsOwn()) && p.HoldsSecret()
	}
	return slices.ContainsFunc(p.Kids, (*Pair).HidesMore)
}

// Difference is a field that differs: a pair without kids.
type Difference struct {
	Category finding.Category
	Path     refconfig.FieldPath
	// the path with the names of items in the place of their indexes; "" where it is no other, and
	// for what is expected
	Named     string
	Reference Value
	Input     Value
	Message   string
	Code      code.Code
	Secret    secret.Scope // as in Pair
	pair      *Pair        // nil where it is about no field
}

// Present returns a side with a value.
func Present(v any) Value { return Value{Present: true, Data: v} }

// Keys returns the fields that identify an item of a list.
func (p *Pair) Keys(item any) []refconfig.FieldPath { return p.fields.Keys(item) }

// Flatten lists the differences of a pair, also expected ones, in the order of the tree.
func Flatten(p *Pair) []Difference {
	var out []Difference
	var way []*Pair
	called := Names{}
	var walk func(p *Pair, path refconfig.FieldPath)
	walk = func(p *Pair, path refconfig.FieldPath) {
		way = append(way, p)
		for _, kid := range p.Kids {
			walk(kid, append(path, kid.Step))
		}
		if p.Kids == nil && p.Category != finding.Same {
			d := Difference{
				Category:  p.Category,
				Path:      slices.Clone(path),
				Reference: p.Left,
				Input:     p.Right,
				Message:   p.Message,
				Code:      p.Code,
				Secret:    p.Secret,
				pair:      p,
			}
			if p.Category != finding.Expected {
				d.Named = called.path(d.Path, way)
			}
			out = append(out, d)
		}
		way = way[:len(way)-1]
	}
	walk(p, roomOfPath())
	return out
}

// roomOfPath returns an empty path with room for most fields of an object.
func roomOfPath() refconfig.FieldPath {
	const steps = 8
	return make(refconfig.FieldPath, 0, steps)
}

// Expected returns the left value for the score: values that count as equal are those of the right
// value, and lists without an order have the order of the right value.
func (p *Pair) Expected() any {
	switch {
	case p.fields.None() || p.Kids == nil:
		return p.Left.Data
	case p.List:
		list := []any{}
		for _, kid := range p.Kids {
			if kid.Left.Present {
				list = append(list, kid.Expected())
			}
		}
		return list
	}
	m := map[string]any{}
	for _, kid := range p.Kids {
		if kid.Left.Present {
			m[kid.Step.Key] = kid.Expected()
		}
	}
	return m
}
