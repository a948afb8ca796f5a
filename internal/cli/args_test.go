package cli

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOptionsBehindArguments(t *testing.T) {
	for _, c := range []struct{ args, want []string }{
		{[]string{"ref", "in", "-o", "json"}, []string{"-o", "json", "--", "ref", "in"}},
		{[]string{"ref", "--output=json", "in", "-v"}, []string{"--output=json", "-v", "--", "ref", "in"}},
		{[]string{"ref", "-", "--width", "80"}, []string{"--width", "80", "--", "ref", "-"}},
		{[]string{"-vo", "json", "ref"}, []string{"-vo", "json", "--", "ref"}},
		{[]string{"-v", "ref", "--", "-o", "in"}, []string{"-v", "--", "ref", "-o", "in"}},
		{nil, []string{"--"}},
	} {
		got, help, err := arrange(c.args, new(options).compareFlags())
		if d := cmp.Diff(c.want, got); d != "" || help || err != nil {
			t.Errorf("%q: help %v, %v: %s", c.args, help, err, d)
		}
	}
	for _, args := range [][]string{{"-h"}, {"ref", "in", "-h"}, {"ref", "--help", "in"}, {"-vh", "ref"}, {"-o", "json", "--help"}} {
		if _, help, err := arrange(args, new(options).compareFlags()); !help || err != nil {
			t.Errorf("%q asks for no help, %v", args, err)
		}
	}
	if _, help, _ := arrange([]string{"ref", "--", "-h"}, new(options).compareFlags()); help {
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
		{[]string{"-ov", "text"}, "-o needs a value"},
		{[]string{"--fali-on", "none"}, "there is no option --fali-on; did you mean --fail-on?"},
		{[]string{"--verbos"}, "there is no option --verbos; did you mean --verbose?"},
		{[]string{"-z"}, "there is no option -z"},
		{[]string{"-o", "json", "ref", "--output=yaml"}, "--output is given twice, and can have one value"},
		{[]string{"--width", "80", "--width", "80"}, "--width is given twice, and can have one value"},
	} {
		if _, _, err := arrange(c.args, new(options).compareFlags()); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v, want %q", c.args, err, c.want)
		}
	}
	for _, args := range [][]string{{"-p", "a", "-p", "b"}, {"-v", "-v"}, {"--component", "a", "--component=b"}, {"-f", "a", "--filename", "b"}} {
		if _, _, err := arrange(args, new(options).compareFlags()); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
}

func TestCommandOrFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	names := map[string]bool{"compare": true, "explain": true, "version": true}
	check := func(args []string, want string, rest ...string) {
		t.Helper()
		got, gotRest := command(args, names)
		if got != want || !slices.Equal(rest, gotRest) {
			t.Errorf("%q: %q %q, want %q %q", args, got, gotRest, want, rest)
		}
	}
	check([]string{"ref", "in"}, "", "ref", "in")
	check([]string{"explain", "VT1001"}, "explain", "VT1001")
	check([]string{"compare", "ref", "in"}, "", "ref", "in")
	for _, folder := range []string{"compare", "explain", "version", "in"} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	check([]string{"explain", "VT1001"}, "explain", "VT1001")
	check([]string{"explain", "in"}, "", "./explain", "in")
	check([]string{"explain", "-"}, "", "./explain", "-")
	check([]string{"compare", "ref", "in"}, "", "ref", "in")
	check([]string{"compare", "in"}, "", "./compare", "in")
	check([]string{"version"}, "version")
	check([]string{"version", "in"}, "", "./version", "in")
}

func TestProgramName(t *testing.T) {
	for arg, want := range map[string]string{"/usr/bin/kubectl-compare": "kubectl compare", "oc-compare.exe": "oc compare", "kubectl_compare": "kubectl compare", "./vt": "validationTool"} {
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
