package workers

import (
	"context"
	"io"
	"os"
)

// Reader returns a reader of src that fails when the context ends, even if a read of src never
// returns, such as from a pipe that nobody writes to. It reads src in a goroutine, which is then
// left behind.
func Reader(ctx context.Context, src io.Reader) io.Reader {
	const size = 256 << 10 // bytes read at once
	r, w := io.Pipe()
	context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.CopyBuffer(w, struct{ io.Reader }{src}, make([]byte, size)) // without src's own WriteTo
		w.CloseWithError(err)
	}()
	return r
}

// Open opens a file, and fails when the context ends: opening a pipe blocks until somebody writes
// to it.
func Open(ctx context.Context, path string) (*os.File, error) {
	type result struct {
		file *os.File
		err  error
	}
	opened := make(chan result, 1)
	go func() {
		f, err := os.Open(path)
		opened <- result{f, err}
	}()
	select {
	case r := <-opened:
		return r.file, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
