package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/validationtool/validationtool/internal/cli"
)

var update = flag.Bool("update", false, "rewrite the wanted output of scripts and of the README")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"validationTool": main, "findings": found})
}

// TestScripts runs the real command, one story a file.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("examples")
	if err != nil {
		t.Fatal(err)
	}
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

// TestReadme runs every command of the README, as `$ validationTool …` or `$ go run . …` in a console block, in the root of
// the repository, and holds what it prints against what the README shows. A line "..." of the README stands for any
// lines; a last line "[exit status N]" for the exit status, 0 where there is none.
func TestReadme(t *testing.T) {
	for _, name := range []string{"README.md", "docs/references.md"} {
		text, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range consoleBlocks(string(text)) {
			runBlock(t, name, block)
		}
	}
}

// TestQuotedFiles holds every file that the manual shows, in a block that begins with its name as a comment, against the file.
func TestQuotedFiles(t *testing.T) {
	const manual = "docs/references.md"
	text, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	quoted := 0
	for _, part := range strings.Split(string(text), "```yaml\n# ")[1:] {
		block, _, _ := strings.Cut(part, "```")
		name, content, _ := strings.Cut(block, "\n")
		file, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Errorf("%s: %v", manual, err)
			continue
		}
		quoted++
		if diff := cmp.Diff(string(file), content); diff != "" {
			t.Errorf("%s shows another %s (-file +manual):\n%s", manual, name, diff)
		}
	}
	if quoted < 10 {
		t.Errorf("%s quotes %d files", manual, quoted)
	}
}

// consoleBlocks returns the contents of the blocks fenced as console.
func consoleBlocks(text string) []string {
	var blocks []string
	for _, part := range strings.Split(text, "```console\n")[1:] {
		block, _, _ := strings.Cut(part, "```")
		blocks = append(blocks, block)
	}
	return blocks
}

func runBlock(t *testing.T, name, block string) {
	for _, step := range strings.Split("\n"+block, "\n$ ")[1:] {
		line, want, _ := strings.Cut(step, "\n")
		args, ours := command(line)
		if !ours {
			continue
		}
		t.Run(name+": "+line, func(t *testing.T) {
			var out, errs bytes.Buffer
			none := func(string) (string, bool) { return "", false }
			status := cli.Run(context.Background(), args, cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs, Env: none})
			got := out.String() + errs.String()
			if status != 0 {
				got += "[exit status " + string(rune('0'+status)) + "]\n"
			}
			if !likeness(strings.TrimRight(want, "\n"), strings.TrimRight(got, "\n")) {
				t.Errorf("-README +now\n%s\nnow:\n%s", cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")), got)
			}
		})
	}
}

// command splits a line of the README into arguments; ours says whether it calls the tool.
func command(line string) (args []string, ours bool) {
	line = strings.TrimPrefix(line, "go run . ")
	fields := strings.Fields(strings.TrimPrefix(line, "validationTool "))
	switch {
	case strings.HasPrefix(line, "validationTool "):
	case strings.HasPrefix(line, "examples/"):
	default:
		return nil, false
	}
	for i := range fields {
		fields[i] = strings.Trim(fields[i], `'"`)
	}
	return append([]string{"validationTool"}, fields...), true
}

// likeness reports whether got is want, where a line "..." of want stands for any lines.
func likeness(want, got string) bool {
	chunks := [][]string{nil}
	for _, line := range strings.Split(want, "\n") {
		if line == "..." {
			chunks = append(chunks, nil)
			continue
		}
		chunks[len(chunks)-1] = append(chunks[len(chunks)-1], line)
	}
	rest := strings.Split(got, "\n")
	for i, chunk := range chunks {
		at := 0
		switch {
		case i == len(chunks)-1: // the last chunk ends the output
			at = len(rest) - len(chunk)
		case i > 0:
			at = indexLines(rest, chunk)
		}
		if at < 0 || len(rest) < at+len(chunk) || !slices.Equal(rest[at:at+len(chunk)], chunk) || (len(chunks) == 1 && at > 0) {
			return false
		}
		rest = rest[at+len(chunk):]
	}
	return true
}

// indexLines returns where a run of lines begins, or -1.
func indexLines(lines, run []string) int {
	for i := 0; i+len(run) <= len(lines); i++ {
		if slices.Equal(lines[i:i+len(run)], run) {
			return i
		}
	}
	return -1
}

func TestLikeness(t *testing.T) {
	for _, c := range []struct {
		want, got string
		alike     bool
	}{
		{"a\nb", "a\nb", true}, {"a", "a\nb", false}, {"b", "a\nb", false}, {"...\nb", "a\nb", true}, {"a\n...", "a\nb\nc", true},
		{"a\n...\nd", "a\nb\nc\nd", true}, {"a\n...\nc", "a\nb\nc\nd", false}, {"...\nb\n...\nd", "a\nb\nc\nd", true},
		{"...\nx\n...", "a\nb", false}, {"a\n...\na", "a", false},
	} {
		if got := likeness(c.want, c.got); got != c.alike {
			t.Errorf("%q is like %q: %v", c.want, c.got, got)
		}
	}
}
