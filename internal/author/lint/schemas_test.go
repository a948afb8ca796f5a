package lint

import (
	"os"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/refconfig"
)

// typedSchemas returns the schemas of the kinds of the reference in testdata/typed.
func typedSchemas(t *testing.T) *crdschema.Set {
	t.Helper()
	set := &crdschema.Set{}
	text, err := os.ReadFile("testdata/crds.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range manifest.Read("crds.yaml", "", text, manifest.Hints{}).Objects {
		if p := set.AddDefinition(o); p != nil {
			t.Fatal(p)
		}
	}
	text, err = os.ReadFile("testdata/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if p := set.AddOpenAPI(refconfig.Place{File: "openapi.json"}, text, kubeyaml.Limits{}); p != nil {
		t.Fatal(p)
	}
	return set
}
