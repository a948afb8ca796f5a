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

// parameter returns the field of a path, nil if the template does not take it.
func (e *entry) parameter(path refconfig.FieldPath) *inspect.Parameter {
	by := func(p inspect.Parameter, text string) int { return cmp.Compare(p.Path, text) } // which they are sorted by
	if i, known := slices.BinarySearchFunc(e.offer.Parameters, path.String(), by); known {
		return &e.offer.Parameters[i]
	}
	return nil
}

// written is a value on one line.
func written(v any) string {
	text, err := json.Marshal(tree.Plain(v))
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// parameters compares what the versions of a template take from the user.
func (p *pair) parameters() {
	for i := range p.old.offer.Parameters {
		old := &p.old.offer.Parameters[i]
		path, err := refconfig.ParseFieldPath(old.Path)
		if err != nil {
			continue // of a CR that is looked up, or the whole CR
		}
		if new := p.new.parameter(path); new != nil {
			p.parameter(path, old, new)
		} else if !isPattern(old) && !p.isTold(path, old, p.old) {
			p.tellParameter(Change{Group: Dropped, Words: "is not read any more", Old: p.aspects(old, nil, p.old)}, path, old, nil)
		}
	}
	for i := range p.new.offer.Parameters {
		new := &p.new.offer.Parameters[i]
		path, err := refconfig.ParseFieldPath(new.Path)
		if err != nil || p.old.parameter(path) != nil || isPattern(new) || p.isTold(path, new, p.new) {
			continue
		}
		c := Change{Group: May, Words: "is read now", New: p.aspects(new, nil, p.new)}
		if new.Need == render.Mandatory || len(new.Constraints) > 0 {
			c.Group = Must
		}
		p.tellParameter(c, path, nil, new)
	}
}

// isPattern reports whether a field is there for its inline diff function alone.
func isPattern(one *inspect.Parameter) bool {
	return len(held(one)) == 0 && len(held(one)) < len(one.Constraints) && len(one.Uses) == 1
}

// held are the constraints of a field but those of inline diff functions.
func held(one *inspect.Parameter) []render.Constraint {
	return slices.DeleteFunc(
		slices.Clone(one.Constraints),
		func(c render.Constraint) bool { return c.By == "regex" || c.By == "capturegroups" },
	)
}

// isTold reports whether a change that is told already is about a field that only one version
// takes.
func (p *pair) isTold(path refconfig.FieldPath, one *inspect.Parameter, s *side) bool {
	return overlap(p.paths, path) || slices.ContainsFunc(one.Uses, s.toldAt)
}

// toldAt reports whether a use stands on a line of the template that a change tells of.
func (s *side) toldAt(u render.Use) bool { return len(u.Via) == 0 && s.told[u.At] }

// mark notes a field, and those above it: where one of these is noted, those above that are too.
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

// key is a path with * for what an action prints.
func key(path refconfig.FieldPath) string {
	path = slices.Clone(path)
	for i := range path {
		if strings.Contains(path[i].Key, "{{") {
			path[i] = refconfig.Step{Index: -1, Any: true}
		}
	}
	return path.String()
}

// overlap reports whether a path leads to, above or below a field that was noted.
func overlap(fields map[string]bool, path refconfig.FieldPath) bool {
	for n := 1; n < len(path); n++ {
		if fields[key(path[:n])] {
			return true
		}
	}
	_, noted := fields[key(path)]
	return noted && len(path) > 0
}

// parameter compares a field that both versions take.
func (p *pair) parameter(path refconfig.FieldPath, old, new *inspect.Parameter) {
	if overlap(p.paths, path) {
		o, n := *old, *new // a change of the field itself tells whether it has to be there
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
	conditional := slices.ContainsFunc(new.Uses, p.new.toldAt) || slices.ContainsFunc(old.Uses, p.old.toldAt)
	if conditional && old.Need == new.Need { // what it is held against decides whether something else is asked for
		return
	}
	c := Change{Group: Must, Words: "has to be otherwise", Old: before, New: aspects}
	added := slices.ContainsFunc(
		held(new), func(c render.Constraint) bool { return !slices.ContainsFunc(held(old), c.Same) },
	)
	switch {
	case old.Need != new.Need && new.Need == render.Mandatory:
		c.Words = "has to be there now"
	case old.Need == render.Mandatory && new.Need == render.Optional:
		c.Words = "does not have to be there any more"
		if !added {
			c.Group = May
		}
	case len(held(new)) < len(held(old)) && !added && old.Need == new.Need:
		c.Group, c.Words = May, "is held against less"
	case added && old.Need == new.Need && loosened(held(old), held(new)):
		c.Group, c.Words = May, "is held against less"
	case old.Type != new.Type && !added:
		c.Words = "has to be of another type"
	case added:
		c.Words = "is held against something else"
	case old.Default == nil && new.Default != nil:
		c.Words = "has a default now, which is expected without it"
	case old.Default != nil && new.Default == nil:
		c.Words = "has no default any more"
	case old.Default != nil && !tree.Equal(*old.Default, *new.Default):
		c.Words = "has another default, which is expected without it"
	}
	p.tellParameter(c, path, old, new)
}

// aspects say what a field is asked for, as far as the other version asks for something else; all
// of it where there is none.
func (p *pair) aspects(one, other *inspect.Parameter, s *side) string {
	var words []string
	if other == nil || one.Need != other.Need || !slices.Equal(one.When, other.When) {
		words = append(words, string(one.Need))
		if len(one.When) > 0 {
			words[0] = "mandatory where " + strings.Join(one.When, ", or where ")
		}
	}
	if one.Default != nil && (other == nil || other.Default == nil || !tree.Equal(*one.Default, *other.Default)) {
		words = append(words, "default "+written(*one.Default))
	}
	if one.Type != "" && (other == nil || one.Type != other.Type) {
		words = append(words, one.Type)
	}
	for _, c := range held(one) {
		if other == nil || !slices.ContainsFunc(held(other), c.Same) {
			words = append(words, inspect.Words(c))
		}
	}
	text := strings.Join(words, "; ")
	if s.hides() {
		return hidden(text)
	}
	return text
}

// tellParameter takes down a change of a field.
func (p *pair) tellParameter(c Change, path refconfig.FieldPath, old, new *inspect.Parameter) {
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

// reads notes what a change of a field tells of one version: the lines of the template that read
// it, and the values that it is held against in this version only.
func (p *pair) reads(s *side, one, other *inspect.Parameter) {
	for _, u := range one.Uses {
		s.read[u.At] = true
	}
	for _, c := range held(one) {
		if other != nil && slices.ContainsFunc(held(other), c.Same) {
			continue
		}
		for _, v := range c.Values {
			p.values = append(p.values, written(v))
		}
	}
}

// loosened reports whether constraints differ in numbers alone, which leave more room now.
func loosened(old, new []render.Constraint) bool {
	if len(old) != len(new) {
		return false
	}
	for i, c := range new {
		direction := map[string]float64{"maxListLength": 1, "minListLength": -1}[c.By]
		before, isNumber := numberOf(old[i])
		now, areNumbers := numberOf(c)
		if !c.Same(old[i]) &&
			(c.By != old[i].By || c.Through != old[i].Through || !isNumber || !areNumbers ||
				(now-before)*direction <= 0) {
			return false
		}
	}
	return true
}

// numberOf is the only value of a constraint as a number.
func numberOf(c render.Constraint) (float64, bool) {
	n, err := strconv.ParseFloat(fmt.Sprint(c.Values...), 64)
	return n, err == nil
}
