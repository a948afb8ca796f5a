package patch

import (
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// depends says why a field is not set.
const depends = "no value was found: what the template expects depends on the present value"

// Fix returns the fix of the object. first is the comparison of Input; nil if it was not compared yet.
//
// A fix sets what drifts or is missing to the value of the reference, and changes nothing else, not
// even extra content. Fix compares the result again until nothing changes, because a template may
// expect more of a complete object. It does not set a field for which the template expects another
// value each time. A fix never contains secret or masked values; it lists their locations.
func (m *Maker) Fix(first *diff.Compared) *finding.Fix {
	const rounds = 8            // of one attempt, and the number of attempts
	moving := map[string]bool{} // fields that kept changing in an earlier attempt
	var times map[string]int    // how often a field changed in this attempt
	var value any
	var last *fixer
	for n := range rounds * rounds {
		t := first
		if n%rounds == 0 {
			value, last, times = m.Input, &fixer{Maker: m}, map[string]int{}
		}
		if n%rounds > 0 || t == nil {
			t = m.Compare(Proposal{Object: mapOf(value)})
		}
		if m.Missing && (t == nil || t.Expected == nil) {
			last.leave(nil, "the template cannot be rendered without the CR, so there may be more to give")
		}
		if t == nil {
			last.leave(nil, "the template cannot be rendered for the changed CR")
			return m.fix(mapOf(value), last)
		}
		last = m.newFixer(t, last)
		last.moving = moving
		next := last.walk.change(t.Tree, value)
		step, differs := difference(value, next)
		if !differs {
			last.told(t)
			last.agrees = t
			return m.fix(mapOf(value), last)
		}
		value = next
		latest := namedBelow(nil, step)
		for _, path := range latest {
			times[path.String()]++
		}
		if n%rounds == rounds-1 {
			unsettled(times, latest, moving)
		}
	}
	last = &fixer{Maker: m}
	last.leave(nil, depends)
	return m.fix(m.Input, last)
}

// unsettled adds the fields that changed several times to the moving ones. If there are none, it adds
// the fields of the latest change.
func unsettled(times map[string]int, latest []refconfig.FieldPath, moving map[string]bool) {
	again := false
	for field, n := range times {
		if n > 1 {
			again, moving[field] = true, true
		}
	}
	if !again {
		for _, path := range latest {
			moving[path.String()] = true
		}
	}
}

func mapOf(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// fix returns the fix with its patch, which is nil if nothing changes.
func (m *Maker) fix(value map[string]any, last *fixer) *finding.Fix {
	holds := m.scope(value).Holds(value)
	out := &finding.Fix{Open: last.open}
	switch {
	case last.secret || holds:
		out.Held = "it has secret data, which is never written to a file"
	case diff.Masked(m.Layout, m.Object.Kind, nil, value):
		out.Held = "the collector masked some of its values, and a mask must not replace a value"
	}
	patch, differs := difference(m.Input, value)
	if differs && !m.Missing && !(holds && m.scope(m.Input).Holds(patch)) { // the patch is a part of the value
		out.Patch = asJSON(patch)
		out.Immutable, out.PatchesMore = unchangeable(finding.Object(m.Object), m.Input, patch)
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

// scope returns which parts of the object are secret.
func (m *Maker) scope(v any) secret.Scope {
	return m.Secrets.Or(secret.Of(v))
}

// lasting returns the object without the fields that the cluster writes. It keeps the status if the
// template expects a part of it. with is the comparison of the object, or nil.
func (m *Maker) lasting(value map[string]any, with *diff.Compared) map[string]any {
	if m.Missing {
		return value
	}
	bare := mapOf(tree.Omit(value, m.Runtime))
	status, has := value["status"]
	if !has {
		return bare
	}
	if with == nil {
		with = m.Compare(Proposal{Object: value})
	}
	if t := m.Compare(Proposal{Object: bare}); t == nil || failures(t) > failures(with) {
		bare["status"] = status
	}
	return bare
}

// failures counts the differences to fix.
func failures(t *diff.Compared) (n int) {
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
// It states lists as a whole. A merge patch cannot set a null in a map; Fix adds none.
func difference(was, is any) (patch any, differs bool) {
	old, wasMap := was.(map[string]any)
	now, isMap := is.(map[string]any)
	switch {
	case tree.Equal(was, is):
		return nil, false
	case !wasMap || !isMap:
		return is, true
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
	return out, true
}
