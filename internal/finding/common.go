package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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
		for f := range run.EachFinding(nil) {
			if f.cr == nil && f.Broken == nil || f.Class == ClassExtra || f.Class == ClassError || !filter.shows(f) {
				continue
			}
			one := Common{Subject: f.Object.Short(), Text: f.Words}
			switch {
			case f.Missed != nil:
				one.Subject = cmp.Or(one.Subject, f.Template.Path)
			case f.Broken != nil:
				one.Subject, one.Text = cmp.Or(f.Template.ComponentName(), f.Rule), f.Broken.Message
				f.Input = nil // other CRs may break it
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
