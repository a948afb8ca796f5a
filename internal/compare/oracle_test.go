package compare

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// This file computes the expected result of a comparison without the code that compares. It omits,
// merges and compares in its own simple and slow way. Only the templates are executed by the
// product.

// spot is a path through decoded values: a string for a key, an int for an element.
type spot []any

func spotOf(p refconfig.FieldPath) spot {
	s := spot{}
	for _, step := range p {
		if step.Key == "" && step.Index >= 0 {
			s = append(s, step.Index)
			continue
		}
		s = append(s, step.Key)
	}
	return s
}

func (s spot) below(step any) spot { return append(s[:len(s):len(s)], step) }

// leadsTo reports whether s is other, or lies above it.
func (s spot) leadsTo(other spot) bool {
	return len(s) <= len(other) && reflect.DeepEqual([]any(s), []any(other[:len(s)]))
}

func (s spot) near(other spot) bool { return s.leadsTo(other) || other.leadsTo(s) }

func (s spot) same(other spot) bool { return len(s) == len(other) && s.leadsTo(other) }

// outOfLists returns the spot as far as the first list on the way: an element may have another
// index on the other side.
func (s spot) outOfLists() spot {
	for i, step := range s {
		if _, ok := step.(int); ok {
			return s[:i]
		}
	}
	return s
}

func (s spot) String() string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint([]any(s)), "[]"), " ", ".")
}

// valueAt follows a spot.
func valueAt(v any, s spot) (any, bool) {
	for _, step := range s {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			next, ok := m[step]
			if !ok {
				return nil, false
			}
			v = next
		case int:
			l, _ := v.([]any)
			if step >= len(l) {
				return nil, false
			}
			v = l[step]
		}
	}
	return v, true
}

// uniform returns a copy in which equal numbers have the same form.
func uniform(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			m[k] = uniform(x)
		}
		return m
	case []any:
		l := []any{}
		for _, x := range v {
			l = append(l, uniform(x))
		}
		return l
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<62 {
			return int64(v)
		}
	}
	return v
}

func alike(a, b any) bool { return reflect.DeepEqual(uniform(a), uniform(b)) }

// alikeAt reports whether two values have the same at a spot, or both nothing.
func alikeAt(a, b any, s spot) bool {
	x, ok1 := valueAt(a, s)
	y, ok2 := valueAt(b, s)
	return ok1 == ok2 && alike(x, y)
}

// omits has the omitted fields.
type omits []refconfig.OmitEntry

// auditOmits returns the fields that are omitted for a template, by the metadata and by the tool.
func auditOmits(ref *refconfig.Reference, t *refconfig.Template) omits {
	own := []string{"metadata.managedFields"}
	if ref.Format == refconfig.Annotations {
		own = append(own, `metadata.annotations."reference-config.openshift.io/attributes"`)
	}
	all := omits(t.Config.Omit)
	for _, text := range own {
		path, err := refconfig.ParseFieldPath(text)
		if err != nil {
			panic(err)
		}
		all = append(all[:len(all):len(all)], refconfig.OmitEntry{Path: path})
	}
	return all
}

// matches reports whether the first steps of an entry lead to a spot.
func (o omits) matches(e refconfig.OmitEntry, s spot) bool {
	for i, step := range s {
		want := e.Path[i]
		switch step := step.(type) {
		case string:
			last := e.Prefix && i == len(e.Path)-1
			if !want.Any && want.Key != step && (!last || !strings.HasPrefix(step, want.Key)) {
				return false
			}
		case int:
			if !want.Any && want.Index != step {
				return false
			}
		}
	}
	return true
}

// names reports whether an entry names the spot itself.
func (o omits) names(s spot) bool {
	for _, e := range o {
		if len(e.Path) == len(s) && len(s) > 0 && o.matches(e, s) {
			return true
		}
	}
	return false
}

// covers reports whether an entry names the spot or one above it.
func (o omits) covers(s spot) bool {
	for n := range s {
		if o.names(s[:n+1]) {
			return true
		}
	}
	return false
}

// passes reports whether an entry names a field below the spot.
func (o omits) passes(s spot) bool {
	for _, e := range o {
		if len(e.Path) > len(s) && o.matches(e, s) {
			return true
		}
	}
	return false
}

// numbered reports whether an entry names an element of a list by its index, which changes when
// elements are added or removed.
func (o omits) numbered(list spot) bool {
	for _, e := range o {
		if len(e.Path) > len(list) && o.matches(e, list) && e.Path[len(list)].Index >= 0 {
			return true
		}
	}
	return false
}

// strip returns a value without the omitted fields.
func (o omits) strip(v any, s spot) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			if o.names(s.below(k)) {
				continue
			}
			y := o.strip(x, s.below(k))
			was, _ := x.(map[string]any)
			if c, ok := y.(map[string]any); ok && len(c) == 0 && len(was) > 0 && o.passes(s.below(k)) {
				continue
			}
			m[k] = y
		}
		return m
	case []any:
		l := []any{}
		for i, x := range v {
			if !o.names(s.below(i)) {
				l = append(l, o.strip(x, s.below(i)))
			}
		}
		return l
	}
	return v
}

// emptied settles the maps without content that one of two stripped sides has. They agree with a
// map that was emptied on the other side, and only the input may have them for nothing.
func (o omits) emptied(s *sides, left, right map[string]any, at spot) {
	for _, k := range slices.Concat(tree.Keys(left), tree.Keys(right)) {
		here := at.below(k)
		l, isLeft := left[k].(map[string]any)
		r, isRight := right[k].(map[string]any)
		if isLeft && isRight {
			o.emptied(s, l, r, here)
		}
		_, inLeft := left[k]
		_, inRight := right[k]
		wasLeft, _ := valueAt(s.whole[0], here)
		wasRight, _ := valueAt(s.whole[1], here)
		switch {
		case !inLeft && isRight && covered(r, wasLeft):
			left[k] = r
		case !inRight && isLeft && covered(l, wasRight):
			right[k] = l
		case !inLeft && isRight && o.passes(here) && covered(r, r):
			delete(right, k)
		}
	}
}

// covered reports whether a value has only maps, and another value has them all.
func covered(v, other any) bool {
	m, ok1 := v.(map[string]any)
	n, ok2 := other.(map[string]any)
	for k, x := range m {
		if !covered(x, n[k]) {
			return false
		}
	}
	return ok1 && ok2
}

// sides are the two values that are compared.
type sides struct {
	raw         map[string]any // what the template rendered
	left, right any
	whole       [2]any // both sides before fields were left out
	omit        omits
	// fields that are told whatever they hold: mandatory keys that are missing, checks that do not
	// hold
	asked    []spot
	apart    int    // findings that belong to no field
	patterns []spot // fields with an inline diff function
	unlike   []spot // those of them whose value is not accepted
	conflict bool   // groups of one name matched different texts
	refused  bool
	err      error
}

// sidesOf renders an object's template and prepares both sides.
func sidesOf(r *run, t *refconfig.Template, object map[string]any) sides {
	c := r.comparer
	rendering, err := c.templates.byRef(t).Execute(object, render.Options{Lookup: c.lookup(&lookedUp{})})
	var refused *render.Refused
	if err != nil {
		return sides{refused: errors.As(err, &refused), err: err}
	}
	s := sides{raw: rendering.Value, left: rendering.Value}
	omit := auditOmits(r.ref, t)
	for path, leaf := range rendering.Node.Leaves() {
		if at := spotOf(path); leaf.HasFinding() && !omit.covers(at) {
			s.asked = append(s.asked, at)
		}
	}
	for _, f := range rendering.Unplaced {
		if !omit.covers(spotOf(f.Path)) {
			s.apart++
		}
	}
	if t.Config.IgnoreUnspecified {
		s.left = s.specified(object, rendering.Value, nil)
	}
	s.inline(t, object)
	s.omit, s.whole = omit, [2]any{s.left, object}
	s.left, s.right = omit.strip(s.left, nil), omit.strip(object, nil)
	if left, ok := s.left.(map[string]any); ok {
		omit.emptied(&s, left, s.right.(map[string]any), nil)
	}
	return s
}

// specified merges the output of a template into the object. A null says that the field must be
// absent, so it stays if the object has the key.
func (s *sides) specified(object, rendered any, at spot) any {
	patch, ok := rendered.(map[string]any)
	if !ok {
		return rendered
	}
	have, _ := object.(map[string]any)
	out := map[string]any{}
	for k, v := range have {
		out[k] = v
	}
	for k, v := range patch {
		_, there := have[k]
		asked := false
		for _, spot := range s.asked {
			asked = asked || spot.same(at.below(k))
		}
		if v != nil || there || asked {
			out[k] = s.specified(have[k], v, at.below(k))
		}
	}
	return out
}

// unlike calls f for every topmost field in which two values differ. A difference inside a list
// counts for the list.
func unlike(left, right any, at spot, f func(at spot, c finding.Category)) {
	l, ok1 := left.(map[string]any)
	r, ok2 := right.(map[string]any)
	if !ok1 || !ok2 {
		if !alike(left, right) && !voidAndEmpty(left, right) {
			f(at, finding.Drift)
		}
		return
	}
	for k, x := range l {
		y, ok := r[k]
		if !ok {
			f(at.below(k), finding.Missing)
			continue
		}
		unlike(x, y, at.below(k), f)
	}
	for k := range r {
		if _, ok := l[k]; !ok {
			f(at.below(k), finding.Extra)
		}
	}
}

// agree reports whether two values are alike, except for what voidAndEmpty accepts.
func agree(left, right any) bool {
	agrees := true
	unlike(left, right, nil, func(spot, finding.Category) { agrees = false })
	return agrees
}

// voidAndEmpty reports whether the reference has null and the input an empty map or list, which agree
// where only a block that printed nothing stands. The audits make no difference.
func voidAndEmpty(left, right any) bool {
	v := reflect.ValueOf(right)
	return left == nil && (v.Kind() == reflect.Map || v.Kind() == reflect.Slice) && v.Len() == 0
}

// rebuilt returns one side of a pair, made from its leaves.
func rebuilt(p *diff.Pair, side func(*diff.Pair) diff.Value) diff.Value {
	switch {
	case p.Children == nil:
		return side(p)
	case p.List:
		l := []any{}
		for _, child := range p.Children {
			if v := rebuilt(child, side); v.Present {
				l = append(l, v.Data)
			}
		}
		return diff.Present(l)
	}
	m := map[string]any{}
	for _, child := range p.Children {
		if v := rebuilt(child, side); v.Present {
			m[child.Step.Key] = v.Data
		}
	}
	return diff.Present(m)
}

// leaves calls f for every pair without children.
func leaves(p *diff.Pair, at spot, f func(p *diff.Pair, at spot)) {
	if p.Children == nil {
		f(p, at)
	}
	for _, child := range p.Children {
		leaves(child, append(at[:len(at):len(at)], spotOf(refconfig.FieldPath{child.Step})...), f)
	}
}

// inPlace reports whether the value of a leaf is at its path: in the input or, if the input lacks
// it, in the reference, unless the path leads through another list.
func inPlace(p *diff.Pair, at spot, s sides) bool {
	if p.Right.Present {
		if v, ok := valueAt(s.right, at); ok && len(at.outOfLists()) == len(at) {
			return alike(v, p.Right.Data)
		}
		v, ok := valueAt(s.whole[1], at)
		return ok && alike(s.omit.strip(v, at), p.Right.Data)
	}
	if len(at.outOfLists()) < len(at)-1 || len(s.unlike) > 0 || s.whole[0] == nil {
		return true
	}
	v, ok := valueAt(s.whole[0], at)
	return ok && alike(s.omit.strip(v, at), p.Left.Data)
}

// category returns the category of a leaf without a finding about it.
func category(p *diff.Pair) finding.Category {
	switch {
	case !p.Right.Present:
		return finding.Missing
	case !p.Left.Present:
		return finding.Extra
	case p.Category == finding.Same && agree(p.Left.Data, p.Right.Data):
		return finding.Same
	case !alike(p.Left.Data, p.Right.Data):
		if p.Code == code.EvalMissingKey && p.Right.Data == nil {
			return finding.Missing
		}
		return finding.Drift
	case p.Variable:
		return finding.Expected
	}
	return finding.Same
}
