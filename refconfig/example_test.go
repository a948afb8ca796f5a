package refconfig_test

import (
	"fmt"
	"testing/fstest"

	"github.com/validationtool/validationtool/refconfig"
)

func ExampleLoad() {
	fsys := fstest.MapFS{
		"metadata.yaml": {Data: []byte(`
apiVersion: v2
parts:
  - name: shop
    components:
      - name: storefront
        allOf:
          - path: deployment.yaml
          - path: service.yaml
`)},
		"deployment.yaml": {Data: []byte("apiVersion: apps/v1\nkind: Deployment\n")},
		"service.yaml":    {Data: []byte("apiVersion: v1\nkind: Service\n")},
	}
	ref, problems := refconfig.Load(fsys, ".", refconfig.LoadOptions{Name: "my-reference"})
	for _, p := range problems {
		fmt.Println(p.Code, p)
	}
	for _, t := range ref.Templates {
		fmt.Println(t.Component, t.Path, t.File)
	}
	onlyTheService := func(t *refconfig.Template) bool { return t.Path == "service.yaml" }
	for _, v := range ref.Evaluate(onlyTheService, nil) {
		fmt.Println(v.Component, v.Rule, v.Message, v.Templates[0].Path)
	}
	// Output:
	// shop/storefront deployment.yaml my-reference/deployment.yaml
	// shop/storefront service.yaml my-reference/service.yaml
	// shop/storefront allOf missing CRs deployment.yaml
}

func ExampleParseFieldPath() {
	path, err := refconfig.ParseFieldPath(`metadata.annotations."example.com/note"`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(path), path[2].Key)
	// Output: 3 example.com/note
}

// Loading goes on after a fault, so that all of them are named, each with its place.
func ExampleLoad_faults() {
	fsys := fstest.MapFS{
		"metadata.yaml": {Data: []byte(`apiVersion: v2
parts:
  - name: shop
    components:
      - name: storefront
        alOf:
          - path: deployment.yaml
      - name: data
        allOf:
          - path: claim.yaml
`)},
	}
	_, problems := refconfig.Load(fsys, ".", refconfig.LoadOptions{})
	for _, p := range problems {
		fmt.Println(p.Code, p)
	}
	// Output:
	// VT2005 metadata.yaml:6:9: unknown key "alOf" in a component; did you mean "allOf"?
	// VT2014 metadata.yaml:10:19: the template "claim.yaml" does not exist; it should be claim.yaml
}

// Components are chosen by name or glob, those to leave out as well.
func ExampleReference_Select() {
	fsys := fstest.MapFS{
		"metadata.yaml": {Data: []byte(`apiVersion: v2
parts:
  - name: shop
    components:
      - name: storefront
        allOf: [{path: service.yaml}]
      - name: storage
        allOf: [{path: claim.yaml}]
`)},
		"service.yaml": {Data: []byte("apiVersion: v1\nkind: Service\n")},
		"claim.yaml":   {Data: []byte("apiVersion: v1\nkind: PersistentVolumeClaim\n")},
	}
	ref, _ := refconfig.Load(fsys, ".", refconfig.LoadOptions{})
	keep, leftOut, err := ref.Select([]string{"shop/s*"}, []string{"storage"})
	fmt.Println(leftOut, err)
	nothing := func(*refconfig.Template) bool { return false }
	for _, v := range ref.Evaluate(nothing, keep) {
		fmt.Println(v.Component, v.Message)
	}
	// Output:
	// [shop/storage] <nil>
	// shop/storefront missing CRs
}

// A diff config pairs CRs with templates by hand.
func ExampleParseDiffConfig() {
	fsys := fstest.MapFS{
		"metadata.yaml": {
			Data: []byte(
				"apiVersion: v2\nparts: [{name: shop, components: [{name: settings, allOf: [{path: settings.yaml}]}]}]\n",
			),
		},
		"settings.yaml": {Data: []byte("apiVersion: v1\nkind: ConfigMap\n")},
	}
	ref, _ := refconfig.Load(fsys, ".", refconfig.LoadOptions{})
	config, problems := refconfig.ParseDiffConfig("pairs.yaml", []byte(`correlationSettings:
  manualCorrelation:
    correlationPairs:
      v1_ConfigMap_shop_old-settings: settings.yaml
      v1_ConfigMap_shop_gone: gone.yaml
`))
	pairs, more := config.Resolve(ref)
	fmt.Println(pairs["v1_ConfigMap_shop_old-settings"].Path)
	for _, p := range append(problems, more...) {
		fmt.Println(p.Code, p)
	}
	// Output:
	// settings.yaml
	// VT1016 pairs.yaml:5:7: the reference has no template "gone.yaml"
}

// Overrides are deviations that are accepted, until a day.
func ExampleParseOverrides() {
	overrides, warnings, faults := refconfig.ParseOverrides("accepted.yaml", []byte(`- apiVersion: v1
  kind: ConfigMap
  namespace: shop
  name: settings
  reason: agreed with the shop
  expires: 2030-01-31
  type: mergepatch
  patch: '{"data": {"LOG_FORMAT": "text"}}'
`))
	fmt.Println(len(warnings), len(faults))
	for _, o := range overrides {
		fmt.Println(o.Reason, o.Expired("2030-01-31"), o.Expired("2030-02-01"))
	}
	// Output:
	// 0 0
	// agreed with the shop false true
}

// An entry of fieldsToOmit matches a field, and with isPrefix all that begins like it.
func ExampleOmitEntry_Match() {
	path, _ := refconfig.ParseFieldPath(`metadata.labels."operators.coreos.com/"`)
	field, _ := refconfig.ParseFieldPath(`metadata.labels."operators.coreos.com/sriov"`)
	fmt.Println(
		refconfig.OmitEntry{Path: path}.Match(field), refconfig.OmitEntry{Path: path, Prefix: true}.Match(field),
	)
	// Output: false true
}
