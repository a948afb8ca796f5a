package compare

import (
	"context"
	"testing"

	"github.com/validationtool/validationtool/internal/accept"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
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
	if len(res.Unreadable) != 1 || res.Unreadable[0].Code != code.Interrupted || res.Summary.Unreadable != 1 {
		t.Errorf("%+v", res.Unreadable)
	}
}

// TestAnInterruptedRunLeavesWhatTakesLong: a CR whose comparison does not end.
func TestAnInterruptedRunLeavesWhatTakesLong(t *testing.T) {
	ref, engine := load(t, "../../examples/quickstart/reference")
	in := loadRun(t, "../../examples/quickstart/reference", "../../examples/quickstart/cluster").in
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	forever := make(chan struct{})
	defer close(forever)
	res, err := Run(ctx, ref, engine, in, Options{Workers: 1, Accept: &accept.Request{Targets: []accept.Target{{Template: func(*refconfig.Template) bool {
		cancel()
		<-forever
		return false
	}}}}})
	if err == nil || !res.Interrupted || len(res.Unreadable) != 1 || res.Unreadable[0].Code != code.Interrupted {
		t.Errorf("%v: %+v", err, res)
	}
}
