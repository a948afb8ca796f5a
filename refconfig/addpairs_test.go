package refconfig

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAddPairs(t *testing.T) {
	pairs := []ManualPair{
		{Object: "v1_Service_shop_b", Template: "sub/b: it's.yaml"},
		{Object: "v1_Namespace_a", Template: "a.yaml"},
	}
	const below = "correlationSettings:\n  manualCorrelation:\n    correlationPairs:\n"
	const added = "      v1_Namespace_a: a.yaml\n      v1_Service_shop_b: 'sub/b: it''s.yaml'\n"
	for name, c := range map[string]struct{ before, after string }{
		"nothing":       {"", below + added},
		"a comment":     {"# mine", "# mine\n" + below + added},
		"a null":        {"# mine\n---\n", below + added + "\n# mine\n"},
		"empty pairs":   {below, below + added},
		"nulls":         {"correlationSettings:\n", below + added},
		"others":        {below + "      v1_Pod_x_y: pod.yaml # why\n", below + "      v1_Pod_x_y: pod.yaml # why\n" + added},
		"the same":      {below + "      v1_Namespace_a: old.yaml # since then\n", below + "      v1_Namespace_a: a.yaml # since then\n" + added[len("      v1_Namespace_a: a.yaml\n"):]},
		"on one line":   {"correlationSettings: {manualCorrelation: {correlationPairs: {v1_Namespace_a: x}}}\n", "correlationSettings: {manualCorrelation: {correlationPairs: {v1_Namespace_a: a.yaml, v1_Service_shop_b: 'sub/b: it''s.yaml'}}}\n"},
		"empty braces":  {"{}\n", "{correlationSettings: {manualCorrelation: {correlationPairs: {v1_Namespace_a: a.yaml, v1_Service_shop_b: 'sub/b: it''s.yaml'}}}}\n"},
		"other cases":   {"CorrelationSettings:\n  manualcorrelation:\n    correlationPairs:\n", "CorrelationSettings:\n  manualcorrelation:\n    correlationPairs:\n" + added},
		"other indents": {strings.ReplaceAll(below, "  ", "    "), below + added},
	} {
		got, err := AddPairs([]byte(c.before), pairs)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(c.after, string(got)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if _, problems := ParseDiffConfig("x", got); len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
	}
	for _, wrong := range []string{"[]", "correlationSettings: 3", "a: b", "{", "a: 1\n---\nb: 2", below + added + "---\n" + below} {
		if _, err := AddPairs([]byte(wrong), pairs); err == nil {
			t.Errorf("%q was added to", wrong)
		}
	}
}

// Names of CRs may hold any character. They must be escaped and read back as they were.
func TestAddPairsEscapesWhatCannotBeSeen(t *testing.T) {
	for _, c := range []string{"\u034f", "\u115f", "\u1160", "\u3164", "\uffa0", "\u17b4", "\ufe0f", "\U000e0100", "\u180b", "\u200b", "\u202e", "\u00ad", "\u2800", "\u00a0", "\u2028", "\x1b", "\x07"} {
		pair := ManualPair{Object: "v1_Namespace_a" + c + "é", Template: "a" + c + ".yaml"}
		for range 2 { // and once more where it is already
			text, err := AddPairs([]byte("# mine\n"), []ManualPair{pair})
			if err == nil {
				text, err = AddPairs(text, []ManualPair{pair})
			}
			if err != nil || strings.Contains(string(text), c) || !strings.Contains(string(text), "é") {
				t.Errorf("%q: %v\n%s", c, err, text)
			}
			if config, _ := ParseDiffConfig("x", text); len(config.Pairs) != 1 ||
				config.Pairs[0].Object != pair.Object ||
				config.Pairs[0].Template != pair.Template {
				t.Errorf("%q: %v", c, config.Pairs)
			}
		}
	}
}

func TestSelectTemplates(t *testing.T) {
	ref := &Reference{}
	for _, p := range []string{"a.yaml", "sub/a.yaml", "sub/b[1].yaml", "./c.yaml"} {
		ref.Templates = append(ref.Templates, &Template{Path: p})
	}
	for names, want := range map[string]string{
		"a.yaml": "a.yaml", "./a.yaml": "a.yaml", "*.yaml": "a.yaml ./c.yaml", "sub/*": "sub/a.yaml sub/b[1].yaml",
		"sub/b[1].yaml": "sub/b[1].yaml", "c.yaml,sub/a*": "sub/a.yaml ./c.yaml",
	} {
		chosen, err := ref.SelectTemplates(strings.Split(names, ","))
		if err != nil {
			t.Errorf("%s: %v", names, err)
			continue
		}
		var got []string
		for _, x := range ref.Templates {
			if chosen(x) {
				got = append(got, x.Path)
			}
		}
		if d := cmp.Diff(want, strings.Join(got, " ")); d != "" {
			t.Errorf("%s: %s", names, d)
		}
	}
	_, err := ref.SelectTemplates([]string{"a.yaml", "aa.yaml", "x/*", "["})
	if err == nil || strings.Count(err.Error(), "the reference has no template") != 3 {
		t.Errorf("%v", err)
	}
}
