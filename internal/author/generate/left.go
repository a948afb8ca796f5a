package generate

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/refconfig"
)

// This file lists what an update leaves to the author of the reference.

// rest collects what the author has to decide.
func (u *updater) rest(now *state) {
	changed := map[string]bool{}
	for _, c := range u.out.Changed {
		changed[c.Place.File] = true
	}
	for _, one := range u.out.Added {
		changed[one.File] = true
	}
	matched := now.matched()
	for _, t := range now.engine.Templates() {
		id := statedID(t)
		switch {
		case matched[t.Ref.File]:
			continue
		case !(selection{u.opt}).asked(id):
			continue
		}
		gone := Left{Place: refconfig.Place{File: t.Ref.File, Line: t.Ref.Line}, Object: finding.Object(id)}
		if ruleOf(t.Ref) == refconfig.AllOf {
			u.out.Gone = append(u.out.Gone, gone)
		} else {
			u.out.Absent = append(u.out.Absent, gone)
		}
	}
	left := map[string]bool{}
	for _, run := range now.runs {
		for _, c := range run.Comparisons {
			if c.Result == finding.OnlyExtra {
				u.out.More++
			}
		}
	}
	for _, c := range now.drifting(selection{u.opt}) {
		left[c.template.Ref.File] = true
		u.leave(c)
	}
	slices.SortStableFunc(u.out.Left, func(a, b Left) int {
		of := manifest.Compare(manifest.ID(a.Object), manifest.ID(b.Object))
		return cmp.Or(a.Place.Compare(b.Place), of, strings.Compare(a.Path, b.Path))
	})
	u.out.Left = slices.CompactFunc(u.out.Left, func(a, b Left) bool { // several clusters have it
		return a.Place == b.Place && a.Object == b.Object && a.Path == b.Path &&
			(a.Path != "" || a.Message == b.Message)
	})
	for name := range matched {
		if !changed[name] && !left[name] {
			u.out.Agree++
		}
	}
}

// leave tells why a CR still differs from its template.
func (u *updater) leave(c drift) {
	file := c.template.Ref.File
	at := func(refconfig.FieldPath) refconfig.Place { return refconfig.Place{File: file} }
	isLiteral := func(refconfig.FieldPath) bool { return false }
	if text, err := u.text(file); err == nil {
		if o := u.objects[c.cluster][manifest.ID(c.Object)]; o != nil {
			if p, err := u.page(text, c.template, o); err == nil {
				at = func(path refconfig.FieldPath) refconfig.Place {
					return refconfig.Place{File: file, Line: p.lineOf(path)}
				}
				isLiteral = p.isLiteral
			}
		}
	}
	if c.Error != nil {
		u.out.Left = append(u.out.Left, Left{at(nil), c.Object, "", c.Error.Message})
		return
	}
	reasons := map[string]error{}
	if c.Acceptance != nil {
		for _, left := range c.Acceptance.Left {
			reasons[left.Path.String()] = errors.New(left.Message)
		}
	}
	for _, o := range operations(c.Comparison) {
		if err := u.tried[o.key(file)]; err != nil {
			reasons[o.path.String()] = err
		}
	}
	whole := u.tried[file]
	for _, d := range c.Differences {
		if d.Category == finding.Extra && !u.opt.Extra || d.Category == finding.Expected {
			continue
		}
		path, _ := refconfig.ParseFieldPath(d.Path)
		why := whole
		for above := path; why == nil && len(above) > 0; above = above[:len(above)-1] {
			why = reasons[above.String()]
		}
		if why == nil && isLiteral(path) {
			why = errHelps
		}
		why = cmp.Or(why, errAction)
		u.out.Left = append(u.out.Left, Left{at(path), c.Object, d.Path, why.Error()})
	}
}
