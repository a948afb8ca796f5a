package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/input/collector"
)

func TestLayoutsOfSeveralArchivesInOneInput(t *testing.T) {
	root := testkit.Folder(t, map[string]string{
		"a.tgz": string(testkit.GZ(testkit.Tar(testkit.Entry{Name: "yamls/cluster/v1/nodes.yaml", Data: config("n")}))),
		"b.tgz": string(testkit.GZ(testkit.Tar(testkit.Entry{Name: "x/namespaces/n/core/pods.yaml", Data: config("p")}))),
	})
	in := walk(t, Options{Want: Candidate}, root).sum.Inputs[0]
	if in.Layout != collector.SupportBundleKit {
		t.Errorf("layout %q", in.Layout)
	}
	if diff := cmp.Diff([]string{"b.tgz!/x"}, in.Roots); diff != "" {
		t.Error(diff)
	}
}

func TestPassedOverFilesTellTheLayoutToo(t *testing.T) {
	got := walkBytes(t, Options{}, "x.tar", testkit.Tar(
		testkit.Entry{Name: "m/event-filter.html", Data: "<html>"},
		testkit.Entry{Name: "m/namespaces/x/x.yaml", Data: config("x")},
	))
	if got.sum.Inputs[0].Layout != collector.MustGather {
		t.Errorf("layout %q", got.sum.Inputs[0].Layout)
	}
}
