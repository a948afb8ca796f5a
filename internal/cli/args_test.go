package cli

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// compared arranges the arguments of a comparison.
func compared(args []string) (arrangement, error) {
	return arrange(args, new(program).compareCommand())
}

func TestOptionsBehindArguments(t *testing.T) {
	for _, c := range []struct{ args, options, rest []string }{
		{[]string{"ref", "in", "-o", "json"}, []string{"-o", "json"}, []string{"ref", "in"}},
		{[]string{"ref", "--output=json", "in", "-v"}, []string{"--output=json", "-v"}, []string{"ref", "in"}},
		{[]string{"ref", "-", "--width", "80"}, []string{"--width", "80"}, []string{"ref", "-"}},
		{[]string{"-vo", "json", "ref"}, []string{"-vo", "json"}, []string{"ref"}},
		{[]string{"-v", "ref", "--", "-o", "in"}, []string{"-v"}, []string{"ref", "-o", "in"}},
		{[]string{"-f", "-", "ref"}, []string{"-f", "-"}, []string{"ref"}},
		{[]string{"--override-reason", "--see below", "ref"}, []string{"--override-reason", "--see below"}, []string{"ref"}},
		{nil, nil, nil},
	} {
		got, err := compared(c.args)
		if d := cmp.Diff([][]string{c.options, c.rest}, [][]string{got.options, got.rest}); d != "" || got.asked() != "" || err != nil {
			t.Errorf("%q: asks for %q, %v: %s", c.args, got.asked(), err, d)
		}
	}
	for _, args := range [][]string{{"-h"}, {"ref", "in", "-h"}, {"ref", "--help", "in"}, {"-vh", "ref"}, {"-o", "json", "--help"}} {
		if a, err := compared(args); a.asked() != "help" || err != nil {
			t.Errorf("%q asks for no help, %v", args, err)
		}
	}
	for _, args := range [][]string{{"--bogus", "-h"}, {"-z", "ref", "--help"}, {"--width", "80", "--width", "90", "-h"}, {"--output", "--help"}} {
		if a, err := compared(args); a.asked() != "help" || err == nil {
			t.Errorf("%q, in which something is wrong, asks for no help, %v", args, err)
		}
	}
	if a, _ := compared([]string{"ref", "--", "-h"}); a.asked() != "" {
		t.Error("an argument behind -- asks for help")
	}
}

func TestWrongOptions(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"ref", "in", "--output"}, "--output needs a value"},
		{[]string{"ref", "in", "-o"}, "-o needs a value"},
		{[]string{"ref", "--width", "--", "in"}, "--width needs a value"},
		{[]string{"ref", "--output", "--summary", "in"}, "--output needs a value"},
		{[]string{"ref", "--output", "--width=80", "in"}, "--output needs a value"},
		{[]string{"-ov", "text"}, "-o needs a value"},
		{[]string{"--fali-on", "none"}, "there is no option --fali-on; did you mean --fail-on?"},
		{[]string{"--verbos"}, "there is no option --verbos; did you mean --verbose?"},
		{[]string{"-z"}, "there is no option -z"},
		{[]string{"--color", "always", "ref", "--color=never"}, "--color is given twice, and can have one value"},
		{[]string{"--width", "80", "--width", "80"}, "--width is given twice, and can have one value"},
	} {
		if _, err := compared(c.args); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %q", c.args, err, c.want)
		}
	}
	for _, args := range [][]string{{"-p", "a", "-p", "b"}, {"-v", "-v"}, {"--component", "a", "--component=b"}, {"-f", "a", "--filename", "b"}} {
		if _, err := compared(args); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// TestCommandOrFolder: a word that is a command's name and a folder's is a path where what stands behind it makes no sense for the command.
func TestCommandOrFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	check := func(args []string, want string, rest ...string) {
		t.Helper()
		got, gotRest := new(program).command(args)
		if got.name != want || !slices.Equal(rest, gotRest) {
			t.Errorf("%q: %q %q, want %q %q", args, got.name, gotRest, want, rest)
		}
	}
	check(nil, "compare")
	check([]string{"ref", "in"}, "compare", "ref", "in")
	check([]string{"explain", "VT1001"}, "explain", "VT1001")
	check([]string{"compare", "ref", "in"}, "compare", "ref", "in")
	check([]string{"version", "in"}, "version", "in")
	check([]string{"reference"}, "reference")
	check([]string{"reference", "in"}, "reference", "in")
	check([]string{"reference", "lint"}, "reference lint")
	check([]string{"reference", "lint", "--strict", "ref"}, "reference lint", "--strict", "ref")
	check([]string{"reference lint", "in"}, "compare", "reference lint", "in")
	folders := []string{"in"}
	for _, c := range new(program).commands() {
		folders = append(folders, c.name)
	}
	for _, folder := range folders {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range folders { // each can be a REFERENCE
		check([]string{folder, "in"}, "compare", folder, "in")
		check([]string{folder, "in", "-o", "json"}, "compare", folder, "in", "-o", "json")
		check([]string{folder, "-"}, "compare", folder, "-")
	}
	check([]string{"reference", "--summary", "in"}, "compare", "reference", "--summary", "in")
	check([]string{"reference", "--help"}, "reference", "--help")
	check([]string{"reference", "lint", "reference"}, "reference lint", "reference") // lint is no folder
	check([]string{"reference", "lint"}, "reference lint")
	check([]string{"explain", "in", "more"}, "compare", "explain", "in", "more")
	check([]string{"explain", "VT1001"}, "explain", "VT1001")
	check([]string{"explain", "vt1001", "VT2005"}, "explain", "vt1001", "VT2005")
	check([]string{"explain", "--help"}, "explain", "--help")
	check([]string{"compare", "ref", "in"}, "compare", "ref", "in")
	check([]string{"compare", "-o", "json", "ref", "in"}, "compare", "-o", "json", "ref", "in")
	check([]string{"compare", "-f", "in"}, "compare", "compare", "-f", "in")
	check([]string{"compare", "-r", "ref", "-f", "in"}, "compare", "-r", "ref", "-f", "in")
	check([]string{"explain-match", "ref", "in", "Role"}, "explain-match", "ref", "in", "Role")
	check([]string{"explain-match", "-r", "ref", "in", "Role"}, "explain-match", "-r", "ref", "in", "Role")
	check([]string{"version"}, "version")
	check([]string{"help", "explain"}, "help", "explain")
	check([]string{"help", "reference", "lint"}, "help", "reference", "lint")
	if err := os.Mkdir("lint", 0o755); err != nil {
		t.Fatal(err)
	}
	check([]string{"reference", "lint"}, "compare", "reference", "lint") // two folders
	check([]string{"reference", "lint", "in"}, "reference lint", "in")
}

func TestProgramName(t *testing.T) {
	for arg, want := range map[string]string{"/usr/bin/kubectl-compare": "kubectl compare", "oc-compare.exe": "oc compare", "kubectl_compare": "kubectl compare",
		"kubectl-validation_tool": "kubectl validation-tool", "./vt": "validationTool"} {
		if got := programName([]string{arg}); got != want {
			t.Errorf("%s: %s", arg, got)
		}
	}
}

func TestColour(t *testing.T) {
	for _, c := range []struct {
		choice string
		env    map[string]string
		want   bool
	}{
		{"auto", nil, false}, // no terminal
		{"always", map[string]string{"NO_COLOR": "1"}, true},
		{"never", map[string]string{"CLICOLOR_FORCE": "1"}, false},
		{"auto", map[string]string{"CLICOLOR_FORCE": "1"}, true},
		{"auto", map[string]string{"CLICOLOR_FORCE": "0"}, false},
		{"auto", map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, false},
	} {
		p := &program{io: IO{Env: func(k string) (string, bool) { v, ok := c.env[k]; return v, ok }}}
		if got := p.colorWanted(c.choice, nil); got != c.want {
			t.Errorf("%s with %v: %v", c.choice, c.env, got)
		}
	}
}
