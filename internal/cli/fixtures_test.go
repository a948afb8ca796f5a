package cli

import (
	"fmt"
	"runtime"
	"testing"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// TestFixturesShareWhatIsAlike: what is found out about templates is found out once for fixtures
// with the same options.
func TestFixturesShareWhatIsAlike(t *testing.T) {
	allocated := func(fixtures, templates int) int {
		dir := t.TempDir()
		files := map[string]string{
			"metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [" +
				numbered(templates, func(i int) string { return fmt.Sprintf("{path: t%d.yaml}, ", i) }) + "]}]}]\n",
		}
		for i := range templates {
			files[fmt.Sprintf("t%d.yaml", i)] = fmt.Sprintf("apiVersion: v1\nkind: A\nmetadata: {name: t%d}\n", i)
		}
		for i := range fixtures {
			files[fmt.Sprintf("tests/%d/input.yaml", i)], files[fmt.Sprintf("tests/%d/expect.yaml", i)] = files["t0.yaml"], "verdict: compliant\n"
		}
		pack.Files(t, dir, files)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		runIn(t, "", "reference", "test", dir)
		runtime.ReadMemStats(&after)
		return int(after.TotalAlloc - before.TotalAlloc)
	}
	few, many := allocated(20, 10), allocated(20, 1010)
	one := allocated(1, 1010) - allocated(1, 10)
	if each := (many - few - one) / (19 * 1000); each > 700 {
		t.Errorf("each template takes %d bytes more of each further fixture", each)
	}
}
