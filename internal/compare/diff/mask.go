package diff

import (
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// unmask turns drift into an expected difference if the collector replaced the value of the input
// by a mask. The real value is unknown, so it cannot be compared.
func (w *walker) unmask(p *Pair, path refconfig.FieldPath) {
	if w.Layout == "" || p.Children != nil || p.Category != finding.Drift || !p.Right.Present {
		return
	}
	switch collector.MaskOf(w.Layout, collector.Value{Kind: w.Kind, Path: path, Expected: p.Left.Data,
		Found: p.Right.Data}) {
	case collector.Empties:
		p.Message = `the collector writes "null" for an empty value`
	case collector.Hides:
		p.Message = "masked by the collector, so it was not compared"
		w.masked = append(w.masked, slices.Clone(path))
	default:
		return
	}
	p.Category, p.Code = finding.Expected, code.EvalMasked
}

// Masked reports whether the collector of a layout may have masked something in a value of an object
// of a kind. The original value is unknown: perhaps a text of the same length, or empty.
func Masked(layout, kind string, path refconfig.FieldPath, found any) bool {
	if layout == "" { // the usual case
		return false
	}
	for below, x := range tree.Leaves(found) {
		if maskOf(layout, collector.Value{Kind: kind, Path: slices.Concat(path, below), Found: x}) != collector.NoMask {
			return true
		}
	}
	return false
}

// MaskedIn returns the fields of an object of a kind whose values the collector of a layout hides.
func MaskedIn(layout, kind string, object map[string]any) (fields []refconfig.FieldPath) {
	for path, x := range tree.Leaves(object) {
		if maskOf(layout, collector.Value{Kind: kind, Path: path, Found: x}) == collector.Hides {
			fields = append(fields, slices.Clone(path))
		}
	}
	return fields
}

// maskOf returns the mask, if any, that a found value may be, whatever was expected.
func maskOf(layout string, v collector.Value) collector.Mask {
	for _, v.Expected = range []any{v.Found, nil} {
		if mask := collector.MaskOf(layout, v); mask != collector.NoMask {
			return mask
		}
	}
	return collector.NoMask
}
