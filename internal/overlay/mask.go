package overlay

import (
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// Masker sets aside the values of an object that its collector masked. What stands behind a mask is unknown: it is no drift, and it is
// not compared.
type Masker struct {
	Layout, Kind string
	Paths        []refconfig.FieldPath // of the values that were found masked
}

// Unmask turns drift into an expected difference wherever the input holds a mask instead of a value.
func (m *Masker) Unmask(p *Pair, path refconfig.FieldPath) {
	for _, kid := range p.Kids {
		m.Unmask(kid, path.Below(kid.Step))
	}
	if p.Kids != nil || p.Category != finding.Drift || !p.Right.Present {
		return
	}
	switch collector.MaskOf(m.Layout, collector.Value{Kind: m.Kind, Path: path, Expected: p.Left.Data, Found: p.Right.Data}) {
	case collector.Empties:
		p.Message = `the collector writes "null" for an empty value`
	case collector.Hides:
		p.Message = "masked by the collector, so it was not compared"
		m.Paths = append(m.Paths, path)
	default:
		return
	}
	p.Category, p.Code = finding.Expected, code.EvalMasked
}
