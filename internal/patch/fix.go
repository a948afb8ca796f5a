package patch

import (
	"strings"

	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/escape"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/secret"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// FixMaker makes fixes for one object.
//
// A fix sets what drifts or is missing to the value of the reference, and changes nothing else, not
// even extra content. It compares the result again until nothing changes, because a template may
// expect more of a complete object. A fix never contains secret or masked values; it lists their
// locations.
type FixMaker struct {
	Object   manifest.ID
	Input    map[string]any // for a missing object: its known identity
	Missing  bool
	Template *refconfig.Template
	Runtime  []refconfig.OmitEntry       // fields that the cluster writes
	Searched *secret.Searched            // remembers which texts hold a Secret
	Layout   string                      // layout of the input, which decides what the collector masks
	First    *Trial                      // the comparison of Input; nil if it was not compared yet
	Compare  func(map[string]any) *Trial // compares another object in its place; nil if that fails
	// a comparison for a missing object that cannot be compared; nil if nothing is known
	Blank func() *Trial
}

// rounds is the maximum number of rounds of a fix, and of new attempts without the fields that kept
// changing.
const rounds = 8

// Make returns the fix of the object. It does not set a field for which the template expects
// another value each time.
func (m *FixMaker) Make() *finding.Fix {
	moving := map[string]bool{}
	for range rounds {
		value, patch, last, settled := m.settle(moving)
		if settled {
			return m.fix(mapOf(value), patch, last)
		}
	}
	last := &mender{FixMaker: m}
	last.leave(nil, depends)
	return m.fix(m.Input, nil, last)
}

// depends says why a field is not set.
const depends = "no value was found: what the template expects depends on the present value"

// settle changes the object until nothing changes any more, without the moving fields, and returns
// the result with the last round. If the changes do not end, it adds the fields that kept
// changing to moving.
func (m *FixMaker) settle(moving map[string]bool) (value, patch any, last *mender, settled bool) {
	value, last = m.Input, &mender{FixMaker: m}
	was := make([]any, 0, rounds)
	for round := range rounds {
		t := m.First
		if round > 0 || t == nil {
			t = m.Compare(mapOf(value))
		}
		if t == nil && m.Missing {
			t = m.Blank()
			last.leave(nil, "the template cannot be rendered without the CR, so there may be more to give")
		}
		if t == nil {
			last.leave(nil, "the template cannot be rendered for the changed CR")
			return value, patch, last, true
		}
		last = m.mender(t, last)
		last.moving = moving
		next := last.walk.change(t.Tree, t.Notes, value)
		step, differs := difference(value, next)
		if !differs {
			last.told(t)
			last.agrees = t
			return value, patch, last, true
		}
		was = append(was, value)
		if value, patch = next, step; round > 0 {
			if patch, differs = difference(m.Input, value); !differs {
				patch = nil
			}
		}
	}
	unsettled(append(was, value), moving)
	return value, patch, last, false
}

// unsettled adds the fields that changed repeatedly in a sequence of values. If there are none, it
// adds the fields of the last change.
func unsettled(values []any, moving map[string]bool) {
	seen := map[string]bool{}
	var again, latest []string
	for i := range values[1:] {
		latest = nil
		step, _ := difference(values[i], values[i+1])
		for _, path := range namedBelow(nil, step) {
			field := path.String()
			if latest = append(latest, field); seen[field] {
				again = append(again, field)
			}
			seen[field] = true
		}
	}
	if len(again) == 0 {
		again = latest
	}
	for _, field := range again {
		moving[field] = true
	}
}

func mapOf(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// fix returns the fix with its patch, which is nil if nothing changes.
func (m *FixMaker) fix(value map[string]any, patch any, last *mender) *finding.Fix {
	holds := m.scope(value).Holds(value)
	out := &finding.Fix{Open: last.open.all, Held: m.held(value, last.secret || holds)}
	if patch != nil && !m.Missing && !(holds && m.scope(m.Input).Holds(patch)) { // the patch is a part of the value
		out.Patch = asJSON(patch)
	}
	if out.Held == "" {
		whole := m.lasting(value, last.agrees)
		if out.CR = tree.YAML(whole); strings.ContainsFunc(out.CR, isHidden) {
			out.CR = asJSON(whole) // JSON is valid YAML, and can escape hidden characters
		}
		if out.CR == "" {
			out.Held = "JSON cannot represent one of its numbers"
		}
	}
	return out
}

// isHidden reports whether a text does not show a character as it is.
func isHidden(r rune) bool {
	return (r < ' ' || r > '~') && r != '\n' && r != '\t' && escape.Hidden(r)
}

// asJSON formats a value as JSON and escapes the characters that a text does not show.
func asJSON(v any) string {
	text, err := escape.IndentedJSON(v, "")
	if err != nil {
		return "" // JSON cannot represent a number
	}
	return string(text) + "\n"
}

// held returns why the whole object is not written, or "" if it may be written.
func (m *FixMaker) held(value map[string]any, holds bool) string {
	switch {
	case holds:
		return "it has secret data, which is never written to a file"
	case m.masked(value, nil):
		return "the collector masked some of its values, and a mask must not replace a value"
	}
	return ""
}

// scope returns which parts of the object are secret.
func (m *FixMaker) scope(v any) secret.Scope {
	return secret.OfKind(m.Object.Kind).Or(secret.Of(v)).With(m.Searched)
}

// masked reports whether the collector replaced a value by a mask.
func (m *FixMaker) masked(v any, path refconfig.FieldPath) bool {
	if m.Layout == "" {
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			if m.masked(x, append(path, refconfig.Key(k))) { // append is safe: masked does not retain the path
				return true
			}
		}
	case []any:
		for i, x := range v {
			if m.masked(x, append(path, refconfig.Step{Index: i})) {
				return true
			}
		}
	case string:
		mask := func(expected any) bool {
			return collector.MaskOf(m.Layout, collector.Value{Kind: m.Object.Kind, Path: path,
				Expected: expected, Found: v}) != collector.NoMask
		}
		return mask(v) || mask(nil)
	}
	return false
}

// lasting returns the object without the fields that the cluster writes. It keeps the status if the
// template expects a part of it. t is the comparison of the object, or nil.
func (m *FixMaker) lasting(value map[string]any, with *Trial) map[string]any {
	if m.Missing {
		return value
	}
	bare := mapOf(tree.Omit(value, m.Runtime))
	status, has := value["status"]
	if !has {
		return bare
	}
	if with == nil {
		with = m.Compare(value)
	}
	if t := m.Compare(bare); t == nil || failures(t) > failures(with) {
		bare["status"] = status
	}
	return bare
}

// failures counts the differences to fix.
func failures(t *Trial) (n int) {
	if t == nil {
		return 0
	}
	for _, d := range t.Differences {
		if fails(d.Category) {
			n++
		}
	}
	return n
}

func fails(c finding.Category) bool { return c == finding.Drift || c == finding.Missing }

// difference returns the merge patch (RFC 7386) from one value to another, and whether they differ.
// It states lists as a whole. A merge patch cannot set a null in a map; Make adds none.
func difference(was, is any) (patch any, differs bool) {
	if isSame(was, is) { // the usual case
		return nil, false
	}
	old, wasMap := was.(map[string]any)
	now, isMap := is.(map[string]any)
	if !wasMap || !isMap {
		return is, !tree.Equal(was, is)
	}
	out := map[string]any{}
	for k := range old {
		if _, stays := now[k]; !stays {
			out[k] = nil
		}
	}
	for k, x := range now {
		before, there := old[k]
		if part, changes := difference(before, x); changes || !there {
			out[k] = part
		}
	}
	return out, len(out) > 0
}
