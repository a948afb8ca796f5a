package compare

import (
	"context"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
)

func TestAnInterruptedRunSaysSo(t *testing.T) {
	ref, engine := load(t, "../../examples/quickstart/reference")
	in := loadRun(t, "../../examples/quickstart/reference", "../../examples/quickstart/cluster").in
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	res, err := Run(ctx, ref, engine, in, Options{})
	if err == nil || !res.Interrupted || len(res.Comparisons) != 0 || len(res.Rules) != 0 {
		t.Errorf("%v, interrupted %v, %d comparisons, %d rules", err, res.Interrupted, len(res.Comparisons), len(res.Rules))
	}
	if len(res.Unreadable) != 1 || res.Unreadable[0].Code != code.Interrupted || res.Counts.Unreadable != 1 {
		t.Errorf("%+v", res.Unreadable)
	}
}
