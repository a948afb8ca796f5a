package kubeyaml_test

import (
	"errors"
	"testing"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

func TestATextIsOneMapping(t *testing.T) {
	const invalid = "the text rendered for this CR is not valid YAML at its line 2: "
	for _, c := range []struct {
		text, fault string
		offset      int
	}{
		{"a: 1\n", "", 0},
		{"---\n# nothing\n---\na: 1\n---\n", "", 0},
		{"", "the template prints nothing for this CR", 0},
		{"---\n---\n", "the template prints nothing for this CR", 0},
		{"- a\n", "the template prints no YAML mapping for this CR", 0},
		{"a: 1\n---\nb: 1\n", "the template prints more than one YAML document for this CR", 9},
		{"a: 1\nb: [\n", invalid, 5},
	} {
		node, err := kubeyaml.ParseMapping(c.text, kubeyaml.DefaultLimits())
		var fault *kubeyaml.MappingFault
		switch {
		case c.fault == "" && (err != nil || node.Kind != kubeyaml.Map):
			t.Errorf("%q: %v", c.text, err)
		case c.fault == "":
		case !errors.As(err, &fault) || len(fault.Message) < len(c.fault) || fault.Message[:len(c.fault)] != c.fault:
			t.Errorf("%q: %v, want %s", c.text, err, c.fault)
		case fault.Code != code.EvalYAML || fault.Offset != c.offset:
			t.Errorf("%q: %s at %d, want %d", c.text, fault.Code, fault.Offset, c.offset)
		}
	}
}
