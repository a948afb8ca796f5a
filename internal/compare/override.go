package compare

import (
	"encoding/json"
	"fmt"
	"path"
	"sync/atomic"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// overrides are the accepted deviations of a run, with a record of which of them an object used.
type overrides struct {
	active  []refconfig.Override
	used    []atomic.Bool
	expired []refconfig.Override
}

// newOverrides sets those aside that expired before today (2006-01-02).
func newOverrides(all []refconfig.Override, today string) *overrides {
	o := &overrides{}
	for _, one := range all {
		if one.Expired(today) {
			o.expired = append(o.expired, one)
			continue
		}
		o.active = append(o.active, one)
	}
	o.used = newUsed(len(o.active))
	return o
}

func newUsed(n int) []atomic.Bool { return make([]atomic.Bool, n) }

// warnings names the overrides that no object used, and those that expired.
func (o *overrides) warnings() []Warning {
	var out []Warning
	for i, one := range o.active {
		if !o.used[i].Load() {
			out = append(out, Warning{Code: code.OverrideUnused, Place: place(one),
				Message: fmt.Sprintf("the override of %s applied to no CR that was compared", nameOverride(one))})
		}
	}
	for _, one := range o.expired {
		out = append(out, Warning{Code: code.OverrideExpired, Place: place(one),
			Message: fmt.Sprintf("the override of %s expired on %s and is not applied", nameOverride(one), one.Expires)})
	}
	return out
}

// place says where an override stands.
func place(o refconfig.Override) string { return fmt.Sprintf("%s:%d", o.File, o.Line) }

// nameOverride names what an override is for.
func nameOverride(o refconfig.Override) string {
	switch {
	case o.ExactMatch != "":
		return o.ExactMatch
	case o.Name != "":
		return o.Kind + " " + o.Name
	case o.Kind != "":
		return o.Kind
	}
	return "any CR"
}

// meets reports whether an override is for an object compared with a template.
func meets(o refconfig.Override, id manifest.ID, t *refconfig.Template) bool {
	if o.TemplatePath != "" && path.Clean(o.TemplatePath) != path.Clean(t.Path) {
		return false
	}
	if o.ExactMatch != "" {
		return o.ExactMatch == id.Key()
	}
	agree := func(want, have string) bool { return want == "" || want == have }
	return agree(o.APIVersion, id.APIVersion) && agree(o.Kind, id.Kind) && agree(o.Namespace, id.Namespace) && agree(o.Name, id.Name)
}

// apply patches the rendered reference with every override that is for the object.
func (o *overrides) apply(x *expected, input map[string]any, options render.Options) (*Override, *render.Error) {
	options.Secret = &x.secret
	var applied *Override
	for i, one := range o.active {
		if !meets(one, x.object.object.ID, x.template.Ref) {
			continue
		}
		o.used[i].Store(true) // also where it fails, which is told
		kind, patch, err := resolved(one, input, options)
		var value any
		if err == nil {
			x.noteMove(kind, patch)
			value, err = patched(x.value, kind, patch)
		}
		if err != nil && x.secret && !x.clear {
			err = errHidden
		}
		if err != nil {
			return applied, &render.Error{Code: code.EvalOverride, Position: place(one), Message: fmt.Sprintf(
				"the override cannot be applied to %s: %s", x.object.object.ID, err)}
		}
		x.state(x.withoutSecretKeys(value, input), named(kind, patch))
		if applied == nil {
			applied = &Override{File: one.File}
		}
		applied.Reasons = append(applied.Reasons, one.Reason)
	}
	return applied, nil
}

// resolved returns the type and the patch of an override, that of a go-template for this object.
func resolved(o refconfig.Override, input map[string]any, options render.Options) (refconfig.PatchType, string, error) {
	if o.Type != refconfig.GoTemplate {
		return o.Type, o.Patch, nil
	}
	text, err := render.Text(place(o), o.Patch, input, options)
	if err != nil {
		return "", "", err
	}
	return readPatch(text)
}

// patched returns a value with a patch applied.
func patched(v any, kind refconfig.PatchType, patch string) (any, error) {
	switch kind {
	case refconfig.MergePatch:
		p, err := tree.FromJSON([]byte(patch))
		if err != nil {
			return nil, fmt.Errorf("the merge patch is not JSON: %w", err)
		}
		return asMap(tree.Copy(tree.Merge(v, p)))
	case refconfig.JSONPatch:
		p, err := tree.Patch(v, []byte(patch))
		if err != nil {
			return nil, err
		}
		return asMap(p)
	}
	return nil, fmt.Errorf("its template yields an unknown type; it can be %s or %s", refconfig.MergePatch, refconfig.JSONPatch)
}

func asMap(v any) (any, error) {
	if _, ok := v.(map[string]any); !ok {
		return nil, fmt.Errorf("the patch leaves no mapping")
	}
	return v, nil
}

// readPatch reads what a go-template override yields: a mapping with type and patch, where the patch is JSON text or the
// patch itself.
func readPatch(text string) (refconfig.PatchType, string, error) {
	docs, err := manifest.Parse([]byte(text))
	if err != nil {
		return "", "", fmt.Errorf("its template does not yield YAML: %w", err)
	}
	if len(docs) != 1 {
		return "", "", fmt.Errorf("its template yields %d YAML documents where one mapping with type and patch is needed", len(docs))
	}
	m, _ := docs[0].Value().(map[string]any)
	kind, _ := m["type"].(string)
	if s, ok := m["patch"].(string); ok {
		return refconfig.PatchType(kind), s, nil
	}
	patch, err := json.Marshal(m["patch"])
	return refconfig.PatchType(kind), string(patch), err
}
