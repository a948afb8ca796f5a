package values_test

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/author/values"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// filling is a reference whose stub is filled from CRs.
type filling struct {
	name, reference, cluster string
	wrong                    []string       // parts of what is wrong with the values that the CRs give, each once
	by                       map[string]any // values of templates that no CR is compared with
}

// TestStubsFilledFromCRs fills the stubs of the examples from the CRs of their clusters.
func TestStubsFilledFromCRs(t *testing.T) {
	for _, f := range []filling{
		{name: "quickstart", wrong: []string{"quota.yaml: the template needs spec.hard.pods"}, by: map[string]any{"network-policy.yaml": []any{map[string]any{}}}},
		{name: "ran-du", wrong: []string{"sriov/SriovNetwork.yaml: the template needs spec.networkNamespace"}},
		{name: "references/templates", wrong: []string{"radio.yaml: the template needs spec.serial", "more than the 2 allowed"}},
		{name: "references/lookups"},
		{name: "references/inline", wrong: []string{"group threads, (?<threads>[0-9]+), does not match the value", "group version matches different values"}},
		{name: "references/omit"},
		{name: "annotations"},
	} {
		f.reference, f.cluster = "../../../examples/"+f.name+"/reference", "../../../examples/"+f.name+"/cluster"
		t.Run(f.name, f.test)
	}
}

// TestStubsFilledFromPublishedCRs does the same with references and CRs that were published, where
// they lie beside this repository: with every template of them.
func TestStubsFilledFromPublishedCRs(t *testing.T) {
	const shared = "../../../../shared/conformance"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("there are no published references")
	}
	none := []any{map[string]any{}}
	version := []any{map[string]any{"status": map[string]any{"desired": map[string]any{"version": "4.22.1"}}}}
	for _, f := range []filling{
		{name: "core", wrong: []string{"semver: "}, by: map[string]any{
			"ReferenceVersionCheck.yaml": version, "optional/tuning/control-plane-system-reserved.yaml": none, "required/machine-config/cgroup-check.yaml": none,
			"required/platform/infrastructure.yaml": none, "required/machine-config/container-runtime.yaml": []any{map[string]any{
				"metadata": map[string]any{"name": "crun"}, "spec": map[string]any{"machineConfigPoolSelector": map[string]any{"matchLabels": map[string]any{"a": "b"}}}}},
		}},
		{name: "hub", by: map[string]any{"ReferenceVersionCheck.yaml": version}},
	} {
		f.reference, f.cluster = shared+"/references/"+f.name, shared+"/inputs/"+f.name
		t.Run(f.name, f.test)
	}
}

// test fills the stub with what the template of each CR takes, and with the whole of those CRs that
// have no findings. The faults of these values must be those of f.wrong.
func (f filling) test(t *testing.T) {
	ref, engine := given.Load(t, os.DirFS(f.reference), "ref")
	all := inspect.Of(t.Context(), ref, engine, inspect.Options{})
	stub := stubOf(t, all, engine)
	objects := given.Folders(t, f.cluster)
	taken, whole := map[string]any{}, map[string]any{}
	for one := range all.Templates() {
		taken[one.Path], whole[one.Path] = []any{}, []any{}
	}
	opt := compare.Options{Nearest: ref.Format == refconfig.Annotations}
	run, err := compare.Run(t.Context(), ref, engine, compare.Collected{Objects: objects}, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range run.Comparisons {
		i := slices.IndexFunc(objects, func(o *manifest.Object) bool { return o.ID == manifest.ID(c.Object) })
		v, err := objects[i].Decode()
		if err != nil {
			t.Fatal(err)
		}
		v, _ = closed(v).(map[string]any)
		if c.Result == finding.Clean {
			whole[c.Template.Path] = append(whole[c.Template.Path].([]any), v)
		}
		taken[c.Template.Path] = append(taken[c.Template.Path].([]any), filled(t, stub, all, c.Template.Path, v))
	}
	render := func(given map[string]any, wrong []string) int {
		file, faults := values.Parse("values.yaml", []byte(tree.YAML(given)), kubeyaml.Limits{}, engine)
		made, err := values.Render(t.Context(), ref, engine, values.Options{Values: file, Input: objects})
		if err != nil {
			t.Fatal(err)
		}
		faults = append(faults, made.Faults...)
		for _, part := range wrong {
			i := slices.IndexFunc(faults, func(p refconfig.Problem) bool { return strings.Contains(p.Message, part) })
			if i < 0 {
				t.Fatalf("nothing is said of %q", part)
			}
			faults = slices.Delete(faults, i, i+1)
		}
		for _, p := range faults {
			t.Errorf("%s (%s)", p.Error(), p.Code)
		}
		return len(made.CRs)
	}
	render(whole, nil)
	made := render(taken, f.wrong)
	if f.by == nil {
		return
	}
	maps.Copy(taken, f.by)
	for path, items := range taken {
		if len(items.([]any)) == 0 && strings.Contains(f.reference, "conformance") {
			t.Errorf("%s was not tried", path)
		}
	}
	wrong := slice.Without(f.wrong, func(s string) bool { return strings.Contains(s, "semver") })
	if more := render(taken, wrong); more <= made {
		t.Errorf("%d CRs are rendered with values for all templates, and %d without", more, made)
	}
}

// stubOf is the stub of an interface, which can be read.
func stubOf(t *testing.T, all *inspect.Interface, engine *render.Engine) *kubeyaml.Node {
	t.Helper()
	var text bytes.Buffer
	if err := all.Stub(&text); err != nil {
		t.Fatal(err)
	}
	if _, faults := values.Parse("stub", text.Bytes(), kubeyaml.Limits{}, engine); len(faults) > 0 {
		t.Fatalf("%v\n%s", faults, text.String())
	}
	docs, err := kubeyaml.Parse(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return docs[0]
}

// filled is the item of a template in a stub, with what the template takes filled in from a CR.
func filled(t *testing.T, stub *kubeyaml.Node, all *inspect.Interface, path string, from map[string]any) any {
	t.Helper()
	_, list := stub.Field(path)
	item := list.Values[0].Value()
	for one := range all.Templates() {
		for _, p := range one.Parameters {
			field, err := refconfig.ParseFieldPath(p.Path)
			if err != nil || one.Path != path {
				continue
			}
			if i := slices.IndexFunc(field, func(s refconfig.Step) bool { return s.Any || s.Index >= 0 }); i >= 0 {
				field = field[:i]
			}
			if v, there := tree.At(from, field); there && len(field) > 0 {
				item = set(item, field, v)
			}
		}
	}
	return item
}

// closed puts a text in the place of every null, which stands in published CRs for what their users
// have to fill in.
func closed(v any) any {
	switch v := v.(type) {
	case nil:
		return "filled"
	case map[string]any:
		for k, x := range v {
			v[k] = closed(x)
		}
	case []any:
		for i, x := range v {
			v[i] = closed(x)
		}
	}
	return v
}

// set puts a value into a tree, with the maps on its way.
func set(v any, path refconfig.FieldPath, x any) any {
	if len(path) == 0 {
		return x
	}
	m, _ := v.(map[string]any)
	if m == nil {
		m = map[string]any{}
	}
	m[path[0].Key] = set(m[path[0].Key], path[1:], x)
	return m
}
