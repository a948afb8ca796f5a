package compare

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/kubeyaml"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/patch"
	"github.com/validationtool/validationtool/refconfig"
)

// compared is a comparison for the report, with what the run needs of it besides.
type compared struct {
	*finding.Comparison
	template    *refconfig.Template
	tree        *diff.Pair        // let go when the comparison is settled
	differences []diff.Difference // as the tree
	object      *manifest.Object
	// values that the collector of the input masked: expected differences, with a warning
	masked     []refconfig.FieldPath
	twice      []*kubeyaml.Node // keys of the object that stand more than once
	open       int              // see choice
	overrides  []patch.Use
	malformed  []diff.Malformed
	closed     []diff.Closed
	failed     []finding.Warning // of templates that the object meets as well, and that cannot be evaluated for it
	suppressed []diff.Suppressed // where somebody asks for it

	otherVersion string // of the cluster than the reference is for, see finding.OtherVersion
}

// newCompared is a comparison of an object with nothing yet.
func newCompared(e *stored, c finding.Correlation) *compared {
	if c.Fields == nil {
		c.Fields = []string{}
	}
	return &compared{
		object: e.object,
		Comparison: &finding.Comparison{
			Object:      finding.Object(e.object.ID),
			Source:      finding.SourceOf(e.object.Source()),
			Correlation: c,
			Result:      finding.Clean,
			Differences: []finding.Difference{},
		},
	}
}

// with names the template that the object is compared with.
func (c *compared) with(t *refconfig.Template) *compared {
	c.template, c.Template = t, finding.TemplateOf(t)
	return c
}

// fail marks a comparison as not evaluated.
func (c *compared) fail(cd code.Code, message string) {
	c.Result, c.Error = finding.Failed, &finding.Error{Code: cd, Message: message}
}

// take fills a comparison with what an attempt found, as far as it is to be shown.
func (c *compared) take(a *attempt, locator manifest.Locator, show diff.Show) {
	c.tree, c.differences, c.masked, c.malformed, c.closed = a.tree, a.differences, a.masked, a.malformed, a.closed
	c.Counts = a.counts()
	for _, s := range a.remarks {
		c.Notes = append(
			c.Notes,
			finding.Statement{Code: s.Code, Path: s.Path.String(), Message: s.Message, Line: locator.Line(s.Path)},
		)
	}
	c.Result = c.Counts.Result()
	if c.Result != finding.Clean && !show.NoValues && !show.Brief {
		for i := range a.differences {
			a.differences[i].Line = locator.Line(a.differences[i].Path)
		}
	}
	c.Comparison.Differences = show.Differences(a.differences)
	if c.Object.Kind == finding.ClusterVersion {
		c.otherVersion = finding.OtherVersion(c.Object, (diff.Show{Secrets: show.Secrets}).Differences(a.differences))
	}
	finding.Identify(c.Comparison.Differences, c.Object, c.Template.Path)
	if show.Lines && (c.Result != finding.Clean || show.Expected && c.Counts.Expected > 0) {
		c.Comparison.Sides = show.Packed(a.tree, a.differences)
	}
}

// counts is how many differences there are of each category.
func (a *attempt) counts() (n finding.Counts) {
	for _, d := range a.differences {
		n.Count(d.Category, 1)
		if d.Code == code.EvalPlaceholder {
			n.Placeholders++
		}
	}
	return n
}

// keep lets go of what the formats do not need.
func (c *compared) keep(show diff.Show) {
	if c.Comparison.Differences = show.Kept(c.Comparison.Differences); c.Override != nil {
		show.NoValues = false
		c.Override.Accepted = show.Kept(c.Override.Accepted)
	}
}

// accepted tells what overrides accept of what an attempt would have found without them.
func (c *compared) accepted(a *attempt, locator manifest.Locator, show diff.Show) {
	all, reasons := a.accepted.Accepted(a.differences)
	if len(all) == 0 {
		return
	}
	for i := range all {
		all[i].Line = locator.Line(all[i].Path)
	}
	c.Override.Accepted = show.Differences(all)
	for i := range c.Override.Accepted {
		d := &c.Override.Accepted[i]
		d.Reason = reasons[i]
	}
	finding.Identify(c.Override.Accepted, c.Object, c.Template.Path)
}

// undecoded returns the code and the message, with its position, for an object that cannot be
// decoded.
func undecoded(o *manifest.Object, err error) (code.Code, string) {
	cd, place := code.EvalDecode, o.Place
	var fault *kubeyaml.SyntaxError
	if errors.As(err, &fault) {
		cd, place.Line = cmp.Or(fault.Code, cd), cmp.Or(fault.Line, place.Line)
	}
	return cd, fmt.Sprintf("%s: the CR cannot be decoded: %s", place, err)
}
