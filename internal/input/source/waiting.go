package source

import (
	"bytes"
	"errors"
	"io"

	"github.com/validationtool/validationtool/internal/run/code"
)

// waiting is an archive that is opened if its container turns out to have no objects.
type waiting struct {
	place place
	open  opener // opens its packed bytes; nil if they were too many to keep
	kept  int64  // number of packed bytes in memory
	inner bool   // open reads from an archive that is intact so far
	cut   bool   // its end is missing, because its container was cut off
	// why it is skipped if it is not opened; "" if it is then listed as not read, because its name
	// does not say that it is a package of another program
	reason string

	replaced bool // a later entry of its name counts instead
}

// keep stores the packed bytes of an archive, reading to their end.
func (w *walker) keep(t *waiting, h *holder) error {
	_, err := io.Copy(io.Discard, h)
	if !h.over {
		t.inner, t.kept = false, int64(len(h.data))
		t.open = func() (io.ReadCloser, error) { return heldFile{bytes.NewReader(h.data)}, nil }
		w.kept += t.kept
	}
	return err
}

// release releases the kept bytes.
func (w *walker) release(t *waiting) {
	w.kept -= t.kept
	t.open, t.kept = nil, 0
}

// holder stores the bytes that are read through it, up to a limit.
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

// openRest opens the waiting archives of a container without objects, or lists them as not read.
// whole is false for a container that ran into a limit: archives in it are not opened.
func (w *walker) openRest(c *container, whole bool) error {
	list := c.waiting
	c.waiting = nil
	if !whole { // the limit was reported
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
			// A folder continues: each other archive in it gets its own message.
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
		case namesObjects(t.place.name):
			w.refuse(t.place, code.InputUnreadable, "should hold CRs by its name, but is an archive, which was not opened, "+
				"because %s; read it with --nested, or name it as an input", why)
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

// openWaiting reads a waiting archive.
func (w *walker) openWaiting(c *container, t *waiting) error {
	if t.open == nil {
		limit, name := w.limits.Held, code.LimitHeld
		raise := "or raise the limit with --limit held=N"
		if w.limits.Memory < limit {
			limit, name, raise = w.limits.Memory, code.LimitMemory, raiseMemory
		}
		w.refuse(
			t.place,
			name,
			"not read, because the archive around it is read only once, and its inner archives need more memory than the limit (%d bytes for all); "+
				"unpack the outer archive and name the result, %s",
			limit,
			raise,
		)
		return nil
	}
	defer w.release(t)
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

// heldFile is an archive in memory with a Close method.
type heldFile struct{ *bytes.Reader }

func (heldFile) Close() error { return nil }
