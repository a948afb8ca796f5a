package acceptance

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPromisesHaveTests checks that testdata/promises.txt names a test for every promise of
// docs/security.md, that the promises have different numbers, and that all named tests exist.
func TestPromisesHaveTests(t *testing.T) {
	const manual, list = "docs/security.md", "testdata/promises.txt"
	read := func(path string) string {
		text, err := os.ReadFile(path)
		must(err)
		return string(text)
	}
	_, promises, _ := strings.Cut(read(list), "\n\n")
	tests := map[string][]string{}
	for promise := range strings.SplitSeq(promises, "\n\n") {
		lines := strings.Split(strings.TrimSpace(promise), "\n  ")
		if tests[lines[0]] != nil {
			t.Errorf("%s has %s more than once", list, lines[0])
		}
		tests[lines[0]] = lines[1:]
		for _, line := range lines[1:] {
			if one := testsIn("`" + line + "`"); len(one) != 1 {
				t.Errorf("%s: %q names no test", list, line)
			} else if err := one[0].exists(); err != nil {
				t.Errorf("%s names %v", list, err)
			}
		}
	}
	text := read(manual)
	for _, promise := range regexp.MustCompile(`(?m)^- \*\*([A-Z]\d+a?)\*\* `).FindAllStringSubmatch(text, -1) {
		if len(tests[promise[1]]) == 0 {
			t.Errorf("%s names no test of %s, or %s has %s more than once", list, promise[1], manual, promise[1])
		}
		delete(tests, promise[1])
	}
	for promise := range tests {
		t.Errorf("%s has no promise %s", manual, promise)
	}
	for _, one := range testsIn(text) {
		if err := one.exists(); err != nil {
			t.Errorf("%s names %v", manual, err)
		}
	}
}

// namedTest is a test as the manual names it: a function of a package, one of its cases, or a
// script.
type namedTest struct{ script, pkg, function, sub string }

// testsIn returns the tests that a line of the manual names.
func testsIn(line string) []namedTest {
	var all []namedTest
	for _, quoted := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(line, -1) {
		name := quoted[1]
		if strings.HasPrefix(name, "testdata/script/") {
			all = append(all, namedTest{script: name})
		} else if m := regexp.MustCompile(`^(?:([a-z/]+)\.)?((?:Test|Fuzz)\w+)(?:/(.+))?$`).FindStringSubmatch(name); m != nil {
			all = append(all, namedTest{pkg: m[1], function: m[2], sub: m[3]})
		}
	}
	return all
}

// exists looks for the test in the tree. The name of a case stands in the package's tests as a string.
func (n namedTest) exists() error {
	if n.script != "" {
		_, err := os.Stat(filepath.FromSlash(n.script))
		return err
	}
	files, err := filepath.Glob(path.Join(n.pkg, "*_test.go"))
	if err != nil {
		return err
	}
	found, foundSub := false, n.sub == ""
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		found = found || strings.Contains(string(text), "\nfunc "+n.function+"(")
		foundSub = foundSub || strings.Contains(string(text), `"`+n.sub+`"`)
	}
	if !found || !foundSub {
		return fmt.Errorf("%s.%s/%s, which does not exist", n.pkg, n.function, n.sub)
	}
	return nil
}

// TestTestsThatDoNotExistAreFound keeps the test above honest.
func TestTestsThatDoNotExistAreFound(t *testing.T) {
	line := "| A1 | x | `internal/cli.TestHostileInputs/gz bomb`, `internal/cli.TestHostileInputs/no bomb`, `internal/cli.TestNo`, `testdata/script/no.txtar`, `refconfig.TestRulesBreak` |"
	tests := testsIn(line)
	if len(tests) != 5 {
		t.Fatalf("%d tests", len(tests))
	}
	for i, exists := range []bool{true, false, false, false, true} {
		if err := tests[i].exists(); (err == nil) != exists {
			t.Errorf("%+v: %v", tests[i], err)
		}
	}
}

// TestTheBinaryTalksToNobody traces what the built binary asks the system for, where there is strace: it opens no socket, starts no
// process, and opens no file for writing.
func TestTheBinaryTalksToNobody(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil || testing.Short() {
		t.Skip("there is no strace, or little time")
	}
	trace := filepath.Join(t.TempDir(), "trace")
	binary, err := exec.LookPath("validationTool")
	must(err)
	run := exec.Command(strace, "-f", "-qq", "-o", trace, "-e", "trace=%network,%process,openat,open,creat", binary,
		"examples/ran-du/reference", "examples/ran-du/must-gather.tar.gz")
	out, _ := run.CombinedOutput() // the status is that of the comparison, which finds drift
	if run.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "realTimeKernel") {
		t.Skipf("strace cannot trace here: %s", out)
	}
	text, err := os.ReadFile(trace)
	must(err)
	executed := 0
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.Contains(line, "execve("):
			executed++
		case strings.Contains(line, "socket("),
			strings.Contains(line, "connect("),
			strings.Contains(line, "fork("),
			strings.Contains(line, "O_WRONLY"),
			strings.Contains(line, "O_RDWR"),
			strings.Contains(line, "O_CREAT"),
			strings.Contains(line, "creat("):
			t.Errorf("the binary did this: %s", line)
		}
	}
	if executed != 1 {
		t.Errorf("%d programs were started", executed)
	}
}
