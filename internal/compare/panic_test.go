package compare

import (
	"context"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
)

// TestAPanicCostsOneCR: a fault of the tool on one CR leaves the others as they are, is told with its code, and quotes nothing.
func TestAPanicCostsOneCR(t *testing.T) {
	ref, engine := load(t, "../../examples/quickstart/reference")
	in := loadRun(t, "../../examples/quickstart/reference", "../../examples/quickstart/cluster").in
	res, err := Run(context.Background(), ref, engine, in, Options{Each: func(c *Comparison) {
		if c.Object.Kind == "Deployment" {
			panic("hunter2")
		}
	}})
	if err != nil || res.Counts.Error != 1 || len(res.Comparisons) < 3 {
		t.Fatalf("%v, %+v", err, res.Counts)
	}
	for _, c := range res.Comparisons {
		if (c.Err != nil) != (c.Object.Kind == "Deployment") {
			t.Errorf("%s: %v", c.Object, c.Err)
		}
		if c.Err != nil && (c.Err.Code != code.Internal || strings.Contains(c.Err.Message, "hunter2")) {
			t.Errorf("%+v", c.Err)
		}
	}
}
