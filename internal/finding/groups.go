package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// Group has the CRs that a report shows together, because their findings have the same template,
// categories, paths and values. Their expected differences may differ, and with Grouping.Alike
// their extra content too. A Group is never empty.
type Group []*Comparison

// First returns the CR that is shown.
func (g Group) First() *Comparison { return g[0] }

// Grouping says how CRs are grouped.
type Grouping struct {
	Filter Filter
	Single bool // each CR is a group of its own
	// list CRs that have only expected differences, and group only CRs with the same expected
	// differences
	Expected bool
	// group CRs that drift in the same way even if their extra content differs
	Alike bool
	// list the missing CRs of a component in one line, and those that were perhaps not collected in one
	// line for all components
	Missing bool
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

// HasFindings reports whether a CR has findings to show other than notes.
func (c *Comparison) HasFindings(how Grouping) bool {
	return c.Result != Clean || how.Expected && c.Counts.Expected > 0
}

// byImportance orders CRs as reports show them: by result, the worst first; then by impact; then in
// the order of the reference. With a stable sort, CRs that are equal in these keep their order by
// identity.
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

// ExtraDiffers reports whether the extra content of a CR of the group differs from that of the
// first.
func (g Group) ExtraDiffers() bool {
	of := func(c *Comparison) [sha256.Size]byte { return findingsKey(c, Grouping{}) }
	first := of(g.First())
	return slices.ContainsFunc(g[1:], func(c *Comparison) bool { return of(c) != first })
}
