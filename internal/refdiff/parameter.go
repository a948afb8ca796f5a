package refdiff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/inspect"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// parameter returns the field that a template reads at a path; nil for none.
func (e *entry) parameter(path refconfig.FieldPath) *render.Field {
	by := func(f render.Field, text string) int { return cmp.Compare(f.Path, text) } // the order of the fields
	if i, known := slices.BinarySearchFunc(e.asked.Fields, path.String(), by); known {
		return &e.asked.Fields[i]
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

// parameters compares the fields that both versions of a template read.
func (p *pair) parameters() {
	for i := range p.old.asked.Fields {
		old := &p.old.asked.Fields[i]
		path, err := refconfig.ParseFieldPath(old.Path)
		if err != nil {
			continue // the field is in a CR that is looked up, or is the whole CR
		}
		if new := p.new.parameter(path); new != nil {
			p.parameter(path, old, new)
		} else if !p.isReported(path, old, p.old) {
			p.reportParameter(Change{Group: Dropped, Words: "is no longer read", Old: p.aspects(old, nil, p.old)}, path, old, nil)
		}
	}
	for i := range p.new.asked.Fields {
		new := &p.new.asked.Fields[i]
		path, err := refconfig.ParseFieldPath(new.Path)
		if err != nil || p.old.parameter(path) != nil || p.isReported(path, new, p.new) {
			continue
		}
		c := Change{Group: May, Words: "is read now", New: p.aspects(new, nil, p.new)}
		if new.Need == render.Mandatory || len(new.Constraints) > 0 {
			c.Group = Must
		}
		p.reportParameter(c, path, nil, new)
	}
}

// isReported reports whether a reported change explains a field that only one version reads.
func (p *pair) isReported(path refconfig.FieldPath, one *render.Field, s *side) bool {
	return overlap(p.paths, path) || slices.ContainsFunc(one.Uses, s.reportedAt)
}

// reportedAt reports whether a use is on a line of the template that a change explains.
func (s *side) reportedAt(u render.Use) bool { return len(u.Via) == 0 && s.reported[u.At] }

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
			path[i] = refconfig.Step{Index: -1, Any: true}
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

// parameter compares a field that both versions read.
func (p *pair) parameter(path refconfig.FieldPath, old, new *render.Field) {
	if overlap(p.paths, path) {
		o, n := *old, *new // another change reports whether the field is required
		o.Need, o.When, o.Default, o.Type = n.Need, n.When, n.Default, n.Type
		old, new = &o, &n
	}
	if old.Type != new.Type && overlap(p.computed, path) {
		n := *new
		n.Type, new = old.Type, &n
	}
	aspects, before := p.aspects(new, old, p.new), p.aspects(old, new, p.old)
	if aspects == "" && before == "" {
		return
	}
	conditional := slices.ContainsFunc(new.Uses, p.new.reportedAt) || slices.ContainsFunc(old.Uses, p.old.reportedAt)
	if conditional && old.Need == new.Need { // its checks decide whether another field is required
		return
	}
	c := Change{Group: May, Words: "has other requirements", Old: before, New: aspects}
	if stricter(old, new) {
		c.Group = Must
	}
	switch more := lacking(new.Constraints, old.Constraints); {
	case old.Need != new.Need && new.Need == render.Mandatory:
		c.Words = "is required now"
	case old.Need == render.Mandatory && new.Need == render.Optional:
		c.Words = "is optional now"
	case c.Group == May && len(old.Constraints) > 0:
		c.Words = "has fewer checks"
	case len(more) > 0:
		c.Words = "has other checks"
	case old.Type != new.Type:
		c.Words = "must have another type"
	case old.Default == nil && new.Default != nil:
		c.Words = "has a default now"
	case old.Default != nil && new.Default == nil:
		c.Words = "no longer has a default"
	case !sameDefault(old, new):
		c.Words = "has another default"
	}
	p.reportParameter(c, path, old, new)
}

// aspects describes the requirements of a field, only those that differ from the other version if
// there is one.
func (p *pair) aspects(one, other *render.Field, s *side) string {
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
	for _, c := range own(one, other) {
		words = append(words, inspect.Words(c))
	}
	text := strings.Join(words, "; ")
	if s.hides() {
		return hidden(text)
	}
	return text
}

// reportParameter adds a change of the requirements of a field.
func (p *pair) reportParameter(c Change, path refconfig.FieldPath, old, new *render.Field) {
	c.Kind, c.Paths = ParameterKind, []string{path.String()}
	var via []string
	if old != nil {
		c.OldAt, via = old.Uses[0].At, old.Uses[0].Via
		p.reads(p.old, old, new)
	}
	if new != nil {
		c.NewAt, via = new.Uses[0].At, new.Uses[0].Via
		p.reads(p.new, new, old)
	}
	if len(via) > 0 {
		c.Words += ", in " + strings.Join(via, " > ")
	}
	p.changes = append(p.changes, c)
}

// reads records what a change of a field explains in one version: the lines that read it, and the
// values that only this version compares it with.
func (p *pair) reads(s *side, one, other *render.Field) {
	for _, u := range one.Uses {
		s.read[u.At] = true
	}
	for _, c := range own(one, other) {
		for _, v := range c.Values {
			p.values = append(p.values, written(v))
		}
	}
}

// own returns the constraints that the other version lacks.
func own(one, other *render.Field) []render.Constraint {
	if other == nil {
		return one.Constraints
	}
	return lacking(one.Constraints, other.Constraints)
}

// lacking returns the constraints that are not in others.
func lacking(all, others []render.Constraint) []render.Constraint {
	has := func(c render.Constraint) bool { return slices.ContainsFunc(others, c.Same) }
	return slices.DeleteFunc(slices.Clone(all), has)
}

func sameDefault(a, b *render.Field) bool {
	return a.Default == b.Default || a.Default != nil && b.Default != nil && tree.Equal(*a.Default, *b.Default)
}

// stricter reports whether a CR that met the old requirements may fail the new ones.
func stricter(old, new *render.Field) bool {
	needs := []render.Need{render.Optional, render.Computed, render.Conditional, render.Mandatory}
	elsewhere := func(w string) bool { return !slices.Contains(old.When, w) }
	return slices.Index(needs, new.Need) > slices.Index(needs, old.Need) ||
		old.Need == render.Conditional && slices.ContainsFunc(new.When, elsewhere) ||
		new.Type != "" && new.Type != old.Type ||
		old.Need != render.Mandatory && !sameDefault(old, new) ||
		!loosened(lacking(old.Constraints, new.Constraints), lacking(new.Constraints, old.Constraints))
}

// loosened reports whether new constraints allow everything that the old ones allowed: each is a
// bound of a length that became weaker.
func loosened(old, new []render.Constraint) bool {
	return !slices.ContainsFunc(new, func(c render.Constraint) bool {
		direction := map[string]float64{"maxListLength": 1, "minListLength": -1}[c.By]
		now, isNumber := numberOf(c)
		return !slices.ContainsFunc(old, func(was render.Constraint) bool {
			before, wasNumber := numberOf(was)
			return was.By == c.By && was.Through == c.Through && isNumber && wasNumber && (now-before)*direction > 0
		})
	})
}

// numberOf returns the only value of a constraint as a number.
func numberOf(c render.Constraint) (float64, bool) {
	n, err := strconv.ParseFloat(fmt.Sprint(c.Values...), 64)
	return n, err == nil
}
