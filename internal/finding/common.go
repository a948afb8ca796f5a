package finding

import (
	"cmp"
	"fmt"
	"slices"
)

// Common is a finding that several clusters have: a difference with the same values on both sides,
// a CR that is missing, or a rule that is broken.
type Common struct {
	Runs    []int  // the indices of the clusters in Report.Runs, ascending; at least two
	Subject string // the CR, as "KIND NAMESPACE/NAME", or the component of a rule
	Text    string // what was found about it, in words
}

// Common returns the findings that count as failures and that several clusters have, the most
// widespread first, as far as a filter lets them through.
func (r *Report) Common(filter Filter) []Common {
	known := map[string]*Common{}
	for i, run := range r.Runs {
		add := func(subject, text string, key ...string) {
			all := fmt.Sprintf("%q", key)
			if known[all] == nil {
				known[all] = &Common{Subject: subject, Text: text}
			}
			if one := known[all]; len(one.Runs) == 0 || one.Runs[len(one.Runs)-1] != i {
				one.Runs = append(one.Runs, i)
			}
		}
		for _, c := range run.Comparisons {
			if !filter.Shows(c) {
				continue
			}
			for _, d := range c.Differences {
				if d.Category == Drift || d.Category == Missing {
					add(
						c.Object.Short(),
						d.Words(),
						"difference",
						d.Fingerprint,
						d.Path,
						string(d.Reference),
						string(d.Input),
					)
				}
			}
		}
		for _, b := range run.Rules {
			if !b.IsMissing() && filter.ShowsRule(b) {
				add(cmp.Or(b.ComponentName(), b.Rule), b.Message, "rule", b.Fingerprint, b.Message)
			}
			for _, m := range b.Missing {
				if !filter.ShowsMissed(m) {
					continue
				}
				add(
					cmp.Or(m.Object.Short(), m.Template),
					m.words(),
					"missing",
					b.Part,
					b.Component,
					m.Template,
					m.words(),
				)
			}
		}
	}
	return widespread(known)
}

// Clusters names the clusters that have it, of many the first ten; "" for all of a report.
func (c Common) Clusters(r *Report) string {
	const most = 10
	if len(c.Runs) == r.CountClusters() {
		return ""
	}
	var names []string
	for _, i := range c.Runs {
		names = append(names, r.Runs[i].Name())
	}
	return Some(names, most)
}

// widespread returns what several clusters have, sorted.
func widespread(known map[string]*Common) []Common {
	var all []Common
	for _, one := range known {
		if len(one.Runs) > 1 {
			all = append(all, *one)
		}
	}
	slices.SortFunc(all, func(a, b Common) int {
		return cmp.Or(
			len(b.Runs)-len(a.Runs),
			cmp.Compare(a.Subject, b.Subject),
			cmp.Compare(a.Text, b.Text),
			slices.Compare(a.Runs, b.Runs),
		)
	})
	return all
}

// Short is the identity without its apiVersion; "" where not even the kind is known.
func (o Object) Short() string {
	switch {
	case o.Kind == "":
		return ""
	case o.Namespace != "":
		return o.Kind + " " + o.Namespace + "/" + cmp.Or(o.Name, "*")
	}
	return o.Kind + " " + cmp.Or(o.Name, "*")
}

// words says that it was not found, or why that is not known.
func (m Missed) words() string {
	said := "not found"
	if m.NotCollected {
		said = "perhaps not collected"
	}
	return said + " (" + m.Template + ")"
}
