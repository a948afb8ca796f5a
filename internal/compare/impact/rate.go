package impact

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Rate rates the findings of runs: differences other than expected ones, missing CRs, and other
// broken rules. It counts them by impact. If the context ends first, the remaining findings are
// rated Review, and their run gets a problem that says so.
func (r Rules) Rate(ctx context.Context, runs []*finding.Run) {
	x := rater{ctx: ctx, fallback: finding.Rating{Impact: cmp.Or(r.fallback, finding.Review)}}
	for i, run := range runs {
		if i == 0 || run.Cluster.Version != runs[i-1].Cluster.Version {
			x.rules = r.ofVersion(run.Cluster.Version)
		}
		for _, c := range run.Comparisons {
			x.rateComparison(c)
		}
		for i := range run.Rules {
			x.rateRule(&run.Rules[i])
		}
		run.CountImpacts()
		if ctx.Err() != nil && !run.Interrupted {
			why := watch.Cause(ctx).And(" while the findings were rated by the impact rules")
			run.Interrupted = true
			run.AddProblem(refconfig.Problem{Code: why.Code, Message: why.Message()})
		}
	}
}

// rater rates findings by the rules for one version of a cluster.
type rater struct {
	ctx      context.Context
	rules    []rule
	fallback finding.Rating
}

// rateComparison rates the differences of a CR.
func (x *rater) rateComparison(c *finding.Comparison) {
	s := subject{[]string{c.Template.Path}, c.Template.Part, c.Template.Component, []finding.Object{c.Object}}
	for i := range c.Differences {
		if d := &c.Differences[i]; d.Category != finding.Expected {
			d.Rating = x.rating(s, newDifference(d).fits)
		}
	}
}

// rateRule rates a broken rule: each missing CR by itself, and any other rule as a whole.
func (x *rater) rateRule(b *finding.Rule) {
	if !b.IsMissing() {
		s := subject{b.Templates, b.Part, b.Component, nil}
		for _, m := range b.Missing {
			s.objects = append(s.objects, m.Object)
		}
		for _, p := range b.Present {
			s.objects = append(s.objects, p.Object)
		}
		b.Rating = x.rating(s, func(one *rule) bool { return one.fitsRule(anyRule) })
		return
	}
	for i := range b.Missing {
		m := &b.Missing[i]
		s := subject{[]string{m.Template}, b.Part, b.Component, []finding.Object{m.Object}}
		m.Rating = x.rating(s, func(one *rule) bool { return one.fitsRule(string(finding.Missing)) })
		if m.Impact.Severity() > b.Impact.Severity() {
			b.Rating = m.Rating
		}
	}
}

// subject has the templates and objects that findings are about. A rule matches the subject if it
// matches one of them.
type subject struct {
	templates       []string
	part, component string
	objects         []finding.Object
}

// ofVersion returns the rules for a version of a cluster, which is "" if unknown.
func (r Rules) ofVersion(version string) []rule {
	return slice.Without(r.rules, func(one rule) bool { return one.versions != nil && !one.versions.has(version) })
}

func (one *rule) isFor(s subject) bool {
	isTemplate := func(t string) bool { return finding.Globs(one.template, path.Clean(t)) }
	switch {
	case one.template != "" && !slices.ContainsFunc(s.templates, isTemplate):
		return false
	case one.component != "" && !finding.Globs(one.component, s.component) && !finding.Globs(one.component,
		s.part+"/"+s.component):
		return false
	}
	return one.cr == nil || slices.ContainsFunc(s.objects, one.cr.Matches)
}

// rating returns the rating of the first rule that matches a finding and its subject. After the
// end of the context it is Review.
func (x *rater) rating(s subject, fits func(*rule) bool) finding.Rating {
	for i := range x.rules {
		if x.ctx.Err() != nil {
			return finding.Rating{Impact: finding.Review}
		}
		if one := &x.rules[i]; one.isFor(s) && fits(one) {
			return one.Rating
		}
	}
	return x.fallback
}

// fitsRule reports whether a rule that matches the subject also matches a missing CR or a broken
// rule. These have no field, so that a rule with a path or a code does not match.
func (one *rule) fitsRule(category string) bool {
	return one.path == nil && one.code == "" && (one.category == "" || one.category == category)
}

// difference is a difference to be rated.
type difference struct {
	*finding.Difference
	at     refconfig.FieldPath
	values []any // the values of both sides, if they are maps or lists; parsed on first use
	read   bool
}

func newDifference(d *finding.Difference) *difference {
	at, _ := refconfig.ParseFieldPath(d.Path) // an empty path is the whole object
	return &difference{Difference: d, at: at}
}

// fits reports whether a rule that matches the subject also matches the difference.
func (d *difference) fits(one *rule) bool {
	if one.category != "" && one.category != string(d.Category) || one.code != "" && one.code != d.Code {
		return false
	}
	if one.path == nil {
		return true
	}
	return d.fitsPath(one)
}

// fitsPath reports whether a difference is at or below the field of a rule. A map or list that one
// side lacks is one difference that includes its fields: only a rule for the whole map or list can
// rate it as not impacting.
func (d *difference) fitsPath(one *rule) bool {
	if len(one.path) <= len(d.at) {
		return refconfig.OmitEntry{Path: one.path}.Match(d.at[:len(one.path)])
	}
	if one.Impact == finding.NotImpacting ||
		len(d.at) > 0 && !(refconfig.OmitEntry{Path: one.path[:len(d.at)]}).Match(d.at) {
		return false
	}
	return d.holds(one.path[len(d.at):])
}

// holds reports whether a side has a field.
func (d *difference) holds(path refconfig.FieldPath) bool {
	if !d.read {
		d.read = true
		for _, side := range []json.RawMessage{d.Reference, d.Input} {
			var v any
			if len(side) > 0 && (side[0] == '{' || side[0] == '[') && json.Unmarshal(side, &v) == nil {
				d.values = append(d.values, v)
			}
		}
	}
	return slices.ContainsFunc(d.values, func(v any) bool { return len(tree.Expand(v, path)) > 0 })
}
