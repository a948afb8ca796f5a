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
	"sync/atomic"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/validationtool/validationtool/internal/author/lsp"
	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/refconfig"
)

// client is an editor at the other end of two pipes. It is used inside of a bubble, so that it knows
// when the server has nothing more to say, and no test depends on how fast a machine is.
type client struct {
	t     *testing.T
	got   chan string
	out   io.WriteCloser
	done  chan error
	loads atomic.Int64 // how often a reference was loaded
	hold  chan struct{}
	ids   int
	shown map[string]string // the last diagnostics of each file
}

type pipes struct {
	io.ReadCloser
	io.Writer
}

// Close closes the pipe to the editor as well.
func (p pipes) Close() error {
	p.Writer.(io.Closer).Close()
	return p.ReadCloser.Close()
}

// inBubble runs a test with a clock of its own.
func inBubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}

// serve starts a server for files, which are in /project.
func serve(t *testing.T, files fs.FS, schemas *crdschema.Set, set ...func(*lsp.Options)) *client {
	t.Helper()
	fromEditor, out := io.Pipe()
	in, toEditor := io.Pipe()
	c := &client{
		t: t, got: make(chan string, 10_000), out: out, done: make(chan error, 1), shown: map[string]string{},
	}
	go read(bufio.NewReader(in), c.got)
	opt := lsp.Options{
		Version: "1.2.3",
		Schemas: schemas,
		Open: func(folder string) fs.FS {
			sub, err := fs.Sub(files, path.Clean(strings.TrimPrefix(strings.TrimPrefix(folder, "/project"), "/")))
			if err != nil || !strings.HasPrefix(folder+"/", "/project/") {
				return fstest.MapFS{}
			}
			return sub
		},
		Load: func(ctx context.Context, fsys fs.FS, name string) (*refconfig.Reference, []refconfig.Problem) {
			c.loads.Add(1)
			if c.hold != nil {
				<-c.hold
			}
			return refconfig.Load(fsys, ".", refconfig.LoadOptions{Name: name, Unlisted: true, Context: ctx})
		},
	}
	for _, change := range set {
		change(&opt)
	}
	go func() {
		c.done <- lsp.Serve(t.Context(), pipes{fromEditor, toEditor}, opt)
		toEditor.Close()
	}()
	t.Cleanup(func() { out.Close() })
	return c
}

// start starts a server and initializes it.
func start(t *testing.T, files fs.FS) *client {
	t.Helper()
	c := serve(t, files, nil)
	c.ask("initialize", map[string]any{})
	c.tell("initialized", map[string]any{})
	return c
}

// send sends a text with its header.
func (c *client) send(message string) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(message), message); err != nil {
		c.t.Fatal(err)
	}
}

// tell sends a notification.
func (c *client) tell(method string, params any) {
	c.t.Helper()
	c.message(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

func (c *client) message(m map[string]any) {
	c.t.Helper()
	text, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	c.send(string(text))
}

// ask sends a request, and returns the answer. What else comes is kept as with settled.
func (c *client) ask(method string, params any) string {
	c.t.Helper()
	c.ids++
	c.message(map[string]any{"jsonrpc": "2.0", "id": c.ids, "method": method, "params": params})
	for _, text := range c.settled() {
		if strings.Contains(text, fmt.Sprintf(`"id":%d,`, c.ids)) {
			return text
		}
	}
	c.t.Fatalf("no answer to %s", method)
	return ""
}

// settled returns all that the server says until it waits for the editor. It remembers diagnostics.
func (c *client) settled() (all []string) {
	time.Sleep(time.Second) // of the bubble
	synctest.Wait()
	for len(c.got) > 0 {
		text := <-c.got
		all = append(all, text)
		var m struct {
			Params struct {
				URI         string            `json:"uri"`
				Diagnostics []json.RawMessage `json:"diagnostics"`
			} `json:"params"`
		}
		if strings.Contains(text, "publishDiagnostics") && json.Unmarshal([]byte(text), &m) == nil {
			c.shown[m.Params.URI] = fmt.Sprintf("%s", m.Params.Diagnostics)
		}
	}
	return all
}

// end shuts the server down, and returns the error with which it ends.
func (c *client) end() error {
	c.ask("shutdown", nil)
	c.tell("exit", nil)
	return <-c.done
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

// document returns the parameter of a document.
func document(name, text string) map[string]any {
	return map[string]any{"uri": "file:///project/" + name, "text": text, "version": 1}
}

// opened opens a document.
func (c *client) opened(name, text string) {
	c.t.Helper()
	c.tell("textDocument/didOpen", map[string]any{"textDocument": document(name, text)})
}

// changed changes an open document.
func (c *client) changed(name, text string) {
	c.t.Helper()
	c.tell("textDocument/didChange", map[string]any{
		"textDocument": document(name, ""), "contentChanges": []any{map[string]any{"text": text}},
	})
}
