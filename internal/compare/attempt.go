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

// attempt is an object compared with what one template expects of it.
type attempt struct {
	*expected
	err        *render.Error // the reason if they could not be compared; the following fields are then empty
	compared   diff.Compared
	malformed  []refconfig.Problem // malformed patterns of the template
	suppressed []diff.Suppressed   // set if the run reports suppressed fields
	score      int                 // set if several templates or entries are compared, see distance
	without    *attempt            // the comparison without overrides; nil if none are for the object
}

// attempt compares an object with what a template expects of it, under the overrides of the run.
func (c *comparer) attempt(s subject, t *render.Template) (*attempt, *Refusal) {
	x, refusal, err := c.expect(s, t)
	if refusal != nil || err != nil {
		return &attempt{expected: x, err: err}, refusal
	}
	return c.under(s, c.diff(s, x), c.overrides), nil
}

// under compares an object under overrides. plain is its comparison without overrides, which is the
// result if none of them are for the object.
func (c *comparer) under(s subject, plain *attempt, set *patch.Set) *attempt {
	uses := set.For(s.stored.object.ID, plain.template.Ref)
	if len(uses) == 0 {
		return plain
	}
	x := *plain.expected
	var err *render.Error
	x.value, err = set.Apply(plain.value, uses, s.value, c.rendering(s), plain.result())
	if err != nil {
		return &attempt{expected: &x, err: err, without: plain}
	}
	a := c.diff(s, &x)
	a.without = plain
	return a
}

// again returns the function with which package patch compares an object again with a template.
// plain is its comparison without overrides, so that the template is executed again only for another
// content, which is compared as it is shown: a fix sets what the reference says.
func (c *comparer) again(s subject, t *render.Template, plain *attempt) func(patch.Proposal) *diff.Compared {
	return func(p patch.Proposal) *diff.Compared {
		other := s
		other.room = &room{} // there may be many proposals, so each leaves its memory
		other.looked = s.looked.forProposal()
		if p.Object == nil {
			return c.under(other, plain, p.Overrides).result()
		}
		other.value = p.Object
		a, refusal := c.attempt(other, t)
		if refusal != nil {
			return nil
		}
		return a.shown().result()
	}
}

// result returns the comparison, or nil if it failed.
func (a *attempt) result() *diff.Compared {
	if a.err != nil {
		return nil
	}
	return &a.compared
}

// diff compares an object with the expected value.
func (c *comparer) diff(s subject, x *expected) *attempt {
	m, err := x.match(c.ctx, c.prints)
	if err != nil {
		return &attempt{expected: x, err: err}
	}
	config, omit := x.template.Ref.Config, c.templates.omitted(x.template.Ref)
	id, left := s.stored.object.ID, m.left.Done()
	var defaults []refconfig.OmitEntry
	if k := c.schemaOf(id, s.looked); k != nil {
		config.PerField = slices.Concat(config.PerField, unstatedLists(k, config, left.Value(), x.input))
		defaults = unstatedDefaults(k, config, left.Value(), x.input)
		omit = slices.Concat(omit, defaults)
	}
	var listing *diff.Listing
	if c.opt.Suppressed != Untold || s.trace {
		listing = &diff.Listing{Printed: x.printed, Input: x.input, Secrets: c.opt.Show.Secrets}
	}
	a := &attempt{expected: x, malformed: m.malformed}
	a.compared = diff.Compare(left, x.input, x.scope(left.Value()), diff.Policy{
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
		Expected:     x.value.Node,
		Room:         &s.room.diff,
	})
	if listing != nil {
		for _, path := range x.unnamed {
			listing.Add(finding.ByUnspecified, path, "ignore-unspecified-fields", config.UnspecifiedPlace)
		}
		nameDefaults(listing.All, defaults)
		a.suppressed = listing.All
	}
	return a
}

// counts counts the differences by category.
func (a *attempt) counts() (n finding.Counts) {
	for _, one := range a.compared.Differences {
		n.Count(one.Category, 1)
		if one.Code == code.EvalPlaceholder {
			n.Placeholders++
		}
	}
	return n
}

// distance returns the number of changed characters between both sides as sorted YAML, with keys and
// indentation. Values that are masked or expected because of placeholders count as equal, and
// secret values count as they are shown. A finding about fields that look alike counts as one
// character, so only a perfect match has the distance 0. secretive reports whether the object contains
// secret data.
func (a *attempt) distance(secretive func() bool) int {
	hidden := secretive() || slices.ContainsFunc(a.compared.Differences, diff.Difference.HidesMore)
	left, right := a.compared.Tree.Scored(hidden)
	n := align.Distance(tree.YAML(left.Data), tree.YAML(right.Data))
	for _, one := range a.compared.Differences {
		if one.Alike(hidden) && (one.Category == finding.Drift || one.Category == finding.Missing) {
			n++
		}
	}
	return n
}

// shown returns the attempt as it is shown, with what the reference says beside what overrides accept.
func (a *attempt) shown() *attempt {
	out := *a
	if a.err == nil {
		out.compared = a.value.Shown(a.compared)
	}
	return &out
}
