package refconfig

import (
	"os"
	"strings"
	"testing"
)

// Each rule but anyOf must break for some choice of the CRs that are present, differ from all others,
// and be documented.
func TestEveryRuleCanBreak(t *testing.T) {
	manual, err := os.ReadFile("../docs/references.md")
	if err != nil {
		t.Fatal(err)
	}
	templates := []*Template{{Path: "a"}, {Path: "b"}}
	known := map[string]string{}
	for _, key := range ruleKeys() {
		breaks := ""
		for present := range 4 { // a bit for each template
			isPresent := func(one *Template) bool {
				return one == templates[0] && present&1 > 0 || one == templates[1] && present&2 > 0
			}
			if _, broken := (Rule{Kind: RuleKind(key), Templates: templates}).evaluate(isPresent); broken {
				breaks += string(rune('0' + present))
			}
		}
		if other := known[breaks]; other != "" {
			t.Errorf("%s breaks exactly where %s does", key, other)
		}
		if known[breaks] = key; breaks == "" && RuleKind(key) != AnyOf {
			t.Errorf("%s never breaks", key)
		}
		if !strings.Contains(string(manual), "| `"+key+"` |") {
			t.Errorf("docs/references.md does not explain %s", key)
		}
	}
}
