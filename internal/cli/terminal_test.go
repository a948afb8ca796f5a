package cli

import (
	"slices"
	"strings"
	"testing"
)

func TestColour(t *testing.T) {
	type set = map[string]string
	for _, c := range []struct {
		choice   string
		terminal bool
		env      set
		want     bool
	}{
		{"auto", false, nil, false},
		{"auto", true, nil, true},
		{"always", false, set{"NO_COLOR": "1"}, true},
		{"never", true, set{"CLICOLOR_FORCE": "1"}, false},
		{"auto", false, set{"CLICOLOR_FORCE": "1"}, true},
		{"auto", false, set{"CLICOLOR_FORCE": "0"}, false},
		{"auto", true, set{"CLICOLOR_FORCE": "0"}, true},
		{"auto", false, set{"FORCE_COLOR": "1"}, true},
		{"auto", false, set{"FORCE_COLOR": "true", "CLICOLOR": "0"}, true},
		{"auto", false, set{"FORCE_COLOR": "0"}, false},
		{"auto", false, set{"FORCE_COLOR": ""}, false},
		{"auto", true, set{"CLICOLOR": "0"}, false},
		{"auto", true, set{"CLICOLOR": "1"}, true},
		{"auto", false, set{"CLICOLOR": "1"}, false},
		{"auto", true, set{"TERM": "dumb"}, false},
		{"auto", true, set{"NO_COLOR": ""}, true},
		{"auto", true, set{"CLICOLOR_FORCE": "1", "FORCE_COLOR": "1", "NO_COLOR": "1"}, false},
	} {
		env := func(k string) (string, bool) { v, ok := c.env[k]; return v, ok }
		if got := colored(c.choice, c.terminal, env); got != c.want {
			t.Errorf("%s on a terminal %v with %v: %v", c.choice, c.terminal, c.env, got)
		}
	}
}

// TestEnvironmentIsDocumented checks that help, the manual page and docs/security.md list every
// variable, and that runs read no other.
func TestEnvironmentIsDocumented(t *testing.T) {
	var known []string
	_, help, _ := outcome("--help-all")
	_, page, _ := outcome("man")
	promises := read(t, "../../docs/security.md")
	for _, row := range environment() {
		for name := range strings.SplitSeq(row[0], ", ") {
			known = append(known, name)
			for where, text := range map[string]string{"help": help, "manual page": page, "docs/security.md": promises} {
				if !strings.Contains(text, name) {
					t.Errorf("the %s lacks %s", where, name)
				}
			}
		}
	}
	read := func(name string) (string, bool) {
		if !slices.Contains(known, name) {
			t.Errorf("a run reads %s", name)
		}
		return "", false
	}
	for _, line := range []string{"examples/quickstart/reference examples/quickstart/cluster", "docs start", "lint examples/quickstart/reference"} {
		line = strings.ReplaceAll(line, "examples", "../../examples")
		run(t.Context(), IO{Env: read, Terminal: func(any) bool { return true }}, strings.Fields(line)...)
	}
}
