package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/author/lsp"
	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/input/manifest"
)

// TestAnswers asks about places in files. Each line of "asks" is a question; the ¦ in the text of a
// file is the cursor. The lines are:
//
//	open FILE, close FILE     the documents of the editor
//	change FILE SECTION       the file has the text of a section, unsaved
//	diagnostics               what is underlined
//	complete FILE OLD => NEW  complete at the cursor in NEW, which is typed in place of OLD
//	METHOD FILE TEXT          ask about the cursor in TEXT
//	rename FILE NAME TEXT     rename what is at the cursor in TEXT
func TestAnswers(t *testing.T) {
	testkit.Each(t, "testdata/answers/*.txtar", func(t *testing.T, a *testkit.Archive) {
		inBubble(t, func(t *testing.T) {
			files := fstest.MapFS{}
			texts := map[string]string{}
			for name, text := range a.Texts() {
				if name != "asks" && name != "answers" && !strings.HasPrefix(name, "unsaved/") {
					files[name] = &fstest.MapFile{Data: []byte(text)}
					texts[name] = text
				}
			}
			var schemas *crdschema.Set
			if text, ok := a.Text("crds.yaml"); ok {
				schemas = &crdschema.Set{}
				delete(files, "crds.yaml")
				for _, o := range manifest.Read("crds.yaml", "", []byte(text), manifest.Hints{}).Objects {
					if p := schemas.AddDefinition(o); p != nil {
						t.Fatal(p)
					}
				}
			}
			sources, _ := a.Text("sources.yaml")
			delete(files, "sources.yaml")
			client := serve(t, files, schemas, func(o *lsp.Options) {
				for _, one := range manifest.Read("sources.yaml", "", []byte(sources), manifest.Hints{}).Objects {
					if cr, err := one.Decode(); err == nil {
						o.Sources = append(o.Sources, cr)
					}
				}
			})
			x := &asking{client: client, archive: a, texts: texts}
			x.ask("initialize", map[string]any{"rootUri": "file:///project"})
			asks, _ := a.Text("asks")
			for line := range strings.Lines(asks) {
				if line = strings.TrimSuffix(line, "\n"); line != "" {
					x.out.WriteString("? " + line + "\n")
					x.line(line)
				}
			}
			if err := x.end(); err != nil {
				t.Error(err)
			}
			a.Want(t, "answers", x.out.String())
		})
	})
}

// asking writes questions and answers.
type asking struct {
	*client
	archive *testkit.Archive
	texts   map[string]string
	out     strings.Builder
}

func (x *asking) line(line string) {
	x.t.Helper()
	method, rest, _ := strings.Cut(line, " ")
	file, rest, _ := strings.Cut(rest, " ")
	switch method {
	case "open":
		x.opened(file, x.texts[file])
	case "close":
		x.tell("textDocument/didClose", map[string]any{"textDocument": document(file, "")})
		return
	case "change":
		text, ok := x.archive.Text("unsaved/" + rest)
		if !ok {
			x.t.Fatal(line)
		}
		x.texts[file] = text
		x.changed(file, text)
	case "diagnostics":
		x.diagnostics()
	case "complete":
		x.complete(file, rest)
	case "workspace":
		x.print(x.result("workspace/symbol", map[string]any{"query": file}))
	case "documentSymbol", "documentLink", "codeAction":
		everything := map[string]any{"start": place(0, 0), "end": place(1<<20, 0)}
		x.print(x.result("textDocument/"+method, map[string]any{
			"textDocument": document(file, ""), "range": everything, "context": map[string]any{"diagnostics": []any{}},
		}))
	case "rename":
		name, text, _ := strings.Cut(rest, " ")
		x.print(x.result("textDocument/rename", map[string]any{
			"textDocument": document(file, ""), "position": x.cursor(x.texts[file], text), "newName": name,
		}))
	default:
		x.print(x.result("textDocument/"+method, map[string]any{
			"textDocument": document(file, ""), "position": x.cursor(x.texts[file], rest),
			"context": map[string]any{"includeDeclaration": true},
		}))
	}
}

func place(line, character int) map[string]int {
	return map[string]int{"line": line, "character": character}
}

// cursor returns the position of the cursor in a part of a text; \n stands for a line break.
func (x *asking) cursor(text, part string) map[string]int {
	x.t.Helper()
	before, after, _ := strings.Cut(strings.ReplaceAll(part, `\n`, "\n"), "¦")
	at := strings.Index(text, before+after)
	if at < 0 {
		x.t.Fatalf("there is no %q", part)
	}
	return positionIn(text, at+len(before))
}

// positionIn returns the position of an offset in a text without other characters than ASCII.
func positionIn(text string, offset int) map[string]int {
	return place(strings.Count(text[:offset], "\n"), offset-strings.LastIndexByte(text[:offset], '\n')-1)
}

func (x *asking) complete(file, rest string) {
	old, typed, _ := strings.Cut(rest, " => ")
	before, after, _ := strings.Cut(strings.ReplaceAll(typed, `\n`, "\n"), "¦")
	text := x.texts[file]
	at := strings.Index(text, strings.ReplaceAll(old, `\n`, "\n"))
	if at < 0 {
		x.t.Fatalf("there is no %q", old)
	}
	changed := text[:at] + before + after + text[at+len(strings.ReplaceAll(old, `\n`, "\n")):]
	x.changed(file, changed)
	var items []struct {
		Label    string `json:"label"`
		Detail   string `json:"detail"`
		TextEdit struct {
			NewText string `json:"newText"`
		} `json:"textEdit"`
	}
	result := x.result("textDocument/completion", map[string]any{
		"textDocument": document(file, ""), "position": positionIn(changed, at+len(before)),
	})
	if err := json.Unmarshal(result, &items); err != nil {
		x.t.Fatal(err)
	}
	const most = 12
	for _, i := range items[:min(len(items), most)] {
		x.out.WriteString("  " + i.TextEdit.NewText)
		if i.Detail != "" {
			x.out.WriteString(" (" + i.Detail + ")")
		}
		x.out.WriteString("\n")
	}
	if len(items) > most {
		fmt.Fprintf(&x.out, "  and %d more\n", len(items)-most)
	}
	x.changed(file, text)
}

// result asks a question, and returns the result or the error.
func (x *asking) result(method string, params any) json.RawMessage {
	x.t.Helper()
	var answer struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal([]byte(x.ask(method, params)), &answer); err != nil {
		x.t.Fatal(err)
	}
	if answer.Error != nil {
		return answer.Error
	}
	return answer.Result
}

// diagnostics prints what is underlined in each file.
func (x *asking) diagnostics() {
	x.settled()
	var uris []string
	for uri, all := range x.shown {
		if all != "[]" {
			uris = append(uris, uri)
		}
	}
	slices.Sort(uris)
	for _, uri := range uris {
		var all []map[string]any
		if err := json.Unmarshal([]byte(strings.ReplaceAll(x.shown[uri], "} {", "},{")), &all); err != nil {
			x.t.Fatal(err, x.shown[uri])
		}
		for _, d := range all {
			fmt.Fprintf(&x.out, "  %s %v: %v\n", x.at(uri, d["range"]), d["code"], d["message"])
		}
	}
}

// at returns a range of a file in one word: its lines and columns from 1, and the text.
func (x *asking) at(uri string, r any) string {
	file := strings.TrimPrefix(uri, "file:///project/")
	var span struct{ Start, End struct{ Line, Character int } }
	text, _ := json.Marshal(r)
	if err := json.Unmarshal(text, &span); err != nil {
		x.t.Fatal(err)
	}
	lines := strings.Split(x.texts[file], "\n")
	word := ""
	if span.Start.Line == span.End.Line && span.Start.Line < len(lines) {
		word = lines[span.Start.Line][span.Start.Character:span.End.Character]
	} else {
		word = fmt.Sprintf("to line %d", span.End.Line+1)
	}
	return fmt.Sprintf("%s:%d:%d `%s`", file, span.Start.Line+1, span.Start.Character+1, word)
}

// print prints a result: locations and edits with their text, all else as JSON.
func (x *asking) print(result json.RawMessage) {
	var decoded any
	if err := json.Unmarshal(result, &decoded); err != nil {
		x.t.Fatal(err)
	}
	x.value(decoded, "  ")
}

func (x *asking) value(v any, indent string) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			x.value(one, indent)
		}
	case map[string]any:
		uri, isLocation := v["uri"].(string)
		changes, isEdit := v["changes"].(map[string]any)
		contents, isHover := v["contents"].(map[string]any)
		switch {
		case isLocation:
			x.out.WriteString(indent + x.at(uri, v["range"]) + "\n")
		case isEdit:
			var uris []string
			for uri := range changes {
				uris = append(uris, uri)
			}
			slices.Sort(uris)
			for _, uri := range uris {
				for _, edit := range changes[uri].([]any) {
					edit := edit.(map[string]any)
					fmt.Fprintf(&x.out, "%s%s becomes %q\n", indent, x.at(uri, edit["range"]), edit["newText"])
				}
			}
		case isHover:
			for line := range strings.Lines(contents["value"].(string)) {
				x.out.WriteString(indent + strings.TrimSuffix(line, "\n") + "\n")
			}
		case v["edit"] != nil:
			fmt.Fprintf(&x.out, "%s%v\n", indent, v["title"])
			x.value(v["edit"], indent+"  ")
		case v["selectionRange"] != nil:
			fmt.Fprintf(&x.out, "%s%v", indent, v["name"])
			if v["detail"] != nil {
				fmt.Fprintf(&x.out, ": %v", v["detail"])
			}
			x.out.WriteString("\n")
			x.value(v["children"], indent+"  ")
		case v["location"] != nil:
			fmt.Fprintf(&x.out, "%s%v in %v\n", indent, v["name"], v["containerName"])
			x.value(v["location"], indent+"  ")
		default:
			text, _ := json.Marshal(v)
			x.out.WriteString(indent + string(text) + "\n")
		}
	}
}
