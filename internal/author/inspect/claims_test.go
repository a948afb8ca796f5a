package inspect_test

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/template/correlate"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// TestMandatoryAndOptionalFieldsAreSo takes fields out of the CRs of the examples, one by one, and executes the
// templates: what is called mandatory has to be missed then, what is called optional must not be;
// and no template may ask for a field that it is not said to take.
func TestMandatoryAndOptionalFieldsAreSo(t *testing.T) {
	checked := map[probe.Need]int{}
	for _, example := range [][2]string{
		{"ran-du/reference", "ran-du/cluster"}, {"quickstart/reference", "quickstart/cluster"},
		{"references/templates/reference", "references/templates/cluster"}, {"references/lookups/reference", "references/lookups/cluster"},
	} {
		holdClaims(t, "../../../examples/"+example[0], "../../../examples/"+example[1], checked)
	}
	for _, need := range []probe.Need{probe.Mandatory, probe.Optional, "default"} {
		if checked[need] < 3 {
			t.Errorf("%d fields that are %s were taken out", checked[need], need)
		}
	}
}

// TestMandatoryAndOptionalFieldsOfPublishedReferences does the same with references and CRs that were published,
// where they lie beside this repository.
func TestMandatoryAndOptionalFieldsOfPublishedReferences(t *testing.T) {
	const shared = "../../../../shared/conformance"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("there are no published references")
	}
	for _, name := range []string{"core", "hub"} {
		holdClaims(t, shared+"/references/"+name, shared+"/inputs/"+name, map[probe.Need]int{})
	}
}

// holdClaims holds the claims about one reference against the CRs of one folder.
func holdClaims(t *testing.T, reference, cluster string, checked map[probe.Need]int) {
	ref, engine := given.Load(t, os.DirFS(reference), reference)
	claims := map[string][]inspect.Parameter{}
	for one := range inspect.Of(t.Context(), ref, engine, inspect.Options{}).Templates() {
		claims[one.Path] = one.Parameters
	}
	all, decoded := given.Folders(t, cluster), map[manifest.ID]map[string]any{}
	for _, o := range all {
		decoded[o.ID], _ = o.Decode()
	}
	lookup := func(apiVersion, kind, namespace, name string) (found []map[string]any) {
		matches := func(asked, is string) bool { return asked == "" || asked == "*" || asked == is }
		for _, o := range all {
			if o.ID.APIVersion == apiVersion && o.ID.Kind == kind && matches(namespace, o.ID.Namespace) &&
				matches(name, o.ID.Name) {
				found = append(found, decoded[o.ID])
			}
		}
		return found
	}
	index := correlate.New(engine.Templates())
	for id, o := range decoded {
		for _, template := range index.Find(id).Templates {
			claim := claims[template.Ref.Path]
			asked(t, template, o, claim, lookup)
			for _, p := range claim {
				takeOut(t, template, o, p, claim, lookup, checked)
			}
		}
	}
}

// takeOut holds what is claimed of one field.
func takeOut(
	t *testing.T,
	template *render.Template,
	o map[string]any,
	p inspect.Parameter,
	claim []inspect.Parameter,
	lookup render.Lookup,
	checked map[probe.Need]int,
) {
	path, err := refconfig.ParseFieldPath(p.Path)
	if err != nil || p.Path == "the whole CR" || !reads(p) {
		return
	}
	for _, one := range tree.Expand(any(o), path) {
		without := tree.Omit(o, []refconfig.OmitEntry{{Path: one}}).(map[string]any)
		if _, there := tree.At(without, one); there {
			continue // the next element of the list took its place
		}
		needed, ok := asked(t, template, without, claim, lookup)
		if !ok {
			continue
		}
		if p.Default != nil {
			r, err := template.Execute(without, render.Options{Lookup: lookup})
			if v, there := tree.At(r.Value, one); err != nil || there && asJSON(v) != asJSON(*p.Default) {
				t.Errorf("%s: without %s %v is expected, and not %v (%v)", template.Ref.File, one, v, *p.Default, err)
			}
			checked["default"]++
		}
		if _, there := tree.At(without, one[:len(one)-1]); !there &&
			len(needed) == 0 { // no path is told below what a template puts in its place
			other, _ := tree.Set(without, one[:len(one)-1], map[string]any{"other": "x"})
			if kept, isMap := other.(map[string]any); isMap {
				needed, _ = asked(t, template, kept, claim, lookup)
			}
		}
		missed := slices.ContainsFunc(
			needed, func(path string) bool { return path == one.String() || strings.HasPrefix(path, one.String()+".") },
		)
		checked[p.Need]++
		if p.Need == probe.Mandatory && !missed || p.Need == probe.Optional && missed {
			t.Errorf("%s: %s is called %s, and without it %q are missed", template.Ref.File, one, p.Need, needed)
		}
	}
}

func asJSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// reads reports whether a template reads a field, which it does not where the field is only
// compared by a pattern.
func reads(p inspect.Parameter) bool {
	return slices.ContainsFunc(p.Uses, func(u probe.Use) bool { return !strings.Contains(u.At, "metadata.yaml:") })
}

// asked executes a template and returns the fields that it needs and the CR lacks. All that it asks
// for has to be among what is claimed.
func asked(
	t *testing.T, template *render.Template, o map[string]any, claim []inspect.Parameter, lookup render.Lookup,
) ([]string, bool) {
	t.Helper()
	r, err := template.Execute(o, render.Options{Lookup: lookup, Trace: true})
	var refused *render.Refused
	if errors.As(err, &refused) {
		return nil, false
	}
	var needed []string
	for _, a := range r.Trace.Asked {
		if !slices.ContainsFunc(claim, func(p inspect.Parameter) bool { return covers(p.Path, a.Path) }) {
			t.Errorf("%s asks for %s at %s:%d, which it is not said to take", template.Ref.File, a.Path, a.File, a.Line)
		}
		if a.Needed {
			needed = append(needed, a.Path)
		}
	}
	return needed, err == nil
}

// covers reports whether a path of an interface is, or leads below, a field.
func covers(claimed, asked string) bool {
	path, err := refconfig.ParseFieldPath(claimed)
	field, fault := refconfig.ParseFieldPath(asked)
	if err != nil || fault != nil || len(path) < len(field) {
		return false
	}
	for i, s := range field {
		if c := path[i]; !c.Any && c.Key != s.Key {
			return false
		}
	}
	return true
}
