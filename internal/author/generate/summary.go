package generate

import (
	"fmt"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// Summary describes the generated templates and the omitted CRs in a few lines.
func (r *Reference) Summary() string {
	var b strings.Builder
	if len(r.Files) > 0 {
		fmt.Fprintf(
			&b,
			"%s from %s",
			finding.Plural(r.Required+r.Optional, "template", "templates"),
			finding.Plural(r.Clusters, "cluster", "clusters"),
		)
		if r.Clusters > 1 {
			fmt.Fprintf(&b, ": %d required, %d optional", r.Required, r.Optional)
		}
		b.WriteString("\n")
	}
	for _, row := range []struct {
		n   int
		why string
	}{
		{r.Fields.Differing, "not the same in all clusters: any value is accepted"},
		{r.Fields.Optional, "only in some of the clusters that have the CR: optional"},
		{r.Fields.Hidden, "with secret data, which is not written: any value is accepted"},
	} {
		if row.n > 0 {
			fmt.Fprintf(&b, "  %s %s\n", finding.Plural(row.n, "field", "fields"), row.why)
		}
	}
	var own []string
	n := 0
	for _, row := range r.ownCounts() {
		own = append(own, fmt.Sprintf("%d %s", row.Count, row.Name))
		n += row.Count
	}
	if n > 0 {
		fmt.Fprintf(&b, "  %s that the cluster has of its own (%s): any value is accepted (--include %s)\n",
			finding.Plural(n, "field", "fields"), strings.Join(own, ", "), OwnValues)
	}
	return b.String() + r.leftOut()
}

// ownCounts returns the fields that a cluster has of its own.
func (r *Reference) ownCounts() (all []finding.Named) {
	for _, own := range Owns() {
		if n := r.Fields.Own[own.Name]; n > 0 {
			all = append(all, finding.Named{Name: own.Name, What: own.Why, Count: n})
		}
	}
	if n := r.Fields.Hidden; n > 0 {
		all = append(all, finding.Named{Name: ownSecrets, What: "secret data in CRs, which is not compared", Count: n})
	}
	return all
}

// Base describes the cluster of which the reference was made. With fields, it has those that agree although
// their values differ.
func (r *Reference) Base(fields bool) *finding.Base {
	b := &finding.Base{Version: r.Versions[0], CRs: r.Required + r.Optional, Kinds: r.Kinds, Own: r.ownCounts()}
	if fields {
		b.Fields = r.agreed
	}
	for _, reason := range Reasons() {
		if n := r.LeftOut[reason.Name]; n > 0 {
			b.LeftOut = append(b.LeftOut, finding.Named{Name: reason.Name, What: reason.Why, Count: n})
		}
	}
	return b
}

// leftOut lists the omitted CRs by reason, with the options that include them.
func (r *Reference) leftOut() string {
	var b strings.Builder
	total := 0
	line := func(n int, why string) {
		if n > 0 {
			fmt.Fprintf(&b, "  %d %s\n", n, why)
		}
		total += n
	}
	for _, reason := range Reasons() {
		line(r.LeftOut[reason.Name], reason.Why+" (--include "+reason.Name+")")
	}
	line(r.LeftOut[NotSelected], NotSelected)
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%s omitted:\n%s", finding.Plural(total, "CR", "CRs"), b.String())
}
