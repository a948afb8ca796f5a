package source

import (
	"bytes"
	"errors"
	"io"

	"github.com/validationtool/validationtool/internal/code"
)

// waiting is an archive that is opened if what is around it turns out to hold no objects.
type waiting struct {
	place place
	open  opener // opens its packed bytes; nil where they were too many to be kept
	kept  int64  // how many of them are kept in memory
	inner bool   // open reads from an archive that is sound so far
	cut   bool   // its end is missing, because what is around it broke off
	// why it is passed over if it is not opened; "" if it is then named, because it is called like
	// an archive or is wanted
	reason string

	replaced bool // a later entry of its name counts
}

// keep keeps the packed bytes of an archive, which are read to their end.
func (w *walker) keep(t *waiting, h *holder) error {
	_, err := io.Copy(io.Discard, h)
	if !h.over {
		t.inner, t.kept = false, int64(len(h.data))
		t.open = func() (io.ReadCloser, error) { return heldFile{bytes.NewReader(h.data)}, nil }
		w.kept += t.kept
	}
	return err
}

// letGo lets go of the bytes that were kept.
func (w *walker) letGo(t *waiting) {
	w.kept -= t.kept
	t.open, t.kept = nil, 0
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

// settle opens the archives of a container that turned out to hold no objects, or names them as not
// read. Whole is false for a container that ran into a limit: archives in it are left.
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
	why := "the input around it has CRs of its own"
	if !c.own {
		why = "a limit was reached"
	}
	for _, t := range list {
		switch {
		case t.replaced:
		case t.reason != "":
			w.skip(t.reason)
		default:
			w.notRead(
				t.place,
				"",
				"the archive was not opened, because %s; read it with --nested, or name it as an input",
				why,
			)
		}
	}
}

// openWaiting reads an archive that waited.
func (w *walker) openWaiting(c *container, t *waiting) error {
	if t.open == nil {
		w.ledger.lost++
		limit, name := w.limits.Held, code.LimitHeld
		raise := "or raise the limit with --limit held=N"
		if w.limits.Memory < limit {
			limit, name, raise = w.limits.Memory, code.LimitMemory, raiseMemory
		}
		w.problem(
			t.place,
			name,
			"not read, because the archive around it is read only once, and its inner archives need more memory than the limit (%d bytes for all); "+
				"unpack the outer archive and name the result, %s",
			limit,
			raise,
		)
		return nil
	}
	defer w.letGo(t)
	r, err := t.open()
	if err != nil {
		w.ledger.lost++
		w.unreadable(t.place, err)
		return w.ctx.Err()
	}
	defer r.Close()
	s, err := w.unpacker.Open(r, t.inner)
	defer s.End()
	if err != nil {
		return w.lose(&container{place: t.place, faulty: t.cut}, s, &fault{t.place, err})
	}
	return w.enter(c, *t, s)
}

// heldFile is an archive in memory that can be closed, like one on disk.
type heldFile struct{ *bytes.Reader }

func (heldFile) Close() error { return nil }
