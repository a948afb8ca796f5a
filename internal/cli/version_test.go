package cli

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"testing"
)

// TestVersion tells the release, the commit and its date of a release, and that a binary of the
// tests is none.
func TestVersion(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}} {
		if status, out, errs := outcome(args...); status != exitOK || out != "validationTool (devel)\n" {
			t.Errorf("%d: %s%s", status, out, errs)
		}
		var out bytes.Buffer
		Run(context.Background(), append([]string{"validationTool"}, args...), IO{Out: &out, Err: &out, Env: noEnv,
			Build: Build{Release: "v1.2.3", Commit: "e5e9197e7c70", Date: "2024-01-02T03:04:05Z"}})
		if want := "validationTool v1.2.3 (commit e5e9197e7c70, 2024-01-02T03:04:05Z)\n"; out.String() != want {
			t.Errorf("%s", out.String())
		}
	}
}

// TestManualPage is sound where there is a program that checks such pages.
func TestManualPage(t *testing.T) {
	var out bytes.Buffer
	Run(
		context.Background(),
		[]string{"validationTool", "man"},
		IO{Out: &out, Err: &out, Env: noEnv, Build: Build{Release: "v1.2.3", Date: "2024-01-02T03:04:05Z"}},
	)
	page := out.String()
	if begin := ".TH \"VALIDATIONTOOL\" 1 \"2024-01-02\" \"validationTool v1.2.3\"\n"; !strings.HasPrefix(page, begin) {
		t.Errorf("it begins with %.200q", page)
	}
	mandoc, err := exec.LookPath("mandoc")
	if err != nil {
		t.Skip(err)
	}
	run := exec.Command(mandoc, "-T", "lint", "-W", "warning")
	run.Stdin = strings.NewReader(page)
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
