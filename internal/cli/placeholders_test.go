package cli

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPublishedSourceCRs compares the source CRs of published references with --placeholders. All
// files must be readable, and the findings must be the same as without the option.
func TestPublishedSourceCRs(t *testing.T) {
	const shared, option = "../../../shared/conformance/", "--placeholders"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the published references are not here")
	}
	for name, placeholders := range map[string]string{"core": " (38 by placeholders)", "hub": ""} {
		args := []string{shared + "references/" + name, shared + "inputs/" + name, "--fail-on", "none"}
		status, plain, stderr := outcome(args...)
		if hints := strings.Count(plain, "(VT1042)"); status != 0 || hints != min(1, len(placeholders)) {
			t.Errorf("%s: exit status %d, %d lines about the option\n%s", name, status, hints, stderr)
		}
		status, open, stderr := outcome(append(args, option)...)
		if status != 0 || strings.Contains(open, "Not readable") {
			t.Fatalf("%s: exit status %d\n%s%s", name, status, open, stderr)
		}
		if placeholders != "" && !strings.Contains(open, placeholders) {
			t.Errorf("%s: not%s", name, placeholders)
		}
		if d := cmp.Diff(answers(plain), answers(open)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// answers returns the lines of a report with findings, without those about placeholders.
func answers(report string) []string {
	var lines []string
	for line := range strings.Lines(report) {
		word, _, _ := strings.Cut(line, " ")
		if slices.Contains([]string{"DRIFT", "DRIFT:", "NOT", "FAILED", "RULE"}, word) {
			lines = append(lines, line)
		}
	}
	return lines
}
