package lsp

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/validationtool/validationtool/internal/author/lint"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/refconfig"
)

// settles is how long nothing changes before a check begins, so that there is one check for all
// keys that are typed in a row.
const settles = 20 * time.Millisecond

// work checks references until the server ends.
func (s *server) work() {
	defer close(s.idle)
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.closing: // nothing changes any more, and what was changed is still reported
			select {
			case <-s.wake:
			default:
			}
			s.checkAll()
			return
		case <-s.wake:
		}
		s.settle()
		s.checkAll()
	}
}

// settle waits until nothing changes any more.
func (s *server) settle() {
	timer := time.NewTimer(settles)
	defer timer.Stop()
	for {
		select {
		case <-s.wake:
			timer.Reset(settles)
		case <-timer.C:
			return
		case <-s.closing:
			return
		case <-s.ctx.Done():
			return
		}
	}
}

// checkAll checks the references that are due, until something changes.
func (s *server) checkAll() {
	for len(s.wake) == 0 && s.ctx.Err() == nil {
		ctx, c := s.begin()
		if c == nil {
			return
		}
		c.run(ctx)
	}
}

// check is a check of one reference.
type check struct {
	*server
	folder  string
	changed map[string]bool // the files that were changed since the last one
	open    documents
}

// begin returns the next check that is due, nil for none.
func (s *server) begin() (context.Context, *check) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.pending) == 0 {
		return nil, nil
	}
	c := &check{server: s, folder: slices.Min(slices.Collect(maps.Keys(s.pending))), open: s.open}
	c.changed = s.pending[c.folder]
	delete(s.pending, c.folder)
	ctx, stop := context.WithCancel(s.ctx)
	s.checks, s.stop = c.folder, stop
	return ctx, c
}

// run publishes what lint finds, unless a text changes meanwhile.
func (c *check) run(ctx context.Context) {
	found := map[string][]diagnostic{}
	defer func() {
		if p := recover(); p != nil {
			c.log(code.Fault(p))
			c.unchecked(found, code.Internal, code.Fault(p))
		}
		c.finish(found)
	}()
	if !isOpenBelow(c.open, c.folder) || metadataOf(c.files(c.open, c.folder)) == "" {
		return // nobody asks, or it is no reference any more
	}
	limited, stop := ctx, func() {}
	if c.opt.Limit != nil {
		limited, stop = c.opt.Limit(ctx)
	}
	defer stop()
	p := c.load(limited, c.open, c.folder)
	all := lint.Reference(limited, p.ref, lint.Options{Faults: p.faults, Schemas: c.opt.Schemas}).Flaws
	if limited.Err() != nil {
		c.unchecked(found, "", context.Cause(limited).Error())
		return
	}
	for _, f := range all {
		if !strings.HasPrefix(f.File, below(c.folder)) { // it is about the folder
			f.Problem.Place = refconfig.Place{File: p.ref.Metadata}
		}
		found[f.File] = append(found[f.File], p.diagnostic(f))
	}
}

// unchecked replaces the findings by the one that there are none, because the check did not end.
func (c *check) unchecked(found map[string][]diagnostic, of code.Code, why string) {
	clear(found)
	at := below(c.folder) + metadataOf(c.files(c.open, c.folder))
	found[at] = []diagnostic{{
		Severity: 1, Code: of, Source: source, Message: "the reference was not checked: " + why,
	}}
}

const source = "validationTool"

// diagnostic returns a flaw with the range of its word, or of its line.
func (p *project) diagnostic(f lint.Flaw) diagnostic {
	d := diagnostic{Severity: 1, Code: f.Code, Source: source, Message: f.Message}
	if f.Severity == lint.Doubtful {
		d.Severity = 2
	}
	t := p.text(f.File)
	from, to := t.underline(f.Line, f.Column, f.Word)
	d.Range = t.span(from, to)
	d.fix = p.fixOf(f, t, from, to)
	return d
}

// finish publishes the findings of files that have others than before, or were changed. If something
// has changed since the check began, it publishes nothing, because the next check will.
func (c *check) finish(found map[string][]diagnostic) {
	for _, message := range c.publish(found) {
		_ = c.conn.Notify(c.server.ctx, "textDocument/publishDiagnostics", message) // fails if the editor is gone
	}
}

// publish remembers the findings, and returns those that the editor does not know.
func (c *check) publish(found map[string][]diagnostic) (all []published) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.checks = ""
	c.stop()
	close(c.finished)
	c.finished = make(chan struct{})
	if next := c.pending[c.folder]; next != nil {
		maps.Copy(next, c.changed)
		return nil
	}
	before := c.shown[c.folder]
	c.shown[c.folder] = found
	if len(found) == 0 && !isOpenBelow(c.server.open, c.folder) {
		delete(c.shown, c.folder)
	}
	files := map[string]bool{}
	for file := range c.changed {
		if _, isOpen := c.server.open[file]; isOpen {
			files[file] = true
		}
	}
	for file, diagnostics := range before {
		if !slices.Equal(diagnostics, found[file]) {
			files[file] = true
		}
	}
	for file := range found {
		files[file] = files[file] || before[file] == nil
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if files[file] {
			d := c.server.open[file]
			all = append(all, published{cmp.Or(d.uri, uriOf(file)), d.version, c.ofFile(file)})
		}
	}
	return all
}

// ofFile returns the findings of a file, which several references may have. The caller holds mu.
func (s *server) ofFile(file string) []diagnostic {
	all := []diagnostic{}
	for _, folder := range slices.Sorted(maps.Keys(s.shown)) {
		for _, d := range s.shown[folder][file] {
			if !slices.Contains(all, d) {
				all = append(all, d)
			}
		}
	}
	return all
}
