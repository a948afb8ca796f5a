package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// savedText is a text of a report as JSON: its place in the decoded document, and the keys to it.
type savedText struct {
	keys string
	set  func(text string)
	was  string
}

// savedTexts returns the texts of a decoded report: of those with the same keys the first one, and
// with Whole two.
func savedTexts(document any) (all []savedText) {
	most := pack.Tries(2)
	met := map[string]int{}
	var walk func(v any, keys string, set func(string))
	walk = func(v any, keys string, set func(string)) {
		switch v := v.(type) {
		case string:
			if met[keys]++; met[keys] <= most {
				all = append(all, savedText{keys, set, v})
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(v[key], keys+"."+key, func(text string) { v[key] = text })
			}
		case []any:
			for i, x := range v {
				walk(x, keys, func(text string) { v[i] = text })
			}
		}
	}
	walk(document, "", nil)
	return all
}

// TestNoTextOfASavedReportActs makes each text of a saved report hostile, one after the other, and
// shows the report in every format. Either it is not read, or the text is shown as a text.
func TestNoTextOfASavedReportActs(t *testing.T) {
	besideOthers(t)
	dir := t.TempDir()
	tree := nastyReference()
	tree["impact.yaml"] = "rules:\n- {impact: review, path: data, comment: why, link: 'https://example.com'}\n"
	pack.Files(t, dir, tree)
	path := func(name string) string { return filepath.Join(dir, name) }
	compared := []string{"--overrides", path("overrides.yaml"), "--impact", path("impact.yaml"), "--full", "--verbose", "--show-overridden", "--show-suppressed",
		"--fail-on", "drift,missing,extra,unmatched,impacting", path("ref")}
	_, _, errs := outcome(append(compared, path("in/all.yaml"), "-o", "json="+path("before.json"))...)
	_, _, more := outcome(append(compared, path("in"), "--baseline", path("before.json"), "-o", "json="+path("saved.json"))...)
	saved, err := os.ReadFile(path("saved.json"))
	if err != nil {
		t.Fatal(err, errs, more)
	}
	var document any
	if err := json.Unmarshal(saved, &document); err != nil {
		t.Fatal(err)
	}
	args, checks := []string{"report", path("hostile.json")}, formatChecks()
	for _, f := range allFormats() {
		if !f.needsCRs {
			args = append(args, "-o", f.name+"="+path(f.name))
		}
	}
	if status, out, errs := outcome("report", path("saved.json")); status != 2 || errs != "" {
		t.Fatalf("exit status %d: %s%s", status, out, errs)
	}
	hostile := "\x1b[2J\x1b]0;owned\a\u202e\u2066\u200b\u2028\u009b31m\u034f\u115f\ufe0f\u2800\U00016fe4\U0001d159" + markup
	texts, read := savedTexts(document), 0
	for _, one := range texts {
		one.set(hostile)
		text, err := json.Marshal(document)
		must(err)
		one.set(one.was)
		must(os.WriteFile(path("hostile.json"), text, 0o600))
		_, out, errs := outcome(args...)
		shown := map[string]string{"terminal": out + errs}
		for name := range checks {
			content, err := os.ReadFile(path(name))
			if err != nil {
				continue
			}
			must(os.Remove(path(name)))
			shown[name] = string(content)
			read++
		}
		t.Run(strings.TrimPrefix(one.keys, "."), func(t *testing.T) {
			for name, content := range shown {
				checkQuiet(t, content)
				if check := checks[name]; check != nil {
					check(t, content)
				}
				if t.Failed() {
					t.Fatalf("in %s", name)
				}
			}
		})
	}
	if fmt.Sprint(len(texts) > 60, read > 60*len(checks)/2) != "true true" {
		t.Errorf("only %d texts were tried, and %d files were written", len(texts), read)
	}
}
