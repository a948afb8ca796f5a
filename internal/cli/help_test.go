package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestHelpIsOneScreen: the help of every command fits on a screen, and names every command and every way to more.
func TestHelpIsOneScreen(t *testing.T) {
	for _, c := range new(program).commands() {
		args := append(strings.Fields(c.name), "--help")
		if c.name == comparison {
			args = args[1:]
		}
		status, out, errs := outcome(args...)
		if status != exitSame || errs != "" {
			t.Fatalf("%s: %d, %s", c.name, status, errs)
		}
		if n := strings.Count(out, "\n"); n > 50 {
			t.Errorf("the help of %s has %d lines:\n%s", c.name, n, out)
		}
		for line := range strings.Lines(out) {
			if n := utf8.RuneCountInString(line) - 1; n > helpWidth {
				t.Errorf("the help of %s has a line of %d columns: %s", c.name, n, line)
			}
		}
		if _, same, _ := outcome(append([]string{"help"}, strings.Fields(c.name)...)...); c.name != comparison && same != out {
			t.Errorf("help %s prints something else:\n%s", c.name, same)
		}
	}
	_, out, _ := outcome("-h")
	for _, c := range new(program).commands() {
		group, word, grouped := strings.Cut(c.name, " ")
		if c.name != comparison && strings.Contains(out, "\n  "+c.name+" ") == (c.hidden || grouped) {
			t.Errorf("is %s among the commands, hidden %v:\n%s", c.name, c.hidden, out)
		}
		if _, members, _ := outcome(group, "--help"); grouped && !strings.Contains(members, "\n  "+word+" ") {
			t.Errorf("the help of %s lacks %s:\n%s", group, word, members)
		}
	}
}

// TestHelpHasThreeExamples: more would not fit on the screen.
func TestHelpHasThreeExamples(t *testing.T) {
	if n := len(new(program).compareCommand().examples); n != 3 {
		t.Errorf("%d examples", n)
	}
}

// TestHelpAllHasAll: --help-all has every option and limit of a command, but for hidden ones, and every option has a category.
func TestHelpAllHasAll(t *testing.T) {
	for _, c := range new(program).commands() {
		if len(c.flags) == 0 {
			continue
		}
		_, out, _ := outcome(append(strings.Fields(c.name), "--help-all")...)
		for name, o := range c.known() {
			if hidden := o.name == "no-scan" || o.name == "hold"; strings.Contains(out, "--"+o.name+" ") == hidden {
				t.Errorf("is --%s in the help of %s, hidden %v (%s):\n%s", o.name, c.name, hidden, name, out)
			}
		}
		for _, l := range allLimits() {
			if !strings.Contains(out, "\n  "+l.name+" ") {
				t.Errorf("the help of %s lacks the limit %s", c.name, l.name)
			}
		}
		for _, d := range c.describe() {
			if d.category == "" {
				t.Errorf("%s of %s has no category", d.long, c.name)
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
