package compare

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/embed"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// verdict is the result for one object: a comparison, or the reason why there is none.
type verdict struct {
	stored   *stored          // the object, or the copy of it that counts
	looked   *lookedUp        // the copies of looked-up objects that it was compared with
	disagree string           // a message about the results of the copies if they differ
	none     bool             // no template is for the object
	counts   bool             // no template is for the object, which counts as unmatched
	refused  *finding.Refused // set if its templates refuse it
	leftOut  *render.Template // its template, if no component of it is analysed
	open     *choice          // set if several comparisons are possible and the user has to choose one

	found       *finding.Comparison // set if the object was compared; the following fields belong to it
	template    *refconfig.Template
	warnings    []warning
	masked      int // number of values that the collector of the input masked
	placeholder int // line of the first placeholder that is compared as text; 0 for none
	uses        []patch.Use
	suppressed  []diff.Suppressed // set if the run reports suppressed fields
	failing     []failing         // fields that drift, are missing or are invalid; set if copies are compared
}

// newVerdict returns a verdict with an empty comparison of an object.
func newVerdict(s subject, by finding.Correlation) *verdict {
	if by.Fields == nil {
		by.Fields = []string{}
	}
	o := s.stored.object
	return &verdict{
		stored: s.stored,
		looked: s.looked,
		found: &finding.Comparison{
			Object:      finding.Object(o.ID),
			Source:      finding.SourceOf(o.Source()),
			Correlation: by,
			Result:      finding.Clean,
			Differences: []finding.Difference{},
		},
	}
}

// with sets the template of the comparison.
func (v *verdict) with(t *refconfig.Template) *verdict {
	v.template, v.found.Template = t, finding.TemplateOf(t)
	return v
}

// fail marks the comparison as not evaluated.
func (v *verdict) fail(cd code.Code, message string) *verdict {
	v.found.Result, v.found.Error = finding.Failed, &finding.Error{Code: cd, Message: message}
	return v
}

// verdict returns the parts of an attempt's result that are shown.
func (one *choice) verdict(a *attempt, show diff.Show) *verdict {
	x, locator := a.expected, one.subject.locator
	out := newVerdict(one.subject, one.candidates.by).with(x.template.Ref)
	out.placeholder, out.uses = one.placeholder, x.value.Uses
	out.warnDuplicates(one.subject.twice)
	if x.value.Override != nil {
		override := *x.value.Override
		out.found.Override = &override
	}
	if a.err != nil {
		return out.fail(a.err.Code, a.err.Error())
	}
	out.warnCompared(a)
	for _, s := range x.remarks {
		out.found.Notes = append(
			out.found.Notes,
			finding.Statement{Code: s.Code, Path: s.Path.String(), Message: s.Message, Line: locator.Line(s.Path)},
		)
	}
	out.found.Counts = a.counts()
	out.found.Result = out.found.Counts.Result()
	line := locator.Line
	if out.found.Result == finding.Clean || show.NoValues || show.Brief {
		line = nil
	}
	differences := show.Differences(a.compared.Differences, line)
	if out.found.Object.Kind == clusterVersion {
		out.warnVersion((diff.Show{Secrets: show.Secrets}).Differences(a.compared.Differences, nil))
	}
	finding.Identify(differences, out.found.Object, out.found.Template.Path)
	if show.Lines && (out.found.Result != finding.Clean || show.Expected && out.found.Counts.Expected > 0) {
		out.found.Sides = show.Packed(&one.subject.room.diff, a.compared.Tree, a.compared.Differences)
	}
	out.found.Differences = show.Kept(differences)
	if o := out.found.Override; o != nil {
		all, reasons, n := x.value.Accepted(a.compared.Differences)
		if o.Deviations, o.Void = n, n == 0; show.Accepted && len(all) > 0 {
			o.Accepted = out.accepted(all, reasons, locator, show)
		}
	}
	return out
}

// accepted returns the differences that overrides accept, each with its reason.
func (v *verdict) accepted(
	all []diff.Difference, reasons []string, locator manifest.Locator, show diff.Show,
) []finding.Difference {
	accepted := show.Differences(all, locator.Line)
	for i := range accepted {
		accepted[i].Reason = reasons[i]
	}
	finding.Identify(accepted, v.found.Object, v.found.Template.Path)
	show.NoValues = false
	return show.Kept(accepted)
}

// resolve returns the verdict with one of the ranked attempts. If the object cannot be decoded, there
// are none, and the comparison has failed.
func (c *comparer) resolve(one *choice, at int) *verdict {
	if one.err != nil {
		o := one.subject.stored.object
		t, _ := c.templates.first(o.ID, one.subject.nearest)
		failed := newVerdict(one.subject, one.candidates.by).with(t.Ref)
		failed.warnDuplicates(one.subject.twice)
		return failed.fail(undecoded(o, one.err))
	}
	a := one.ranked[at]
	s := one.subject
	differs := a.err == nil && len(a.compared.Differences) > 0
	if o := s.stored.object; differs && c.opt.Shown > 0 && o.Text() > c.opt.Shown {
		failed := newVerdict(s, one.candidates.by).with(a.template.Ref)
		return failed.fail(code.LimitMemory, fmt.Sprintf("%s: the CR differs from the template, but has %d bytes, more than "+
			"the %d of a CR whose differences are shown; leave it out of the input, or raise the limit with --limit memory=N",
			o.Place, o.Text(), c.opt.Shown))
	}
	shown := a.shown()
	if a.err == nil {
		shown.compared = shown.compared.Revealed(&embed.Reader{Left: s.mostDecoded()}, c.opt.Show.Secrets)
	}
	out := one.verdict(shown, c.opt.Show)
	if c.opt.Reached != nil {
		c.opt.Reached(a.reached)
	}
	out.found.Correlation.Candidates = one.others(a)
	out.warnings = append(out.warnings, one.failed(a)...)
	if a.err != nil {
		return out
	}
	if c.opt.Suppressed != Untold {
		out.suppressed = c.suppressed(s, a)
	}
	if s.hasCopies() {
		out.failing = failingFields(a.compared.Differences, c.opt.Show.Secrets)
	}
	out.found.Fix, out.found.Acceptance = c.patches(s, a, out.found)
	return out
}

// undecoded returns the code and the message, with the location, for an object that cannot be
// decoded.
func undecoded(o *manifest.Object, err error) (code.Code, string) {
	cd, place := code.EvalDecode, o.Place
	var fault *kubeyaml.SyntaxError
	if errors.As(err, &fault) {
		cd, place.Line = cmp.Or(fault.Code, cd), cmp.Or(fault.Line, place.Line)
	}
	return cd, fmt.Sprintf("%s: the CR cannot be decoded: %s", place, err)
}
