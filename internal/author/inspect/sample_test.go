package inspect_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/value/tree"
)

const example = "../../../examples/references/nested/"

// TestTreesAreTheSamples: the trees of the example have every key of the two samples in the Heat
// specification of nested validation. The table in docs/references.md translates the keys.
func TestTreesAreTheSamples(t *testing.T) {
	for component, name := range []string{"single", "group"} {
		sample, err := os.ReadFile("testdata/nested/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		want := decode(t, sample)
		got := sampled(nestedExample(t).Parts[0].Components[component].Templates[0])
		if diff := cmp.Diff(want, common(got, want)); diff != "" {
			t.Errorf("%s (-sample +tree):\n%s", name, diff)
		}
		if diff := cmp.Diff(want, any(got)); diff != "" && name == "single" {
			t.Errorf("%s has more than the sample (-sample +tree):\n%s", name, diff)
		}
	}
}

// nestedExample returns the interface of the example, with its schemas.
func nestedExample(t *testing.T) *inspect.Interface {
	t.Helper()
	ref, engine := given.Load(t, os.DirFS(example+"reference"), "ref")
	all := inspect.Of(t.Context(), ref, engine, inspect.Options{Nested: true})
	set := &crdschema.Set{}
	for _, o := range given.Folders(t, example+"crd.yaml") {
		if fault := set.AddDefinition(o); fault != nil {
			t.Fatal(fault)
		}
	}
	all.Describe(set)
	all.Join()
	return all
}

// sampled returns a template in the words of the samples.
func sampled(t inspect.Template) map[string]any {
	parameters := map[string]any{}
	for _, p := range t.Parameters {
		if slices.ContainsFunc(p.Uses, func(u probe.Use) bool { return len(u.Via) == 0 }) {
			label := p.Path[strings.LastIndex(p.Path, ".")+1:]
			parameters[label] = parameterOf(probe.Taken{
				Label: label, Type: p.Schema.Type, Description: p.Description, Default: p.Default, Secret: p.Secret,
			})
		}
	}
	return node(map[string]any{"Description": t.Description}, parameters, t.Nested)
}

// node adds the parameters and the nested templates to a node. Items of a list are below a node for
// the list.
func node(out, parameters map[string]any, calls []probe.Nested) map[string]any {
	out["Parameters"] = parameters
	nested := map[string]any{}
	for _, c := range calls {
		below := map[string]any{}
		for _, p := range c.Parameters {
			below[p.Label] = parameterOf(p)
		}
		one := node(map[string]any{"Type": c.Name, "Description": c.About}, below, c.Nested)
		if c.Index == "" {
			nested[c.Field] = one
			continue
		}
		if nested[c.Field] == nil {
			nested[c.Field] = map[string]any{
				"Type": "OS::Heat::ResourceGroup", "Description": "No description",
				"Parameters": map[string]any{}, "NestedParameters": map[string]any{},
			}
		}
		nested[c.Field].(map[string]any)["NestedParameters"].(map[string]any)[c.Index] = one
	}
	if len(nested) > 0 {
		out["NestedParameters"] = nested
	}
	return out
}

func parameterOf(p probe.Taken) map[string]any {
	secret := map[bool]string{true: "true", false: "false"}[p.Secret]
	out := map[string]any{
		"Type": strings.ToUpper(p.Type[:1]) + p.Type[1:], "NoEcho": secret, "Description": p.Description, "Label": p.Label,
	}
	for key, v := range map[string]*any{"Default": p.Default, "Value": p.Value} {
		if v != nil {
			out[key] = *v
		}
	}
	return out
}

// common returns a value without the keys of maps that another value does not have there: a sample
// leaves out the bulk.
func common(v, sample any) any {
	m, isMap := v.(map[string]any)
	wanted, isWanted := sample.(map[string]any)
	if !isMap || !isWanted {
		return v
	}
	out := map[string]any{}
	for _, key := range tree.Keys(m) {
		if in, is := wanted[key]; is {
			out[key] = common(m[key], in)
		}
	}
	return out
}
