package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

func TestUnsafeNamesAreReadAndReportedOnce(t *testing.T) {
	entries := []testkit.Entry{
		{
			Name: "ok.yaml",
			Data: config("ok"),
		}, {Name: "../../up.yaml", Data: config("up")}, {Name: "/abs.yaml", Data: config("abs")},
		{Name: `D:\x.yaml`, Data: config("x")},
	}
	want := []string{
		`VT1010 up.yaml: the entry name "../../up.yaml" is unsafe (and 2 more); the content was read; find out who made the archive`,
	}
	for _, data := range [][]byte{testkit.Tar(entries...), zipOf(entries...)} {
		got := walkBytes(t, Options{}, "x", data)
		if diff := cmp.Diff([]string{"ok.yaml=ok", "up.yaml=up", "abs.yaml=abs", "x.yaml=x"}, got.names()); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(want, messages(got.sum.Problems)); diff != "" {
			t.Error(diff)
		}
	}
}
