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
	return &unblockedReader{ctx: ctx, src: src, want: make(chan []byte), got: make(chan got, 1)}
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

type unblockedReader struct {
	ctx     context.Context
	src     io.Reader
	started bool
	want    chan []byte
	got     chan got
	buffer  []byte // for the goroutine
	rest    []byte // read but not yet returned
	err     error  // after rest
}

type got struct {
	n   int
	err error
}

// Read returns bytes of src, or the error of the context.
func (u *unblockedReader) Read(p []byte) (int, error) {
	if len(u.rest) == 0 {
		if err := u.more(len(p)); err != nil {
			return 0, err
		}
	}
	n := copy(p, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

// more lets the goroutine read.
func (u *unblockedReader) more(size int) error {
	if !u.started {
		u.started = true
		go func() {
			for memory := range u.want {
				n, err := u.src.Read(memory)
				u.got <- got{n, err}
			}
		}()
	}
	if cap(u.buffer) < size {
		u.buffer = make([]byte, size)
	}
	for {
		if u.err != nil {
			return u.err
		}
		if err := u.ctx.Err(); err != nil {
			return err
		}
		u.want <- u.buffer[:cap(u.buffer)]
		select {
		case g := <-u.got:
			u.err = g.err
			if g.n > 0 {
				u.rest = u.buffer[:g.n]
				return nil
			}
		case <-u.ctx.Done():
			return u.ctx.Err()
		}
	}
}
