package cli

import (
	"os"
	"strings"
	"testing"
)

// TestCommandOrFolder checks that a word is a path, not the command of the same name, if there is such
// a path and the words after it make no sense for the command.
func TestCommandOrFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	check := func(line, want, rest string) {
		t.Helper()
		c, got := find(new(program).commands(), strings.Fields(line))
		if c.Name != want || strings.Join(got, " ") != rest {
			t.Errorf("%q: %q %q, want %q %q", line, c.Name, got, want, rest)
		}
	}
	check("", "compare", "")
	check("ref in", "compare", "ref in")
	check("explain VT1001", "explain", "VT1001")
	check("compare ref in", "compare", "ref in")
	check("compare lint in", "compare", "lint in")
	check("version in", "version", "in")
	check("lint", "lint", "")
	check("lint --strict ref", "lint", "--strict ref")
	check("--color never explain VT3001", "explain", "VT3001")
	check("--color=never explain VT3001", "explain", "VT3001")
	check("--color never explain --color never VT3001", "explain", "--color never VT3001") // which says that explain has no --color
	check("-o json needs ref", "needs", "--output json ref")
	check("-vo json needs ref", "needs", "--verbose --output json ref")
	check("--output=json --color never lint ref", "lint", "--output=json --color never ref")
	check("--no-progress explain VT3001", "explain", "--no-progress VT3001")
	check("--summary report a.json", "report", "--summary a.json")
	check("--help lint", "lint", "--help")
	check("-p explain ref in", "compare", "-p explain ref in")
	check("--cluster report --summary ref in", "compare", "--cluster report --summary ref in")
	check("--summary -- explain in", "compare", "--summary -- explain in")
	check("- explain", "compare", "- explain")
	// the names of commands when they were in groups
	check("reference", "compare", "reference")
	check("reference in", "compare", "reference in")
	check("reference lint", "lint", "")
	check("--strict reference --color never lint ref", "lint", "--strict --color never ref")
	check("reference diff a b", "diff", "a b")
	check("report diff a b", "diff", "a b")
	check("report lint", "report", "lint")
	check("reference explain", "compare", "reference explain")
	folders := []string{"in", "reference"}
	for _, c := range new(program).commands() {
		folders = append(folders, c.Name)
	}
	for _, folder := range folders {
		must(os.Mkdir(folder, 0o755))
	}
	check("./test in", "compare", "./test in")
	check("reference lint in", "compare", "reference lint in")
	check("reference --summary in", "compare", "reference --summary in")
	check("--summary reference in", "compare", "--summary reference in")
	for _, folder := range []string{"report", "explain", "completion", "schema", "version", "man"} {
		for _, rest := range []string{" in", " in -o json", " -"} {
			check(folder+rest, "compare", folder+rest)
		}
	}
	check("-o json --color never explain in", "compare", "-o json --color never explain in")
	check("--strict lint reference", "lint", "--strict reference")
	check("lint -o json in more", "lint", "-o json in more")
	check("lint --fail-on none in", "compare", "lint --fail-on none in")
	check("lint --help", "lint", "--help")
	check("test in", "test", "in")
	check("test in -", "compare", "test in -")
	check("explain in more", "compare", "explain in more")
	check("explain VT1001", "explain", "VT1001")
	check("explain vt1001 VT2005", "explain", "vt1001 VT2005")
	check("compare -o json ref in", "compare", "-o json ref in")
	check("compare -f in", "compare", "compare -f in")
	check("compare -r ref -f in", "compare", "-r ref -f in")
	check("explain-match ref in Role", "explain-match", "ref in Role")
	check("explain-match -r ref in Role", "explain-match", "-r ref in Role")
	check("version", "version", "")
}

// TestFormerNames checks that the names which commands had in groups are told their new ones.
func TestFormerNames(t *testing.T) {
	t.Chdir(t.TempDir())
	const want = "validationTool: the command is now validationTool lint, without reference\n"
	if _, _, errs := outcome("reference", "lint", "--help"); errs != want {
		t.Error(errs)
	}
	must(os.Mkdir("test", 0o755))
	if status, _, errs := outcome("test", "a"); status != exitUnreliable || strings.Contains(errs, "now") {
		t.Errorf("%d, %s", status, errs)
	}
}

// TestOptionsOfOneName: what a word before the name of a command is does not depend on the command. -n is the
// exception: kubectl users know it as --namespace, Heat users as --show-nested.
func TestOptionsOfOneName(t *testing.T) {
	all := new(program).commands()
	for _, c := range all {
		for _, f := range c.Flags {
			for _, name := range f.Names() {
				if other := flagOf(flagsOf(all), name); valued(f) != valued(other) && name != "n" {
					t.Errorf("%s: %s has a value here, but not everywhere", c.Name, name)
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
