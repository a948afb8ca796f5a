package values

import (
	"github.com/validationtool/validationtool/internal/inspect"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

// MarkGiven notes in an interface how many CRs are made of a values file, and which of the parameters it gives to them.
func MarkGiven(all *inspect.Interface, ref *refconfig.Reference, engine *render.Engine, f File) {
	entries, _ := plan(ref, engine, f)
	byTemplate := map[string][]*entry{}
	for _, e := range entries {
		byTemplate[e.template.Ref.Path] = append(byTemplate[e.template.Ref.Path], e)
	}
	for t := range all.Templates() {
		crs := len(byTemplate[t.Path])
		t.CRs = &crs
		for i := range t.Parameters {
			p := &t.Parameters[i]
			path, err := refconfig.ParseFieldPath(p.Path)
			if err != nil {
				continue
			}
			given, lacking := 0, 0
			for _, e := range byTemplate[t.Path] {
				is, lacks := holds(e.input, path)
				if is {
					given++
				}
				if lacks && p.Need == inspect.Mandatory {
					lacking++
				}
			}
			p.Given, p.Lacking = &given, &lacking
		}
	}
}

// holds reports whether a tree has a field, and whether it lacks it: neither where it is to be in items of a list that is not there.
func holds(v any, path refconfig.FieldPath) (is, lacks bool) {
	if len(path) == 0 {
		return true, false
	}
	step := path[0]
	var below []any
	switch c := v.(type) {
	case map[string]any:
		if x, there := c[step.Key]; there {
			below = []any{x}
		}
		if step.Any {
			for _, x := range c {
				below = append(below, x)
			}
		}
	case []any:
		if step.Any {
			below = c
		} else if step.Index >= 0 && step.Index < len(c) {
			below = c[step.Index : step.Index+1]
		}
	}
	if len(below) == 0 {
		return false, !anyStep(path)
	}
	for _, x := range below {
		i, l := holds(x, path[1:])
		is, lacks = is || i, lacks || l
	}
	return is, lacks
}

// anyStep reports whether a path has a step that stands for several fields.
func anyStep(path refconfig.FieldPath) bool {
	for _, s := range path {
		if s.Any {
			return true
		}
	}
	return false
}
