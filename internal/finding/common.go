package finding

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Common is a finding that several clusters have: a difference with the same values on both sides,
// a broken rule, or CRs of a component that are missing from the same clusters.
type Common struct {
	Runs    []int  // the indexes of the clusters in Report.Runs, ascending; at least two
	Subject string // the CR as "KIND NAMESPACE/NAME", or the component
	Text    string // the finding in words

	class   Class
	missing []string // the CRs that are missing, or their templates
}

// Common returns the findings that several clusters have, that count as failures and that the
// filter shows: first differences and broken rules, then missing CRs. In each of these lists, the
// findings of most clusters come first.
func (r *Report) Common(filter Filter) []Common {
	known := map[string]*Common{}
	for i, run := range r.Runs {
		for f := range run.Findings(nil, Class.isShared) {
			if !filter.shows(f) {
				continue
			}
			one := Common{Subject: f.Object.Short(), Text: f.Words, class: f.Class}
			switch {
			case f.Missed != nil:
				one.missing = []string{cmp.Or(one.Subject, f.Template.Path)}
				one.Subject = f.Template.ComponentName()
			case f.Broken != nil:
				one.Subject, one.Text = cmp.Or(f.Template.ComponentName(), f.Rule), f.Broken.Message
				f.Input = nil // on each cluster, other CRs may break the rule
			}
			print, _, _ := strings.Cut(f.Fingerprint, "-")
			key := fmt.Sprintf("%q", []string{print, one.Text, f.Path, string(f.Reference), string(f.Input)})
			if known[key] == nil {
				known[key] = &one
			}
			if all := &known[key].Runs; len(*all) == 0 || (*all)[len(*all)-1] != i {
				*all = append(*all, i)
			}
		}
	}
	all := slices.DeleteFunc(slices.Collect(maps.Values(known)), func(one *Common) bool { return len(one.Runs) < 2 })
	return folded(slices.SortedFunc(slices.Values(all), compareCommon))
}

// isShared reports whether findings of a class count as failures of a cluster.
func (c Class) isShared() bool {
	return c.IsOfCR() && c != ClassError && c != ClassExtra || c.IsRule() || c.isMissingCR()
}

// compareCommon orders common findings. Missing CRs of the same component and the same clusters are
// next to each other.
func compareCommon(a, b *Common) int {
	rank := func(c Class) int { return slices.Index([]Class{ClassAbsent, ClassWanted, ClassNotCollected}, c) }
	return cmp.Or(
		rank(a.class)-rank(b.class),
		len(b.Runs)-len(a.Runs),
		cmp.Compare(a.Subject, b.Subject),
		slices.Compare(a.Runs, b.Runs),
		cmp.Compare(a.Text, b.Text),
		slices.Compare(a.missing, b.missing),
	)
}

// folded combines the CRs of a component that are missing from the same clusters into one finding.
func folded(all []*Common) (out []Common) {
	for _, one := range all {
		if last := len(out) - 1; one.missing != nil && last >= 0 && out[last].missing != nil &&
			out[last].class == one.class && out[last].Subject == one.Subject && slices.Equal(out[last].Runs, one.Runs) {
			out[last].missing = append(out[last].missing, one.missing...)
			continue
		}
		out = append(out, *one)
	}
	for i, one := range out {
		if n := len(one.missing); n == 1 {
			out[i].Subject = one.missing[0]
		} else if n > 1 {
			said, _, _ := strings.Cut(one.Text, " (")
			out[i].Text = fmt.Sprintf("%d CRs %s: %s", n, said, Some(one.missing, thereShown))
		}
	}
	return out
}

// Clusters names the clusters that have the finding, or those that lack it if they are fewer: at
// most five or six. It returns "" if all clusters have the finding.
func (c Common) Clusters(r *Report) string {
	const most = 5
	var with, without []string
	for i, run := range r.Runs {
		switch _, has := slices.BinarySearch(c.Runs, i); {
		case has:
			with = append(with, run.Name())
		case !run.IsUnread():
			without = append(without, run.Name())
		}
	}
	switch {
	case len(without) == 0:
		return ""
	case len(with) > most+1 && len(without) < len(with):
		return "all but " + Some(without, most)
	}
	return Some(with, most)
}

// Short returns the identity without its apiVersion; "" if the kind is unknown.
func (o Object) Short() string {
	if o.Kind == "" {
		return ""
	}
	return o.Kind + " " + o.path("*")
}

// words says that the CR was not found, or that it was perhaps not collected.
func (m Missed) words() string {
	said := "not found"
	if m.NotCollected {
		said = "perhaps not collected"
	}
	return said + " (" + m.Template + ")"
}
