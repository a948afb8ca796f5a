package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestNoSecretShowsElsewhere looks for the canaries of TestNoSecretShows in other output:
// explanations, overrides, fixes and fixtures.
func TestNoSecretShowsElsewhere(t *testing.T) {
	besideOthers(t)
	all := plantSecrets(t)
	explained := 0
	explain := func(some planted, subject string, flags ...string) {
		status, out, errs := outcome(slices.Concat(
			[]string{"explain-match", "--all-candidates"}, flags, []string{some.ref, some.in, subject},
		)...)
		if status == 0 {
			explained++
		}
		some.words.noneIn(t, strings.Join(flags, " ")+" "+subject, out+errs)
	}
	for _, kind := range []string{"Secret", "ConfigMap", "ManifestWork", "MachineConfig", "Template"} {
		explain(all, kind, "-p", all.overrides)
		explain(all, kind, "--output", "json")
		explain(all, kind, "--output", "yaml", "--correlation", "nearest", "-p", all.overrides)
	}
	// Each CR and template is explained among a few others, which takes a fraction of the time.
	// The matrix is that of a case in its eight, of a sort of subject, and of options.
	matrix := pack.Matrix(8, 3, 2)
	for some := range slices.Chunk(all.cases, 8) {
		few := plantSecrets(t, some...)
		for _, row := range matrix {
			if row[0] >= len(some) {
				continue
			}
			name := some[row[0]]
			subject := []string{"Secret/app/" + name, "ConfigMap/app/" + name, name + ".yaml"}[row[1]]
			explain(few, subject, [][]string{{"-p", few.overrides}, {"--output", "json"}}[row[2]]...)
		}
	}
	if explained < len(all.cases)/2 {
		t.Errorf("only %d explanations", explained)
	}
	for _, flags := range [][]string{{}, {"-p", all.overrides}, {"--fail-on", "drift,missing,extra"}, {"--correlation", "nearest"}, {"--verbose", "--timings"}, {"--show-secrets", "--fail-on", "drift,missing,extra"}, {"--show-secrets", "-p", all.overrides}} {
		args := append(append([]string{"--output", "overrides", "--override-reason", "why"}, flags...), all.ref, all.in)
		_, out, errs := outcome(args...)
		if !strings.Contains(out, "templatePath: work") {
			t.Errorf("%q: there are no overrides: %.3000s", args, out+errs)
		}
		all.words.noneIn(t, strings.Join(args, " "), out+errs)
	}
	findInFix(t, all)
	findInFixture(t, all)
}

// findInFix looks for canaries in the files of a fix.
func findInFix(t *testing.T, p planted) {
	t.Helper()
	for _, flags := range [][]string{{}, {"--show-secrets"}, {"--show-secrets", "--correlation", "nearest"}} {
		dir := filepath.Join(t.TempDir(), "fix")
		_, out, errs := outcome(slices.Concat([]string{"--output", "fix=" + dir}, flags, []string{p.ref, p.in})...)
		all := out + errs
		for _, f := range folderEntries(t, dir) {
			all += f.Name + "\n" + f.Data
		}
		if strings.Count(all, "held back: it has secret data") < 10 {
			t.Errorf("%q: little is held back: %.3000s", flags, all)
		}
		p.words.noneIn(t, "fix "+strings.Join(flags, " "), all)
	}
}

// findInFixture looks for canaries in what test prints and writes.
func findInFixture(t *testing.T, p planted) {
	t.Helper()
	folder := filepath.Join(p.ref, "tests", "all")
	pack.Files(t, folder, map[string]string{"expect.yaml": "verdict: compliant\n"})
	must(os.CopyFS(filepath.Join(folder, "input"), os.DirFS(p.in)))
	for _, flags := range [][]string{{}, {"--output", "json"}, {"--update"}} {
		_, out, errs := outcome(slices.Concat([]string{"test"}, flags, []string{p.ref})...)
		text, err := os.ReadFile(filepath.Join(folder, "expect.yaml"))
		must(err)
		if strings.Count(out+string(text), "drift data") < 10 {
			t.Errorf("%q: few findings: %.3000s%.3000s", flags, out+errs, text)
		}
		p.words.noneIn(t, strings.Join(flags, " "), out+errs+string(text))
	}
}
