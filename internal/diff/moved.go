package diff

import (
	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// mostMoved is how many items of a list are held against each other to find those that moved.
const mostMoved = 250 * 250

// tellMoved adds a message to missing and extra items of a list with an order if they are the same
// item in another place. Their categories stay.
func (p *Pair) tellMoved() {
	var missing, extra []*Pair
	for _, kid := range p.Kids {
		switch {
		case p.Loose || kid.Message != "" && kid.Code != code.EvalExact:
		case kid.Category == finding.Missing:
			missing = append(missing, kid)
		case !kid.Left.Present:
			extra = append(extra, kid)
		}
	}
	if n := len(missing) * len(extra); n == 0 || n > mostMoved || p.HoldsSecret() {
		return
	}
	list := refconfig.FieldPath{p.Step}
	for _, m := range missing {
		e := theOne(m, extra, func(m, e *Pair) bool { return align.SameItem(m.Left.Data, e.Right.Data) })
		if e != nil &&
			theOne(e, missing, func(e, m *Pair) bool { return align.SameItem(m.Left.Data, e.Right.Data) }) == m {
			m.Message = "another order: the CR has it as " + list.Below(e.Step).String()
			e.Message = "another order: the reference has it as " + list.Below(m.Step).String()
		}
	}
}

// theOne returns the only pair that belongs to another one, or nil.
func theOne(of *Pair, all []*Pair, belongs func(of, one *Pair) bool) (found *Pair) {
	for _, one := range all {
		switch {
		case !belongs(of, one):
		case found != nil:
			return nil
		default:
			found = one
		}
	}
	return found
}
