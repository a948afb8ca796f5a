// Package lsp is a language server for authors of references: it reports what lint finds while they
// type, and explains and completes the words of metadata.yaml and of templates.
//
// In: the messages of an editor, and the files of a reference. Out: the answers, and diagnostics
// whenever a text changes. Unsaved texts replace the files that they belong to. A text may be half
// written, so that nothing is expected of it.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"testing/fstest"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/validationtool/validationtool/internal/author/lint"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// Options say how references are read.
type Options struct {
	Version string
	Open    func(folder string) fs.FS // the files of a folder; its path has slashes
	// Load reads the reference in a file system; name is the folder in messages.
	Load func(ctx context.Context, fsys fs.FS, name string) (*refconfig.Reference, []refconfig.Problem)
	// Limit limits the time of one check; nil for no limit.
	Limit func(context.Context) (limited context.Context, stop func())
}

// errNoShutdown is the error of an editor that ends the server without asking it to shut down.
var errNoShutdown = errors.New("the editor left without a shutdown request")

// Serve answers an editor until it says exit, the stream ends or the context does.
func Serve(ctx context.Context, stream io.ReadWriteCloser, opt Options) error {
	ctx, cancel := context.WithCancel(ctx)
	s := &server{
		opt:     opt,
		ctx:     ctx,
		texts:   map[string]string{},
		shown:   map[string]map[string][]diagnostic{},
		running: map[string]context.CancelFunc{},
	}
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(stream, jsonrpc2.VSCodeObjectCodec{}), s,
		jsonrpc2.SetLogger(quiet{}))
	<-conn.DisconnectNotify()
	cancel()
	s.checks.Wait()
	return s.left
}

// quiet drops the log of the library, which is about closed connections.
type quiet struct{}

// Printf logs nothing.
func (quiet) Printf(string, ...any) {}

// server is the state of one connection.
type server struct {
	opt    Options
	ctx    context.Context
	conn   *jsonrpc2.Conn // set by the first message
	asked  bool           // the editor asked for a shutdown
	left   error          // how the editor left
	checks sync.WaitGroup
	one    sync.Mutex // locked by the running check

	mu      sync.Mutex                         // guards what follows
	texts   map[string]string                  // of open documents, by path
	shown   map[string]map[string][]diagnostic // by the folder of the reference, and by file
	running map[string]context.CancelFunc      // checks, by folder
}

// Handle answers a message. A fault of the server itself is an error of this message only.
func (s *server) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if s.conn == nil {
		s.conn = conn
	}
	result, err := s.answer(r)
	if r.Notif {
		return
	}
	if err != nil {
		_ = conn.ReplyWithError(ctx, r.ID, err) // fails if the editor is gone
		return
	}
	_ = conn.Reply(ctx, r.ID, result)
}

func (s *server) answer(r *jsonrpc2.Request) (result any, fault *jsonrpc2.Error) {
	defer func() {
		if p := recover(); p != nil {
			fault = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: code.Fault(p)}
		}
	}()
	var p params
	if r.Params != nil {
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
	}
	file := pathOf(p.TextDocument.URI)
	switch r.Method {
	case "initialize":
		return s.capabilities(), nil
	case "shutdown":
		s.checks.Wait()
		s.asked = true
		return nil, nil
	case "exit":
		if !s.asked {
			s.left = errNoShutdown
		}
		_ = s.conn.Close() // fails if the editor is gone
		return nil, nil
	case "textDocument/didOpen":
		s.change(file, func() { s.texts[file] = p.TextDocument.Text })
	case "textDocument/didChange":
		if n := len(p.ContentChanges); n > 0 {
			s.change(file, func() { s.texts[file] = p.ContentChanges[n-1].Text })
		}
	case "textDocument/didSave":
		s.change(file, func() {})
	case "textDocument/didClose":
		s.change(file, func() { delete(s.texts, file) })
	case "textDocument/hover":
		return s.hover(file, p.Position), nil
	case "textDocument/completion":
		return s.complete(file, p.Position), nil
	default:
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "there is no method " + r.Method}
	}
	return nil, nil
}

// capabilities returns the capabilities of the server.
func (s *server) capabilities() any {
	const whole = 1 // the editor sends the whole text after each change
	return map[string]any{
		"capabilities": map[string]any{
			"textDocumentSync":   map[string]any{"openClose": true, "change": whole, "save": true},
			"hoverProvider":      true,
			"completionProvider": map[string]any{"triggerCharacters": []string{"{", "|", "(", "\"", "/"}},
		},
		"serverInfo": map[string]any{"name": "validationTool", "version": s.opt.Version},
	}
}

// change changes a text and checks its reference anew.
func (s *server) change(file string, set func()) {
	if file == "" || s.ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	set()
	s.mu.Unlock()
	folder := s.folder(file)
	if folder == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[folder]; cancel != nil {
		cancel()
	}
	ctx, cancel := context.WithCancel(s.ctx)
	s.running[folder] = cancel
	s.checks.Go(func() {
		defer cancel()
		s.check(ctx, folder, file)
	})
}

// folder returns the folder of the reference that a file belongs to: the nearest one above it with a
// metadata.yaml; "" for none.
func (s *server) folder(file string) string {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		files := s.files(dir)
		for _, name := range []string{"metadata.yaml", "metadata.yml"} {
			if info, err := fs.Stat(files, name); err == nil && !info.IsDir() {
				return dir
			}
		}
		if dir == path.Dir(dir) {
			return ""
		}
	}
}

// files returns the files of a folder with the unsaved texts in it.
func (s *server) files(folder string) fs.FS {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := overlay{disk: s.opt.Open(folder), texts: fstest.MapFS{}}
	for file, text := range s.texts {
		if name, ok := strings.CutPrefix(file, strings.TrimSuffix(folder, "/")+"/"); ok {
			o.texts[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return o
}

// check publishes what lint finds in a reference, unless a text changes meanwhile.
func (s *server) check(ctx context.Context, folder, changed string) {
	s.one.Lock()
	defer s.one.Unlock()
	if ctx.Err() != nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			s.log(code.Fault(p))
		}
	}()
	limited, stop := ctx, func() {}
	if s.opt.Limit != nil {
		limited, stop = s.opt.Limit(ctx)
	}
	defer stop()
	files := s.files(folder)
	ref, faults := s.opt.Load(limited, files, folder)
	found := lint.Reference(limited, ref, lint.Options{Faults: faults})
	if limited.Err() != nil && ctx.Err() == nil {
		s.log(fmt.Sprintf("%s was not checked: %v", folder, context.Cause(limited)))
		return
	}
	all := map[string][]diagnostic{changed: {}}
	for _, f := range found.Flaws {
		all[f.File] = append(all[f.File], s.diagnostic(f, files, strings.TrimPrefix(f.File, folder+"/")))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	for file := range s.shown[folder] {
		all[file] = append([]diagnostic{}, all[file]...)
	}
	for _, file := range slices.Sorted(maps.Keys(all)) {
		if file == changed || !slices.Equal(all[file], s.shown[folder][file]) {
			_ = s.conn.Notify(s.ctx, "textDocument/publishDiagnostics", published{uriOf(file), all[file]})
		}
	}
	maps.DeleteFunc(all, func(_ string, d []diagnostic) bool { return len(d) == 0 })
	s.shown[folder] = all
}

// log shows a message in the log of the editor.
func (s *server) log(message string) {
	const isError = 1
	_ = s.conn.Notify(s.ctx, "window/logMessage", map[string]any{"type": isError, "message": message})
}

// diagnostic returns a flaw with the range of its word, or of its line.
func (s *server) diagnostic(f lint.Flaw, files fs.FS, name string) diagnostic {
	d := diagnostic{Severity: 1, Code: f.Code, Source: "validationTool", Message: f.Message}
	if f.Severity == lint.Doubtful {
		d.Severity = 2
	}
	text, _ := fs.ReadFile(files, name)
	number := max(f.Line-1, 0)
	line := lineOf(string(text), number)
	from := len(line) - len(strings.TrimLeft(line, " \t"))
	to := len(strings.TrimRight(line, " \t"))
	if f.Column > 0 && f.Column <= len(line) {
		from = f.Column - 1
		if end := strings.IndexAny(line[from:], " \t"); end > 0 {
			to = from + end
		}
	}
	d.Range = span(number, line, from, to)
	return d
}
