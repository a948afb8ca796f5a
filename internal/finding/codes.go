package finding

import (
	"cmp"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Told returns the descriptions of the reference's own codes that the report has, sorted by code.
func (r *Report) Told(all []refconfig.OwnCode) []refconfig.OwnCode {
	told := map[code.Code]bool{}
	differences := func(all []Difference) {
		for _, d := range all {
			told[d.Code] = true
		}
	}
	for _, run := range r.Runs {
		for _, c := range run.Comparisons {
			differences(c.Differences)
			if c.Override != nil {
				differences(c.Override.Accepted)
			}
			for _, s := range c.Notes {
				told[s.Code] = true
			}
		}
	}
	return sorted(slices.DeleteFunc(slices.Clone(all), func(c refconfig.OwnCode) bool { return !told[c.Code] }))
}

// mergedCodes returns the codes of several reports, sorted by code. A code that they describe
// differently is listed with each description.
func mergedCodes(reports []*Report) []refconfig.OwnCode {
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
