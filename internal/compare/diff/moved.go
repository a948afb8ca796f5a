package diff

import (
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// together compares each item that two lists with an order have in different places, if its content
// differs: as an extra item, it would be compared with nothing. The pair that compares it takes the place
// of that item among the children, and the missing item stays: it is about the order.
func (w *walker) together(p *Pair, c cursor, scope secret.Scope, pairs []align.Pair, left, right []item) {
	var missing, extra []int
	for i, at := range pairs {
		switch {
		case at.B < 0:
			missing = append(missing, i)
		case at.A < 0:
			extra = append(extra, i)
		}
	}
	if n := len(missing) * len(extra); n == 0 || n > mostHeld {
		return
	}
	list := refconfig.FieldPath{p.Step}
	isSame := func(m, e int) bool { return align.SameItem(left[pairs[m].A].data, right[pairs[e].B].data) }
	for _, at := range alone(missing, extra, isSame) {
		one := w.item(c, scope, align.Pair{A: pairs[at.A].A, B: pairs[at.B].B}, left, right)
		if !one.differs() {
			continue
		}
		place := p.Children[at.A]
		place.Moved, one.Moved, p.Children[at.B] = one, place, one
		if place.Category == finding.Missing {
			place.Code, place.Message = "", movedTo(list, one)
		}
	}
}

// movedTo returns the message about an item of a list that the CR has in another place.
func movedTo(list refconfig.FieldPath, at *Pair) string {
	return "another order: the CR has it as " + list.Below(at.Step).String()
}

// differs reports whether a pair has a difference other than an expected one.
func (p *Pair) differs() bool {
	return p.Children == nil && p.deviates() || slices.ContainsFunc(p.Children, (*Pair).differs)
}

// Places returns the pairs of an item that two lists with an order have in different places: the one of
// its place in the left list, and the one of its place in the right list. Other pairs have none.
func (p *Pair) Places() (left, right *Pair) {
	switch {
	case p.Moved == nil:
		return nil, nil
	case p.Right.Present:
		return p.Moved, p
	}
	return p, p.Moved
}

// IsPlace reports whether a pair is only about the place of an item that another pair compares.
func (p *Pair) IsPlace() bool {
	left, right := p.Places()
	return left == p && right.Left.Present
}

// tellMoved adds a message to missing and extra items of a list with an order if they are the same
// item in another place. Their categories stay.
func (p *Pair) tellMoved() {
	var missing, extra []int
	for i, child := range p.Children {
		switch {
		case p.Loose || child.Moved != nil || child.Message != "" && child.Code != code.EvalExact:
		case child.Category == finding.Missing:
			missing = append(missing, i)
		case !child.Left.Present:
			extra = append(extra, i)
		}
	}
	if n := len(missing) * len(extra); n == 0 || n > mostHeld || p.HoldsSecret() {
		return
	}
	list := refconfig.FieldPath{p.Step}
	isSame := func(m, e int) bool { return align.SameItem(p.Children[m].Left.Data, p.Children[e].Right.Data) }
	for _, at := range alone(missing, extra, isSame) {
		m, e := p.Children[at.A], p.Children[at.B]
		m.Moved, e.Moved = e, m
		m.Message = movedTo(list, e)
		e.Message = "another order: the reference has it as " + list.Below(m.Step).String()
	}
}
