package overlay

import (
	"slices"

	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Numbering knows the lists of both sides as they were before elements of them were left out, so that paths and lines are
// those of the CR.
type Numbering struct {
	omit        []refconfig.OmitEntry
	left, right any
}

// NewNumbering remembers both sides; nil where no element of a list can be left out.
func NewNumbering(omit []refconfig.OmitEntry, left, right any) *Numbering {
	if !slices.ContainsFunc(omit, func(e refconfig.OmitEntry) bool {
		return len(e.Path) > 0 && (e.Path[len(e.Path)-1].Any || e.Path[len(e.Path)-1].Index >= 0)
	}) {
		return nil
	}
	return &Numbering{omit: omit, left: left, right: right}
}

// Number gives the elements of lists their indexes back.
func (n *Numbering) Number(p *Pair) {
	if n != nil {
		n.pair(p, nil, nil)
	}
}

// pair numbers what is below a pair, which stands at these paths of the two sides.
func (n *Numbering) pair(p *Pair, left, right refconfig.FieldPath) {
	lefts, rights := n.kept(n.left, left, p), n.kept(n.right, right, p)
	for _, kid := range p.Kids {
		l, r := kid.Step, kid.Step
		if p.List {
			l, r = refconfig.Step{Index: -1}, refconfig.Step{Index: -1}
			if kid.From >= 0 && kid.From < len(lefts) {
				l.Index = lefts[kid.From]
			}
			if kid.Right.Present && kid.Step.Index < len(rights) {
				r.Index = rights[kid.Step.Index]
			}
			kid.Step = r
			if !kid.Right.Present {
				kid.Step = l
			}
		}
		n.pair(kid, left.Below(l), right.Below(r))
	}
}

// kept returns the indexes of the elements of a side's list that were not left out.
func (n *Numbering) kept(side any, path refconfig.FieldPath, p *Pair) []int {
	if !p.List {
		return nil
	}
	v, _ := tree.At(side, path)
	list, _ := v.([]any)
	var indexes []int
	for i := range list {
		at := path.Below(refconfig.Step{Index: i})
		if !slices.ContainsFunc(n.omit, func(e refconfig.OmitEntry) bool { return e.Match(at) }) {
			indexes = append(indexes, i)
		}
	}
	return indexes
}
