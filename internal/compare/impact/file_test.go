package impact

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// parse reads a file with room for few values.
func parse(text string) (Rules, []refconfig.Problem, []refconfig.Problem) {
	return Parse("impact.yaml", []byte(text), 10_000)
}

// The archives of testdata hold a file of rules and, under "want", what is wrong with it.
func TestFaultsOfImpactRules(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		_, warnings, faults := parse(a.Texts()["impact.yaml"])
		var b strings.Builder
		for _, p := range faults {
			fmt.Fprintf(&b, "error %s %s\n", p.Code, p.Error())
		}
		for _, p := range warnings {
			fmt.Fprintf(&b, "warning %s %s\n", p.Code, p.Error())
		}
		a.Want(t, "want", b.String())
	})
}

// What is hostile ends soon, with a fault.
func TestHostileImpactRules(t *testing.T) {
	laughs := "x: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 8 {
		laughs += fmt.Sprintf(
			"y%d: &a%d [%s]\n", i, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "),
		)
	}
	rule := "- &r {impact: review, path: spec}\n"
	for name, c := range map[string]struct{ text, want string }{
		"a NUL":                    {"rules:\n- {impact: review, path: \"a\x00\"}\n", "a NUL byte"},
		"no UTF-8":                 {"rules:\n- {impact: review, path: \"a\xff\"}\n", "a byte is not valid UTF-8"},
		"binary":                   {"\x7fELF\x02\x01\x01\x00\x00", "a control character is not allowed"},
		"aliases that multiply":    {laughs + "rules: *a8\n", ""},
		"a list of aliases":        {"rules:\n" + rule + strings.Repeat("- *r\n", 5000), "aliases repeat more than 10000 values"},
		"merge keys that multiply": {"a: &a {impact: review, path: spec}\nb: &b {<<: [" + strings.Repeat("*a, ", 2000) + "*a]}\nrules:\n- {<<: [" + strings.Repeat("*b, ", 2000) + "*b]}\n", "aliases repeat more than"},
		"an alias of itself":       {"rules: &r\n- *r\n", "an anchor contains itself"},
		"too many rules":           {"rules: [" + strings.Repeat("5, ", mostRules) + "5]\n", "more than"},
		"deep":                     {"rules: " + strings.Repeat("[", 20_000), "nested deeper than 1000 levels"},
		"a long comment":           {"rules:\n- {impact: review, path: spec, comment: " + strings.Repeat("x", 5000) + "}\n", "has 5000 bytes, but may have 4000"},
		"a long range":             {"rules:\n- {impact: review, clusterVersion: \"" + strings.Repeat(">=4.1 ", 100_000) + "\"}\n", "not a version range"},
		"absurd numbers":           {"rules:\n- {impact: review, clusterVersion: \">=99999999999999999999999\"}\n", "not a version range"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, faults := parse(c.text)
			if len(faults) == 0 || !strings.Contains(fmt.Sprint(faults), c.want) {
				t.Errorf("want %q, got %.300s", c.want, fmt.Sprint(faults))
			}
		})
	}
}

func TestRangesOfVersions(t *testing.T) {
	const nightly = "4.8.0-0.nightly-2021-07-31-065602"
	for _, c := range []struct {
		text, version string
		want          bool
	}{
		{">=4.8", nightly, true}, {"4.8.x", nightly, true}, {"~4.8", nightly, true}, {"4.8", nightly, true}, {">=4.7 <4.9", nightly, true}, {"4.7 - 4.9", nightly, true},
		{">4.8", nightly, false}, {"<4.8", nightly, false}, {"<4.8.0", nightly, false}, {"4.7.x", nightly, false}, {">=4.8.1", nightly, false},
		{"4.7.x || 4.8.x", nightly, true}, {"*", nightly, true}, {"!=4.8.x", nightly, false}, {"^4", nightly, true},
		{">=4.16.0-rc.2", "4.16.0-rc.1", false}, {">=4.16.0-rc.2", "4.16.0-rc.3", true}, {">=4.16.0-rc.2", "4.16.0", true}, {"4.15.0 - 4.16.0", "4.16.0-rc.1", true},
		{">=4.14,<4.16", "4.15.3", true}, {"=4.15.3", "4.15.3", true}, {"4.15.3", "4.15.4", false}, {">=4.9", "4.10.1", true},
		{"*", "", false}, {"*", "unknown", false}, {"!=4.8.x", "", false},
	} {
		v, err := parseVersions(c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		if got := v.has(c.version); got != c.want {
			t.Errorf("%s has %s: %v", c.text, c.version, got)
		}
	}
}

func FuzzImpactRules(f *testing.F) {
	f.Add(
		"default: review\nrules:\n- {impact: impacting, cr: a/*/b, path: a.0.*, clusterVersion: '>=4 || 5.x', template: 'a[b]', link: https://a}\n",
	)
	f.Add("rules: &r [*r]\n")
	f.Fuzz(func(t *testing.T, text string) {
		rules, _, _ := parse(text)
		rules.Rate(context.Background(), []*finding.Run{exampleRun()})
	})
}
