package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// suppressed counts the fields that were excluded from the comparison, by rule, and lists them if
// the report has them.
func (p *printer) suppressed() {
	total := 0
	var shares []string
	for _, s := range p.r.Suppressed {
		if total += s.Count; s.Count > 0 {
			shares = append(shares, decimal(s.Count)+" "+suppressedBy(s.Rule))
		}
	}
	if p.r.Suppressed == nil {
		return
	}
	p.say(2, "Fields left out of the comparison: "+decimal(total)+inBrackets(shares...))
	for _, s := range p.r.Suppressed {
		p.suppressedFields(s)
	}
}

// suppressedBy returns the description of a rule that follows the number of fields.
func suppressedBy(rule finding.SuppressedBy) string {
	switch rule {
	case finding.ByBuiltIn:
		return "by the built-in list"
	case finding.ByReference:
		return "by lists of the reference"
	case finding.ByUnspecified:
		return "not named by templates"
	case finding.ByDefault:
		return "by defaults of schemas"
	case finding.ByMask:
		return "masked by the collector"
	}
	return string(rule)
}

// suppressedShown is the maximum number of fields that are listed for one entry, unless --verbose
// is set.
const suppressedShown = 10

// suppressedFields lists the fields that a rule excludes, below its entries that exclude them.
// Fields that would be findings come first.
func (p *printer) suppressedFields(s finding.Suppressed) {
	all := slices.Clone(s.Fields)
	slices.SortStableFunc(all, func(a, b finding.SuppressedField) int {
		return cmp.Or(
			strings.Compare(a.By, b.By),
			strings.Compare(a.Place, b.Place),
			suppressedRank(a.Category)-suppressedRank(b.Category),
		)
	})
	for len(all) > 0 {
		first, n := all[0], 1
		for n < len(all) && all[n].By == first.By && all[n].Place == first.Place {
			n++
		}
		p.say(4, fmt.Sprintf("%s%s, %s: %d", first.By, inBrackets(first.Place), suppressedBy(s.Rule), n))
		shown := p.shown(n, suppressedShown)
		for _, f := range all[:shown] {
			p.say(6, f.Object.String()+"  "+f.Path+finding.Prefixed(", ", string(f.Category)))
		}
		p.unlisted(6, n-shown, "")
		all = all[n:]
	}
}

// suppressedRank orders fields by their category: drift, missing, extra, no difference.
func suppressedRank(c finding.Category) int {
	return slices.Index([]finding.Category{finding.Drift, finding.Missing, finding.Extra, finding.Same}, c)
}
