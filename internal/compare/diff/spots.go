package diff

import (
	"context"
	"iter"
	"slices"

	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
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
	root  Spot
	known map[string][]align.Pair // caches pairs of items by the paths of the left lists
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
		known: map[string][]align.Pair{},
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

// partners returns the pairs of items that a step of the left side matches. Items are paired as in
// the comparison, and a pattern counts as equal to what it accepts; what is left over on both sides
// is paired by its index.
func (s *Spots) partners(at Spot, step refconfig.Step, left, right []any, areLists bool) (pairs []align.Pair) {
	path := at.LeftPath.String()
	all, known := s.known[path]
	if !known {
		all = at.fields.partners(left, right, areLists)
		s.known[path] = all
	}
	for _, p := range all {
		if step.Any || p.A == step.Index {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// partners pairs each item of a list with one of another, sorted by the first. If the other value is
// no list, the partners are absent.
func (f Fields) partners(left, right []any, areLists bool) (pairs []align.Pair) {
	of, taken := map[int]int{}, map[int]bool{}
	if areLists {
		for _, p := range f.Pair(f.accepting(left, right), right).Pairs {
			if p.A >= 0 && p.B >= 0 {
				of[p.A], taken[p.B] = p.B, true
			}
		}
	}
	for a := range left {
		b, paired := of[a]
		switch {
		case paired:
			pairs = append(pairs, align.Pair{A: a, B: b})
		case !taken[a] && (a < len(right) || !areLists):
			pairs = append(pairs, align.Pair{A: a, B: a})
		}
	}
	return pairs
}

// accepting returns a list in which items with patterns are replaced by items of another list that
// they accept, that with the same index first.
func (f Fields) accepting(left, right []any) []any {
	if e, _ := f.Here(); f.loose(e, left) || len(left)*len(right) > mostTried {
		return left // such lists are paired by their patterns anyway
	}
	taken, out := map[int]bool{}, slices.Clone(left)
	for a, item := range left {
		below := f.Below(refconfig.Step{Index: a})
		if !below.hasPatterns() {
			continue
		}
		for b := -1; b < len(right) && !f.ended(); b++ {
			at := b
			if b < 0 {
				at = a
			}
			if at >= len(right) || taken[at] {
				continue
			}
			if tree.Equal(below.plain(below.accepted(item, right[at])), below.plain(right[at])) {
				out[a], taken[at] = right[at], true
				break
			}
		}
	}
	return out
}
