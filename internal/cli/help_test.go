package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/limit"
)

// TestHelpIsOneScreen: the help of every command fits on a screen, and names every command and every way to more.
func TestHelpIsOneScreen(t *testing.T) {
	for _, c := range new(program).commands() {
		args := append(strings.Fields(c.Name), "--help")
		if c.Name == comparison {
			args = args[1:]
		}
		status, out, errs := outcome(args...)
		if status != exitSame || errs != "" {
			t.Fatalf("%s: %d, %s", c.Name, status, errs)
		}
		if n := strings.Count(out, "\n"); n > 50 {
			t.Errorf("the help of %s has %d lines:\n%s", c.Name, n, out)
		}
		for line := range strings.Lines(out) {
			if n := utf8.RuneCountInString(line) - 1; n > 96 {
				t.Errorf("the help of %s has a line of %d columns: %s", c.Name, n, line)
			}
		}
		if _, same, _ := outcome(append([]string{"help"}, strings.Fields(c.Name)...)...); c.Name != comparison && same != out {
			t.Errorf("help %s prints something else:\n%s", c.Name, same)
		}
	}
	_, out, _ := outcome("-h")
	for _, c := range new(program).commands() {
		group, word, grouped := strings.Cut(c.Name, " ")
		if c.Name != comparison && strings.Contains(out, "\n  "+c.Name+" ") == (c.Hidden || grouped) {
			t.Errorf("is %s among the commands, hidden %v:\n%s", c.Name, c.Hidden, out)
		}
		if _, members, _ := outcome(group, "--help"); grouped && !strings.Contains(members, "\n  "+word+" ") {
			t.Errorf("the help of %s lacks %s:\n%s", group, word, members)
		}
	}
}

// TestHelpHasThreeExamples: more would not fit on the screen.
func TestHelpHasThreeExamples(t *testing.T) {
	if n := len(new(program).compareCommand().Examples); n != 3 {
		t.Errorf("%d examples", n)
	}
}

// TestHelpAllHasAll: --help-all has every option and limit of a command, but for hidden ones, and every option has a category.
func TestHelpAllHasAll(t *testing.T) {
	for _, c := range new(program).commands() {
		if c.Options == nil {
			continue
		}
		_, out, _ := outcome(append(strings.Fields(c.Name), "--help-all")...)
		for _, o := range c.Every() {
			if hidden := o.Name == "no-scan"; strings.Contains(out, "--"+o.Name+" ") == hidden {
				t.Errorf("is --%s in the help of %s, hidden %v:\n%s", o.Name, c.Name, hidden, out)
			}
			if o.Category == "" {
				t.Errorf("%s of %s has no category", o.Name, c.Name)
			}
		}
		for _, l := range limit.All() {
			if !strings.Contains(out, "\n  "+l.Name+" ") {
				t.Errorf("the help of %s lacks the limit %s", c.Name, l.Name)
			}
		}
	}
}

// TestHelpSpeaksOfThePlugin: installed as a plugin, help and messages have the name by which the user calls it.
func TestHelpSpeaksOfThePlugin(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"--help-all"}, {"explain-match", "--help"}, {"explain", "VT1001"}, {"--bogus"}, {"explain-match"}} {
		status, out, errs := called("/usr/bin/oc-compare", args...)
		if strings.Contains(out+errs, "validationTool") || !strings.Contains(out+errs, "oc compare") {
			t.Errorf("%q: %d\n%s%s", args, status, out, errs)
		}
	}
}

// TestStandardInputOnTerminal: who gives - on a terminal is told that the tool waits; in a pipe nothing is said.
func TestStandardInputOnTerminal(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		var out, errs bytes.Buffer
		Run(context.Background(), []string{"validationTool", "../../examples/quickstart/reference", "-"}, IO{In: strings.NewReader("a: b\n"), Out: &out, Err: &errs,
			Env: noEnv, Terminal: func(any) bool { return terminal }})
		if strings.Contains(errs.String(), "Reading CRs from the terminal") != terminal {
			t.Errorf("terminal %v: %s", terminal, errs.String())
		}
	}
}
