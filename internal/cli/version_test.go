package cli

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestVersion checks the release, the commit and its date, and the text of a build without a
// release.
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

// TestManualPage checks the manual page with mandoc, if it is installed.
func TestManualPage(t *testing.T) {
	_, page, _ := run(t.Context(), IO{Build: Build{Release: "v1.2.3", Date: "2024-01-02T03:04:05Z"}}, "man")
	if begin := ".TH \"VALIDATIONTOOL\" 1 \"2024-01-02\" \"validationTool v1.2.3\"\n"; !strings.HasPrefix(page, begin) {
		t.Errorf("it begins with %.200q", page)
	}
	var sections []string
	for _, m := range regexp.MustCompile(`(?m)^\.SH (.*)$`).FindAllStringSubmatch(page, -1) {
		sections = append(sections, m[1])
	}
	const order = "NAME SYNOPSIS DESCRIPTION COMMANDS OPTIONS EXIT_STATUS ENVIRONMENT FILES EXAMPLES SEE_ALSO LIMITS"
	if got := strings.ReplaceAll(strings.ReplaceAll(strings.Join(sections, ","), " ", "_"), ",", " "); got != order {
		t.Errorf("the sections are %s, want %s", got, order)
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
