package accept

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// overrides writes what is stated as patches: a merge patch, and a JSON patch for what a merge patch cannot say, which is
// a null.
func (g *acceptor) overrides() []refconfig.Override {
	merge := map[string]any{}
	var operations []any
	var added []refconfig.FieldPath
	for _, path := range g.sorted() {
		v, there := tree.At(g.value, path)
		was, _ := tree.At(g.before, path)
		switch {
		case slices.ContainsFunc(added, func(p refconfig.FieldPath) bool { return leads(p, path) }):
		case there && holdsNull(v):
			operations = append(operations, map[string]any{"op": "add", "path": pointer(path), "value": v})
			added = append(added, path)
		case there:
			putStated(merge, path, mergeFrom(was, v))
		default:
			putStated(merge, path, nil)
		}
	}
	var made []refconfig.Override
	if len(merge) > 0 {
		made = appendOverride(made, refconfig.MergePatch, merge)
	}
	if len(operations) > 0 {
		made = appendOverride(made, refconfig.JSONPatch, operations)
	}
	return made
}

// putStated sets a field of a merge patch, unless the patch states a field around it as a whole, or states that field already.
func putStated(patch map[string]any, path refconfig.FieldPath, v any) {
	for _, step := range path[:len(path)-1] {
		next, there := patch[step.Key]
		below, isMap := next.(map[string]any)
		switch {
		case there && !isMap:
			return
		case !there:
			below = map[string]any{}
			patch[step.Key] = below
		}
		patch = below
	}
	key := path[len(path)-1].Key
	if _, there := patch[key]; !there {
		patch[key] = v
	}
}

func appendOverride(made []refconfig.Override, kind refconfig.PatchType, patch any) []refconfig.Override {
	text, err := patchText(patch)
	if err != nil {
		return made
	}
	return append(made, refconfig.Override{Type: kind, Patch: text})
}

// sorted returns the fields to state, those around others first.
func (g *acceptor) sorted() []refconfig.FieldPath {
	sorted := slices.DeleteFunc(slices.Clone(g.stated), func(p refconfig.FieldPath) bool { return len(p) == 0 })
	slices.SortStableFunc(sorted, func(a, b refconfig.FieldPath) int {
		return slices.CompareFunc(a, b, func(x, y refconfig.Step) int { return strings.Compare(x.Key, y.Key) })
	})
	return sorted
}

// mergeFrom returns a merge patch that makes v of what was there.
func mergeFrom(was, v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	old, _ := was.(map[string]any)
	patch := make(map[string]any, len(m))
	for k := range old {
		patch[k] = nil
	}
	for k, x := range m {
		patch[k] = mergeFrom(old[k], x)
	}
	return patch
}

// holdsNull reports whether there is a null at or below a value.
func holdsNull(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		for _, x := range v {
			if holdsNull(x) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, holdsNull)
	}
	return false
}

// pointer writes a path as a JSON pointer.
func pointer(path refconfig.FieldPath) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, step := range path {
		b.WriteByte('/')
		b.WriteString(escape.Replace(step.Key))
	}
	return b.String()
}

// patchText writes a patch as indented JSON.
func patchText(patch any) (string, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(patch); err != nil {
		return "", err
	}
	return text.String(), nil
}

// Twins deals with objects of one identity in several clusters: an override cannot tell them apart, so one stays only where all of
// them need the same.
func Twins(runs []*finding.Run) {
	type twin struct {
		object   finding.Object
		template string
	}
	all := map[twin][]*finding.Comparison{}
	for _, r := range runs {
		for _, c := range r.Comparisons {
			t := twin{c.Object, c.Template.Path}
			all[t] = append(all[t], c)
		}
	}
	for _, twins := range all {
		alike(twins)
	}
}

func alike(twins []*finding.Comparison) {
	made := func(c *finding.Comparison) []refconfig.Override {
		if c.Acceptance == nil {
			return nil
		}
		return c.Acceptance.Overrides
	}
	same := true
	for _, c := range twins[1:] {
		same = same && slices.Equal(made(c), made(twins[0]))
	}
	for i, c := range twins {
		a := c.Acceptance
		switch {
		case a == nil:
		case same && i > 0:
			a.Overrides = nil // the first one has them
		case !same && len(a.Overrides) > 0:
			a.Overrides = nil
			a.Left = []finding.NotAccepted{{Message: "several clusters of the input have a CR of this name, and an override cannot tell them apart"}}
		}
	}
}
