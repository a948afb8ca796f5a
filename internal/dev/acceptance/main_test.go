package acceptance

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestMain runs the tests in the root of the repository, with the built tool in PATH, also under the
// name of a plugin of kubectl.
func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	must(os.Chdir("../../.."))
	bin, err := os.MkdirTemp("", "acceptance")
	must(err)
	defer os.RemoveAll(bin)
	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	tool := filepath.Join(bin, "validationTool"+suffix)
	build := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", tool, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released
	build.Stderr = os.Stderr
	must(build.Run())
	must(os.Link(tool, filepath.Join(bin, "kubectl-compare"+suffix)))
	must(os.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH")))
	return m.Run()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// TestScripts runs the real command, one story a file.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("examples")
	must(err)
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: testkit.Updates(),
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
			e.Setenv("SOON", time.Now().UTC().AddDate(0, 0, 10).Format(time.DateOnly))
			e.Setenv("LATER", time.Now().UTC().AddDate(0, 0, 100).Format(time.DateOnly))
			return os.Symlink(examples, filepath.Join(e.WorkDir, "examples"))
		},
	})
}

// commands are the commands of scripts: those that read a report, the tool, and status.
func commands() map[string]func(*testscript.TestScript, bool, []string) {
	all := reportCommands()
	all["status"] = status
	all["validationTool"] = tool
	all["undated"] = undated
	all["query"] = query(queries())
	return all
}

// tool runs validationTool, which succeeds, or with ! fails: validationTool arguments...
func tool(ts *testscript.TestScript, neg bool, args []string) {
	if err := ts.Exec("validationTool", args...); (err != nil) != neg {
		ts.Fatalf("it ended with: %v", err)
	}
}

// undated takes the times of comparisons out of reports: undated FILE...
func undated(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: undated FILE...")
	}
	for _, name := range args {
		text := regexp.MustCompile(`(?m)^ *"startedAt": .*\n`).ReplaceAllString(ts.ReadFile(name), "")
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o666))
	}
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
