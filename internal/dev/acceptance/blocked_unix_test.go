//go:build unix

package acceptance

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestBlockedRunsEnd starts runs that wait for another process, which never does its part, and ends
// each with one signal, and with --limit time.
func TestBlockedRunsEnd(t *testing.T) {
	const ref, in = "examples/quickstart/reference", "examples/quickstart/cluster"
	pipe := filepath.Join(t.TempDir(), "pipe")
	must(syscall.Mkfifo(pipe, 0o600))
	folder := t.TempDir()
	var runs []*blockedRun
	for _, c := range []struct {
		args       string
		unread     bool // nobody reads the output
		onlySignal bool // the command has no limit of time
	}{
		{args: ref + " -"},
		{args: ref + " " + pipe},
		{args: pipe + " " + in},
		{args: "--overrides " + pipe + " " + ref + " " + in},
		{args: "--baseline " + pipe + " " + ref + " " + in},
		{args: "--diff-config " + pipe + " " + ref + " " + in},
		{args: "--impact " + pipe + " " + ref + " " + in},
		{args: "--old " + pipe + " " + ref + " " + in},
		{args: "--validate --crds " + pipe + " " + ref + " " + in},
		{args: "explain-match " + ref + " " + pipe + " ConfigMap"},
		{args: "report " + pipe},
		{args: "report -"},
		{args: "report --files-from -"},
		{args: "lint --baseline " + pipe + " " + ref},
		{args: "lint " + pipe},
		{args: "render --output " + folder + " --values " + pipe + " " + ref},
		{args: "generate --output " + folder + " " + pipe},
		{args: "lsp", onlySignal: true},
		{args: ref + " " + in, unread: true},
		{args: "lint --output json " + ref, unread: true},
		{args: "--help", unread: true, onlySignal: true},
	} {
		runs = append(runs, startBlocked(t, c.args, c.unread, true))
		if !c.onlySignal {
			runs = append(runs, startBlocked(t, c.args+" --limit time=1s", c.unread, false))
		}
	}
	time.Sleep(time.Second) // until they wait
	for _, r := range runs {
		if r.signal {
			must(r.cmd.Process.Signal(syscall.SIGTERM))
		}
	}
	const most = 40 * time.Second // they end within four seconds, or within 15 on a machine that is busy with them
	late := time.AfterFunc(most, func() {
		for _, r := range runs {
			r.cmd.Process.Kill()
		}
	})
	defer late.Stop()
	for _, r := range runs {
		_ = r.cmd.Wait()
		if status := r.cmd.ProcessState; status.ExitCode() != 2 && !strings.HasSuffix(r.args, "lsp") {
			t.Errorf("%s (signal: %t): it ended with %s: %s", r.args, r.signal, status, &r.said)
		}
	}
}

// blockedRun is a run that waits.
type blockedRun struct {
	args   string
	signal bool // a signal ends it
	cmd    *exec.Cmd
	said   bytes.Buffer
}

// startBlocked starts a run whose standard input never ends.
func startBlocked(t *testing.T, args string, unread, signal bool) *blockedRun {
	t.Helper()
	r := &blockedRun{args: args, signal: signal, cmd: exec.Command("validationTool", strings.Fields(args)...)}
	silent, err := r.cmd.StdinPipe()
	must(err)
	t.Cleanup(func() { silent.Close() })
	if unread {
		r.cmd.Stdout = fullPipe(t)
	}
	r.cmd.Stderr = &r.said
	must(r.cmd.Start())
	return r
}

// fullPipe returns the writing end of a pipe that is full and that nobody reads.
func fullPipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	must(err)
	t.Cleanup(func() {
		r.Close()
		w.Close()
	})
	must(w.SetWriteDeadline(time.Now().Add(time.Second / 10)))
	for err == nil {
		_, err = w.Write(make([]byte, 1<<10))
	}
	return w
}

// TestFilesThatBecomePipes replaces a file of an input by a pipe and back while it is read.
func TestFilesThatBecomePipes(t *testing.T) {
	dir, aside := t.TempDir(), t.TempDir()
	file, pipe, other := filepath.Join(dir, "a.yaml"), filepath.Join(aside, "pipe"), filepath.Join(aside, "file")
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			must(syscall.Mkfifo(pipe, 0o600))
			must(os.Rename(pipe, file))
			must(os.WriteFile(other, []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"), 0o600))
			must(os.Rename(other, file))
			select {
			case <-stop:
				return
			default:
			}
		}
	}()
	for range 30 {
		run := exec.Command("validationTool", "examples/quickstart/reference", dir)
		must(run.Start())
		late := time.AfterFunc(20*time.Second, func() { run.Process.Kill() })
		_ = run.Wait() // its status is that of the comparison
		if !late.Stop() {
			t.Fatal("it did not end")
		}
	}
	close(stop)
	<-stopped
}

// TestPipesAreReadByName reads what another process writes, as in `validationTool -p <(...)`.
func TestPipesAreReadByName(t *testing.T) {
	const script = `validationTool -p <(cat overrides.yaml) ref <(cat in.yaml) && cat in.yaml | validationTool -p overrides.yaml ref /dev/stdin`
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	must(os.Mkdir(filepath.Join(dir, "ref"), 0o700))
	const object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"
	for name, text := range map[string]string{
		"ref/a.yaml": object + "data: {a: b}\n",
		"in.yaml":    object + "data: {a: c}\n",
		"overrides.yaml": "- templatePath: a.yaml\n  apiVersion: v1\n  kind: ConfigMap\n  name: a\n  namespace: b\n" +
			"  type: mergepatch\n  patch: '{\"data\":{\"a\":\"c\"}}'\n  reason: r\n",
	} {
		must(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	run := exec.Command(bash, "-c", script)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
