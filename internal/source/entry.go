package source

import (
	"bytes"
	"errors"
	"io"

	"github.com/validationtool/validationtool/internal/code"
)

// reopen opens a file or archive anew, at its beginning. A nil one says that it can be read once only.
type reopen func() (io.ReadCloser, error)

// item is one regular file that a container offers.
type item struct {
	place place
	size  int64  // -1 where it is not known
	open  reopen // opens the content, once for each call where again is true
	again bool   // open works as often as wanted
	inner bool   // the content comes out of an archive, which reports what goes wrong with it
	index int    // position in a tar archive

	found *foundFile // what was found out about it ahead of the walk, or nil
}

// take passes an item over, reads it, or looks into it. A *fault says that its content could not be read.
func (w *walker) take(c *container, it item) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	c.scan.add(entryName(c, it.place))
	d := w.decide(it)
	switch found := it.found; {
	case found == nil:
	case found.read:
		return w.deliverLooked(c, it)
	case found.rejected:
		w.skip(it.place, it.size, ReasonContent)
		return nil
	}
	if d.Action == Skip && (it.size == 0 || !w.deservesLook(c, it.place.name)) {
		w.skip(it.place, it.size, d.Reason)
		return nil
	}
	r, err := it.open()
	if err != nil {
		return w.unlooked(it, d, err)
	}
	defer r.Close()
	n, err := fill(r, w.head[:])
	if err != nil {
		return w.unlooked(it, d, err)
	}
	head := w.head[:n]
	switch {
	case sniff(head) != formatPlain || calledArchive(it, d):
		return w.takePacked(c, it, d, bytes.Clone(head), r)
	case foreignArchive(head) != "":
		w.notRead(it.place, "the archive was not opened, because it is packed in a way that is not supported (%s); unpack it", foreignArchive(head))
		return nil
	case d.Action == Skip:
		w.skip(it.place, it.size, d.Reason)
		return nil
	case d.Action == Sniff && !LooksLikeObjects(head):
		w.skip(it.place, it.size, ReasonContent)
		return nil
	}
	return w.takePlain(c, it, head, r)
}

// decide asks what to do with an item, unless that was done ahead.
func (w *walker) decide(it item) Decision {
	if it.found != nil {
		return it.found.decision
	}
	return w.want(it.place, it.size)
}

// unlooked is for items whose first bytes cannot be had. One that would have been passed over anyway still is, unless its archive
// is a stream that ends here.
func (w *walker) unlooked(it item, d Decision, err error) error {
	if d.Action == Skip && it.again && !errors.Is(err, errUnpacked) {
		w.skip(it.place, it.size, d.Reason)
		return w.ctx.Err()
	}
	return &fault{it.place, err}
}

// entryName is the name inside the container, whose layout it helps to recognise.
func entryName(c *container, p place) string {
	if c.scan.name == "" {
		return p.name
	}
	return p.name[len(c.scan.name)+len(nestedSeparator):]
}

// deservesLook says whether a file that is not wanted is opened to see if it is an archive: if it is called like one, as
// long as no object was found, and always if archives inside are asked for.
func (w *walker) deservesLook(c *container, name string) bool {
	_, _, packed := packedName(name)
	return packed || !c.own || w.opt.Nested
}

// calledArchive says whether an item is taken for an archive because of its name: one that is damaged at its beginning cannot be
// told from other files, and must not be passed over in silence.
func calledArchive(it item, d Decision) bool {
	_, archive, _ := packedName(it.place.name)
	return archive && d.Action == Skip
}

func (w *walker) takePlain(c *container, it item, head []byte, r io.Reader) error {
	if it.size > w.limits.File {
		w.tooLarge(it.place, it.size)
		return nil
	}
	size := it.size
	if it.inner {
		size = min(size, allocateAtOnce)
	}
	data, err := w.content(r, head, size)
	switch {
	case errors.Is(err, errTooLarge):
		w.tooLarge(it.place, -1)
		return nil
	case err != nil:
		return &fault{it.place, err}
	}
	return w.deliver(c, it.place, data)
}

// takePacked takes an item that is an archive or compressed.
func (w *walker) takePacked(c *container, it item, d Decision, head []byte, r io.Reader) error {
	src := io.Reader(r)
	if at, ok := r.(seekable); ok {
		if _, err := at.Seek(0, io.SeekStart); err != nil {
			return &fault{it.place, err}
		}
	} else {
		src = io.MultiReader(bytes.NewReader(head), r)
	}
	var held *holder
	if !it.again && !c.twice && !w.opt.Nested && !c.own {
		held = &holder{src: src, limit: w.limits.Held - c.held}
		src = held
	}
	s, err := w.unpack(src, it.inner)
	defer s.close()
	switch {
	case err != nil:
		return w.unopened(c, it, d, s, held, err)
	case s.inner.archive() || calledArchive(it, d):
		return w.takeArchive(c, it, d, s, held)
	}
	return w.takeCompressed(c, it, s)
}

// unopened is for items of which not even the first bytes could be unpacked. What is not wanted and not called an archive, like a
// damaged old log, is passed over in silence; what is called one only matters if it would have been opened.
func (w *walker) unopened(c *container, it item, d Decision, s *stream, held *holder, err error) error {
	s.halt()
	below := s.nested && s.raw.err != nil || s.overLimit()
	inner, _, _ := packedName(it.place.name)
	wanted := d.Action != Skip || w.want(it.place.inside(inner), -1).Action == Read // by the name that it has unpacked
	switch {
	case below || wanted:
	case !calledArchive(it, d):
		w.skip(it.place, it.size, d.Reason)
		return w.ctx.Err()
	case !w.opt.Nested:
		return w.takeArchive(c, it, d, s, held)
	}
	return w.ended(&container{place: it.place}, s, &fault{it.place, err})
}

// takeCompressed takes a single file that is compressed: it is judged by the name it has without the compression.
func (w *walker) takeCompressed(c *container, it item, s *stream) error {
	inner, _, _ := packedName(it.place.name)
	p := it.place.inside(inner)
	size := int64(-1)
	if _, err := s.Peek(1); err == io.EOF {
		size = 0
	}
	d := w.want(p, size)
	if d.Action == Skip {
		w.skip(p, size, d.Reason)
		return nil
	}
	single := &container{place: it.place, own: c.own}
	err := w.readSingle(single, p, s, -1, d)
	if single.own {
		c.setOwn()
	}
	c.read += single.read
	return err
}

// takeArchive opens an archive inside a container, or puts it aside until it is known whether the container only wraps it.
func (w *walker) takeArchive(c *container, it item, d Decision, s *stream, held *holder) error {
	if w.opt.Nested {
		var again reopen
		if it.again {
			again = it.open
		}
		return w.enter(c, waiting{place: it.place}, s, again)
	}
	if len(c.waiting) >= w.limits.Archives {
		w.tooManyArchives(it.place)
		return nil
	}
	_, _, packed := packedName(it.place.name)
	next := waiting{place: it.place, index: it.index, inner: it.inner, called: packed || d.Action != Skip}
	var cut error
	switch {
	case it.again:
		next.open = it.open
	case held != nil:
		if err := next.hold(held); err != nil {
			next.cut, cut = true, &fault{it.place, err}
		}
		c.held += int64(len(next.held))
	}
	c.waiting = append(c.waiting, next)
	return cut
}

func (w *walker) tooManyArchives(p place) {
	w.problem(p, code.LimitArchives, "it is one of more than %d archives in the input, the limit, and was not read; name it as an input of its own, "+
		"or raise the limit with --limit archives=N", w.limits.Archives)
}

// enter reads an archive that lies in the container c.
func (w *walker) enter(c *container, t waiting, s *stream, again reopen) error {
	p := t.place
	if c.depth+1 > w.limits.Depth {
		w.problem(p, code.LimitDepth, "it lies in more than %d archives inside each other, the limit, and was not read; name it as an input of its own, "+
			"or raise the limit with --limit depth=N", w.limits.Depth)
		return nil
	}
	if len(w.scans) >= w.limits.Archives {
		w.tooManyArchives(p)
		return nil
	}
	if !s.inner.archive() {
		return w.notAnArchive(&container{place: p, faulty: t.cut}, s)
	}
	scan := &archiveScan{name: p.name, format: s.format()}
	w.scans = append(w.scans, scan)
	return w.readArchive(&container{place: p, depth: c.depth, scan: scan, faulty: t.cut}, s, again)
}

// notAnArchive is for files that are called archives and are none. One of nothing but zeros is a tar archive without entries.
func (w *walker) notAnArchive(c *container, s *stream) error {
	zeros, err := onlyZeros(s.Reader)
	switch {
	case err != nil:
		return w.ended(c, s, &fault{c.place, err})
	case !zeros && !c.faulty:
		w.problem(c.place, code.ArchiveBroken, "it is called an archive, but is none; if it should be one, copy it again")
	}
	return nil
}

// readArchive reads the archive in s, at the place of c.
func (w *walker) readArchive(c *container, s *stream, again reopen) error {
	c.depth++
	if s.inner == formatZip {
		return w.readZip(c, s)
	}
	return w.readTar(c, s, again)
}
