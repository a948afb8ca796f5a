package acceptance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/validationtool/validationtool/internal/cli"
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
	examples, err1 := filepath.Abs("examples")
	scripts, err2 := filepath.Abs("testdata/script")
	must(errors.Join(err1, err2))
	testscript.Run(t, testscript.Params{
		Dir:           scripts,
		UpdateScripts: testkit.Updates(),
		Cmds:          commands(scripts),
		Condition: func(name string) (bool, error) { // [ptmx]: a script can have a terminal
			if name != "ptmx" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			_, err := os.Stat("/dev/ptmx")
			return err == nil && (runtime.GOOS == "linux" || runtime.GOOS == "darwin"), nil
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("EXAMPLES", examples)
			e.Setenv("ALL_READ", allRead)
			e.Setenv("SOON", time.Now().UTC().AddDate(0, 0, 10).Format(time.DateOnly))
			e.Setenv("LATER", time.Now().UTC().AddDate(0, 0, 100).Format(time.DateOnly))
			return os.Symlink(examples, filepath.Join(e.WorkDir, "examples"))
		},
	})
}

// allRead is what a shell in a script does last on its terminal, if the script looks at what was written
// there: testscript closes a terminal as soon as its command has ended, and what it has not read by then
// is lost. A write waits while the terminal holds more than some KiB, so that all that was written
// before so many blanks has been read when the last of them are accepted.
const allRead = `printf %65536s "" >/dev/tty`

// commands are the commands of scripts: those that read a report, the tool, and status.
func commands(scripts string) map[string]func(*testscript.TestScript, bool, []string) {
	all, r := reportCommands(), &runner{scripts: scripts}
	all["status"] = r.status
	all["validationTool"] = r.tool
	all["undated"] = undated
	all["query"] = query(queries())
	return all
}

// runner runs commands of the scripts in a folder. Where a script gives the tool no input and does not
// end it, the tool runs in this process, which takes a fraction of the time. With Whole it always is a
// process of its own.
type runner struct {
	scripts string
	folder  sync.Mutex // the process has one
}

// tool runs validationTool, which succeeds, or with ! fails: validationTool arguments...
func (r *runner) tool(ts *testscript.TestScript, neg bool, args []string) {
	if got := r.run(ts, append([]string{"validationTool"}, args...)); (got != 0) != neg {
		ts.Fatalf("it ended with exit status %d", got)
	}
}

// status runs a command and wants an exit status: status N command arguments...
func (r *runner) status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [argument...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := r.run(ts, args[1:]); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// run runs a command, and returns its exit status.
func (r *runner) run(ts *testscript.TestScript, args []string) int {
	script, err := os.ReadFile(filepath.Join(r.scripts, ts.Name()+".txtar"))
	ts.Check(err)
	apart := testkit.Whole() || ts.Name() == "ended_hard" || regexp.MustCompile(`(?m)^(stdin|ttyin) `).Match(script)
	if args[0] == "validationTool" && !apart {
		return r.inProcess(ts, args)
	}
	var exit *exec.ExitError
	if err = ts.Exec(args[0], args[1:]...); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	ts.Check(err)
	return 0
}

// inProcess runs the tool in the folder of a script, with its environment.
func (r *runner) inProcess(ts *testscript.TestScript, args []string) int {
	r.folder.Lock()
	defer r.folder.Unlock()
	before, err := os.Getwd()
	ts.Check(errors.Join(err, os.Chdir(ts.MkAbs("."))))
	defer func() { must(os.Chdir(before)) }()
	return cli.Run(context.Background(), args, cli.IO{
		In: strings.NewReader(""), Out: ts.Stdout(), Err: ts.Stderr(), Now: time.Now,
		Env: func(name string) (string, bool) { value := ts.Getenv(name); return value, value != "" },
	})
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
