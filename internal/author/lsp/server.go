// Package lsp is a language server for authors of references: it reports what lint finds while they
// type, and explains, completes, finds and changes the names in metadata.yaml and in templates.
//
// In: the messages of an editor, and the files of a reference. Out: the answers, and diagnostics
// whenever a text changes. Unsaved texts replace the files that they belong to. A text may be half
// written, so that nothing is expected of it.
//
// One goroutine reads the messages in their order. It changes the open documents itself, starts each
// request with the documents as they are, and leaves checks to a second goroutine, which waits until
// nothing changes for a moment. No map of documents is changed after it was made.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
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
	Limit   func(context.Context) (limited context.Context, stop func())
	Schemas *crdschema.Set   // schemas of kinds; nil for none
	Sources []map[string]any // source CRs, whose fields are proposed
}

// ErrNoShutdown is the error of an editor that ends the server without asking it to shut down.
var ErrNoShutdown = errors.New("the editor left without a shutdown request")

// Codes of errors that the protocol adds to those of JSON-RPC.
const (
	codeNotInitialized   = -32002
	codeRequestCancelled = -32800
	codeRequestFailed    = -32803
)

// mostRequests limits the requests that are answered at once, and so their memory.
const mostRequests = 8

// longestRequest limits the time of a request.
const longestRequest = 10 * time.Second

// Serve answers an editor until it says exit, the stream ends or the context does.
func Serve(ctx context.Context, rw io.ReadWriteCloser, opt Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{
		opt:      opt,
		ctx:      ctx,
		encoding: inUTF16,
		slots:    make(chan struct{}, mostRequests),
		wake:     make(chan struct{}, 1),
		closing:  make(chan struct{}),
		idle:     make(chan struct{}),
		open:     documents{},
		roots:    map[string]bool{},
		running:  map[jsonrpc2.ID]context.CancelFunc{},
		pending:  map[string]map[string]bool{},
		shown:    map[string]map[string][]diagnostic{},
		finished: make(chan struct{}),
		builtIn:  sync.OnceValue(crdschema.NewBuiltIn),
	}
	messages := newStream(rw)
	go s.work()
	<-jsonrpc2.NewConn(ctx, messages, s, jsonrpc2.SetLogger(quiet{})).DisconnectNotify()
	cancel()
	<-s.idle
	s.requests.Wait()
	switch ended := context.Cause(ctx); {
	case s.asked:
		return nil
	case s.exited:
		return ErrNoShutdown
	case messages.broken.Load():
		return errHeader
	case !errors.Is(ended, context.Canceled):
		return ended
	}
	return ErrNoShutdown
}

// quiet drops the log of the library, which is about closed connections.
type quiet struct{}

// Printf logs nothing.
func (quiet) Printf(string, ...any) {}

// document is a text that is open in the editor.
type document struct {
	uri     string // as the editor writes it
	version *int
	text    string
}

// documents are the open documents, by the paths of their files.
type documents map[string]document

// server is the state of one connection.
type server struct {
	opt      Options
	ctx      context.Context
	conn     *jsonrpc2.Conn // set by the first message
	requests sync.WaitGroup
	slots    chan struct{} // has an element for each running request
	wake     chan struct{} // has an element if a check is due
	closing  chan struct{} // closed if the editor asks for a shutdown
	idle     chan struct{} // closed if there are no further checks
	builtIn  func() *crdschema.BuiltIn

	// Only the goroutine that reads messages changes these, before any request.
	ready, asked, exited bool // the editor asked for a start, for a shutdown, and for the end
	watches              bool // the editor can watch files
	encoding             encoding

	mu       sync.Mutex                         // guards what follows
	roots    map[string]bool                    // folders of the workspace
	running  map[jsonrpc2.ID]context.CancelFunc // requests
	open     documents
	pending  map[string]map[string]bool         // changed files since the last check, by the folder of the reference
	stop     context.CancelFunc                 // stops the running check
	checks   string                             // the folder of the running check
	shown    map[string]map[string][]diagnostic // by the folder of the reference, and by file
	finished chan struct{}                      // closed at the end of each check, and made anew
}

// Handle takes a message. A request is answered in a goroutine of its own. A fault of the server
// itself is an error of this message only.
func (s *server) Handle(_ context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if s.conn == nil {
		s.conn = conn
	}
	var p params
	var fault *jsonrpc2.Error
	if r.Params != nil {
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			fault = &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
	}
	switch {
	case r.Notif && fault == nil:
		_, fault = caught(func() (any, *jsonrpc2.Error) { return nil, s.notified(r.Method, &p) })
	case r.Notif:
	case fault != nil:
	case r.Method == "initialize" && !s.ready:
		s.reply(r.ID, s.initialize(&p), nil)
		return
	case r.Method == "shutdown" && s.ready && !s.asked:
		s.asked = true
		s.requests.Wait()
		close(s.closing)
		<-s.idle
		s.reply(r.ID, nil, nil)
		return
	case r.Method == "initialize", s.asked:
		fault = &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: r.Method + " cannot be asked now"}
	case !s.ready:
		fault = &jsonrpc2.Error{Code: codeNotInitialized, Message: "the first request must be initialize"}
	}
	switch {
	case r.Notif && fault != nil:
		s.log(r.Method + ": " + fault.Message)
	case r.Notif:
	case fault != nil:
		s.reply(r.ID, nil, fault)
	default:
		s.request(r, &p)
	}
}

// caught calls a function, and returns an error if it panics.
func caught(call func() (any, *jsonrpc2.Error)) (result any, fault *jsonrpc2.Error) {
	defer func() {
		if p := recover(); p != nil {
			result, fault = nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: code.Fault(p)}
		}
	}()
	return call()
}

// reply answers a request. It has no effect if the editor is gone.
func (s *server) reply(id jsonrpc2.ID, result any, fault *jsonrpc2.Error) {
	if fault != nil {
		_ = s.conn.ReplyWithError(s.ctx, id, fault)
		return
	}
	_ = s.conn.Reply(s.ctx, id, result)
}

// initialize takes what the editor can do, and returns what the server can.
func (s *server) initialize(p *params) any {
	s.ready = true
	s.watches = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	for _, e := range p.Capabilities.General.PositionEncodings {
		if slices.Contains([]encoding{inUTF8, inUTF16, inUTF32}, e) {
			s.encoding = e
			break
		}
	}
	for _, f := range append(p.WorkspaceFolders, folder{p.RootURI}) {
		s.roots[pathOf(f.URI)] = true
	}
	const whole = 1 // the editor sends the whole text after each change
	return map[string]any{
		"capabilities": map[string]any{
			"positionEncoding":        s.encoding,
			"textDocumentSync":        map[string]any{"openClose": true, "change": whole, "save": true},
			"hoverProvider":           true,
			"completionProvider":      map[string]any{"triggerCharacters": strings.Split("{|(\"/.$", "")},
			"definitionProvider":      true,
			"referencesProvider":      true,
			"renameProvider":          map[string]any{"prepareProvider": true},
			"documentSymbolProvider":  true,
			"workspaceSymbolProvider": true,
			"documentLinkProvider":    map[string]any{},
			"codeActionProvider":      map[string]any{"codeActionKinds": []string{quickFix}},
			"workspace": map[string]any{
				"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true},
			},
		},
		"serverInfo": map[string]any{"name": "validationTool", "version": s.opt.Version},
	}
}

// notified takes a notification.
func (s *server) notified(method string, p *params) *jsonrpc2.Error {
	file := pathOf(p.TextDocument.URI)
	if method == "exit" {
		s.exited = true
		_ = s.conn.Close() // fails if the editor is gone
		return nil
	}
	if !s.ready || s.asked {
		return nil
	}
	one := document{uri: p.TextDocument.URI, version: p.TextDocument.Version, text: p.TextDocument.Text}
	switch method {
	case "initialized":
		s.watch()
	case "textDocument/didOpen":
		s.change(func(open documents) { open[file] = one }, file)
	case "textDocument/didChange":
		if n := len(p.ContentChanges); n > 0 {
			one.text = p.ContentChanges[n-1].Text
			s.change(func(open documents) { open[file] = one }, file)
		}
	case "textDocument/didSave":
		s.change(func(documents) {}, file)
	case "textDocument/didClose":
		s.change(func(open documents) { delete(open, file) }, file)
	case "workspace/didChangeWatchedFiles":
		files := make([]string, len(p.Changes))
		for i, c := range p.Changes {
			if files[i] = pathOf(c.URI); strings.Contains(files[i], "/.git/") { // it changes all the time
				files[i] = ""
			}
		}
		s.change(func(documents) {}, files...)
	case "workspace/didChangeWorkspaceFolders":
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, f := range p.Event.Added {
			s.roots[pathOf(f.URI)] = true
		}
		for _, f := range p.Event.Removed {
			delete(s.roots, pathOf(f.URI))
		}
	case "$/cancelRequest":
		var id jsonrpc2.ID
		if err := json.Unmarshal(p.ID, &id); err != nil {
			return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if cancel := s.running[id]; cancel != nil {
			cancel()
		}
	}
	return nil // other notifications may be ignored
}

// watch asks the editor to tell which files change on the disk.
func (s *server) watch() {
	if !s.watches {
		return
	}
	watchers := []any{map[string]any{"globPattern": "**/*"}}
	registration := map[string]any{
		"id":              "files",
		"method":          "workspace/didChangeWatchedFiles",
		"registerOptions": map[string]any{"watchers": watchers},
	}
	// the answer says nothing
	_, _ = s.conn.DispatchCall(s.ctx, "client/registerCapability", map[string]any{"registrations": []any{registration}})
}

// request starts a request. It waits while too many others are running.
func (s *server) request(r *jsonrpc2.Request, p *params) {
	s.slots <- struct{}{}
	ctx, cancel := context.WithTimeout(s.ctx, longestRequest)
	s.mu.Lock()
	s.running[r.ID] = cancel
	q := &query{server: s, ctx: ctx, open: s.open, params: p}
	s.mu.Unlock()
	s.requests.Go(func() {
		defer func() {
			cancel()
			s.mu.Lock()
			delete(s.running, r.ID)
			s.mu.Unlock()
			<-s.slots
		}()
		result, fault := caught(func() (any, *jsonrpc2.Error) {
			return s.answer(q, r.Method)
		})
		switch ended := ctx.Err(); {
		case fault != nil:
		case errors.Is(ended, context.Canceled):
			fault = &jsonrpc2.Error{Code: codeRequestCancelled, Message: "the request was cancelled"}
		case ended != nil:
			fault = &jsonrpc2.Error{Code: codeRequestFailed, Message: "the answer takes too long"}
		}
		s.reply(r.ID, result, fault)
	})
}

// query is a request, with the documents as they were when it came.
type query struct {
	*server
	*params
	ctx  context.Context
	open documents
}

// answer answers a request.
func (s *server) answer(q *query, method string) (any, *jsonrpc2.Error) {
	file := pathOf(q.TextDocument.URI)
	switch method {
	case "textDocument/hover":
		return nullable(q.hover(file)), nil
	case "textDocument/completion":
		return q.complete(file), nil
	case "textDocument/definition":
		return q.definition(file), nil
	case "textDocument/references":
		return q.references(file), nil
	case "textDocument/prepareRename":
		return nullable(q.prepareRename(file)), nil
	case "textDocument/rename":
		return q.rename(file)
	case "textDocument/documentSymbol":
		return q.symbols(file), nil
	case "workspace/symbol":
		return q.workspaceSymbols(), nil
	case "textDocument/documentLink":
		return q.links(file), nil
	case "textDocument/codeAction":
		return q.codeActions(file), nil
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "there is no method " + method}
}

// nullable returns nil for a nil pointer.
func nullable[T any](p *T) any {
	if p == nil {
		return nil
	}
	return p
}

// log shows a message in the log of the editor.
func (s *server) log(message string) {
	const isError = 1
	_ = s.conn.Notify(s.ctx, "window/logMessage", map[string]any{"type": isError, "message": message})
}

// below returns the prefix of the paths of files in a folder.
func below(folder string) string { return strings.TrimSuffix(folder, "/") + "/" }

// files returns the files of a folder with the open documents in it.
func (s *server) files(open documents, folder string) overlay {
	return newOverlay(s.opt.Open(folder), folder, open)
}

// metadataOf returns the name of the metadata file in a folder, "" for none.
func metadataOf(files fs.FS) string {
	for _, name := range []string{"metadata.yaml", "metadata.yml"} {
		if info, err := fs.Stat(files, name); err == nil && !info.IsDir() {
			return name
		}
	}
	return ""
}

// folders returns the folders above a file that have a metadata file, the nearest first.
func (s *server) folders(open documents, file string) (all []string) {
	if !path.IsAbs(file) && !strings.Contains(file, ":") {
		return nil
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if metadataOf(s.files(open, dir)) != "" {
			all = append(all, dir)
		}
		if dir == path.Dir(dir) {
			return all
		}
	}
}

// change changes the open documents, and has the references checked that files belong to. A reference
// is checked only if a document of it is open, or if it has findings that may be gone.
func (s *server) change(set func(documents), files ...string) {
	s.mu.Lock()
	open := maps.Clone(s.open)
	set(open)
	delete(open, "") // of another scheme than file
	s.open = open
	s.mu.Unlock()
	above := map[string][]string{} // the folders of references, by folder
	for _, file := range files {
		dir := path.Dir(file)
		if file == "" {
			continue
		}
		if above[dir] == nil {
			above[dir] = append([]string{}, s.folders(open, file)...)
		}
		s.mu.Lock()
		for folder := range s.shown {
			if strings.HasPrefix(file, below(folder)) && !slices.Contains(above[dir], folder) {
				above[dir] = append(above[dir], folder) // its metadata file may be gone
			}
		}
		for _, folder := range above[dir] {
			if _, wasShown := s.shown[folder]; wasShown || isOpenBelow(open, folder) {
				s.due(folder, file)
			}
		}
		s.mu.Unlock()
	}
}

// isOpenBelow reports whether a document in a folder is open.
func isOpenBelow(open documents, folder string) bool {
	for file := range open {
		if strings.HasPrefix(file, below(folder)) {
			return true
		}
	}
	return false
}

// due marks a reference to be checked, and stops a check that is running for it: it would be about
// texts that have changed. The caller holds mu.
func (s *server) due(folder, file string) {
	if s.pending[folder] == nil {
		s.pending[folder] = map[string]bool{}
	}
	s.pending[folder][file] = true
	if s.checks == folder {
		s.stop()
	}
	select {
	case s.wake <- struct{}{}:
	default: // it is awake
	}
}
