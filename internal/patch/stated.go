package patch

import (
	"slices"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/provenance"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// The value of an override replaces what the template printed for a field, and the findings of the
// template about it: the note of such a field is blank. The field is compared with the value of the
// override, so no difference is lost.

// namedBelow returns the fields that a merge patch states at and below a path.
func namedBelow(path refconfig.FieldPath, v any) []refconfig.FieldPath {
	m, ok := v.(map[string]any)
	if !ok || len(m) == 0 && len(path) > 0 {
		return []refconfig.FieldPath{path}
	}
	var paths []refconfig.FieldPath
	for _, k := range tree.Keys(m) {
		paths = append(paths, namedBelow(path.Below(refconfig.Key(k)), m[k])...)
	}
	return paths
}

// leads reports whether a path is the other one or leads to it.
func leads(path, to refconfig.FieldPath) bool {
	if len(path) > len(to) {
		return false
	}
	for i, step := range path {
		if step.Key != to[i].Key || step.Key == "" && step.Index != to[i].Index {
			return false
		}
	}
	return true
}

// state replaces the value by the result of an override, and blanks the notes of the fields that the
// override states.
func (x *Expected) state(value any, stated []refconfig.FieldPath) {
	x.Notes = carry(x.Value, value, x.Notes, stated)
	x.Value = value
	x.Stated = append(x.Stated, stated...)
}

// aboutField reports whether a finding is about the field at its path: a missing key, a code of the
// reference, or a rejection by an API server. Other checks may be about the parents of the field.
func aboutField(c code.Code) bool {
	return c == code.EvalMissingKey || code.IsOwn(c) || code.IsInvalid(c)
}

// Answers returns a function that reports whether overrides settle a finding. Stating a field settles
// the findings about it, but no check of its parents. A finding with a code of the reference is also
// settled if overrides state everything that the object has in the field.
func (x *Expected) Answers() func(f provenance.Finding, found any) bool {
	stated := map[string]bool{}
	for _, p := range x.Stated {
		stated[spelled(p)] = true
	}
	isStated := func(at string) bool { return stated[at] }
	isOpen := func(field refconfig.FieldPath) bool {
		return !stated[""] && !slices.ContainsFunc(prefixes(field), isStated)
	}
	return func(f provenance.Finding, found any) bool {
		switch {
		case f.Path == nil || !aboutField(f.Code):
			return false
		case code.IsOwn(f.Code), code.IsInvalid(f.Code):
			return !slices.ContainsFunc(namedBelow(f.Path, found), isOpen)
		}
		return !isOpen(f.Path)
	}
}

// carry returns the notes of a value after an override, from the notes before it.
func carry(before, after, note any, stated []refconfig.FieldPath) any {
	switch {
	case slices.ContainsFunc(stated, func(p refconfig.FieldPath) bool { return len(p) == 0 }):
		return diff.Noted(provenance.Note{}, after)
	case len(stated) == 0 && tree.Equal(before, after):
		return note
	}
	if b, ok := before.(map[string]any); ok {
		if a, ok := after.(map[string]any); ok && len(a) > 0 {
			return carryMap(b, a, note, stated)
		}
	}
	if b, ok := before.([]any); ok {
		if a, ok := after.([]any); ok && len(a) > 0 {
			return carryList(b, a, note, stated)
		}
	}
	return diff.Noted(provenance.Note{}, after)
}

func carryMap(before, after map[string]any, note any, stated []refconfig.FieldPath) any {
	old, _ := note.(map[string]any)
	notes := make(map[string]any, len(after))
	below := stepsBelow(stated, func(s refconfig.Step) string { return s.Key })
	for k, v := range after {
		was, had := before[k]
		if !had {
			notes[k] = diff.Noted(provenance.Note{}, v)
			continue
		}
		notes[k] = carry(was, v, old[k], below[k])
	}
	return notes
}

func carryList(before, after []any, note any, stated []refconfig.FieldPath) any {
	old, _ := note.([]any)
	notes := make([]any, len(after))
	below := stepsBelow(stated, func(s refconfig.Step) int { return s.Index })
	for _, a := range align.Items(before, after) {
		switch {
		case a.B < 0:
		case a.A < 0:
			notes[a.B] = diff.Noted(provenance.Note{}, after[a.B])
		default:
			var was any
			if a.A < len(old) {
				was = old[a.A]
			}
			notes[a.B] = carry(before[a.A], after[a.B], was, below[a.B])
		}
	}
	return notes
}

// stepsBelow returns the paths without their first steps, by these steps.
func stepsBelow[K comparable](paths []refconfig.FieldPath, key func(refconfig.Step) K) map[K][]refconfig.FieldPath {
	below := map[K][]refconfig.FieldPath{}
	for _, p := range paths {
		k := key(p[0])
		below[k] = append(below[k], p[1:])
	}
	return below
}
