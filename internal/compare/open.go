package compare

import (
	"fmt"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/overlay"
	"github.com/validationtool/validationtool/internal/placeholder"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// hasOpen reports whether an identity has placeholders, so that it is not known of which object it is.
func hasOpen(id manifest.ID) bool {
	return slices.ContainsFunc([]string{id.APIVersion, id.Namespace, id.Name}, placeholder.In)
}

// wholeOpen returns where the first text at or below a value stands that is nothing but a placeholder.
func wholeOpen(v any, path refconfig.FieldPath) (refconfig.FieldPath, bool) {
	switch v := v.(type) {
	case string:
		return path, v != "" && (v[0] == '$' || v[0] == '{') && placeholder.Whole(v)
	case []any:
		for i, item := range v {
			if at, found := wholeOpen(item, overlay.Extend(path, refconfig.Step{Index: i})); found {
				return at, true
			}
		}
	case map[string]any:
		for _, key := range tree.Keys(v) {
			if at, found := wholeOpen(v[key], overlay.Extend(path, refconfig.Step{Key: key, Index: -1})); found {
				return at, true
			}
		}
	}
	return nil, false
}

// placeholders warns of source CRs, which were compared as if they were of a cluster. A policy, and what else carries CRs, has actions on a
// cluster too.
func (r *run) placeholders() {
	if r.in.Gathered || r.opt.Placeholders {
		return
	}
	var places []refconfig.Place
	for _, c := range r.compared {
		if c.open > 0 && !c.object.Wrapped {
			place := c.object.Place
			place.Line = c.open
			places = append(places, place)
		}
	}
	for _, o := range r.unmatched {
		if hasOpen(o.ID) && r.index.HasKind(o.ID.Kind) {
			places = append(places, o.Place)
		}
	}
	if len(places) == 0 {
		return
	}
	r.warn(code.PlaceholdersOpen, slices.MinFunc(places, refconfig.Place.Compare).String(), fmt.Sprintf(
		"%s placeholders, which are compared as text; --placeholders takes them for values that are not known yet",
		finding.Plural(len(places), "CR has", "CRs have")))
}

// standsAbove reports whether a placeholder stands for the map or list that a path leads into.
func standsAbove(v any, path refconfig.FieldPath) bool {
	for i := range path {
		at, _ := tree.At(v, path[:i])
		if text, ok := at.(string); ok {
			return placeholder.Whole(text)
		}
	}
	return false
}

// open returns the fields of the object that are as expected because of placeholders.
func (a *attempt) open() []refconfig.FieldPath {
	var paths []refconfig.FieldPath
	for _, d := range a.differences {
		if d.Code == code.EvalPlaceholder && d.Input.Present {
			paths = append(paths, d.Path)
		}
	}
	return paths
}
