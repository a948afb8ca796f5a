package compare

import (
	"context"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// TestAPanicCostsOneCR checks that a panic fails only its CR, with a code and without quoting
// anything.
func TestAPanicCostsOneCR(t *testing.T) {
	ref, engine := load(t, "../../examples/quickstart/reference")
	in := loadRun(t, "../../examples/quickstart/reference", "../../examples/quickstart/cluster").in
	res, err := Run(
		context.Background(),
		ref,
		engine,
		in,
		Options{Accept: &patch.Request{Targets: []patch.Target{{Template: func(t *refconfig.Template) bool {
			if strings.Contains(string(t.Source), "kind: Deployment") {
				panic("hunter2")
			}
			return false
		}}}}},
	)
	if err != nil || res.Summary.Objects.Error != 1 || len(res.Comparisons) < 3 {
		t.Fatalf("%v, %+v", err, res.Summary)
	}
	for _, c := range res.Comparisons {
		if (c.Error != nil) != (c.Object.Kind == "Deployment") {
			t.Errorf("%s: %v", c.Object, c.Error)
		}
		if c.Error != nil &&
			(c.Template.Path == "" || c.Error.Code != code.Internal || strings.Contains(c.Error.Message, "hunter2")) {
			t.Errorf("%+v", c.Error)
		}
	}
}
