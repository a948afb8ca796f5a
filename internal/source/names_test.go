package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnsafeNamesAreReadAndReportedOnce(t *testing.T) {
	entries := []entry{
		{name: "ok.yaml", data: config("ok")}, {name: "../../up.yaml", data: config("up")}, {name: "/abs.yaml", data: config("abs")},
		{name: `D:\x.yaml`, data: config("x")},
	}
	want := []string{`VT1010 up.yaml: the name "../../up.yaml" is unsafe (and 2 more entries of the archive); the content was read; find out where the archive comes from`}
	for _, data := range [][]byte{tarOf(entries...), zipOf(entries...)} {
		got := walkBytes(t, Options{}, "x", data)
		if diff := cmp.Diff([]string{"ok.yaml=ok", "up.yaml=up", "abs.yaml=abs", "x.yaml=x"}, got.names()); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(want, messages(got.sum.Problems)); diff != "" {
			t.Error(diff)
		}
	}
}
