package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/code"
)

// TestAdvisedCommandsExist runs every command that a code's text advises, with something real in place of the words in capitals, and
// looks up every option that it names.
func TestAdvisedCommandsExist(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	real := strings.NewReplacer("REFERENCE", "examples/quickstart/reference", "INPUT...", "examples/quickstart/cluster", "INPUT", "examples/quickstart/cluster",
		"KIND/NAME", "ConfigMap/storefront-settings", "CODE", "VT1001", "FILE", "none.yaml")
	known := new(program).compareCommand().known()
	quoted := regexp.MustCompile("`[^`]+`")
	codes, err := os.ReadFile("docs/codes.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for _, heading := range regexp.MustCompile(`(?m)^### (VT\d+):`).FindAllSubmatch(codes, -1) {
		e, ok := code.Lookup(code.Code(heading[1]))
		if !ok {
			t.Errorf("docs/codes.md tells of %s, which is no code", heading[1])
		}
		for _, text := range quoted.FindAllString(e.Cause+" "+e.Do, -1) {
			words := strings.Fields(strings.Trim(real.Replace(text), "`"))
			if words[0] == "validationTool" {
				commands++
				if status, out, errs := outcome(words[1:]...); status == 2 && !strings.Contains(errs, "no such file") {
					t.Errorf("%s advises %s, which says %s%s", e.Code, text, out, errs)
				}
			}
			for _, w := range words {
				name, _, _ := strings.Cut(strings.TrimPrefix(w, "--"), "=")
				if _, there := known[name]; strings.HasPrefix(w, "--") && name != "-" && !there {
					t.Errorf("%s advises %s, which is no option", e.Code, w)
				}
			}
		}
	}
	if commands == 0 {
		t.Error("no command is advised")
	}
	if _, err := os.Stat("examples/quickstart/reference"); err != nil {
		t.Error(err)
	}
}
