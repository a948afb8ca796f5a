// Package disk opens files without waiting for another process: opening a pipe waits until somebody
// opens its other end, and a file that was listed as a regular one may be a pipe when it is opened.
// No other package opens files for reading.
package disk

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// errSpecial says why a file is not opened.
var errSpecial = errors.New("it is a device, socket or pipe, not a file")

// Open opens a regular file or a folder. Anything else is an error.
func Open(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !isPlain(info) {
		err = &fs.PathError{Op: "open", Path: name, Err: errSpecial}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// isPlain reports whether opening and reading a file waits for no other process.
func isPlain(info fs.FileInfo) bool { return info.Mode().IsRegular() || info.IsDir() }

// OpenNamed opens a file that the user named, which may also be a pipe or a device. It waits until
// somebody opens the other end of a pipe, or the context ends.
func OpenNamed(ctx context.Context, name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil || isPlain(info) {
		return Open(name)
	}
	type result struct {
		file *os.File
		err  error
	}
	opened := make(chan result, 1)
	go func() { // it is left behind when the context ends
		f, err := os.Open(name)
		opened <- result{f, err}
	}()
	select {
	case r := <-opened:
		return r.file, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ReadFile returns the content of a regular file.
func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// ReadNamed returns the first bytes of a file that the user named, up to most. See OpenNamed.
func ReadNamed(ctx context.Context, name string, most int64) ([]byte, error) {
	f, err := OpenNamed(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(Reader(ctx, f), most))
}

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
