package values

import (
	"context"
	"slices"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// MarkGiven adds to an interface how many CRs are rendered from a values file, and which parameters
// the file sets.
func MarkGiven(ctx context.Context, all *inspect.Interface, ref *refconfig.Reference, engine *render.Engine, f File) {
	entries, _ := plan(ctx, ref, engine, f)
	byTemplate := map[string][]*entry{}
	for _, e := range entries {
		byTemplate[e.template.Ref.Path] = append(byTemplate[e.template.Ref.Path], e)
	}
	for t := range all.Templates() {
		crs := len(byTemplate[t.Path])
		t.CRs = &crs
		follow(ctx, t, byTemplate[t.Path])
		for i := range t.Parameters {
			p := &t.Parameters[i]
			path, err := refconfig.ParseFieldPath(p.Path)
			if err != nil {
				continue
			}
			given, lacking := 0, 0
			known := map[string]bool{}
			for _, e := range byTemplate[t.Path] {
				is, lacks := holds(e.input, path)
				public := e.public()
				if e.hasGroups(p.Groups()) {
					is, lacks = true, false
				}
				if is {
					given++
				}
				for _, at := range tree.Expand(e.given.tree, path) {
					v, there := tree.At(e.given.tree, at)
					text := tree.YAML(v)
					is, _ := tree.At(e.input, at)
					shown, _ := tree.At(public, at)
					if !there || known[text] || !tree.Equal(is, shown) {
						continue
					}
					known[text] = true
					p.Values = append(p.Values, v)
				}
				if lacks && p.Need == probe.Mandatory {
					lacking++
				}
			}
			p.Given, p.Lacking = &given, &lacking
		}
	}
}

// follow restricts a template to what it asks of the CRs of a values file.
func follow(ctx context.Context, t *inspect.Template, entries []*entry) {
	var probes []*probe.Probed
	for _, e := range entries {
		input, _ := e.public().(map[string]any)
		probes = append(probes, probe.ExecuteWith(ctx, e.template.Template, input))
	}
	if len(probes) > 0 && ctx.Err() == nil {
		t.Follow(entries[0].template.Identity, probes)
	}
}

// public returns the data for the template, with null for secret values.
func (e *entry) public() any {
	hide := func(any) any { return nil }
	kind, _ := e.template.Identity.Kind.Exact()
	public, _ := secret.OfKind(kind).Or(secret.Of(e.input)).Redact(e.input, hide)
	return public
}

// holds reports whether a tree has a field in some place, and whether it lacks the field in some
// place. A * in the path matches no place if the list or map is absent; then both results are
// false.
func holds(v any, path refconfig.FieldPath) (is, lacks bool) {
	fixed := len(path) // index of the first step after the last *
	for fixed > 0 && !path[fixed-1].Any {
		fixed--
	}
	for _, above := range tree.Expand(v, path[:fixed]) {
		_, there := tree.At(v, slices.Concat(above, path[fixed:]))
		is, lacks = is || there, lacks || !there
	}
	return is, lacks
}
