package compare

import (
	"slices"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// differing is the difference between an object and the expected value.
type differing struct {
	compared   diff.Compared
	matched    matched           // the expected value after patterns were applied
	suppressed []diff.Suppressed // set if the run reports suppressed fields
}

// diff compares an object with the expected value.
func (c *comparer) diff(s subject, x *expected) (*differing, *render.Error) {
	m, err := x.match(c.ctx, c.prints)
	if err != nil {
		return nil, err
	}
	config, omit := x.template.Ref.Config, c.templates.omitted(x.template.Ref)
	id := s.stored.object.ID
	var defaults []refconfig.OmitEntry
	if k := c.schemaOf(id); k != nil {
		config.PerField = slices.Concat(config.PerField, unstatedLists(k, config, m.left.Value(), x.input))
		defaults = unstatedDefaults(k, config, m.left.Value(), x.input)
		omit = slices.Concat(omit, defaults)
	}
	var listing *diff.Listing
	if c.opt.Suppressed != Untold || s.trace {
		listing = &diff.Listing{Printed: x.printed, Input: x.input, Secrets: c.opt.Show.Secrets}
	}
	compared := diff.Compare(m.left, x.input, x.scope(m.left.Value()), diff.Policy{
		Fields:       diff.FieldsOf(config).Until(c.ctx),
		Omit:         omit,
		Unspecified:  config.IgnoreUnspecified,
		Listing:      listing,
		Layout:       c.layoutOf(s.stored.object),
		Kind:         id.Kind,
		Placeholders: c.opt.Placeholders,
		Moved:        true,
		Apart:        x.unanswered,
		Conflicts:    m.conflicts,
		Conflicting:  m.conflicting,
	})
	d := &differing{compared: compared, matched: m}
	if listing != nil {
		for _, path := range x.unnamed {
			listing.Add(finding.ByUnspecified, path, "ignore-unspecified-fields", config.UnspecifiedPlace)
		}
		nameDefaults(listing.All, defaults)
		d.suppressed = listing.All
	}
	return d, nil
}

// try compares an object with the expected value for package patch. It returns nil if they cannot
// be compared.
func (c *comparer) try(s subject, x *expected) *patch.Trial {
	d, err := c.diff(s, x)
	if err != nil {
		return nil
	}
	return trial(x, d)
}

// trial converts a comparison for package patch.
func trial(x *expected, d *differing) *patch.Trial {
	return &patch.Trial{Expected: x.left.Node, Compared: d.compared}
}

// counts counts the differences by category.
func (d *differing) counts() (n finding.Counts) {
	for _, one := range d.compared.Differences {
		n.Count(one.Category, 1)
		if one.Code == code.EvalPlaceholder {
			n.Placeholders++
		}
	}
	return n
}

// score returns the number of changed characters between both sides as sorted YAML, with keys and
// indentation. Values that are masked or expected because of placeholders count as equal, and
// secret values count as they are shown. A finding about fields that look alike counts as one
// character, so only a perfect match has the score 0. secretive reports whether the object contains
// secret data.
func (d *differing) score(secretive func() bool) int {
	hidden := secretive() || slices.ContainsFunc(d.compared.Differences, diff.Difference.HidesMore)
	left, right := d.compared.Tree.Scored(hidden)
	n := align.Distance(tree.YAML(left.Data), tree.YAML(right.Data))
	for _, one := range d.compared.Differences {
		if one.Alike(hidden) && (one.Category == finding.Drift || one.Category == finding.Missing) {
			n++
		}
	}
	return n
}
