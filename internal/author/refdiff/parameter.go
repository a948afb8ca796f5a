package refdiff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// parameter returns the field that a template reads at a path; nil for none.
func (s *side) parameter(path refconfig.FieldPath) *probe.Field {
	by := func(f probe.Field, text string) int { return cmp.Compare(f.Path, text) } // the order of the fields
	if i, known := slices.BinarySearchFunc(s.asked.Fields, path.String(), by); known {
		return &s.asked.Fields[i]
	}
	return nil
}

// written returns a value on one line.
func written(v any) string {
	text, err := json.Marshal(tree.Plain(v))
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// parameters compares the fields that the versions of a template read.
func (p *pair) parameters() {
	path := func(f probe.Field) string { return f.Path }
	for _, m := range partners(p.old.asked.Fields, p.new.asked.Fields, path) {
		var old, new *probe.Field
		if m.A >= 0 {
			old = &p.old.asked.Fields[m.A]
		}
		if m.B >= 0 {
			new = &p.new.asked.Fields[m.B]
		}
		// without a path, the field is in a CR that is looked up, or is the whole CR
		if path, err := refconfig.ParseFieldPath(cmp.Or(old, new).Path); err == nil {
			p.parameter(path, old, new)
		}
	}
}

// explains reports whether a reported change explains that a version reads a field.
func (s *side) explains(f *probe.Field) bool {
	return slices.ContainsFunc(f.Uses, func(u probe.Use) bool { return len(u.Via) == 0 && s.reported[u.At] })
}

// mark records a field and its parents. If a parent is recorded, so are the parents of that.
func mark(fields map[string]bool, path refconfig.FieldPath) {
	for n := len(path) - 1; n > 0; n-- {
		text := key(path[:n])
		if _, noted := fields[text]; noted {
			break
		}
		fields[text] = false
	}
	fields[key(path)] = true
}

// key returns a path with * in place of printed keys.
func key(path refconfig.FieldPath) string {
	path = slices.Clone(path)
	for i := range path {
		if strings.Contains(path[i].Key, "{{") {
			path[i] = refconfig.AnyStep()
		}
	}
	return path.String()
}

// overlap reports whether a path is a recorded field, or a parent or child of one.
func overlap(fields map[string]bool, path refconfig.FieldPath) bool {
	for n := 1; n < len(path); n++ {
		if fields[key(path[:n])] {
			return true
		}
	}
	_, noted := fields[key(path)]
	return noted && len(path) > 0
}

// parameter compares the requirements of a field; old or new is nil if the version does not read it.
func (p *pair) parameter(path refconfig.FieldPath, old, new *probe.Field) {
	isReported := overlap(p.paths, path)
	group, words := May, "has other requirements"
	switch {
	case new == nil:
		if isReported || p.old.explains(old) {
			return
		}
		group, words = Dropped, "is no longer read"
	case old == nil:
		if isReported || p.new.explains(new) {
			return
		}
		words = "is read now"
		if new.Need == probe.Mandatory || len(new.Constraints) > 0 {
			group = Must
		}
	default:
		o, n := *old, *new
		old, new = &o, &n
		if isReported { // the other change reports whether the field is required
			o.Need, o.When, o.Default = n.Need, n.When, n.Default
		}
		if isReported || overlap(p.computed, path) {
			o.Type = n.Type
		}
		// the checks of a field in a changed condition decide whether another field is required
		if old.Need == new.Need && (p.new.explains(new) || p.old.explains(old)) {
			return
		}
		group, words = difference(old, new)
	}
	was, is := aspects(old, new), aspects(new, old)
	if was == "" && is == "" {
		return
	}
	if via := cmp.Or(new, old).Uses[0].Via; len(via) > 0 {
		words += ", in " + strings.Join(via, " > ")
	}
	c := p.add(group, ParameterKind, words, was, is, path.String())
	explained := group
	if group != Must && (old == nil || new == nil) {
		explained = Dropped
	}
	p.reads(p.old, old, new, explained)
	p.reads(p.new, new, old, explained)
	if old != nil {
		c.OldAt = old.Uses[0].At
	}
	if new != nil {
		c.NewAt = new.Uses[0].At
	}
	if p.hides() {
		c.hide()
	}
}

// difference describes how the requirements of a field changed.
func difference(old, new *probe.Field) (group Group, words string) {
	group = May
	if stricter(old, new) {
		group = Must
	}
	switch {
	case old.Need != new.Need && new.Need == probe.Mandatory:
		return group, "is required now"
	case old.Need == probe.Mandatory && new.Need == probe.Optional && replacesEmpty(new):
		return group, "is optional now; the default also replaces an empty value, such as 0, false or \"\""
	case old.Need == probe.Mandatory && new.Need == probe.Optional:
		return group, "is optional now"
	case group == May && len(old.Constraints) > 0:
		return group, "has fewer checks"
	case len(own(new, old)) > 0:
		return group, "has other checks"
	case old.Type != new.Type:
		return group, "must have another type"
	case old.Default == nil && new.Default != nil:
		return group, "has a default now"
	case old.Default != nil && new.Default == nil:
		return group, "no longer has a default"
	case !sameDefault(old, new):
		return group, "has another default"
	}
	return group, "has other requirements"
}

// aspects describes the requirements of a field, only those that differ from the other version if
// there is one.
func aspects(one, other *probe.Field) string {
	if one == nil {
		return ""
	}
	var words []string
	if other == nil || one.Need != other.Need || !slices.Equal(one.When, other.When) {
		words = append(words, string(one.Need))
		if len(one.When) > 0 {
			words[0] = "mandatory where " + strings.Join(one.When, ", or where ")
		}
	}
	if one.Default != nil && (other == nil || !sameDefault(one, other)) {
		words = append(words, "default "+written(*one.Default))
	}
	if one.Type != "" && (other == nil || one.Type != other.Type) {
		words = append(words, one.Type)
	}
	return strings.Join(append(words, each(own(one, other), inspect.Words)...), "; ")
}

// reads records what a change of a field explains in one version: all lines that read the field, and
// the values that only this version compares it with. See side.read for the group.
func (p *pair) reads(s *side, one, other *probe.Field, group Group) {
	if one == nil {
		return
	}
	rank := []Group{Must, Dropped, May, ""}
	for _, u := range one.Uses {
		if slices.Index(rank, group) < slices.Index(rank, s.read[u.At]) {
			s.read[u.At] = group
		}
	}
	if group == Dropped {
		return
	}
	for _, c := range own(one, other) {
		p.values = append(p.values, each(c.Values, written)...)
	}
}

// own returns the constraints that the other version lacks.
func own(one, other *probe.Field) []probe.Constraint {
	if other == nil {
		return one.Constraints
	}
	isShared := func(c probe.Constraint) bool { return slices.ContainsFunc(other.Constraints, c.Same) }
	return slice.Without(one.Constraints, isShared)
}

func sameDefault(a, b *probe.Field) bool {
	return a.Default == b.Default || a.Default != nil && b.Default != nil && tree.Equal(*a.Default, *b.Default)
}

// replacesEmpty reports whether the default of a field replaces an empty value by another.
func replacesEmpty(f *probe.Field) bool { return f.Default != nil && !isEmpty(*f.Default) }

// stricter reports whether a CR that met the old requirements may fail the new ones.
func stricter(old, new *probe.Field) bool {
	needs := []probe.Need{probe.Optional, probe.Computed, probe.Conditional, probe.Mandatory}
	elsewhere := func(w string) bool { return !slices.Contains(old.When, w) }
	return slices.Index(needs, new.Need) > slices.Index(needs, old.Need) ||
		old.Need == probe.Conditional && slices.ContainsFunc(new.When, elsewhere) ||
		new.Type != "" && new.Type != old.Type ||
		(old.Need != probe.Mandatory || replacesEmpty(new)) && !sameDefault(old, new) ||
		!loosened(own(old, new), own(new, old))
}

// loosened reports whether new constraints allow everything that the old ones allowed: each is a
// bound of a length that became weaker.
func loosened(old, new []probe.Constraint) bool {
	return !slices.ContainsFunc(new, func(c probe.Constraint) bool {
		direction := map[string]float64{"maxListLength": 1, "minListLength": -1}[c.By]
		now, isNumber := numberOf(c)
		return !slices.ContainsFunc(old, func(was probe.Constraint) bool {
			before, wasNumber := numberOf(was)
			return was.By == c.By && was.Through == c.Through && isNumber && wasNumber && (now-before)*direction > 0
		})
	})
}

// numberOf returns the only value of a constraint as a number.
func numberOf(c probe.Constraint) (float64, bool) {
	n, err := strconv.ParseFloat(fmt.Sprint(c.Values...), 64)
	return n, err == nil
}
