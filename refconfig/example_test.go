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
