package impact

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Rate rates the findings of a run: differences but expected ones, missing CRs, and the other broken rules. It counts them by impact.
func (r Rules) Rate(run *finding.Run) {
	rules := r.ofVersion(run.Cluster.Version)
	for _, c := range run.Comparisons {
		t := c.Template
		near := rules.about(subject{[]string{t.Path}, t.Part, t.Component, []finding.Object{c.Object}})
		for i := range c.Differences {
			if d := &c.Differences[i]; d.Category != finding.Expected {
				at, _ := refconfig.ParseFieldPath(d.Path) // none is that of the whole object
				d.Rating = near.rating(func(one rule) bool { return one.fitsDifference(d, at) })
			}
		}
	}
	for i := range run.Rules {
		rules.rateRule(&run.Rules[i])
	}
	run.CountImpacts()
}

// rateRule rates a broken rule: each missing CR by itself, and any other rule as a whole.
func (r Rules) rateRule(b *finding.Rule) {
	if !b.IsMissing() {
		s := subject{b.Templates, b.Part, b.Component, nil}
		for _, m := range b.Missing {
			s.objects = append(s.objects, m.Object)
		}
		for _, p := range b.Present {
			s.objects = append(s.objects, p.Object)
		}
		b.Rating = r.about(s).rating(func(one rule) bool { return one.fitsRule(anyRule) })
		return
	}
	for i := range b.Missing {
		m := &b.Missing[i]
		near := r.about(subject{[]string{m.Template}, b.Part, b.Component, []finding.Object{m.Object}})
		m.Rating = near.rating(func(one rule) bool { return one.fitsRule(string(finding.Missing)) })
		if m.Impact.Severity() > b.Impact.Severity() {
			b.Rating = m.Rating
		}
	}
}

// subject is what findings are about. A rule about it fits where it fits one of several templates or objects.
type subject struct {
	templates       []string
	part, component string
	objects         []finding.Object
}

// ofVersion returns the rules for a version of a cluster; "" where it is not known.
func (r Rules) ofVersion(version string) Rules {
	r.rules = slices.DeleteFunc(slices.Clone(r.rules), func(one rule) bool { return one.versions != nil && !one.versions.has(version) })
	return r
}

// about returns the rules for a subject.
func (r Rules) about(s subject) Rules {
	var near []rule
	for _, one := range r.rules {
		if one.isFor(s) {
			near = append(near, one)
		}
	}
	r.rules = near
	return r
}

func (one rule) isFor(s subject) bool {
	isTemplate := func(t string) bool { return means(one.template, path.Clean(t)) }
	switch {
	case one.template != "" && !slices.ContainsFunc(s.templates, isTemplate):
		return false
	case one.component != "" && !means(one.component, s.component) && !means(one.component, s.part+"/"+s.component):
		return false
	}
	return one.cr == nil || slices.ContainsFunc(s.objects, one.cr.Meets)
}

// means reports whether a name, which may be a glob, means something.
func means(name, text string) bool {
	met, _ := path.Match(name, text)
	return met || name == text
}

// rating is that of the first rule that fits.
func (r Rules) rating(fits func(rule) bool) finding.Rating {
	if i := slices.IndexFunc(r.rules, fits); i >= 0 {
		return r.rules[i].Rating
	}
	return finding.Rating{Impact: cmp.Or(r.fallback, finding.Review)}
}

// fitsRule reports whether a rule for its subject fits a missing CR or a broken rule, which are about no field.
func (one rule) fitsRule(category string) bool {
	return one.path == nil && (one.category == "" || one.category == category)
}

// fitsDifference reports whether a rule for its subject fits a difference, which is at a path.
func (one rule) fitsDifference(d *finding.Difference, at refconfig.FieldPath) bool {
	return (one.category == "" || one.category == string(d.Category)) && (one.path == nil || one.fitsPath(d, at))
}

// fitsPath reports whether a difference is about the field of a rule or lies below it. A whole map or list that one side lacks is one
// difference: it is about the fields in it as well. To say that it does not matter takes a rule for all of it.
func (one rule) fitsPath(d *finding.Difference, at refconfig.FieldPath) bool {
	if len(one.path) <= len(at) {
		return refconfig.OmitEntry{Path: one.path}.Match(at[:len(one.path)])
	}
	if one.Impact == finding.NotImpacting || len(at) > 0 && !(refconfig.OmitEntry{Path: one.path[:len(at)]}).Match(at) {
		return false
	}
	return holds(d.Reference, one.path[len(at):]) || holds(d.Input, one.path[len(at):])
}

// holds reports whether a value in JSON has a field.
func holds(value json.RawMessage, path refconfig.FieldPath) bool {
	var v any
	if len(value) == 0 || value[0] != '{' && value[0] != '[' || json.Unmarshal(value, &v) != nil {
		return false
	}
	return len(tree.Expand(v, path)) > 0
}
