package cli

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// TestHelpIsOneScreen checks that the help of every command fits on a screen, and names every
// command.
func TestHelpIsOneScreen(t *testing.T) {
	_, main, _ := outcome("-h")
	for _, c := range new(program).commands() {
		name := c.Name
		args := []string{name, "--help"}
		if name == comparison {
			args = args[1:]
		}
		status, out, errs := outcome(args...)
		if status != exitOK || errs != "" {
			t.Fatalf("%s: %d, %s", name, status, errs)
		}
		if n := strings.Count(out, "\n"); n > 54 {
			t.Errorf("the help of %s has %d lines:\n%s", name, n, out)
		}
		for line := range strings.Lines(out) {
			if n := utf8.RuneCountInString(line) - 1; n > helpWidth {
				t.Errorf("the help of %s has a line of %d columns: %s", name, n, line)
			}
		}
		if _, same, _ := outcome("help", name); same != out {
			t.Errorf("help %s prints something else:\n%s", name, same)
		}
		if name != comparison && strings.Contains(main, "\n  "+name+" ") == c.Hidden {
			t.Errorf("is %s among the commands, hidden %v:\n%s", name, c.Hidden, main)
		}
	}
	if n := strings.Count(main, "\n  validationTool -") + strings.Count(main, "\n  validationTool r") + strings.Count(main, "\n  oc "); n != 3 {
		t.Errorf("%d examples; more would not fit on the screen", n)
	}
}

// TestEveryOptionIsDocumented checks that help, the manual page, the documents and completions have every
// visible option of a command, each of its possible words, and every limit.
func TestEveryOptionIsDocumented(t *testing.T) {
	_, page, _ := outcome("man")
	page = strings.NewReplacer(`\-`, "-", `\fB`, "", `\fP`, "", `\fR`, "").Replace(page)
	documents := ""
	for _, name := range []string{"usage", "inputs", "formats", "overrides", "impact", "fleet", "generate", "lint", "values", "test", "refdiff", "references", "security", "performance"} {
		documents += read(t, "../../docs/"+name+".md")
	}
	for _, c := range new(program).commands() {
		name := c.Name
		_, out, _ := outcome(append(strings.Fields(name), "--help-all")...)
		if flagOf(c.Flags, "help-all") == nil {
			_, out, _ = outcome(append(strings.Fields(name), "--help")...)
		}
		visible := c.VisibleFlags()
		for _, f := range c.Flags {
			option := "--" + f.Names()[0]
			if hidden := !slices.Contains(visible, f); strings.Contains(out, option+" ") == hidden {
				t.Errorf("is %s in the help of %s, hidden %v:\n%s", option, name, hidden, out)
			}
			if !c.Hidden && slices.Contains(visible, f) && !strings.Contains(page, option) {
				t.Errorf("the manual page lacks %s of %s", option, name)
			}
			if category := f.(cli.CategorizableFlag).GetCategory(); category == "" {
				t.Errorf("%s of %s has no category", option, name)
			}
			for _, word := range valueOf(f).words {
				bare := strings.TrimSuffix(word, "=")
				_, completed, _ := outcome(append(append([]string{"__complete"}, strings.Fields(name)...), option, word[:1])...)
				for where, text := range map[string]string{"help": out, "manual page": page, "documentation": documents, "completion": completed} {
					if !c.Hidden && !regexp.MustCompile(`\b`+bare+`\b`).MatchString(text) {
						t.Errorf("the %s lacks %s of %s of %s", where, word, option, name)
					}
				}
			}
		}
	}
}

// TestHelpSpeaksOfThePlugin checks that help and messages of a plugin use the name with which the
// user calls it.
func TestHelpSpeaksOfThePlugin(t *testing.T) {
	for _, line := range []string{"--help", "--help-all", "explain-match --help", "explain VT1001", "--bogus", "explain-match"} {
		var out bytes.Buffer
		Run(t.Context(), append([]string{"/usr/bin/oc-compare"}, strings.Fields(line)...), IO{Out: &out, Err: &out, Env: noEnv})
		if text := out.String(); strings.Contains(text, "validationTool") || !strings.Contains(text, "oc compare") {
			t.Errorf("%q: %s", line, text)
		}
	}
}

// TestStandardInputOnTerminal checks that the tool says on a terminal, but not in a pipe, that it
// waits for standard input.
func TestStandardInputOnTerminal(t *testing.T) {
	for _, is := range []bool{true, false} {
		with := IO{Terminal: func(any) bool { return is }}
		_, _, errs := run(t.Context(), with, "../../examples/quickstart/reference", "-")
		if strings.Contains(errs, "Reading CRs from the terminal") != is {
			t.Errorf("terminal %v: %s", is, errs)
		}
	}
}
