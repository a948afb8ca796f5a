package diff

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Spot is a field of two values that the path of an entry of perField leads to.
type Spot struct {
	Left, Right         Value               // the right value may be absent
	LeftPath, RightPath refconfig.FieldPath // an item may have another index on the right side

	fields                Fields // the entries that pair the items of lists below
	leftScope, rightScope secret.Scope
}

// HoldsSecret reports whether one of the two values contains secret data.
func (s Spot) HoldsSecret() bool {
	return s.leftScope.Holds(s.Left.Data) || s.rightScope.Holds(s.Right.Data)
}

// below returns the spot one step further on each side.
func (s Spot) below(leftStep, rightStep refconfig.Step, left, right Value) Spot {
	return Spot{
		Left:       left,
		Right:      right,
		LeftPath:   s.LeftPath.Below(leftStep),
		RightPath:  s.RightPath.Below(rightStep),
		fields:     s.fields.Below(leftStep),
		leftScope:  s.leftScope.Below(leftStep.Key, left.Data),
		rightScope: s.rightScope.Below(rightStep.Key, right.Data),
	}
}

// Spots finds the fields that entries apply to in two values.
type Spots struct {
	root   Spot
	aligns bool               // a wildcard pairs items that are aligned, else items with the same index
	known  map[string]Pairing // caches pairings by the paths of the left lists
}

// SpotsOf returns the spots of two objects of a kind, whose lists are paired by a configuration
// until the context ends.
func SpotsOf(ctx context.Context, c refconfig.Config, left, right any, kind secret.Scope) *Spots {
	return &Spots{
		root: Spot{
			Left:       Present(left),
			Right:      Present(right),
			fields:     pairingFields(c).Until(ctx),
			leftScope:  kind.Or(secret.Of(left)),
			rightScope: kind.Or(secret.Of(right)),
		},
		known: map[string]Pairing{},
	}
}

// At yields the spots of a path. It skips items without a partner.
func (s *Spots) At(path refconfig.FieldPath) iter.Seq[Spot] {
	return func(yield func(Spot) bool) { s.follow(s.root, path, yield) }
}

// follow yields the spots of the rest of a path, and returns false if no more are wanted.
func (s *Spots) follow(at Spot, rest refconfig.FieldPath, yield func(Spot) bool) bool {
	if len(rest) == 0 {
		return yield(at)
	}
	var below []Spot
	switch left := at.Left.Data.(type) {
	case map[string]any:
		right, _ := at.Right.Data.(map[string]any)
		keys := []string{rest[0].Key}
		if rest[0].Any {
			keys = tree.Keys(left)
		}
		for _, k := range keys {
			if l := valueAt(left, k); l.Present {
				below = append(below, at.below(refconfig.Key(k), refconfig.Key(k), l, valueAt(right, k)))
			}
		}
	case []any:
		right, areLists := at.Right.Data.([]any)
		at.leftScope, at.rightScope = at.leftScope.Elements(left), at.rightScope.Elements(right)
		for _, p := range s.partners(at, rest[0], left, right, areLists) {
			var r Value
			if p.B < len(right) {
				r = Present(right[p.B])
			}
			below = append(
				below, at.below(refconfig.Step{Index: p.A}, refconfig.Step{Index: p.B}, Present(left[p.A]), r),
			)
		}
	}
	for _, one := range below {
		if !s.follow(one, rest[1:], yield) {
			return false
		}
	}
	return true
}

// partners returns the pairs of items that a step of the left side matches: the pairs of the
// pairing if the order of the items does not count, else items with the same index.
func (s *Spots) partners(at Spot, step refconfig.Step, left, right []any, areLists bool) (pairs []align.Pair) {
	aligns := s.aligns && step.Any
	path := at.LeftPath.String()
	pairing, known := s.known[path]
	if !known && areLists && (aligns || !at.fields.None()) {
		pairing = at.fields.Pair(left, right)
		s.known[path] = pairing
	}
	if !pairing.Loose && !aligns {
		for i := range left {
			pairs = append(pairs, align.Pair{A: i, B: i})
		}
		pairing.Pairs = pairs
	}
	pairs = slices.DeleteFunc(slices.Clone(pairing.Pairs), func(p align.Pair) bool {
		return p.A < 0 || p.B < 0 || !step.Any && p.A != step.Index
	})
	if !s.aligns {
		slices.SortFunc(pairs, func(a, b align.Pair) int { return cmp.Compare(a.A, b.A) })
	}
	return pairs
}
