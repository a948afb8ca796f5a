package acceptance

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/validationtool/validationtool/internal/run/watch"
)

// TestSignalsLeaveNoUnfinishedFile sends every signal that ends a run to one that waits for its
// input. The run writes an incomplete report, no fix, and nothing else.
func TestSignalsLeaveNoUnfinishedFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no signals to send")
	}
	reference, err := filepath.Abs("examples/quickstart/reference")
	must(err)
	for _, s := range watch.Signals() {
		dir := t.TempDir()
		run := exec.Command("validationTool", "-q", "-o", "json=report.json", "-o", "fix=fixes", reference, "-")
		run.Dir = dir
		in, err := run.StdinPipe()
		must(err)
		var errs bytes.Buffer
		run.Stderr = &errs
		must(run.Start())
		begun := filepath.Join(dir, "fixes")
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(begun); err == nil {
				break
			}
		}
		_, err = io.WriteString(in, "apiVersion: v1\n")
		must(err)
		must(run.Process.Signal(s))
		err = run.Wait()
		if status := run.ProcessState.ExitCode(); status != 2 {
			t.Errorf("%v: exit status %d, %v: %s", s, status, err, errs.String())
		}
		left, err := os.ReadDir(dir)
		if err != nil || len(left) != 1 || left[0].Name() != "report.json" {
			t.Errorf("%v: %v is left, want report.json: %v", s, left, err)
		}
	}
}
