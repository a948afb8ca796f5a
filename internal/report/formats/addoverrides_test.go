package formats

import (
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// TestOverridesAreAdded: what a file has stays as it is, and the entries follow in the form of its list.
// A file to which nothing can be added in this way is refused.
func TestOverridesAreAdded(t *testing.T) {
	more := []refconfig.Override{
		{Kind: "B", Name: "b", Type: refconfig.JSONPatch, Patch: "[\n  {\"op\":\"remove\",\"path\":\"/x\"}\n]\n", Reason: "r"},
	}
	const entry = "- kind: A\n  name: a\n  type: mergepatch\n  patch: '{}'\n  reason: old"
	for name, one := range map[string]struct{ before, begins, entry string }{
		"a new file":            {"", "# yaml-language-server: ", "\n- kind: B\n"},
		"only comments":         {"# mine", "# mine\n- kind: B\n", ""},
		"an empty list":         {"# mine\n[]\n", "# mine\n- kind: B\n", ""},
		"an entry":              {entry + "\n", entry + "\n- kind: B\n", ""},
		"no end of line":        {entry, entry + "\n- kind: B\n", ""},
		"indented":              {"  " + strings.ReplaceAll(entry, "\n", "\n  ") + "\n", "", "\n  - kind: B\n    name: b\n"},
		"a comment with a dash": {"# a - b\n" + entry + "\n", "# a - b\n" + entry + "\n- kind: B\n", ""},
		"Windows":               {strings.ReplaceAll(entry, "\n", "\r\n") + "\r\n", strings.ReplaceAll(entry, "\n", "\r\n") + "\r\n- kind: B", ""},
		"a mapping":             {"kind: A\n", "", "no file of overrides"},
		"in one line":           {`[{kind: A, name: a, type: mergepatch, patch: "{}", reason: old}]`, "", "name a new file"},
		"a second document":     {entry + "\n---\n- x\n", "", "name a new file"},
		"the end of a document": {entry + "\n...\n", "", "name a new file"},
		"UTF-16":                {"\xff\xfe[\x00]\x00", "", "name a new file"},
	} {
		text, err := AddOverrides([]byte(one.before), more, finding.Reference{Path: "ref"}, OverrideOptions{})
		if err != nil {
			if one.begins != "" || !strings.Contains(err.Error(), one.entry) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !strings.HasPrefix(string(text), one.begins) || !strings.Contains(string(text), one.entry) ||
			!strings.HasPrefix(string(text), strings.TrimSuffix(strings.TrimRight(one.before, "\n"), "[]")) {
			t.Errorf("%s: %s", name, text)
		}
		if again, err := AddOverrides(text, more, finding.Reference{}, OverrideOptions{}); err != nil ||
			!strings.HasPrefix(string(again), string(text)) {
			t.Errorf("%s: again: %v\n%s", name, err, again)
		}
	}
}
