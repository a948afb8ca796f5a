package source

import (
	"bytes"
	"errors"
	"io"
	"math"
	"path"
	"strings"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/manifest"
)

// opener opens a file, or an entry of an archive, at its start.
type opener func() (io.ReadCloser, error)

// item is one regular file in a container.
type item struct {
	place place
	size  int64  // -1 if unknown
	open  opener // opens the content; may be called once
	later opener // opens it any number of times, also after later items; nil if impossible
	inner bool   // the content comes from an archive, which reports its errors
}

// take skips an item, reads it, or inspects it. A *fault says that its content could not be read.
func (w *walker) take(c *container, it item) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	w.meet(it.place)
	d := w.want(it.place, it.size)
	if d.Action == Skip {
		_, packed, _ := archive.SplitName(it.place.name)
		switch foreign := archive.ForeignName(it.place.name); {
		case it.size == 0 && packed:
			c.hollow.add(it.place, archiveEmpty)
			w.skip(d.Reason)
			return nil
		case it.size != 0 && foreign != "":
			w.notUnpacked(it.place, foreign)
			return nil
		case it.size == 0 || !w.deservesLook(c, it.place.name):
			w.skip(d.Reason)
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
		return w.takeBegun(c, it, d, w.head[:n], r)
	case d.Action == Skip && !errors.Is(err, archive.ErrUnpacked) && !w.mustUnpack(it.place, d):
		w.skip(d.Reason) // it would have been skipped anyway
		return w.ctx.Err()
	}
	return w.lost(it.place, err)
}

// meet counts a regular file.
func (w *walker) meet(p place) {
	w.ledger.met++
	w.names.Add(p.name)
}

// takeBegun processes an item according to its first bytes, which were read already.
func (w *walker) takeBegun(c *container, it item, d Decision, head []byte, r io.Reader) error {
	must := w.mustUnpack(it.place, d) && !manifest.LooksLikeObjects(head)
	switch foreign := archive.Foreign(head); {
	case isAppleDouble(it.place.name, head):
		w.skip(ReasonAppleDouble)
		return nil
	case foreign != "":
		w.notUnpacked(it.place, foreign)
		return nil
	case archive.IsPacked(head) || must:
		return w.takePacked(c, it, d, bytes.Clone(head), r)
	case d.Action == Skip && !w.mustUnpack(it.place, d):
		w.skip(d.Reason)
		return nil
	case d.Action == Sniff && !manifest.LooksLikeObjects(head):
		w.skip(ReasonContent)
		return nil
	}
	return w.takePlain(c, it, head, r)
}

// notUnpacked reports a file in an unsupported packing. If its name says that it contains CRs, it
// counts as lost.
func (w *walker) notUnpacked(p place, foreign string) {
	if namesObjects(p.name) {
		w.ledger.lost++
		w.problem(p, code.InputUnreadable, "should hold CRs by its name, but is %s", foreign)
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
	return !ofMac && (collected || collector.IsObjectExtension(collector.Extension(inner)))
}

// deservesLook reports whether an unwanted file is opened to see if it is an archive: always if
// nested archives are requested, otherwise if it has the name of an archive and no object was found
// so far.
func (w *walker) deservesLook(c *container, name string) bool {
	_, _, packed := archive.SplitName(name)
	return packed || !c.own || w.opt.Nested
}

// mustUnpack reports whether an unwanted item has the name of an archive or a compressed file, so
// that it must not be skipped silently if it cannot be unpacked: one with a damaged header cannot
// be distinguished from other files. Compressed logs are excluded, because they would be skipped
// anyway.
func (w *walker) mustUnpack(p place, d Decision) bool {
	_, archive, packed := archive.SplitName(p.name)
	return d.Action == Skip && packed && (archive || !w.onlyLog(p))
}

// onlyLog reports whether the name of a file, without the suffix of its compression, is that of a
// log.
func (w *walker) onlyLog(p place) bool {
	inner, _, _ := archive.SplitName(p.name)
	d := w.want(p.inside(inner), -1)
	return d.Action == Skip && d.Reason == ReasonLog
}

// takePlain reads an item whose first bytes, head, were read already.
func (w *walker) takePlain(c *container, it item, head []byte, r io.Reader) error {
	if it.size > w.fileLimit() {
		w.tooLarge(it.place, it.size)
		return nil
	}
	atOnce := int64(math.MaxInt64)
	if it.inner {
		atOnce = allocateAtOnce
	}
	return w.readFile(c, it.place, r, head, it.size, atOnce)
}

// takePacked processes an item that is an archive or compressed.
func (w *walker) takePacked(c *container, it item, d Decision, head []byte, r io.Reader) error {
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
		return w.unopened(it, d, s, err)
	case s.IsArchive():
		return w.takeArchive(c, it, d, s, held)
	}
	if _, archive, _ := archive.SplitName(it.place.name); !s.Compressed() || archive && d.Action == Skip {
		return w.notAnArchive(&container{place: it.place}, s)
	}
	return w.takeCompressed(c, it, s)
}

// unopened handles items whose first bytes cannot be unpacked. It skips a damaged log silently,
// because the log would have been skipped anyway, unless the enclosing archive is damaged.
func (w *walker) unopened(it item, d Decision, s *archive.Stream, err error) error {
	_, cause := s.Source()
	below := s.Nested && cause != nil || s.OverLimit()
	_, archive, _ := archive.SplitName(it.place.name)
	if d.Action == Skip && !below && !archive && w.onlyLog(it.place) {
		w.skip(d.Reason)
		return w.ctx.Err()
	}
	return w.lose(&container{place: it.place}, s, &fault{it.place, err})
}

// takeCompressed processes a single compressed file, by its name without the suffix of the
// compression.
func (w *walker) takeCompressed(c *container, it item, s *archive.Stream) error {
	inner, _, _ := archive.SplitName(it.place.name)
	p := it.place.inside(inner)
	size := int64(-1)
	if _, err := s.Peek(1); err == io.EOF {
		size = 0
	}
	d := w.want(p, size)
	if d.Action == Skip {
		if foreign := archive.ForeignName(inner); foreign != "" {
			w.notUnpacked(p, foreign)
			return nil
		}
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
func (w *walker) takeArchive(c *container, it item, d Decision, s *archive.Stream, held *holder) error {
	if w.opt.Nested {
		return w.enter(c, waiting{place: it.place}, s)
	}
	if len(c.waiting) >= w.limits.Archives {
		w.tooManyArchives(it.place)
		return nil
	}
	next := waiting{place: it.place, open: it.later, inner: it.inner}
	if _, _, packed := archive.SplitName(it.place.name); !packed {
		next.reason = d.Reason
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
	w.ledger.lost++
	w.problem(
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
		w.ledger.lost++
		w.problem(
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
