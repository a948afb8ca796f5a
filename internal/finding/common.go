package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Common is a finding that several clusters have: a difference with the same values on both sides,
// a missing CR, or a broken rule.
type Common struct {
	Runs    []int  // the indexes of the clusters in Report.Runs, ascending; at least two
	Subject string // the CR as "KIND NAMESPACE/NAME", or the component of a rule
	Text    string // the finding in words
}

// Common returns the findings that count as failures, that several clusters have and that the
// filter shows, the most widespread first.
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
				f.Input = nil // the rule may be broken by other CRs
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

// Clusters names the clusters that have the finding, at most ten or eleven; "" for all clusters of
// the report. If there are more, and only a few clusters lack the finding, it names these.
func (c Common) Clusters(r *Report) string {
	const most, mostWithout = 10, 3
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
	case len(with) > most+1 && len(without) <= mostWithout:
		return "all but " + strings.Join(without, ", ")
	}
	return Some(with, most)
}

// widespread returns the findings of several clusters, sorted.
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

// Short returns the identity without its apiVersion; "" if the kind is unknown.
func (o Object) Short() string {
	switch {
	case o.Kind == "":
		return ""
	case o.Namespace != "":
		return o.Kind + " " + o.Namespace + "/" + cmp.Or(o.Name, "*")
	}
	return o.Kind + " " + cmp.Or(o.Name, "*")
}

// words says that the CR was not found, or that it was perhaps not collected.
func (m Missed) words() string {
	said := "not found"
	if m.NotCollected {
		said = "perhaps not collected"
	}
	return said + " (" + m.Template + ")"
}
