package finding

import (
	"cmp"
	"slices"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/refconfig"
)

// UsedCodes returns the descriptions of the reference's own codes that the report has, sorted by
// code.
func (r *Report) UsedCodes(all []refconfig.OwnCode) []refconfig.OwnCode {
	if len(all) == 0 {
		return nil
	}
	told := map[code.Code]bool{}
	for _, run := range r.Runs {
		for f := range run.Findings(nil, nil) {
			told[f.Code] = true
		}
		for _, c := range run.Comparisons {
			if c.Override != nil {
				for _, d := range c.Override.Accepted {
					told[d.Code] = true
				}
			}
		}
	}
	return sorted(slice.Filter(all, func(c refconfig.OwnCode) bool { return told[c.Code] }))
}

// MergedCodes returns the codes of several reports, sorted by code. A code that has different
// descriptions in the reports is listed once for each.
func MergedCodes(reports []*Report) []refconfig.OwnCode {
	var all []refconfig.OwnCode
	for _, r := range reports {
		all = append(all, r.Codes...)
	}
	return slices.Compact(sorted(all))
}

func sorted(all []refconfig.OwnCode) []refconfig.OwnCode {
	slices.SortStableFunc(all, func(a, b refconfig.OwnCode) int {
		return cmp.Or(
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Title, b.Title),
			cmp.Compare(a.Cause, b.Cause),
			cmp.Compare(a.Triage, b.Triage),
		)
	})
	return all
}
