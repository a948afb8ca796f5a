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
	check("--color never explain VT3001", "explain", "--color never VT3001") // which says that explain has no --color
	check("-o json reference needs ref", "reference needs", "-o json ref")
	check("-vo json reference needs ref", "reference needs", "-vo json ref")
	check("--output=json reference --color never lint ref", "reference lint", "--output=json --color never ref")
	check("reference --strict lint ref", "reference lint", "--strict ref")
	check("--no-progress explain VT3001", "explain", "--no-progress VT3001")
	check("--summary report a.json", "report", "--summary a.json")
	check("--help reference lint", "reference lint", "--help")
	check("-p explain ref in", "compare", "-p explain ref in")
	check("--cluster report --summary ref in", "compare", "--cluster report --summary ref in")
	check("--summary -- explain in", "compare", "--summary -- explain in")
	check("- explain", "compare", "- explain")
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
	check("--summary reference in", "compare", "--summary reference in")
	check("-o json --color never explain in", "compare", "-o json --color never explain in")
	check("--strict reference lint reference", "reference lint", "--strict reference")
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

// TestOptionsOfOneName: what a word before the name of a command is does not depend on the command.
func TestOptionsOfOneName(t *testing.T) {
	all := new(program).commands()
	for words, c := range walk(all) {
		for _, f := range c.Flags {
			for _, name := range f.Names() {
				if other := flagOf(flagsOf(all), name); valued(f) != valued(other) {
					t.Errorf("%s: %s has a value here, but not everywhere", words, name)
				}
			}
		}
	}
}

func TestProgramName(t *testing.T) {
	for arg, want := range map[string]string{"/usr/bin/kubectl-compare": "kubectl compare", "oc-compare.exe": "oc compare", "kubectl_compare": "kubectl compare",
		"kubectl-validation_tool": "kubectl validation-tool", "./vt": "validationTool"} {
		if got := programName([]string{arg}); got != want {
			t.Errorf("%s: %s", arg, got)
		}
	}
}
