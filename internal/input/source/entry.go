package source

import (
	"bytes"
	"errors"
	"io"
	"math"
	"path"
	"strings"

	"github.com/validationtool/validationtool/internal/input/archive"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
)

// opener opens a file, or an entry of an archive, at its start.
type opener func() (io.ReadCloser, error)

// item is one regular file in a container.
type item struct {
	place
	size  int64  // -1 if unknown
	open  opener // opens the content; may be called once
	later opener // opens it any number of times, also after later items; nil if impossible
	inner bool   // the content comes from an archive, which reports its errors

	// Set by take: what its name says.
	decision        Decision
	stem            string // the name without the suffix of an archive or compression
	archive, packed bool   // the name is that of an archive, and of an archive or a compressed file
}

func (it item) unwanted() bool { return it.decision.unwanted() }

// take skips an item, reads it, or inspects it. A *fault says that its content could not be read.
func (w *walker) take(c *container, it item) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	w.meet(it.place)
	it.decision = w.want(it.place, it.size)
	it.stem, it.archive, it.packed = archive.SplitName(it.name)
	if it.decision.Action == Skip {
		// Others are opened to see if they are archives.
		closed := it.size == 0 || it.decision.Reason == ReasonPrivate || !it.packed && c.own && !w.opt.Nested
		switch foreign := archive.ForeignName(it.name); {
		case it.size != 0 && foreign != "" && it.decision.Reason != ReasonPrivate:
			w.notUnpacked(it.place, foreign)
			return nil
		case it.size == 0 && it.decision.Reason == ReasonName && (it.archive || it.packed && namesObjects(it.name)):
			c.hollow.add(it.place, archiveEmpty)
			fallthrough
		case closed:
			w.skip(it.decision.Reason)
			return nil
		}
	}
	n := 0
	r, err := it.open()
	if err == nil {
		defer r.Close()
		n, err = archive.Fill(r, w.head[:])
	}
	switch {
	case err == nil:
		return w.takeOpened(c, it, w.head[:n], r)
	case it.unwanted() && !errors.Is(err, archive.ErrUnpacked) && !w.mustUnpack(it):
		w.skip(it.decision.Reason)
		return w.ctx.Err()
	}
	return w.lost(it.place, err)
}

// meet counts a regular file.
func (w *walker) meet(p place) {
	w.ledger.met++
	w.addName(p)
}

// takeOpened processes an item according to its first bytes, head, which were read already.
func (w *walker) takeOpened(c *container, it item, head []byte, r io.Reader) error {
	objects := manifest.LooksLikeObjects(head)
	switch foreign := archive.Foreign(head); {
	case isAppleDouble(it.name, head):
		w.skip(ReasonAppleDouble)
	case foreign != "":
		w.notUnpacked(it.place, foreign)
	case archive.IsPacked(head) || w.mustUnpack(it) && !objects:
		return w.takePacked(c, it, bytes.Clone(head), r)
	case it.decision.Action == Skip && !w.mustUnpack(it):
		w.skip(it.decision.Reason)
	case it.decision.Action == Sniff && !objects:
		w.skip(it.decision.rejection())
	case it.size > w.fileLimit():
		w.tooLarge(it.place, it.size)
	default:
		atOnce := int64(math.MaxInt64)
		if it.inner {
			atOnce = allocateAtOnce
		}
		return w.readFile(c, it.place, r, head, it.size, atOnce)
	}
	return nil
}

// notUnpacked reports a file in an unsupported packing. If its name says that it contains CRs, it
// counts as lost.
func (w *walker) notUnpacked(p place, foreign string) {
	if namesObjects(p.name) {
		w.refuse(p, code.InputUnreadable, "should hold CRs by its name, but is %s", foreign)
		return
	}
	w.notRead(p, foreign, "the archive was not opened, because it is %s", foreign)
}

// namesObjects reports whether the name of a packed file, without the suffix of the packing, says
// that it contains CRs: it is YAML or JSON, or a collector writes CRs to this path.
func namesObjects(name string) bool {
	if archive.ForeignName(name) != "" {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	inner, _, _ := archive.SplitName(name)
	name = path.Join(path.Dir(name), inner)
	_, collected := collector.IDOf(name + ".yaml")
	ofMac := strings.HasPrefix(inner, "._")
	return !ofMac && (collected || collector.IsObjectName(name))
}

// mustUnpack reports whether an unwanted item has the name of an archive or a compressed file, so
// that it must not be skipped silently if it cannot be unpacked: one with a damaged header cannot
// be distinguished from other files. Compressed logs are excluded, because they would be skipped
// anyway.
func (w *walker) mustUnpack(it item) bool {
	return it.unwanted() && it.packed && (it.archive || !w.onlyLog(it))
}

// onlyLog reports whether the name of a file, without the suffix of its compression, is that of a
// log.
func (w *walker) onlyLog(it item) bool {
	d := w.want(it.inside(it.stem), -1)
	return d.Action == Skip && d.Reason == ReasonLog
}

// takePacked processes an item that is an archive or compressed.
func (w *walker) takePacked(c *container, it item, head []byte, r io.Reader) error {
	src := io.Reader(r)
	if at, ok := r.(io.Seeker); ok {
		if _, err := at.Seek(0, io.SeekStart); err != nil {
			return w.lost(it.place, err)
		}
	} else {
		src = io.MultiReader(bytes.NewReader(head), r)
	}
	var held *holder
	if it.later == nil && !w.opt.Nested && !c.own {
		held = &holder{src: src, limit: min(w.limits.Held, w.limits.Memory) - w.kept}
		src = held
	}
	s, err := w.unpacker.Open(src, it.inner)
	defer s.End()
	switch {
	case err != nil:
		return w.unopened(it, s, err)
	case s.IsArchive():
		return w.takeArchive(c, it, s, held)
	case !s.Compressed() || it.archive && it.unwanted():
		return w.notAnArchive(&container{place: it.place}, s)
	}
	return w.takeCompressed(c, it, s)
}

// unopened handles items whose first bytes cannot be unpacked. It skips a damaged log silently,
// because the log would have been skipped anyway, unless the enclosing archive is damaged.
func (w *walker) unopened(it item, s *archive.Stream, err error) error {
	_, cause := s.Source()
	below := s.Nested && cause != nil || s.OverLimit()
	if it.unwanted() && !below && !it.archive && w.onlyLog(it) {
		w.skip(it.decision.Reason)
		return w.ctx.Err()
	}
	return w.lose(&container{place: it.place}, s, &fault{it.place, err})
}

// takeCompressed processes a single compressed file, by its name without the suffix of the
// compression.
func (w *walker) takeCompressed(c *container, it item, s *archive.Stream) error {
	p := it.inside(it.stem)
	size := int64(-1)
	if _, err := s.Peek(1); err == io.EOF {
		size = 0
	}
	d := w.want(p, size)
	switch foreign := archive.ForeignName(it.stem); {
	case d.Action == Skip && foreign != "":
		w.notUnpacked(p, foreign)
		return nil
	case d.Action == Skip:
		w.skip(d.Reason)
		return nil
	}
	single := &container{place: it.place, own: c.own}
	err := w.readSingle(single, p, s, -1, d)
	if single.own {
		w.setOwn(c)
	}
	c.read += single.read
	return err
}

// takeArchive opens an archive inside a container, or defers it until it is known whether the
// container has objects of its own.
func (w *walker) takeArchive(c *container, it item, s *archive.Stream, held *holder) error {
	if w.opt.Nested {
		return w.enter(c, waiting{place: it.place}, s)
	}
	if len(c.waiting) >= w.limits.Archives {
		w.tooManyArchives(it.place)
		return nil
	}
	next := waiting{place: it.place, open: it.later, inner: it.inner}
	if it.decision.Action == Skip && !it.packed {
		next.reason = it.decision.Reason
	}
	var err error
	if held != nil {
		if err = w.keep(&next, held); err != nil {
			err = &fault{it.place, err}
		}
	}
	c.waiting = append(c.waiting, next)
	return err
}

func (w *walker) tooManyArchives(p place) {
	w.refuse(
		p,
		code.LimitArchives,
		"not read, because the input has more than %d archives, the limit; name it as an input, "+
			"or raise the limit with --limit archives=N",
		w.limits.Archives,
	)
}

// enter reads an archive inside the container c.
func (w *walker) enter(c *container, t waiting, s *archive.Stream) error {
	p := t.place
	if c.depth+1 > w.limits.Depth {
		w.refuse(
			p,
			code.LimitDepth,
			"not read, because it is nested in more than %d archives, the limit; name it as an input, "+
				"or raise the limit with --limit depth=N",
			w.limits.Depth,
		)
		return nil
	}
	if w.ledger.opened >= w.limits.Archives {
		w.tooManyArchives(p)
		return nil
	}
	if !s.IsArchive() {
		return w.notAnArchive(&container{place: p, faulty: t.cut}, s)
	}
	w.ledger.opened++
	return w.readArchive(&container{place: p, depth: c.depth, faulty: t.cut}, s)
}

// notAnArchive handles files with the name of an archive or a compressed file that are neither. A
// tar archive without entries consists only of zeros.
func (w *walker) notAnArchive(c *container, s *archive.Stream) error {
	zeros, err := s.OnlyZeros()
	switch {
	case err != nil:
		return w.lose(c, s, &fault{c.place, err})
	case zeros && (s.Compressed() || strings.HasSuffix(strings.ToLower(c.place.name), ".tar")):
		w.ledger.opened++
		return nil
	}
	w.ledger.lost++
	if !c.faulty {
		w.problem(
			c.place,
			code.ArchiveBroken,
			"not compressed, although its name says so; if it should be, copy it again",
		)
	}
	return nil
}

// readArchive reads the archive in s into c.
func (w *walker) readArchive(c *container, s *archive.Stream) error {
	c.depth++
	if s.IsZip() {
		return w.readZip(c, s)
	}
	return w.readTar(c, s)
}

// isAppleDouble reports whether a file is one of those that macOS adds to archives and foreign
// disks to keep the attributes of another file.
func isAppleDouble(name string, head []byte) bool {
	return strings.HasPrefix(path.Base(name), "._") && bytes.HasPrefix(head, []byte("\x00\x05\x16\x07"))
}
