package lsp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/validationtool/validationtool/internal/author/lsp"
	"github.com/validationtool/validationtool/internal/dev/testkit"
)

const metadata = `apiVersion: v2
parts:
  - name: p
    components:
      - name: c
        allOf:
          - path: a.yaml
`

const template = `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  namespace: ns
data:
  x: {{ .data.x }}
`

// small returns a reference with one template.
func small() fstest.MapFS {
	return fstest.MapFS{
		"metadata.yaml": {Data: []byte(metadata)},
		"a.yaml":        {Data: []byte(template)},
	}
}

const file = "file:///project/"

// TestManyChanges: 500 changes within a second of the bubble cause one check, which is about the last
// text. Requests in between are answered, about the texts of their time.
func TestManyChanges(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := start(t, small())
		c.opened("a.yaml", template)
		c.settled()
		before := c.loads.Load()
		for i := range 500 {
			c.changed("a.yaml", strings.ReplaceAll(template, "x }}", fmt.Sprintf("x | wrong%d }}", i)))
			time.Sleep(2 * time.Millisecond)
		}
		for _, text := range c.settled() {
			if !strings.Contains(text, "wrong499") {
				t.Errorf("a message about an earlier text: %s", text)
			}
		}
		if n := c.loads.Load() - before; n != 1 {
			t.Errorf("%d checks", n)
		}
		c.changed("a.yaml", template)
		if c.settled(); c.shown[file+"a.yaml"] != "[]" {
			t.Error("after an undo:", c.shown)
		}
	})
}

// TestAnswersDuringACheck: while a check hangs, changes and requests are taken, and its findings are
// dropped, because the text has changed.
func TestAnswersDuringACheck(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := serve(t, small(), nil)
		c.ask("initialize", map[string]any{})
		c.hold = make(chan struct{})
		c.opened("a.yaml", strings.ReplaceAll(template, "x }}", "x | wrong }}"))
		c.settled()
		for range 500 {
			c.changed("a.yaml", template)
		}
		got := c.ask("textDocument/completion", map[string]any{
			"textDocument": document("metadata.yaml", ""), "position": place(6, 18),
		})
		if !strings.Contains(got, `"label":"a.yaml"`) {
			t.Error(got)
		}
		close(c.hold)
		for _, text := range c.settled() {
			if strings.Contains(text, "wrong") {
				t.Error(text)
			}
		}
		if n := c.loads.Load(); n != 2 || c.shown[file+"a.yaml"] != "[]" {
			t.Errorf("%d checks; shown: %v", n, c.shown)
		}
	})
}

// TestShutdownReports: what was changed right before the editor asks for the end is still reported.
func TestShutdownReports(t *testing.T) {
	for range 20 { // the server may see both at once
		inBubble(t, func(t *testing.T) {
			c := start(t, small())
			c.hold = make(chan struct{})
			c.opened("a.yaml", template)
			c.settled() // it hangs in a check
			c.changed("a.yaml", strings.ReplaceAll(template, "x }}", "x | wrong }}"))
			c.message(map[string]any{"jsonrpc": "2.0", "id": 100, "method": "shutdown"})
			c.settled()
			close(c.hold)
			if c.settled(); !strings.Contains(c.shown[file+"a.yaml"], "wrong") {
				t.Error(c.shown)
			}
			c.tell("exit", nil)
			if err := <-c.done; err != nil {
				t.Error(err)
			}
		})
	}
}

// TestCancelledRequest: a request that the editor cancels is answered with the error of the protocol,
// and requests that hang do not keep the others from being taken.
func TestCancelledRequest(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := start(t, small())
		c.hold = make(chan struct{})
		at := map[string]any{"textDocument": document("a.yaml", ""), "position": place(6, 15)}
		for id := range 2 {
			c.message(map[string]any{"jsonrpc": "2.0", "id": 100 + id, "method": "textDocument/hover", "params": at})
		}
		c.tell("$/cancelRequest", map[string]any{"id": 101})
		c.tell("$/cancelRequest", map[string]any{"id": "unknown"})
		if got := c.settled(); len(got) > 0 {
			t.Error(got)
		}
		close(c.hold)
		got := strings.Join(c.settled(), "\n")
		if !strings.Contains(got, `{"error":{"code":-32800,"message":"the request was cancelled"},"id":101`) ||
			!strings.Contains(got, "`data.x` of the CR") {
			t.Error(got)
		}
	})
}

// TestFilesOnDisk: the editor is asked to watch files. What changes on the disk, is renamed, or is
// gone with its folder, changes the findings; an open document counts more than the disk.
func TestFilesOnDisk(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("metadata.yaml", metadata)
	write("a.yaml", strings.ReplaceAll(template, "x }}", "x | wrong }}"))
	inBubble(t, func(t *testing.T) {
		c := serve(t, os.DirFS(folder), nil)
		c.ask("initialize", map[string]any{"capabilities": map[string]any{"workspace": map[string]any{
			"didChangeWatchedFiles": map[string]any{"dynamicRegistration": true},
		}}})
		c.tell("initialized", map[string]any{})
		if got := strings.Join(c.settled(), "\n"); !strings.Contains(got, `"method":"client/registerCapability"`) {
			t.Error(got)
		}
		c.message(map[string]any{"jsonrpc": "2.0", "id": 1, "result": nil}) // to the registration
		happens := func(names ...string) {
			var changes []any
			for _, name := range names {
				changes = append(changes, map[string]any{"uri": file + name, "type": 2})
			}
			c.tell("workspace/didChangeWatchedFiles", map[string]any{"changes": changes})
			c.settled()
		}
		wants := func(name, word string) {
			t.Helper()
			got := c.shown[file+name]
			if word == "" && got != "[]" && got != "" || !strings.Contains(got, word) {
				t.Errorf("%s: %s, want %q", name, got, word)
			}
		}
		happens("a.yaml")
		wants("a.yaml", "") // nobody has opened a document of the reference
		c.opened("metadata.yaml", metadata)
		c.settled()
		wants("a.yaml", `\"wrong\" not defined`)
		write("a.yaml", template)
		before := c.loads.Load()
		happens(".git/index", "x/y.txt")
		if n := c.loads.Load() - before; n != 1 || c.shown[file+"x/y.txt"] != "" {
			t.Errorf("%d checks; shown %v", n, c.shown)
		}
		happens("a.yaml")
		wants("a.yaml", "")
		write("b.yaml", strings.ReplaceAll(template, "name: a", "name: b"))
		if err := os.Remove(filepath.Join(folder, "a.yaml")); err != nil {
			t.Fatal(err)
		}
		happens("a.yaml", "b.yaml")
		wants("metadata.yaml", "does not exist")
		c.changed("metadata.yaml", strings.ReplaceAll(metadata, "a.yaml", "b.yaml")) // unsaved
		c.settled()
		wants("metadata.yaml", "")
		wants("b.yaml", "")
		c.opened("c.yaml", template) // a file that is on no disk
		c.settled()
		wants("c.yaml", "no component lists this file")
		c.changed("metadata.yaml", strings.ReplaceAll(metadata, "a.yaml", "c.yaml"))
		c.settled()
		wants("metadata.yaml", "")
		wants("b.yaml", "no component lists this file")
		c.tell("textDocument/didClose", map[string]any{"textDocument": document("c.yaml", "")})
		c.settled()
		wants("metadata.yaml", "does not exist")
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		happens("")
		happens("b.yaml", "metadata.yaml")
		wants("b.yaml", "")
		c.tell("textDocument/didClose", map[string]any{"textDocument": document("metadata.yaml", "")})
		c.settled()
		for name, all := range c.shown {
			if all != "[]" {
				t.Errorf("after all is gone, %s has %s", name, all)
			}
		}
		if err := c.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestTwoReferences: each reference has its own findings, and a file that two of them have has those of
// both. A broken one does not hide those of the other.
func TestTwoReferences(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		wrong := []byte(strings.ReplaceAll(template, "x }}", "x | wrong }}"))
		c := start(t, fstest.MapFS{
			"metadata.yaml":       {Data: []byte(strings.ReplaceAll(metadata, "a.yaml", "inner/a.yaml"))},
			"inner/metadata.yaml": {Data: []byte(strings.ReplaceAll(metadata, "a.yaml", "a.yaml\n            cnfig: {}"))},
			"inner/a.yaml":        {Data: wrong},
			"other/metadata.yaml": {Data: []byte("parts: [")},
			"other/a.yaml":        {Data: wrong},
		})
		for _, name := range []string{"inner/a.yaml", "other/a.yaml"} {
			c.opened(name, string(wrong))
		}
		c.settled()
		for name, word := range map[string]string{
			"inner/a.yaml": "wrong", "inner/metadata.yaml": "cnfig", "other/metadata.yaml": "not valid YAML",
		} {
			if got := c.shown[file+name]; strings.Count(got, word) != 1 {
				t.Errorf("%s: %s", name, got)
			}
		}
		c.changed("inner/a.yaml", template)
		c.settled()
		for name, word := range map[string]string{"inner/metadata.yaml": "cnfig", "other/metadata.yaml": "not valid YAML"} {
			if got := c.shown[file+name]; !strings.Contains(got, word) || c.shown[file+"inner/a.yaml"] != "[]" {
				t.Errorf("%s: %s", name, got)
			}
		}
	})
}

// TestPositions: the positions of the protocol count what the editor and the server have agreed on, and
// a line ends with \n, \r\n or \r.
func TestPositions(t *testing.T) {
	text := "# é𝄞\r\n# \r# x\n" + strings.ReplaceAll(template, "x }}", "x | printf \"é𝄞%s\" | wrong }}")
	for encoding, want := range map[string]int{"utf-8": 38, "utf-16": 35, "utf-32": 34, "utf-7": 35, "": 35} {
		inBubble(t, func(t *testing.T) {
			c := serve(t, small(), nil)
			all := []string{"unknown"}
			if encoding != "" {
				all = append(all, encoding)
			}
			got := c.ask("initialize", map[string]any{
				"capabilities": map[string]any{"general": map[string]any{"positionEncodings": all}},
			})
			if want == 35 {
				encoding = "utf-16"
			}
			if !strings.Contains(got, `"positionEncoding":"`+encoding+`"`) {
				t.Error(got)
			}
			c.opened("a.yaml", text)
			c.settled()
			at := fmt.Sprintf(`"start":{"character":%d,"line":9}`, want)
			if got := c.shown[file+"a.yaml"]; !strings.Contains(got, at) {
				t.Errorf("%s: %s, want %s", encoding, got, at)
			}
			got = c.ask("textDocument/codeAction", map[string]any{
				"textDocument": document("a.yaml", ""),
				"range":        map[string]any{"start": place(9, want), "end": place(9, want)},
			})
			if !strings.Contains(got, `"result":[]`) { // nothing is like it
				t.Error(got)
			}
			got = c.ask("textDocument/hover", map[string]any{
				"textDocument": document("a.yaml", ""), "position": place(9, want-15),
			})
			if !strings.Contains(got, "printf FORMAT") {
				t.Errorf("%s: %s", encoding, got)
			}
		})
	}
}

// TestLimit: a check that takes too long says so, in place of what it has not found.
func TestLimit(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		slow := errors.New("it takes too long")
		c := serve(t, small(), nil, func(o *lsp.Options) {
			o.Limit = func(ctx context.Context) (context.Context, func()) {
				ctx, cancel := context.WithCancelCause(ctx)
				cancel(slow)
				return ctx, func() {}
			}
		})
		c.ask("initialize", map[string]any{})
		c.opened("a.yaml", template)
		c.settled()
		if got := c.shown[file+"metadata.yaml"]; !strings.Contains(got, "the reference was not checked: it takes too long") {
			t.Error(c.shown)
		}
	})
}

// TestBadMessages: what is no message is answered with an error, and the next one is read. Only what
// has no header ends the server.
func TestBadMessages(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := serve(t, small(), nil)
		for _, one := range [][2]string{
			{`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}`, `"code":-32002`}, // before the start
			{`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}}`, ""},
			{`{"jsonrpc":"2.0","id":2,"method":"initialize","params":[1]}`, `"code":-32602`},
			{`{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"rootUri":null,"workspaceFolders":null}}`, `"result"`},
			{`{"jsonrpc":"2.0","id":4,"method":"initialize","params":{}}`, `"code":-32600`}, // once more
			{`{`, `"code":-32700`},
			{``, `"code":-32700`},
			{"\xff\xfe", `"code":-32700`},
			{`null`, `"code":-32600`},
			{`7`, `"code":-32600`},
			{`[]`, `"code":-32600`},
			{`{}`, `"code":-32600`},
			{`{"jsonrpc":"2.0","id":5,"result":null}`, ""}, // to nothing
			{`{"jsonrpc":"2.0","id":6,"result":1,"error":{"code":1,"message":"x"}}`, ""},
			{`{"jsonrpc":"2.0","id":"text","method":"textDocument/hover"}`, `"id":"text","jsonrpc":"2.0","result":null`},
			{`{"jsonrpc":"2.0","id":8,"method":"no/such"}`, `"code":-32601`},
			{`{"jsonrpc":"2.0","method":"no/such"}`, ""},
			{`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}`, "logMessage"},
			{`{"jsonrpc":"2.0","id":9,"method":"textDocument/hover","params":{"position":{"line":"x"}}}`, `"code":-32602`},
			{`{"jsonrpc":"2.0","id":10,"method":"textDocument/hover","params":{"textDocument":{"uri":"%"}}}`, `"result":null`},
			{`{"jsonrpc":"2.0","id":11,"method":"textDocument/completion","params":{"textDocument":{"uri":"file://"}}}`, `"result":[]`},
			{`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"untitled:1"},"contentChanges":[{}]}}`, ""},
			{`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///project/../../x","text":"x"}}}`, ""},
			{`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"file:///project/never"}}}`, ""},
			{`{"jsonrpc":"2.0","id":12,"method":"shutdown"}`, `"result":null`},
			{`{"jsonrpc":"2.0","id":13,"method":"shutdown"}`, `"code":-32600`},
			{`{"jsonrpc":"2.0","id":14,"method":"textDocument/hover","params":{}}`, `"code":-32600`},
			{`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///project/a.yaml"}}}`, ""},
		} {
			c.send(one[0])
			got := strings.Join(c.settled(), "\n")
			if !strings.Contains(got, one[1]) || one[1] == "" && got != "" {
				t.Errorf("%s: %s, want %s", one[0], got, one[1])
			}
		}
		c.tell("exit", nil)
		if err := <-c.done; err != nil {
			t.Error(err)
		}
	})
}

// TestBadFrames: a stream whose messages cannot be found ends the server with an error, and takes no
// memory.
func TestBadFrames(t *testing.T) {
	for name, text := range map[string]string{
		"no header":       "hello\n",
		"a long header":   "X: " + strings.Repeat("x", 1<<20),
		"many headers":    strings.Repeat("X: x\r\n", 1<<16),
		"no length":       "Content-Type: x\r\n\r\n{}",
		"negative length": "Content-Length: -1\r\n\r\n{}",
		"huge length":     "Content-Length: 99999999999999999999\r\n\r\n{}",
	} {
		inBubble(t, func(t *testing.T) {
			c := serve(t, small(), nil)
			go func() {
				_, _ = io.WriteString(c.out, text)
			}()
			if err := <-c.done; err == nil || !strings.Contains(err.Error(), "other than messages of the protocol") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	inBubble(t, func(t *testing.T) { // a message that is too large is skipped
		c := serve(t, small(), nil)
		const size = 65 << 20
		go func() {
			fmt.Fprintf(c.out, "content-length:%d\nX-Other: y\n\n", size)
			blanks := make([]byte, 1<<20)
			for range size / len(blanks) {
				_, _ = c.out.Write(blanks)
			}
		}()
		if got := strings.Join(c.settled(), ""); !strings.Contains(got, "the limit is 67108864") {
			t.Error(got)
		}
		c.out.Close()
		if err := <-c.done; !errors.Is(err, lsp.ErrNoShutdown) {
			t.Error(err)
		}
	})
}

// TestNothingIsStale: whatever an editor does before, in the end it shows what a new server shows for
// the same documents.
func TestNothingIsStale(t *testing.T) {
	texts := map[string][]string{
		"metadata.yaml": {metadata, strings.ReplaceAll(metadata, "a.yaml", "b.yaml"), "parts: [", "", strings.ReplaceAll(metadata, "allOf", "alOf")},
		"a.yaml":        {template, strings.ReplaceAll(template, "x }}", "x | wrong }}"), "{{ if", strings.ReplaceAll(template, "data:", "dta:")},
		"b.yaml":        {template, "kind: Secret", strings.ReplaceAll(template, "name:", "nme:")},
	}
	names := []string{"a.yaml", "b.yaml", "metadata.yaml"}
	for seed := range uint32(testkit.Tries(40)) {
		inBubble(t, func(t *testing.T) {
			random := seed*2654435761 + 1
			next := func(n int) int {
				random = random*1664525 + 1013904223
				return int(random>>16) % n
			}
			c := start(t, small())
			open := map[string]string{}
			for range 30 {
				name := names[next(len(names))]
				text := texts[name][next(len(texts[name]))]
				switch next(6) {
				case 0:
					c.tell("textDocument/didClose", map[string]any{"textDocument": document(name, "")})
					delete(open, name)
				case 1:
					c.settled()
				case 2:
					c.tell("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": file + name}}})
				case 3:
					time.Sleep(time.Duration(next(40)) * time.Millisecond)
				default:
					c.opened(name, text)
					open[name] = text
				}
			}
			c.settled()
			fresh := start(t, small())
			for name, text := range open {
				fresh.opened(name, text)
			}
			fresh.settled()
			for _, name := range names {
				got, want := strings.Trim(c.shown[file+name], "[]"), strings.Trim(fresh.shown[file+name], "[]")
				if got != want {
					t.Errorf("seed %d, open %q: %s has %s, want %s", seed, open, name, got, want)
				}
			}
		})
	}
}
