package compare

import (
	"encoding/json"
	"fmt"
	"path"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/correlate"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// overrides are the accepted deviations of a run. It is not modified after it was made.
type overrides struct {
	all   []refconfig.Override
	today string // the date (2006-01-02) that they expire by
}

// usedOverride is an override that is for an object.
type usedOverride struct {
	index    int  // among all
	obsolete bool // so it was not applied
}

// selected returns which overrides are for an object compared with a template: of those that fit the object, the ones that
// name it exactly, else the ones that name the most specific fields of it; and of these, the ones for the template. Those
// that expired count as if they were not there.
func (o *overrides) selected(id manifest.ID, t *refconfig.Template) []usedOverride {
	var out []usedOverride
	for _, i := range o.group(id) {
		if isFor(o.all[i], t) {
			out = append(out, usedOverride{index: i})
		}
	}
	return out
}

// group returns the most specific overrides that fit an object, whatever the template.
func (o *overrides) group(id manifest.ID) []int {
	var group []int
	for i, one := range o.all {
		if one.Expired(o.today) || !meets(one, id) {
			continue
		}
		if len(group) > 0 && specificity(one) < specificity(o.all[group[0]]) {
			group = nil
		}
		if len(group) == 0 || specificity(one) == specificity(o.all[group[0]]) {
			group = append(group, i)
		}
	}
	return group
}

// specificity orders overrides by what they name of an object, the most specific first.
func specificity(o refconfig.Override) int {
	const kindless = 100 // behind all that name a kind
	if o.ExactMatch != "" {
		return -1
	}
	var fields correlate.Field
	for _, f := range []struct {
		value string
		field correlate.Field
	}{{o.APIVersion, correlate.APIVersion}, {o.Kind, correlate.Kind}, {o.Namespace, correlate.Namespace}, {o.Name, correlate.Name}} {
		if f.value != "" {
			fields |= f.field
		}
	}
	rank := (fields | correlate.Kind).Rank()
	if o.Kind == "" {
		rank += kindless
	}
	return rank
}

// states says what became of each override, in their order, as the comparisons tell it.
func (o *overrides) states(comparisons []*compared) []finding.OverrideUse {
	var all []finding.OverrideUse
	index := map[string]int{}
	for _, one := range o.all {
		use := finding.OverrideUse{File: one.Place.File, Line: one.Place.Line, Index: index[one.Place.File], Reason: one.Reason,
			State: finding.OverrideUnused, Objects: []finding.Object{}}
		if one.Expired(o.today) {
			use.State = finding.OverrideExpired
		}
		index[one.Place.File]++
		all = append(all, use)
	}
	for _, c := range comparisons {
		for _, u := range c.overrides {
			use := &all[u.index]
			switch {
			case !u.obsolete && use.State != finding.OverrideUsed:
				use.State, use.Objects = finding.OverrideUsed, []finding.Object{}
			case u.obsolete && use.State == finding.OverrideUnused:
				use.State = finding.OverrideObsolete
			}
			if (use.State == finding.OverrideObsolete) == u.obsolete {
				use.Objects = append(use.Objects, c.Object)
			}
		}
	}
	return all
}

// warnings names the overrides that were not applied to anything, as their states tell.
func (o *overrides) warnings(states []finding.OverrideUse) []finding.Warning {
	var out []finding.Warning
	for i, one := range o.all {
		w := finding.Warning{Place: place(one)}
		switch name := nameOverride(one); states[i].State {
		case finding.OverrideUnused:
			w.Code, w.Message = code.OverrideUnused, fmt.Sprintf("the override of %s applied to no CR that was compared", name)
		case finding.OverrideExpired:
			w.Code, w.Message = code.OverrideExpired, fmt.Sprintf("the override of %s expired on %s and is not applied", name, one.Expires)
		case finding.OverrideObsolete:
			w.Code, w.Message = code.OverrideObsolete, fmt.Sprintf(
				"the override of %s is obsolete, delete it: the CR agrees with the reference without it, so it was not applied", name)
		default:
			continue
		}
		out = append(out, w)
	}
	return out
}

// place says where an override stands.
func place(o refconfig.Override) string {
	return refconfig.Place{File: o.Place.File, Line: o.Place.Line}.String()
}

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

// meets reports whether an override fits an object.
func meets(o refconfig.Override, id manifest.ID) bool {
	if o.ExactMatch != "" {
		return o.ExactMatch == id.Key()
	}
	agree := func(want, have string) bool { return want == "" || want == have }
	return agree(o.APIVersion, id.APIVersion) && agree(o.Kind, id.Kind) && agree(o.Namespace, id.Namespace) && agree(o.Name, id.Name)
}

// isFor reports whether an override may be for objects compared with a template.
func isFor(o refconfig.Override, t *refconfig.Template) bool {
	return o.TemplatePath == "" || path.Clean(o.TemplatePath) == path.Clean(t.Path)
}

// override patches the rendered reference of an attempt with the overrides that are for the object, but for those that are
// obsolete. Each of them is held by itself against the reference as it was rendered.
func (r *run) override(a *attempt, x *expected, input map[string]any, o *overrides) *render.Error {
	a.overrides = o.selected(x.object.object.ID, x.template.Ref)
	if len(a.overrides) == 0 {
		return nil
	}
	plain := r.unpatched(x, input)
	if plain.mended() {
		for i := range a.overrides {
			a.overrides[i].obsolete = true
		}
		return nil
	}
	for i := range a.overrides {
		one := o.all[a.overrides[i].index]
		obsolete, err := r.applyOverride(one, x, input, plain)
		if err != nil {
			return &render.Error{Code: code.EvalOverride, Position: place(one), Message: fmt.Sprintf(
				"the override cannot be applied to %s: %s", x.object.object.ID, err)}
		}
		if a.overrides[i].obsolete = obsolete; obsolete {
			continue
		}
		if a.override == nil {
			a.override = &finding.Override{File: one.Place.File}
		}
		a.override.Reasons = append(a.override.Reasons, one.Reason)
	}
	if a.override != nil {
		x.readNames()
	}
	return nil
}

// readNames reads the name and the namespace of a reference that an override patches as YAML reads what the template printed. An
// override is about the rendered reference as the API server would get it, where a name without quotes that looks like a number is
// one. Elsewhere a printed value keeps its type.
func (x *expected) readNames() {
	for _, key := range []string{"name", "namespace"} {
		path := refconfig.FieldPath{{Key: "metadata", Index: -1}, {Key: key, Index: -1}}
		found, _ := tree.At(x.notes, path)
		note, _ := found.(render.Note)
		value, _ := tree.At(x.value, path)
		text, isText := value.(string)
		if !note.Kept || !isText {
			continue
		}
		x.value, _ = tree.Set(x.value, path, manifest.Resolve(text, manifest.Plain, ""))
		note.Variable, note.Finding = false, &render.Finding{Path: path,
			Message: "the template prints it without quotes, so it is no text in the reference that the override patches; put quotes around the action"}
		x.notes, _ = tree.Set(x.notes, path, note)
	}
}

// applyOverride patches the rendered reference with one override, unless it is obsolete. An error holds nothing secret.
func (r *run) applyOverride(one refconfig.Override, x *expected, input map[string]any, plain *unpatched) (obsolete bool, err error) {
	secret := false
	defer func() {
		if err != nil && (x.secret || secret) && !x.clear {
			err = errHidden
		}
	}()
	options := r.rendering()
	options.Secret = &secret
	kind, patch, err := resolved(one, input, options)
	if err != nil {
		return false, err
	}
	if plain.obsolete(kind, patch) {
		return true, nil
	}
	x.secret = x.secret || secret
	x.noteMove(kind, patch)
	value, err := patched(x.value, kind, patch)
	if err != nil {
		return false, err
	}
	x.state(x.withoutSecretKeys(value, input), named(kind, patch))
	return false, nil
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
