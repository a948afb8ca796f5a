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
		m.Message = "another order: the CR has it as " + list.Below(e.Step).String()
		e.Message = "another order: the reference has it as " + list.Below(m.Step).String()
	}
}
