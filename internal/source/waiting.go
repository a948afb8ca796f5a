package source

import (
	"bytes"
	"errors"
	"io"

	"github.com/validationtool/validationtool/internal/code"
)

// waiting is an archive that is opened if what is around it turns out to hold no objects.
type waiting struct {
	place  place
	open   reopen // where the archive can be opened by itself
	held   []byte // its packed bytes, where what is around it cannot be read again
	cut    bool   // what is held is only its beginning, because the stream broke off
	over   bool   // it was too large to be held
	index  int    // its position in a tar archive
	size   int64  // its bytes there
	inner  bool   // open reads from an archive that is sound so far
	reason string // why it is passed over if it is not opened; "" if it is then named, because it is called like an archive or is wanted

	replaced bool // a later entry of its name counts
}

// hold keeps the packed bytes of the archive.
func (t *waiting) hold(h *holder) error {
	_, err := io.Copy(io.Discard, h)
	t.held, t.over = h.data, h.over
	return err
}

// holder keeps what is read through it, up to a limit.
type holder struct {
	src   io.Reader
	data  []byte
	limit int64
	over  bool
}

func (h *holder) Read(p []byte) (int, error) {
	n, err := h.src.Read(p)
	if int64(len(h.data)+n) > h.limit {
		h.over, h.data = true, nil
	}
	if !h.over {
		h.data = append(h.data, p[:n]...)
	}
	return n, err
}

// settle opens the archives of a container that turned out to hold no objects, or names them as not read. Whole is false for a
// container that ran into a limit: archives in it are left.
func (w *walker) settle(c *container, whole bool) error {
	list := c.waiting
	c.waiting = nil
	if !whole { // the limit is told
		w.ledger.lost += len(c.links)
		c.links = nil
	}
	if c.own || !whole {
		w.listUnread(c, list)
		return nil
	}
	for i := range list {
		if list[i].replaced {
			continue
		}
		err := w.openWaiting(c, &list[i])
		var f *fault
		switch {
		case errors.As(err, &f):
			c.broken.add(f.place, f.err.Error())
		case errors.Is(err, errHalt) && c.depth == 0:
			// A folder goes on: the other archives in it get their own message.
		case errors.Is(err, errHalt):
			w.listUnread(c, list[i+1:])
			return err
		case err != nil:
			return err
		}
	}
	return nil
}

func (w *walker) listUnread(c *container, list []waiting) {
	why := "what is around it holds CRs of its own"
	if !c.own {
		why = "a limit was reached"
	}
	for _, t := range list {
		switch {
		case t.replaced:
		case t.reason != "":
			w.skip(t.place, -1, t.reason)
		default:
			w.notRead(t.place, "", "the archive was not opened, because %s; read it with --nested, or name it as an input", why)
		}
	}
}

func (w *walker) openWaiting(c *container, t *waiting) error {
	var src io.Reader
	again := t.open
	switch {
	case t.over && w.limits.Memory < w.limits.Held:
		w.ledger.lost++
		w.problem(t.place, code.LimitMemory, "the archive lies in a stream that cannot be read twice and has more bytes than it may take of the memory (%d for all); "+
			"it was not read; write the stream to a file and name that, "+raiseMemory, w.limits.Memory)
		return nil
	case t.over:
		w.ledger.lost++
		w.problem(t.place, code.LimitHeld, "the archive lies in a stream that cannot be read twice and has more bytes than can be kept in memory (%d for all); "+
			"it was not read; write the stream to a file and name that, or raise the limit with --limit held=N", w.limits.Held)
		return nil
	case t.held != nil:
		data := t.held
		t.held, t.inner = nil, false
		src = bytes.NewReader(data)
		again = func() (io.ReadCloser, error) { return heldFile{bytes.NewReader(data)}, nil }
	default:
		r, err := t.open()
		if err != nil {
			w.ledger.lost++
			w.unreadable(t.place, err)
			return w.ctx.Err()
		}
		defer r.Close()
		src = r
	}
	s, err := w.unpacker.Open(src, t.inner)
	defer s.End()
	if err != nil {
		return w.lose(&container{place: t.place, faulty: t.cut}, s, &fault{t.place, err})
	}
	return w.enter(c, *t, s, again)
}

// heldFile is an archive in memory that can be closed, like one on disk.
type heldFile struct{ *bytes.Reader }

func (heldFile) Close() error { return nil }
