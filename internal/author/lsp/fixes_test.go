package lsp_test

import (
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestFixesResolve: whatever fix is proposed for a mistake in the tests of lint, its finding is gone
// afterwards, and there is no error that was not there before. A parser that could not read a file may
// find the next mistake in it. Mistakes with nothing but codes that others have, with a name that was
// meant or without, are tried with Whole.
func TestFixesResolve(t *testing.T) {
	tried, seen := 0, map[string]bool{}
	sort := regexp.MustCompile(`VT\d+|did you mean`)
	testkit.Each(t, "../lint/testdata/faults/*.txtar", func(t *testing.T, a *testkit.Archive) {
		folder := path.Join("../lint", strings.TrimSpace(string(a.Comment)))
		original := given.Files(t, folder)
		fresh, title := map[string]bool{}, ""
		for line := range strings.Lines(string(a.Files[len(a.Files)-1].Data)) { // which is want
			found := strings.Join(sort.FindAllString(line, -1), " ")
			if found == "" {
				title = strings.TrimSpace(line)
			}
			fresh[title], seen[found] = fresh[title] || !seen[found], true
		}
		for _, mistake := range a.Files {
			if mistake.Name == "want" || !fresh[mistake.Name] && !testkit.Whole() {
				continue
			}
			files := given.Edited(t, original, string(mistake.Data))
			inBubble(t, func(t *testing.T) { tried += resolveAll(t, mistake.Name, files) })
		}
	})
	if tried < 15 {
		t.Errorf("only %d fixes were tried", tried)
	}
}

// found is a finding as the editor gets it.
type found struct {
	Severity      int
	Code, Message string
}

// findings returns the findings of all files.
func (c *client) findings(t *testing.T) (all []found) {
	for _, text := range c.shown {
		var some []found
		if err := json.Unmarshal([]byte(strings.ReplaceAll(text, "} {", "},{")), &some); err != nil {
			t.Fatal(err, text)
		}
		all = append(all, some...)
	}
	return all
}

// resolveAll tries each fix for a reference, and returns how many there are.
func resolveAll(t *testing.T, name string, files fstest.MapFS) (tried int) {
	c := start(t, files)
	c.opened("metadata.yaml", string(files["metadata.yaml"].Data))
	c.settled()
	before := c.findings(t)
	everything := map[string]any{"start": place(0, 0), "end": place(1<<20, 0)}
	for _, uri := range slices.Sorted(maps.Keys(c.shown)) {
		var answer struct {
			Result []struct {
				Diagnostics []found
				Edit        struct {
					Changes map[string][]struct {
						Range   struct{ Start, End struct{ Line, Character int } }
						NewText string
					}
				}
			}
		}
		got := c.ask("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": uri}, "range": everything})
		if err := json.Unmarshal([]byte(got), &answer); err != nil {
			t.Fatal(err, got)
		}
		for _, action := range answer.Result {
			tried++
			for changed, edits := range action.Edit.Changes {
				changed = strings.TrimPrefix(changed, file)
				text := string(files[changed].Data)
				lines := strings.SplitAfter(text, "\n")
				offset := func(line, character int) int { return len(strings.Join(lines[:line], "")) + character }
				for _, e := range edits {
					text = text[:offset(e.Range.Start.Line, e.Range.Start.Character)] + e.NewText +
						text[offset(e.Range.End.Line, e.Range.End.Character):]
				}
				c.opened(changed, text)
				c.settled()
				for _, after := range c.findings(t) {
					isNew := after.Severity == 1 && !slices.Contains(before, after)
					if isNew || after == action.Diagnostics[0] {
						t.Errorf("%s: after the fix for %q: %+v\n%s", name, action.Diagnostics[0].Message, after, text)
					}
				}
				c.opened(changed, string(files[changed].Data))
			}
		}
	}
	return tried
}
