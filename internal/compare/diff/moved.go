package diff

import (
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// together compares the items that two lists with an order have in different places, if the content
// of one differs: as a missing and an extra item, it would be compared with nothing. It returns the
// pairs of all items, and whether there is such an item.
func (w *walker) together(
	c cursor, scope secret.Scope, pairs []align.Pair, children []*Pair, left, right []item,
) ([]*Pair, bool) {
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
		return children, false
	}
	isSame := func(m, e int) bool { return align.SameItem(left[pairs[m].A].data, right[pairs[e].B].data) }
	gone, differs := map[*Pair]bool{}, false
	out := slices.Clone(children)
	for _, at := range alone(missing, extra, isSame) {
		one := w.item(c, scope, align.Pair{A: pairs[at.A].A, B: pairs[at.B].B}, left, right)
		gone[children[at.A]], out[at.B] = true, one
		differs = differs || one.drifts()
	}
	if !differs {
		return children, false
	}
	return slices.DeleteFunc(out, func(child *Pair) bool { return gone[child] }), true
}

// drifts reports whether a pair has a difference that is more than extra content.
func (p *Pair) drifts() bool {
	return p.Category == finding.Drift || p.Category == finding.Missing ||
		slices.ContainsFunc(p.Children, (*Pair).drifts)
}

// tellMoved adds a message to missing and extra items of a list with an order if they are the same
// item in another place. Their categories stay.
func (p *Pair) tellMoved() {
	var missing, extra []int
	for i, child := range p.Children {
		switch {
		case p.Loose || child.Message != "" && child.Code != code.EvalExact:
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
		m.Message = "another order: the CR has it as " + list.Below(e.Step).String()
		e.Message = "another order: the reference has it as " + list.Below(m.Step).String()
	}
}
