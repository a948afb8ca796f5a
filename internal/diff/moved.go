package diff

import (
	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// mostMoved is how many items of a list are held against each other to find those that moved.
const mostMoved = 250 * 250

// tellMoved says of items that one side lacks, in a list whose order counts, where it has the item
// that people would call the same one. Nothing else changes: in its place the item is missing, or
// extra.
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

// theOne is the only pair that belongs to another one; nil where there are none or several.
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
