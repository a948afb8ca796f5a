package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Common is a finding that several clusters have: a difference with the same values on both sides,
// a broken rule, or CRs of a component that are missing from the same clusters.
type Common struct {
	Subject string // the CR as "KIND NAMESPACE/NAME", or the component
	Text    string // the finding in words
	Hidden  bool   // the filter of the Fleet shows it on no cluster
	News           // in a list of what has changed

	class   Class
	missing []string // the CRs that are missing, or their templates
	places  []int32  // the places of the clusters in a Fleet, ascending
}

// N returns the number of clusters that have the finding.
func (c Common) N() int { return len(c.places) }

// Findings returns the number of findings on each of the clusters.
func (c Common) Findings() int { return max(1, len(c.missing)) }

// commonOf describes a finding without its clusters.
func commonOf(f Finding) Common {
	one := Common{Subject: f.Subject(), Text: f.Coded(), class: f.Class}
	switch {
	case f.Missed != nil:
		one.Text = f.Words
		one.missing = []string{cmp.Or(f.Object.Short(), f.Template.Path)}
		one.Subject = f.Template.ComponentName()
	case f.Broken != nil:
		one.Subject, one.Text = cmp.Or(f.Template.ComponentName(), f.Rule), f.Words
	}
	return one
}

// isShared reports whether findings of a class that are compared between clusters can count as failures;
// others make the result unreliable.
func (c Class) isShared() bool {
	return !slices.Contains([]Class{ClassError, ClassUnreadable, ClassUnknown, ClassIncomplete, ClassNote}, c)
}

// compareCommon orders common findings, the rarest first. Missing CRs of the same component and the
// same clusters are next to each other.
func compareCommon(a, b *Common) int {
	rank := func(c Class) int { return slices.Index([]Class{ClassAbsent, ClassWanted, ClassNotCollected}, c) }
	return cmp.Or(
		a.N()-b.N(),
		rank(a.class)-rank(b.class),
		cmp.Compare(a.Subject, b.Subject),
		slices.Compare(a.places, b.places),
		first(a.Hidden)-first(b.Hidden),
		cmp.Compare(a.Text, b.Text),
		slices.Compare(a.missing, b.missing),
	)
}

// folded combines the CRs of a component that are missing from the same clusters into one finding.
func folded(all []*Common) (out []Common) {
	alike := func(a, b Common) bool {
		return a.missing != nil && b.missing != nil && a.class == b.class && a.Hidden == b.Hidden && a.News == b.News &&
			a.Subject == b.Subject && slices.Equal(a.places, b.places)
	}
	for _, one := range all {
		if last := len(out) - 1; last >= 0 && alike(out[last], *one) {
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
