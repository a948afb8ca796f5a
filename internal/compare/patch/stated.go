package patch

import (
	"slices"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

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

// aboutField reports whether a finding is about the field at its path: a missing key, a code of the
// reference, or a rejection by an API server. Other checks may be about the parents of the field.
func aboutField(c code.Code) bool {
	return c == code.EvalMissingKey || code.IsOwn(c) || code.IsInvalid(c)
}

// Answers returns a function that reports whether overrides settle a finding. Stating a field settles
// the findings about it, but no check of its parents. A finding with a code of the reference is also
// settled if overrides state everything that the object has in the field.
func (x *Patched) Answers() func(f provenance.Finding, found any) bool {
	stated := stating(x.fields).stated
	isOpen := func(field refconfig.FieldPath) bool {
		return !slices.ContainsFunc(texts(field), func(at string) bool { return stated[at] })
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
