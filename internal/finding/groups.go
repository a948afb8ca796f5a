package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Group has the CRs that a report shows as one: their template found the same categories, paths and
// values. Expected differences may differ, and with Grouping.Alike extra content too. A Group is
// never empty.
type Group []*Comparison

// First returns the CR that is shown.
func (g Group) First() *Comparison { return g[0] }

// Grouping says how CRs are grouped.
type Grouping struct {
	Filter Filter
	Single bool // each CR is a group of its own
	// list CRs with expected differences only, and group only CRs with the same ones
	Expected bool
	// group CRs that drift in the same way although their extra content differs
	Alike bool
}

// Groups returns the CRs with findings in groups, in the order in which they are shown.
func (r *Run) Groups(how Grouping) []Group {
	var list []*Comparison
	for _, c := range r.Comparisons {
		if c.HasFindings(how) && how.Filter.Shows(c) {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, byImportance)
	var groups []Group
	at := map[[sha256.Size]byte]int{}
	for _, c := range list {
		if how.Single {
			groups = append(groups, Group{c})
			continue
		}
		key := findingsKey(c, how)
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// HasFindings reports whether a CR has something to show besides its notes.
func (c *Comparison) HasFindings(how Grouping) bool {
	return c.Result != Clean || how.Expected && c.Counts.Expected > 0
}

// byImportance orders CRs as reports show them: by result, the worst first; then by impact; then in
// the order of the reference. A stable sort keeps the order by identity among the rest.
func byImportance(a, b *Comparison) int {
	return cmp.Or(
		cmp.Compare(b.Result.Severity(), a.Result.Severity()),
		cmp.Compare(b.Impact().Severity(), a.Impact().Severity()),
		cmp.Compare(a.Template.Index, b.Template.Index),
	)
}

// findingsKey returns a hash of what was found about a CR. Its identity is no part of it.
func findingsKey(c *Comparison, how Grouping) [sha256.Size]byte {
	text := make([]byte, 0, 512)
	add := func(s string) {
		text = binary.AppendUvarint(text, uint64(len(s)))
		text = append(text, s...)
	}
	for _, s := range []string{c.Template.Path, c.Object.APIVersion, c.Object.Kind, string(c.Result)} {
		add(s)
	}
	if c.Error != nil {
		add(string(c.Error.Code))
		add(c.Error.Message)
		add(string(c.Error.Change))
	}
	if c.Override != nil {
		for _, reason := range c.Override.Reasons {
			add(reason)
		}
	}
	for i := range c.Differences {
		d := &c.Differences[i]
		if d.Category == Expected && !how.Expected || how.Alike && c.isAside(d) {
			continue
		}
		for _, s := range []string{string(d.Category), d.Path, string(d.Code), d.Message, string(d.Reference),
			string(d.Input),
			string(d.Impact), d.Comment, d.Link, string(d.Change)} {
			add(s)
		}
	}
	for _, s := range c.Notes {
		add(s.String())
	}
	return sha256.Sum256(text)
}

// isAside reports whether a difference is extra content of a CR that drifts.
func (c *Comparison) isAside(d *Difference) bool {
	return d.Category == Extra && c.Result != OnlyExtra && d.Impact != Impacting
}

// ExtraDiffers reports whether a CR of the group has other extra content than the first.
func (g Group) ExtraDiffers() bool {
	of := func(c *Comparison) [sha256.Size]byte { return findingsKey(c, Grouping{}) }
	first := of(g.First())
	return slices.ContainsFunc(g[1:], func(c *Comparison) bool { return of(c) != first })
}
