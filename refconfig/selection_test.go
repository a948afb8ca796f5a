package refconfig_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// choice is a reference with the components base/one, base/two, net/one, net/dns-core and net/a[b].
func choice() *refconfig.Reference {
	ref := &refconfig.Reference{}
	for _, p := range []struct {
		name       string
		components []string
	}{{"base", []string{"one", "two"}}, {"net", []string{"one", "dns-core", "a[b]"}}} {
		part := &refconfig.Part{Name: p.name}
		for _, c := range p.components {
			part.Components = append(part.Components, &refconfig.Component{Name: c, Part: part})
		}
		ref.Parts = append(ref.Parts, part)
	}
	return ref
}

func TestComponentsAreChosenByName(t *testing.T) {
	const all = "base/one base/two net/one net/dns-core net/a[b]"
	for _, c := range []struct{ include, skip, want string }{
		{"", "", all},
		{"one", "", "base/one net/one"},
		{"net/one", "", "net/one"},
		{"net/*", "", "net/one net/dns-core net/a[b]"},
		{"*", "", all},
		{"*/one", "", "base/one net/one"},
		{"dns-*", "", "net/dns-core"},
		{"a[b]", "", "net/a[b]"}, // a name before a glob
		{"net/a[b]", "", "net/a[b]"},
		{"", "one", "base/two net/dns-core net/a[b]"},
		{"net/*", "one two", "net/dns-core net/a[b]"},
		{"base/two net/one", "", "base/two net/one"},
	} {
		ref := choice()
		kept, leftOut, err := ref.Select(strings.Fields(c.include), strings.Fields(c.skip))
		if err != nil {
			t.Errorf("%q without %q: %v", c.include, c.skip, err)
			continue
		}
		var got, not []string
		for _, component := range ref.Components() {
			if kept(component) {
				got = append(got, component.String())
			} else {
				not = append(not, component.String())
			}
		}
		if diff := cmp.Diff(strings.Fields(c.want), got); diff != "" {
			t.Errorf("%q without %q: -want +got:\n%s", c.include, c.skip, diff)
		}
		if diff := cmp.Diff(not, leftOut); diff != "" {
			t.Errorf("%q without %q leaves out: -want +got:\n%s", c.include, c.skip, diff)
		}
	}
}

func TestNamesThatMeanNoComponent(t *testing.T) {
	only := choice()
	only.Parts = only.Parts[:1]
	only.Parts[0].Components = only.Parts[0].Components[:1]
	for _, of := range []*refconfig.Reference{only, {}} {
		want := `no component is called "storage"`
		if len(of.Parts) > 0 {
			want += "; there are base/one"
		}
		if _, _, err := of.Select([]string{"storage"}, nil); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, c := range []struct {
		include, skip string
		code          code.Code
		want          string
	}{
		{"tow", "", code.ComponentUnknown, `no component is called "tow"; did you mean "two"?`},
		{"", "base/ane", code.ComponentUnknown, `no component is called "base/ane"; did you mean "base/one"?`},
		{"net", "", code.ComponentUnknown, `no component is called "net"; it is the name of a part, whose components are "net/*"`},
		{"storage", "", code.ComponentUnknown, `no component is called "storage"; there are base/one, base/two, net/one, net/dns-core, net/a[b]`},
		{"st*", "", code.ComponentUnknown, `no component is called "st*"; there are base/one, base/two, net/one, net/dns-core, net/a[b]`},
		{"tow", "dns", code.ComponentUnknown, `no component is called "tow"; did you mean "two"?` + "\n" +
			`no component is called "dns"; there are base/one, base/two, net/one, net/dns-core, net/a[b]`},
		{"x[", "", code.Usage, `the glob "x[" is malformed; it has a [ without a ], or ends with a \`},
		{"two", "base/*", code.Usage, "no component is left to compare; --skip-component excludes all that --component selects"},
	} {
		_, _, err := choice().Select(strings.Fields(c.include), strings.Fields(c.skip))
		var p refconfig.Problem
		if !errors.As(err, &p) || p.Code != c.code || err.Error() != c.want {
			t.Errorf("%q without %q: %s %v, want %s %s", c.include, c.skip, p.Code, err, c.code, c.want)
		}
	}
}

func TestOverridesExpire(t *testing.T) {
	for _, c := range []struct {
		expires, today string
		want           bool
	}{
		{"2030-01-31", "2030-01-30", false},
		{"2030-01-31", "2030-01-31", false},
		{"2030-01-31", "2030-02-01", true},
		{"2030-01-31", "", false},
		{"", "2030-02-01", false},
	} {
		if got := (refconfig.Override{Expires: c.expires}).Expired(c.today); got != c.want {
			t.Errorf("%q has expired on %q: %v, want %v", c.expires, c.today, got, c.want)
		}
	}
}

func TestOverridesAreReadCompletely(t *testing.T) {
	got, _, problems := refconfig.ParseOverrides("o.yaml", []byte(`
- apiVersion: v1
  kind: ConfigMap
  namespace: shop
  name: settings
  exactMatch: v1_ConfigMap_shop_settings
  templatePath: crs/settings.yaml
  type: mergepatch
  patch: |
    {"data": null}
  reason: agreed on
  expires: 2030-01-31
`))
	want := []refconfig.Override{{
		APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "settings", ExactMatch: "v1_ConfigMap_shop_settings",
		TemplatePath: "crs/settings.yaml", Type: refconfig.MergePatch, Patch: "{\"data\": null}\n", Reason: "agreed on",
		Expires: "2030-01-31", Place: refconfig.Place{File: "o.yaml", Line: 2, Column: 3},
	}}
	if diff := cmp.Diff(want, got); diff != "" || len(problems) != 0 {
		t.Errorf("%v -want +got:\n%s", problems, diff)
	}
}

func TestPairsLeadToTemplates(t *testing.T) {
	ref := &refconfig.Reference{
		Templates: []*refconfig.Template{{Path: "./crs/a.yaml"}, {Path: "crs/a.yaml"}, {Path: "b.yaml"}},
	}
	config := refconfig.DiffConfig{Pairs: []refconfig.ManualPair{
		{
			Object:   "v1_A_x",
			Template: "crs/a.yaml",
		}, {Object: "v1_B_x", Template: "./b.yaml"}, {Object: "v1_C_x", Template: "c.yaml", Place: refconfig.Place{File: "d", Line: 3}},
	}}
	got, problems := config.Resolve(ref)
	if len(got) != 2 || got["v1_A_x"] != ref.Templates[0] || got["v1_B_x"] != ref.Templates[2] {
		t.Errorf("got %v", got)
	}
	if len(problems) != 1 || problems[0].Code != code.ManualPairUnknown || problems[0].Place.String() != "d:3" {
		t.Errorf("problems %v", problems)
	}
}
