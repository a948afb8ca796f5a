package lsp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
)

// TestSession plays recorded sessions: what the editor sends is a line each.
func TestSession(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		inBubble(t, func(t *testing.T) {
			files := fstest.MapFS{}
			for name, text := range a.Texts() {
				if name != "editor" && name != "session" {
					files[name] = &fstest.MapFile{Data: []byte(text)}
				}
			}
			c := serve(t, files, nil)
			var session strings.Builder
			editor, _ := a.Text("editor")
			for line := range strings.Lines(editor) {
				line = strings.TrimSpace(line)
				session.WriteString("--> " + line + "\n")
				c.send(line)
				for _, got := range c.settled() {
					session.WriteString("<-- " + got + "\n")
				}
			}
			if err := <-c.done; err != nil {
				fmt.Fprintf(&session, "ended: %v\n", err)
			}
			a.Want(t, "session", session.String())
		})
	})
}

// TestHalfWritten: a text is at several places of its writing, and of a deletion, and every question
// about it is answered.
func TestHalfWritten(t *testing.T) {
	files := given.Files(t, "../../../examples/ran-du/reference")
	const places = 6
	methods := strings.Fields("hover completion definition references prepareRename rename documentSymbol documentLink codeAction")
	rows := testkit.Matrix(places, 3, 5, len(methods))
	slices.SortFunc(rows, slices.Compare)
	for _, name := range []string{"metadata.yaml", "platform/PerformanceProfile.yaml", "functions/pool.tmpl"} {
		text, opened := string(files[name].Data), "nothing"
		inBubble(t, func(t *testing.T) {
			c := start(t, files)
			for _, row := range rows {
				at := row[0] * (1 + len(text)/places)
				half := []string{text[:at], text[at:], text[:at] + "{{ \xff\"" + text[at:]}[row[1]]
				if half != opened {
					c.opened(name, half)
					opened = half
				}
				line := strings.Count(text[:at], "\n")
				position := [][2]int{{line, 0}, {line, 7}, {line + 1, 1000}, {-1, -1}, {1 << 30, 3}}[row[2]]
				here, method := map[string]int{"line": position[0], "character": position[1]}, methods[row[3]]
				got := c.ask("textDocument/"+method, map[string]any{
					"textDocument": document(name, ""), "position": here, "newName": "other",
					"range": map[string]any{"start": here, "end": here},
				})
				if strings.Contains(got, `"error":`) && method != "rename" {
					t.Fatalf("%s of %s at %d: %s", method, name, at, got)
				}
			}
			if err := c.end(); err != nil {
				t.Error(err)
			}
		})
	}
}
