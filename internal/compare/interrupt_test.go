package compare

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/validationtool/validationtool/internal/compare/patch"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

func TestAnInterruptedRunSaysSo(t *testing.T) {
	ref, engine := load(t, "../../examples/quickstart/reference")
	in := loadRun(t, "../../examples/quickstart/reference", "../../examples/quickstart/cluster").in
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	res, err := Run(ctx, ref, engine, in, Options{})
	if err == nil || !res.Interrupted || len(res.Comparisons) != 0 || len(res.Rules) != 0 {
		t.Errorf(
			"%v, interrupted %v, %d comparisons, %d rules", err, res.Interrupted, len(res.Comparisons), len(res.Rules),
		)
	}
	if len(res.Unreadable) != 1 || res.Unreadable[0].Code != code.Interrupted || res.Summary.Unreadable != 1 {
		t.Errorf("%+v", res.Unreadable)
	}
}

// TestAnInterruptedRunLeavesWhatTakesLong interrupts the comparison of a CR that does not end.
func TestAnInterruptedRunLeavesWhatTakesLong(t *testing.T) {
	ref, engine := load(t, "../../examples/quickstart/reference")
	in := loadRun(t, "../../examples/quickstart/reference", "../../examples/quickstart/cluster").in
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	forever := make(chan struct{})
	defer close(forever)
	res, err := Run(
		ctx,
		ref,
		engine,
		in,
		Options{Workers: 1, Accept: &patch.Request{Targets: []patch.Target{{Template: func(*refconfig.Template) bool {
			cancel()
			<-forever
			return false
		}}}}},
	)
	if err == nil || !res.Interrupted || len(res.Unreadable) != 1 || res.Unreadable[0].Code != code.Interrupted {
		t.Errorf("%v: %+v", err, res)
	}
}

// TestInterruptedTemplateIsNoFailure checks that an interrupted template counts neither as
// failed nor as refusing, because then another template would be chosen.
func TestInterruptedTemplateIsNoFailure(t *testing.T) {
	const endless = "{{ if .loop }}{{ range until 10000 }}{{ range until 10000 }}{{ end }}{{ end }}{{ end }}\n"
	head := "apiVersion: v1\nkind: A\nmetadata: {name: \"{{ .metadata.name }}\"}\n"
	ref, engine := loadFiles(t, map[string]string{"a.yaml": head + endless, "b.yaml": head,
		"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: a.yaml}, {path: b.yaml}]}]}]\n"})
	in := Collected{Objects: given.Objects(t, "in.yaml", "apiVersion: v1\nkind: A\nmetadata: {name: a}\n---\n"+
		"apiVersion: v1\nkind: A\nmetadata: {name: b}\nloop: true\n")}
	ctx, cancel := context.WithCancel(t.Context())
	first := func(int, int) { time.AfterFunc(20*time.Millisecond, cancel) }
	in.Inputs = []finding.Input{{Path: "in.yaml"}}
	opt := Options{
		Workers:       1,
		Progress:      first,
		EveryKind:     true,
		ListUnmatched: true,
		Limits:        render.Limits{Steps: math.MaxInt32},
	}
	res, err := Run(ctx, ref, engine, in, opt)
	if err == nil || !res.Interrupted || namesCompared(res) != "/a a.yaml fixed" || res.Comparisons[0].Error != nil {
		t.Errorf("%v, interrupted: %v, compared: %s", err, res.Interrupted, namesCompared(res))
	}
	if len(res.Unmatched)+len(res.Refused)+len(res.Rules) > 0 || len(res.Unreadable) != 1 || res.Unreadable[0].File != "in.yaml" ||
		!strings.Contains(res.Unreadable[0].Message, "1 of 2 CRs was not looked at") {
		t.Errorf(
			"%d unmatched, %d refused, %d rules; %+v",
			len(res.Unmatched),
			len(res.Refused),
			len(res.Rules),
			res.Unreadable,
		)
	}
	study := NewStudy(ctx, ref, engine, in, opt).Object(1)
	if len(study.Attempts) > 0 {
		t.Error("an explanation goes on after the end")
	}
}

// TestRunIsInterruptedBeforeCopiesAreCompared checks that a run is interrupted if it ends
// before all copies were compared, even if all CRs were.
func TestRunIsInterruptedBeforeCopiesAreCompared(t *testing.T) {
	ref, engine := loadFiles(t, map[string]string{"a.yaml": configMap("ns", "a", "k: v"),
		"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{path: a.yaml}]}]}]\n"})
	in := Collected{
		Objects: given.Objects(t, "in.yaml", configMap("ns", "a", "k: v")+"---\n"+configMap("ns", "a", "k: w")),
	}
	ctx, cancel := context.WithCancel(t.Context())
	res, err := Run(ctx, ref, engine, in, Options{Progress: func(int, int) { cancel() }})
	if err == nil || !res.Interrupted || len(res.Comparisons) != 1 {
		t.Errorf("%v, interrupted: %v, %d compared", err, res.Interrupted, len(res.Comparisons))
	}
}
