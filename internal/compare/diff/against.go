package diff

import (
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Against returns the comparison with what overrides accept as it is shown: the left side is that of
// the comparison without overrides, and pairs and differences have what is accepted in its place.
// Content where the reference has other content and nothing is accepted is drift.
func (c Compared) Against(plain Compared) Compared {
	a := against{differences: slices.Clone(c.Differences)}
	c.Tree = a.pair(c.Tree, plain.Tree)
	c.Differences, c.Expected = a.differences, plain.Expected
	return c
}

// against replaces left sides in copies of the pairs and differences.
type against struct {
	differences []Difference
	next        int // index of the difference of the next leaf
}

// pair returns a pair as it is shown. was is the pair of the same place without overrides, nil if
// there is none.
func (a *against) pair(p, was *Pair) *Pair {
	switch {
	case p.Children == nil && p.Category == finding.Same:
		if was == nil || was.Children == nil && was.Category == finding.Same {
			return p
		}
		return accepted(was)
	case p.Children == nil:
		a.next++ // Flatten lists the leaves in this order
		return a.leaf(&a.differences[a.next-1], was)
	}
	out := *p
	out.Children = nil
	var gone []*Pair // fields of the reference that overrides removed, and that the right side lacks
	if was != nil && !p.List && !was.List {
		gone = slices.DeleteFunc(slices.Clone(was.Children), func(field *Pair) bool {
			return slices.ContainsFunc(p.Children, func(child *Pair) bool { return child.Step == field.Step })
		})
	}
	for _, child := range p.Children {
		for len(gone) > 0 && gone[0].Step.Key < child.Step.Key {
			out.Children, gone = append(out.Children, accepted(gone[0])), gone[1:]
		}
		out.Children = append(out.Children, a.pair(child, was.place(child)))
	}
	for _, field := range gone {
		out.Children = append(out.Children, accepted(field))
	}
	return &out
}

// leaf does the same as pair for a pair without children, and for its difference.
func (a *against) leaf(d *Difference, was *Pair) *Pair {
	p := d.pair
	if was == nil || was.Children != nil || !was.deviates() || p.Category == finding.Expected ||
		was.Left.Present == p.Left.Present && tree.Equal(was.Left.Data, p.Left.Data) {
		return p
	}
	out := *p
	out.Accepted, out.Left, out.Expected, out.rows = &p.Left, was.Left, was.Expected, nil
	out.Secret = p.Secret.Or(was.Secret)
	if p.Category == finding.Extra { // for what the override states, and the reference has another value
		out.Category = finding.Drift
	}
	d.pair, d.Accepted, d.Reference, d.Category = &out, out.Accepted, out.Left, out.Category
	d.Secret = out.Secret
	return &out
}

// accepted returns a pair in which everything that differs is accepted, so that both sides count as
// the same.
func accepted(was *Pair) *Pair {
	out := *was
	out.Inside, out.Code, out.Message = nil, "", ""
	if was.Children != nil {
		out.Children = make([]*Pair, len(was.Children))
		for i, child := range was.Children {
			out.Children[i] = accepted(child)
		}
		return &out
	}
	if out.Category = finding.Same; was.deviates() {
		out.Accepted = &was.Right
	}
	return &out
}

// deviates reports whether a pair without children has a difference other than an expected one.
func (p *Pair) deviates() bool { return p.Category != finding.Same && p.Category != finding.Expected }

// place returns the pair of the place of one of another tree's children, or nil. Both trees have the
// same right side.
func (p *Pair) place(child *Pair) *Pair {
	switch {
	case p == nil:
		return nil
	case p.Children != nil:
		i := slices.IndexFunc(p.Children, func(other *Pair) bool {
			there := other.Right.Present || other.Children != nil
			return p.List == (child.Step.Key == "") && other.Step == child.Step &&
				(!p.List || there && (child.Right.Present || child.Children != nil))
		})
		if i < 0 {
			return nil
		}
		return p.Children[i]
	case child.Step.Key == "":
		return nil
	}
	step := refconfig.FieldPath{child.Step}
	below := Pair{Step: child.Step, Category: p.Category, Secret: child.Secret}
	below.Left.Data, below.Left.Present = tree.At(p.Left.Data, step)
	below.Right.Data, below.Right.Present = tree.At(p.Right.Data, step)
	return &below
}
