package cli

import "testing"

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
		env := func(k string) (string, bool) { v, ok := c.env[k]; return v, ok }
		if got := colored(c.choice, nil, env); got != c.want {
			t.Errorf("%s with %v: %v", c.choice, c.env, got)
		}
	}
}
