package cli

import (
	"os"
	"slices"
	"testing"
)

// TestCommandOrFolder: a word that names a command and a folder is a path if the words behind it
// make no sense for the command.
func TestCommandOrFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	check := func(args []string, want string, rest ...string) {
		t.Helper()
		c, gotRest := find(new(program).commands(), args)
		if c.HelpName != want || !slices.Equal(rest, gotRest) {
			t.Errorf("%q: %q %q, want %q %q", args, c.HelpName, gotRest, want, rest)
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
	for name := range walk(new(program).commands()) {
		folders = append(folders, name)
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
