package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/collector"
)

func TestLayoutsOfSeveralArchivesInOneInput(t *testing.T) {
	root := writeTree(t, map[string]string{
		"a.tgz": string(gz(tarOf(entry{name: "yamls/cluster/v1/nodes.yaml", data: config("n")}))),
		"b.tgz": string(gz(tarOf(entry{name: "x/namespaces/n/core/pods.yaml", data: config("p")}))),
	})
	in := walk(t, Options{Want: Candidate}, root).sum.Inputs[0]
	if in.Layout != collector.SupportBundleKit {
		t.Errorf("layout %q", in.Layout)
	}
	if diff := cmp.Diff([]string{"b.tgz!/x"}, in.Roots); diff != "" {
		t.Error(diff)
	}
	if a, b := in.LayoutOf("a.tgz!/x"), in.LayoutOf("b.tgz!/x"); a != collector.SupportBundleKit || b != collector.Inspect {
		t.Errorf("layouts %q and %q", a, b)
	}
}

func TestPassedOverFilesTellTheLayoutToo(t *testing.T) {
	got := walkBytes(t, Options{}, "x.tar", tarOf(entry{name: "m/event-filter.html", data: "<html>"}, entry{name: "m/namespaces/x/x.yaml", data: config("x")}))
	if got.sum.Inputs[0].Layout != collector.MustGather {
		t.Errorf("layout %q", got.sum.Inputs[0].Layout)
	}
}
