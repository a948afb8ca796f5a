package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestNumberOfProcessorsDoesNotChangeTheReport checks that the number of processors does not change the report, each input
// in one format, and with Whole in each.
func TestNumberOfProcessorsDoesNotChangeTheReport(t *testing.T) {
	examples, shared := "../../examples", "../../../shared"
	for i, c := range [][]string{
		{examples + "/ran-du/reference", examples + "/ran-du/must-gather.tar.gz"},
		{examples + "/ran-du/reference", examples + "/ran-du/cluster"},
		{examples + "/quickstart/reference", examples + "/quickstart/cluster"},
		{examples + "/annotations/reference", examples + "/annotations/cluster"},
		{shared + "/conformance/references/core", shared + "/conformance/inputs/core"},
		{shared + "/conformance/references/hub", shared + "/conformance/inputs/hub"},
		{shared + "/conformance/references/core", shared + "/real/must-gather-aws.tar.xz"},
	} {
		t.Run(filepath.Base(c[0])+" "+filepath.Base(c[1]), func(t *testing.T) {
			for _, path := range c {
				if _, err := os.Stat(path); err != nil {
					t.Skip(err)
				}
			}
			for j, format := range []string{"json", "text", "html"} {
				if large := strings.HasSuffix(c[1], ".xz"); j != i%3 && (large || !testkit.Whole()) {
					continue // the large one is the first in JSON
				}
				args := append(c, "-A", "-v", "--show-expected", "-o", format)
				status, want, _ := outcome(args...)
				if status == 2 || len(want) < 1000 {
					t.Fatalf("status %d:\n%s", status, want)
				}
				processors := runtime.GOMAXPROCS(1)
				_, alone, _ := outcome(args...)
				runtime.GOMAXPROCS(processors)
				if diff := cmp.Diff(want, alone); diff != "" {
					t.Errorf("%s, on one processor (-want +got):\n%s", format, diff)
				}
			}
		})
	}
}
