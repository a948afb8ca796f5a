package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/textproto"
	"path"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/validationtool/validationtool/internal/author/lsp"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/refconfig"
)

// client is an editor at the other end of two pipes.
type client struct {
	t    *testing.T
	got  chan string
	out  io.WriteCloser
	done chan error
}

type pipes struct {
	io.ReadCloser
	io.Writer
}

// serve starts a server for files, which are in /project.
func serve(t *testing.T, files fstest.MapFS) *client {
	t.Helper()
	fromEditor, out := io.Pipe()
	in, toEditor := io.Pipe()
	c := &client{t: t, got: make(chan string, 10_000), out: out, done: make(chan error, 1)}
	go read(bufio.NewReader(in), c.got)
	go func() {
		c.done <- lsp.Serve(t.Context(), pipes{fromEditor, toEditor}, lsp.Options{
			Version: "1.2.3",
			Open: func(folder string) fs.FS {
				sub, err := fs.Sub(files, path.Clean(strings.TrimPrefix(strings.TrimPrefix(folder, "/project"), "/")))
				if err != nil || !strings.HasPrefix(folder+"/", "/project/") {
					return fstest.MapFS{}
				}
				return sub
			},
			Load: func(ctx context.Context, fsys fs.FS, name string) (*refconfig.Reference, []refconfig.Problem) {
				return refconfig.Load(fsys, ".", refconfig.LoadOptions{Name: name, Unlisted: true, Context: ctx})
			},
		})
		toEditor.Close()
	}()
	t.Cleanup(func() { out.Close() })
	return c
}

func (c *client) send(message string) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(message), message); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) call(id int, method string, params any) {
	c.t.Helper()
	message := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
	if id > 0 {
		message["id"] = id
	}
	text, err := json.Marshal(message)
	if err != nil {
		c.t.Fatal(err)
	}
	c.send(string(text))
}

// receive returns the next message of the server.
func (c *client) receive() string {
	c.t.Helper()
	select {
	case text, ok := <-c.got:
		if ok {
			return text
		}
	case <-time.After(time.Minute):
	}
	c.t.Fatal("the server sends no further message")
	return ""
}

// read reads what the server sends, with sorted keys.
func read(in *bufio.Reader, got chan<- string) {
	defer close(got)
	for {
		head, err := textproto.NewReader(in).ReadMIMEHeader()
		n, _ := strconv.Atoi(head.Get("Content-Length"))
		body := make([]byte, n)
		if _, err2 := io.ReadFull(in, body); err != nil || err2 != nil {
			return
		}
		var all any
		if err := json.Unmarshal(body, &all); err != nil {
			all = string(body)
		}
		text, _ := json.Marshal(all)
		got <- string(text)
	}
}

// TestSession plays recorded sessions: what the editor sends is a line each, "wait N" waits for so
// many messages of the server.
func TestSession(t *testing.T) {
	testkit.Each(t, "testdata/*.txtar", func(t *testing.T, a *testkit.Archive) {
		files := fstest.MapFS{}
		for name, text := range a.Texts() {
			if name != "editor" && name != "session" {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
		}
		c := serve(t, files)
		var session strings.Builder
		editor, _ := a.Text("editor")
		for line := range strings.Lines(editor) {
			line = strings.TrimSpace(line)
			if number, ok := strings.CutPrefix(line, "wait "); ok {
				n, _ := strconv.Atoi(number)
				for range n {
					session.WriteString("<-- " + c.receive() + "\n")
				}
				continue
			}
			session.WriteString("--> " + line + "\n")
			c.send(line)
		}
		if err := <-c.done; err != nil {
			fmt.Fprintf(&session, "ended: %v\n", err)
		}
		a.Want(t, "session", session.String())
	})
}

// TestHalfWritten: a text is at every place of its writing, and of a deletion, and every question
// about it is answered.
func TestHalfWritten(t *testing.T) {
	files := given.Files(t, "../../../examples/ran-du/reference")
	places := 40
	if testing.Short() {
		places = 4
	}
	for _, name := range []string{"metadata.yaml", "platform/PerformanceProfile.yaml", "common.tmpl", "codes.yaml"} {
		if files[name] == nil {
			continue
		}
		c := serve(t, files)
		text := string(files[name].Data)
		id := 0
		for at := 0; at < len(text); at += 1 + len(text)/places {
			for _, half := range []string{text[:at], text[at:], text[:at] + "{{ \xff\"" + text[at:]} {
				document := map[string]any{"uri": "file:///project/" + name, "text": half}
				c.call(0, "textDocument/didOpen", map[string]any{"textDocument": document})
				line := strings.Count(text[:at], "\n")
				for _, position := range [][2]int{{line, 0}, {line, 7}, {line + 1, 1000}, {-1, -1}, {1 << 30, 3}} {
					for _, method := range []string{"textDocument/hover", "textDocument/completion"} {
						id++
						c.call(id, method, map[string]any{"textDocument": document,
							"position": map[string]int{"line": position[0], "character": position[1]}})
						for { // diagnostics come in between
							got := c.receive()
							if strings.Contains(got, "logMessage") || strings.Contains(got, `"error":`) {
								t.Fatalf("%s at %d: %s", name, at, got)
							}
							if strings.Contains(got, fmt.Sprintf(`"id":%d,`, id)) {
								break
							}
						}
					}
				}
			}
		}
	}
}
