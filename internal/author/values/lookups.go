package values

import (
	"slices"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/secret"
)

// world has the CRs that lookups find: those of the last round, and those of the input that no
// rendered CR replaces.
type world struct {
	byKind map[[2]string][]found // by apiVersion and kind, in the order of the identities
}

// found is a CR that lookups find.
type found struct {
	id     manifest.ID
	value  [2]map[string]any // the CR, with one of two texts in place of each secret value
	secret bool              // the CR has secret values
	from   *entry            // the entry that rendered the CR; nil for a CR of the input
}

// newWorld returns the CRs that lookups find.
func newWorld(entries []*entry, input []found) *world {
	w := &world{map[[2]string][]found{}}
	rendered := map[manifest.ID]bool{}
	add := func(f found) {
		key := [2]string{f.id.APIVersion, f.id.Kind}
		w.byKind[key] = append(w.byKind[key], f)
	}
	for _, e := range entries {
		if e.value != nil && !rendered[e.id] {
			rendered[e.id] = true
			add(found{id: e.id, value: [2]map[string]any{e.value, e.value}, from: e})
		}
	}
	for _, f := range input {
		if !rendered[f.id] {
			add(f)
		}
	}
	for _, all := range w.byKind {
		slices.SortFunc(all, func(a, b found) int { return manifest.Compare(a.id, b.id) })
	}
	return w
}

// lookup returns the lookup function of an entry. instead is 0 or 1, and selects the text in place
// of secret values in CRs of the input.
func (w *world) lookup(e *entry, instead int) render.Lookup {
	return func(apiVersion, kind, namespace, name string) []map[string]any {
		var all []map[string]any
		for _, f := range w.byKind[[2]string{apiVersion, kind}] {
			if !matches(namespace, f.id.Namespace) || !matches(name, f.id.Name) {
				continue
			}
			if e.hidden = e.hidden || f.secret; f.from != nil {
				e.uses = append(e.uses, f.from)
			}
			all = append(all, f.value[instead])
		}
		return all
	}
}

// matches reports whether an argument of a lookup matches a namespace or a name.
func matches(asked, is string) bool { return asked == "" || asked == "*" || asked == is }

// decoded returns the CRs of the input that templates may look up. It calls fault for each CR that
// cannot be decoded.
func decoded(
	all []*manifest.Object, lookups template.Lookups, searched *secret.Searched, fault func(*manifest.Object, error),
) []found {
	var out []found
	seen := map[manifest.ID]bool{}
	for _, o := range all {
		if seen[o.ID] || !lookups.Matches(o.ID.APIVersion, o.ID.Kind) {
			continue
		}
		seen[o.ID] = true
		v, err := o.Decode()
		if err != nil {
			fault(o, err)
			continue
		}
		one := found{id: o.ID}
		for i, text := range []string{"YQ==", "Yg=="} {
			var redacted any
			redacted, one.secret = secret.Of(v).With(searched).Redact(v, func(any) any { return text })
			one.value[i], _ = redacted.(map[string]any)
		}
		out = append(out, one)
	}
	return out
}
