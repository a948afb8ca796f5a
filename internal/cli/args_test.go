package cli

import (
	"os"
	"strings"
	"testing"
)

// TestCommandOrFolder checks that a word is a path, not the command of the same name, if the words
// after it make no sense for the command.
func TestCommandOrFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	check := func(line, want, rest string) {
		t.Helper()
		c, got := find(new(program).commands(), strings.Fields(line))
		if c.HelpName != want || strings.Join(got, " ") != rest {
			t.Errorf("%q: %q %q, want %q %q", line, c.HelpName, got, want, rest)
		}
	}
	check("", "compare", "")
	check("ref in", "compare", "ref in")
	check("explain VT1001", "explain", "VT1001")
	check("compare ref in", "compare", "ref in")
	check("version in", "version", "in")
	check("reference", "reference", "")
	check("reference in", "reference", "in")
	check("reference lint", "reference lint", "")
	check("reference lint --strict ref", "reference lint", "--strict ref")
	if c, _ := find(new(program).commands(), []string{"reference lint", "in"}); c.Name != "compare" {
		t.Errorf("a folder with a blank in its name is the command %s", c.Name)
	}
	folders := []string{"in"}
	for name := range walk(new(program).commands()) {
		folders = append(folders, name)
	}
	for _, folder := range folders {
		must(os.Mkdir(folder, 0o755))
	}
	for _, folder := range folders { // each can be a REFERENCE
		for _, rest := range []string{" in", " in -o json", " -"} {
			if !strings.Contains(folder, " ") {
				check(folder+rest, "compare", folder+rest)
			}
		}
	}
	check("reference --summary in", "compare", "reference --summary in")
	check("reference --help", "reference", "--help")
	check("reference lint reference", "reference lint", "reference") // lint is no folder
	check("reference lint", "reference lint", "")
	check("explain in more", "compare", "explain in more")
	check("explain VT1001", "explain", "VT1001")
	check("explain vt1001 VT2005", "explain", "vt1001 VT2005")
	check("explain --help", "explain", "--help")
	check("compare ref in", "compare", "ref in")
	check("compare -o json ref in", "compare", "-o json ref in")
	check("compare -f in", "compare", "compare -f in")
	check("compare -r ref -f in", "compare", "-r ref -f in")
	check("explain-match ref in Role", "explain-match", "ref in Role")
	check("explain-match -r ref in Role", "explain-match", "-r ref in Role")
	check("version", "version", "")
	must(os.Mkdir("lint", 0o755))
	check("reference lint", "compare", "reference lint") // two folders
	check("reference lint in", "reference lint", "in")
}

func TestProgramName(t *testing.T) {
	for arg, want := range map[string]string{"/usr/bin/kubectl-compare": "kubectl compare", "oc-compare.exe": "oc compare", "kubectl_compare": "kubectl compare",
		"kubectl-validation_tool": "kubectl validation-tool", "./vt": "validationTool"} {
		if got := programName([]string{arg}); got != want {
			t.Errorf("%s: %s", arg, got)
		}
	}
}
