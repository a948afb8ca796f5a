package cli

import (
	"os/exec"
	"strings"
	"testing"
)

// TestVersion tells the release, the commit and its date of a release, and that a binary of the
// tests is none.
func TestVersion(t *testing.T) {
	build := Build{Release: "v1.2.3", Commit: "e5e9197e7c70", Date: "2024-01-02T03:04:05Z"}
	for _, arg := range []string{"version", "--version"} {
		if status, out, errs := outcome(arg); status != exitOK || out != "validationTool (devel)\n" {
			t.Errorf("%d: %s%s", status, out, errs)
		}
		_, out, _ := run(t.Context(), IO{Build: build}, arg)
		if out != "validationTool v1.2.3 (commit e5e9197e7c70, 2024-01-02T03:04:05Z)\n" {
			t.Error(out)
		}
	}
}

// TestManualPage is sound where there is a program that checks such pages.
func TestManualPage(t *testing.T) {
	_, page, _ := run(t.Context(), IO{Build: Build{Release: "v1.2.3", Date: "2024-01-02T03:04:05Z"}}, "man")
	if begin := ".TH \"VALIDATIONTOOL\" 1 \"2024-01-02\" \"validationTool v1.2.3\"\n"; !strings.HasPrefix(page, begin) {
		t.Errorf("it begins with %.200q", page)
	}
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip(err)
	}
	lint := exec.Command(mandoc, "-T", "lint", "-W", "warning")
	lint.Stdin = strings.NewReader(page)
	if out, err := lint.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
