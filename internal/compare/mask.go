package compare

import (
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/refconfig"
)

// masker sets aside the values of an object that its collector masked. What stands behind a mask is unknown: it is no drift, and it is
// not compared.
type masker struct {
	layout, kind string
	paths        []refconfig.FieldPath // of the values that were found masked
}

// unmask turns drift into an expected difference wherever the input holds a mask instead of a value.
func (m *masker) unmask(p *overlay.Pair, path refconfig.FieldPath) {
	for _, kid := range p.Kids {
		m.unmask(kid, overlay.Extend(path, kid.Step))
	}
	if p.Kids != nil || p.Category != finding.Drift || !p.Right.Present {
		return
	}
	switch collector.MaskOf(m.layout, collector.Value{Kind: m.kind, Path: path, Expected: p.Left.Data, Found: p.Right.Data}) {
	case collector.Empties:
		p.Message = `the collector writes "null" for an empty value`
	case collector.Hides:
		p.Message = "masked by the collector, so it was not compared"
		m.paths = append(m.paths, path)
	default:
		return
	}
	p.Category, p.Code = finding.Expected, code.EvalMasked
}

// maskedWarning warns of the values of a CR that could not be compared.
func maskedWarning(c *compared) (finding.Warning, bool) {
	if len(c.masked) == 0 {
		return finding.Warning{}, false
	}
	const most = 3
	var names []string
	for _, path := range c.masked[:min(most, len(c.masked))] {
		names = append(names, path.String())
	}
	more := ""
	if n := len(c.masked) - most; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return finding.Warning{Code: code.EvalMasked, Place: c.object.Place.String(), Message: fmt.Sprintf(
		"%s: masked by the collector, so not compared: %s%s", c.Object, strings.Join(names, ", "), more)}, true
}
