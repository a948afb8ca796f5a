package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/pack"
)

// TestFixturesAreBounded: fixtures are not compared when all steps are taken, whatever takes them: templates that each looks for, what it is expected to
// come to, what it is compared with besides, and inputs that are linked to, which are read again for each and are given once.
func TestFixturesAreBounded(t *testing.T) {
	const fixtures = 60
	lines := func(n int, format string) string {
		return numbered(n, func(i int) string { return strings.ReplaceAll(format, "%", fmt.Sprint(i)) })
	}
	const metadata = "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: a.yaml}]}]}]\n"
	for name, c := range map[string]struct{ metadata, input, expect, more string }{
		"templates":    {"apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [" + lines(5000, "{path: a.yaml}, ") + "]}]}]\n", "", "verdict: compliant\n", ""},
		"inputs":       {metadata, lines(5000, "# comment %\n"), "verdict: compliant\n", ""},
		"expectations": {metadata, "", "verdict: compliant\ncrs:\n" + lines(1000, "  a%: []\n"), ""},
		"differences":  {metadata, "", "verdict: compliant\ncrs:\n" + lines(300, "  a%: [x]\n"), ""},
		"diff configs": {metadata, "", "options: {diff-config: ../more}\nverdict: compliant\n", "correlationSettings: {manualCorrelation: {correlationPairs: {" + lines(500, "v1_A_b%: a.yaml, ") + "}}}\n"},
		"impact rules": {metadata, "x: 1\n", "options: {impact: ../more}\nverdict: drift\n", "rules:\n" + lines(500, "- {impact: impacting, path: '*.a*b%'}\n")},
	} {
		dir := t.TempDir()
		at := func(name string) string { return filepath.Join(dir, "tests", name) }
		pack.Files(t, dir, map[string]string{"metadata.yaml": c.metadata, "a.yaml": "apiVersion: v1\nkind: A\nmetadata: {name: a}\n", "tests/more": c.more,
			"tests/00/input.yaml": "apiVersion: v1\nkind: A\nmetadata: {name: a}\n" + c.input, "tests/00/expect.yaml": c.expect})
		for i := 1; i < fixtures; i++ {
			to := at(fmt.Sprintf("%02d", i))
			if err := os.Mkdir(to, 0o755); err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{"input.yaml", "expect.yaml"} {
				if err := os.Symlink("../00/"+file, filepath.Join(to, file)); err != nil {
					t.Skip("there are no symbolic links: ", err)
				}
			}
		}
		const beyond = "comparing the fixtures before this one takes all steps"
		if _, out, errs := runIn(t, "", "reference", "test", dir); strings.Contains(out, beyond) || strings.Contains(out, "VT5016") {
			t.Errorf("%s: with the default %.500s", name, out+errs)
		}
		status, out, errs := runIn(t, "", "reference", "test", "--limit", "work=200000", dir)
		if n := strings.Count(out, beyond); status != 2 || n < 1 || n == fixtures || strings.Contains(errs, "VT5016") {
			t.Errorf("%s: exit status %d, %d of %d fixtures are not compared: %.500s", name, status, n, fixtures, out+errs)
		}
	}
}

// TestFixturesShareWhatIsAlike: what is found out about templates is found out once for fixtures with the same options.
func TestFixturesShareWhatIsAlike(t *testing.T) {
	allocated := func(fixtures, templates int) int {
		dir := t.TempDir()
		files := map[string]string{"metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [" +
			numbered(templates, func(i int) string { return fmt.Sprintf("{path: t%d.yaml}, ", i) }) + "]}]}]\n"}
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
