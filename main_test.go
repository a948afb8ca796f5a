package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the wanted output of scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"validationTool": main, "kubectl-compare": main})
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// TestProcessors: what GOMAXPROCS asks for beyond the machine's processors is not used, and less is
// left as it is.
func TestProcessors(t *testing.T) {
	was := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(was)
	for asked, want := range map[int]int{1: 1, 16 * runtime.NumCPU(): runtime.NumCPU()} {
		runtime.GOMAXPROCS(asked)
		if useProcessors(); runtime.GOMAXPROCS(0) != want {
			t.Errorf("%d of %d processors", runtime.GOMAXPROCS(0), want)
		}
	}
}

// TestScripts runs the real command, one story a file.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("examples")
	must(err)
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds:          commands(),
		Condition: func(name string) (bool, error) { // [ptmx]: a script can have a terminal
			if name != "ptmx" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			_, err := os.Stat("/dev/ptmx")
			return err == nil && (runtime.GOOS == "linux" || runtime.GOOS == "darwin"), nil
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("EXAMPLES", examples)
			return os.Symlink(examples, filepath.Join(e.WorkDir, "examples"))
		},
	})
}

// commands are the commands of scripts: those that read a report, and status.
func commands() map[string]func(*testscript.TestScript, bool, []string) {
	all := reportCommands()
	all["status"] = status
	return all
}

// status runs a command and wants an exit status: status N command arguments...
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [argument...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}
