package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestNoSecretShowsElsewhere looks for the canaries of TestNoSecretShows in all that the command prints beside reports:
// explanations, overrides, and what it says of user files that lie in the input.
func TestNoSecretShowsElsewhere(t *testing.T) {
	dir := t.TempDir()
	cases := secretCases()
	canaries := writeSecretCases(t, dir, cases)
	ref, in, accepted := filepath.Join(dir, "ref"), filepath.Join(dir, "in"), filepath.Join(dir, "overrides.yaml")
	subjects := []string{"Secret", "ConfigMap", "ManifestWork", "MachineConfig", "Template"}
	for _, c := range cases {
		subjects = append(subjects, "Secret/app/"+c.name, "ConfigMap/app/"+c.name)
		if c.template != "" {
			subjects = append(subjects, c.name+".yaml")
		}
	}
	explained := 0
	for i, subject := range subjects {
		for _, flags := range [][]string{{"--all-candidates", "-p", accepted}, {"--output", "json", "--all-candidates"}, {"--output", "yaml", "--correlation", "nearest", "--all-candidates", "-p", accepted}} {
			if i > 4 && flags[0] == "--output" && flags[1] == "yaml" {
				continue
			}
			args := append(append([]string{"explain-match"}, flags...), ref, in, subject)
			status, out, errs := runIn(t, "", args...)
			if status == 0 {
				explained++
			}
			findCanaries(t, strings.Join(flags, " ")+" "+subject, out+errs, canaries)
		}
	}
	if explained < len(cases) {
		t.Errorf("only %d explanations", explained)
	}
	for _, flags := range [][]string{{}, {"-p", accepted}, {"--fail-on", "drift,missing,extra"}, {"--correlation", "nearest"}, {"--verbose", "--timings"}, {"--show-secrets", "--fail-on", "drift,missing,extra"}, {"--show-secrets", "-p", accepted}} {
		args := append(append([]string{"--output", "overrides", "--override-reason", "why"}, flags...), ref, in)
		_, out, errs := runIn(t, "", args...)
		if !strings.Contains(out, "templatePath: work") {
			t.Errorf("%q: there are no overrides: %.3000s", args, out+errs)
		}
		findCanaries(t, strings.Join(args, " "), out+errs, canaries)
	}
}
