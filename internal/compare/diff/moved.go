package diff

import (
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/refconfig"
)

// tellMoved adds a message to missing and extra items of a list with an order if they are the same
// item in another place. Their categories stay.
func (p *Pair) tellMoved() {
	var missing, extra []int
	for i, kid := range p.Kids {
		switch {
		case p.Loose || kid.Message != "" && kid.Code != code.EvalExact:
		case kid.Category == finding.Missing:
			missing = append(missing, i)
		case !kid.Left.Present:
			extra = append(extra, i)
		}
	}
	if n := len(missing) * len(extra); n == 0 || n > mostHeld || p.HoldsSecret() {
		return
	}
	list := refconfig.FieldPath{p.Step}
	isSame := func(m, e int) bool { return align.SameItem(p.Kids[m].Left.Data, p.Kids[e].Right.Data) }
	for _, at := range alone(missing, extra, isSame) {
		m, e := p.Kids[at.A], p.Kids[at.B]
		m.Message = "another order: the CR has it as " + list.Below(e.Step).String()
		e.Message = "another order: the reference has it as " + list.Below(m.Step).String()
	}
}
