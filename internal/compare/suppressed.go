package compare

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
)

// Suppressed is how much a run reports about fields that are not compared.
type Suppressed int

// These are the amounts.
const (
	Untold  Suppressed = iota // nothing; the fields are not collected
	Counted                   // the number of fields for each rule
	Listed                    // each field too
)

// suppressed lists the fields of an attempt that were not compared or not counted, sorted by path.
// It includes masked values and the differences that overrides accept.
func (c *comparer) suppressed(s subject, a *attempt) []diff.Suppressed {
	all := slices.Clone(a.suppressed)
	for _, path := range a.compared.Masked {
		all = append(all, diff.Suppressed{
			Rule: finding.ByMask,
			SuppressedField: finding.SuppressedField{Path: path.String(), Category: finding.Drift,
				By: c.layoutOf(s.stored.object)},
		})
	}
	accepted, reasons, _ := a.value.Accepted(a.compared.Differences)
	for i, d := range accepted {
		all = append(all, diff.Suppressed{
			Rule: finding.ByOverride,
			SuppressedField: finding.SuppressedField{Path: d.Path.String(), Category: d.Category,
				By: reasons[i], Place: a.value.Override.File},
		})
	}
	slices.SortStableFunc(all, func(a, b diff.Suppressed) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// tellSuppressed adds the fields of a comparison to the result.
func (r *run) tellSuppressed(v *verdict) {
	for _, s := range v.suppressed {
		at := slices.IndexFunc(r.result.Suppressed, func(have finding.Suppressed) bool { return have.Rule == s.Rule })
		rule := &r.result.Suppressed[at]
		rule.Count++
		if r.opt.Suppressed == Listed {
			s.Object = v.found.Object
			rule.Fields = append(rule.Fields, s.SuppressedField)
		}
	}
	v.suppressed = nil
}

// rulesOfSuppression returns all rules in the order of a report, with a count of 0.
func rulesOfSuppression(told Suppressed, validates bool) []finding.Suppressed {
	if told == Untold {
		return nil
	}
	var all []finding.Suppressed
	if validates {
		all = append(all, finding.Suppressed{Rule: finding.ByDefault})
	}
	for _, rule := range []finding.SuppressedBy{finding.ByBuiltIn, finding.ByReference, finding.ByUnspecified,
		finding.ByMask, finding.ByOverride} {
		all = append(all, finding.Suppressed{Rule: rule})
	}
	return all
}
