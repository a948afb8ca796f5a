package source

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/archive"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/disk"
	"github.com/validationtool/validationtool/internal/run/workers"
)

// Walk reads the inputs, up to opt.Jobs concurrently, and calls visit for each wanted file. The
// files of one input come in order, unless opt.Unordered is set; with several jobs, several
// goroutines call visit at once. An input is a directory, a file, an archive, "-" for opt.Stdin, or
// a glob that the shell did not expand.
//
// An error means that reading cannot continue: the context ended, visit returned the error, or all
// inputs are missing. The last case is a single ErrNotFound for all inputs, before any call of
// visit. Everything else is in the summary, in the order of the inputs; after an error the summary
// covers what Walk has read until then.
func Walk(ctx context.Context, inputs []string, opt Options, visit func(File) error) (Summary, error) {
	walkers, err := walkAll(ctx, inputs, opt, visit)
	return summaryOf(walkers), err
}

// summaryOf combines what was read of all inputs.
func summaryOf(walkers []*walker) Summary {
	sum := Summary{Skipped: map[string]int{}}
	for _, w := range walkers {
		sum.Inputs = append(sum.Inputs, w.in)
		sum.Problems = append(sum.Problems, w.problems.all()...)
		sum.NotRead = append(sum.NotRead, w.unread.all()...)
		for reason, n := range w.skipped {
			sum.Skipped[reason] += n
		}
	}
	return sum
}

// ReadAll reads a small archive, such as a reference, into a file system. Of several entries with a
// name the last counts. A link is a link of the file system, and leads out of it if it leads out of
// the archive. Links in a circle, and archives that are not opened, are neither files nor folders.
func ReadAll(ctx context.Context, path string, opt Options) (fstest.MapFS, Summary, error) {
	fsys := fstest.MapFS{}
	add := func(name string, f *fstest.MapFile) {
		if fs.ValidPath(name) {
			fsys[name] = f
		}
	}
	opt.keepsLinks = true
	walkers, err := walkAll(ctx, []string{path}, opt, func(f File) error {
		add(f.Name, &fstest.MapFile{Data: f.Data, Mode: 0o444})
		return nil
	})
	for _, w := range walkers {
		targets := targetsOf(w.links)
		for name := range targets {
			to, ok := followed(name, targets)
			if !ok { // fstest does not recognise circles
				add(name, &fstest.MapFile{Mode: fs.ModeIrregular})
				continue
			}
			way, err := filepath.Rel(filepath.Dir(name), cmp.Or(to, ".."))
			if err == nil {
				add(name, &fstest.MapFile{Data: []byte(filepath.ToSlash(way)), Mode: fs.ModeSymlink})
			}
		}
		for _, p := range w.unread.list {
			add(p.Name, &fstest.MapFile{Mode: fs.ModeIrregular})
		}
	}
	return fsys, summaryOf(walkers), err
}

// walkAll reads the inputs and returns the walker of each.
func walkAll(ctx context.Context, inputs []string, opt Options, visit func(File) error) ([]*walker, error) {
	paths, err := Expand(inputs, opt.Stdin != nil)
	if err != nil {
		return nil, err
	}
	if opt.Progress == nil {
		opt.Progress = func(inputs int, bytes int64) {}
	}
	limits := opt.Limits.OrDefault()
	reading, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	all := make([]*walker, len(paths))
	for i, path := range paths {
		in := Input{Path: path}
		all[i] = &walker{ctx: reading, opt: opt, limits: limits, visit: visit, skipped: map[string]int{}, in: in}
	}
	var next atomic.Int64
	work := func() {
		unpacker := archive.NewUnpacker(
			reading, archive.Limits{Unpacked: limits.Unpacked, Memory: limits.Memory, Depth: limits.Depth},
		)
		for reading.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(all) {
				return
			}
			unpacker.Restart()
			all[i].unpacker = unpacker
			if err := all[i].readInput(i); err != nil {
				cancel(err)
				return
			}
			all[i].in.Whole = true
		}
	}
	var group sync.WaitGroup
	for range max(1, min(opt.Jobs, len(paths))) {
		group.Go(work)
	}
	group.Wait()
	return all, cmp.Or(ctx.Err(), context.Cause(reading))
}

// walker is the state of reading one input.
type walker struct {
	ctx      context.Context
	opt      Options
	limits   Limits
	visit    func(File) error
	in       Input // facts known so far
	problems problemList
	unread   problemList
	skipped  map[string]int
	links    []link // of all archives
	names    collector.Names
	around   collector.Names // the same names with the folders around the input
	entries  int             // entries of all archives so far
	turn     int             // files delivered so far
	kept     int64           // packed bytes of waiting archives
	ledger   ledger
	root     string         // the real path of the input, if Options.NoInput is set; "" if it has none
	own      int            // number of files of the reference
	claimed  *workers.Claim // the claim of the last file on Options.Semaphore
	unpacker *archive.Unpacker
	head     [archive.HeadSize]byte
}

// container is a folder or archive that is being read.
type container struct {
	place
	depth   int             // number of archives around its files: 0 in a folder
	own     bool            // it has objects, so nested archives are not opened by default
	waiting []waiting       // nested archives that are opened if it turns out to have no objects
	entries map[string]span // outcome of an archive's entries, by name
	links   []link          // the links of an archive
	faulty  bool            // its damage was recorded
	unsafe  tally           // entries with unsafe names
	broken  tally           // corrupt entries in an intact archive
	locked  tally           // intact entries that cannot be unpacked
	hollow  tally           // empty files with names of archives
	read    int             // number of files read
}

// setOwn records that the container has objects, and releases the archives that were kept for the
// case that it has none.
func (w *walker) setOwn(c *container) {
	c.own = true
	for i := range c.waiting {
		w.release(&c.waiting[i])
	}
}

const archiveEmpty = "the archive is empty"

// errHalt ends the reading of an archive and of all archives around it. Its problem is recorded
// already.
var errHalt = errors.New("halt")

// fault is an error of the enclosing archive that occurred while the content of a file was read.
type fault struct {
	place place
	err   error
}

func (f *fault) Error() string { return f.err.Error() }

// readInput reads the input with this number. It returns only errors that end the walk.
func (w *walker) readInput(number int) error {
	defer w.recognise()
	c := &container{place: place{input: number, path: w.in.Path}}
	err := w.readRootSafely(c)
	if err != nil && !errors.Is(err, errHalt) {
		return err
	}
	if w.own > 0 {
		w.problem(c.place, code.ReferenceInInput, "%s to the reference, so no CR of it is one of the cluster",
			finding.Plural(w.own, "file in it belongs", "files in it belong"))
	}
	w.balance(c.place)
	return nil
}

// isNoInput skips a file of the reference or of an option. file is a real path.
func (w *walker) isNoInput(file string) bool {
	reason := w.whyNoInput(file)
	if reason == "" {
		return false
	}
	if reason == ReasonReference {
		w.own++
	}
	w.ledger.met++
	w.skip(reason)
	return true
}

// whyNoInput returns why a file is no part of the input, or "". file is a real path.
func (w *walker) whyNoInput(file string) (reason string) {
	if w.root == "" {
		return ""
	}
	return w.opt.NoInput(w.root, file)
}

// readRootSafely calls readRoot and turns a panic, for example of a decompression library, into a
// problem of this input only.
func (w *walker) readRootSafely(c *container) (err error) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		w.ledger.lost += w.ledger.missing()
		w.problem(c.place, code.Internal, "could not be read to the end: %s; %s", code.Fault(r), readSoFar(c))
		err = w.ctx.Err()
	}()
	return w.readRoot(c)
}

func (w *walker) readRoot(c *container) error {
	in := &w.in
	w.opt.Progress(1, 0)
	if in.Path == stdinArgument {
		in.Format = "stdin"
		return w.readStream(c, w.opt.Stdin)
	}
	info, err := os.Stat(in.Path)
	if err != nil {
		reason := code.Reason(err)
		if errors.Is(err, fs.ErrNotExist) && isGlob(in.Path) {
			reason = errNoMatch
		}
		w.problem(c.place, code.InputNotFound, "the path cannot be opened: %s", reason)
		return w.ctx.Err()
	}
	if w.opt.NoInput != nil {
		w.root, _ = RealPath(in.Path) // without links that lead nowhere, it has one
	}
	w.lookAround(c)
	if info.IsDir() {
		in.Format = "directory"
		return w.readFolder(c)
	}
	in.Format = "file"
	if w.isNoInput(w.root) {
		return nil
	}
	f, err := disk.OpenNamed(w.ctx, in.Path)
	switch {
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case err != nil:
		w.unreadable(c.place, err)
		return nil
	case !info.Mode().IsRegular():
		return w.readStream(c, f)
	}
	defer f.Close()
	g := &gauge{File: f, passed: newPassed(w.opt.Checksums), tell: w.opt.Progress}
	defer g.end(info.Size())
	return w.readPassing(c, g, &g.passed, info.Size())
}

// readStream reads standard input or a pipe.
func (w *walker) readStream(c *container, stream io.Reader) error {
	g := &gaugedStream{Reader: disk.Reader(w.ctx, stream), passed: newPassed(w.opt.Checksums), tell: w.opt.Progress}
	return w.readPassing(c, g, &g.passed, -1)
}

// readPassing reads an argument and keeps its checksum. After a problem there is none: how far the
// reading ahead came until then is chance.
func (w *walker) readPassing(c *container, src io.Reader, p *passed, size int64) error {
	err := w.readArgument(c, src)
	if err == nil && len(w.problems.list) == 0 {
		w.in.SHA256 = p.checksum(size)
	}
	return err
}

// readArgument reads a file that is itself an argument: an archive, or a single file regardless of
// its name.
func (w *walker) readArgument(c *container, src io.Reader) error {
	w.ledger.met++
	s, err := w.unpacker.Open(src, false)
	defer s.End()
	if s.Compressed() || s.IsArchive() {
		w.in.Format = s.Format()
	}
	if err != nil {
		return w.lose(c, s, &fault{c.place, err})
	}
	if s.IsArchive() {
		w.ledger.opened++
		return w.readArchive(c, s)
	}
	p := c.place
	p.name = filepath.Base(p.path)
	if inner, _, packed := archive.SplitName(p.name); packed && s.Compressed() {
		p.entry, p.name = inner, inner
	}
	w.addName(p)
	head, _ := s.Peek(archive.HeadSize)
	foreign := archive.Foreign(head)
	if foreign == "" && !manifest.LooksLikeObjects(head) {
		foreign = archive.ForeignName(p.name)
	}
	if foreign != "" && w.ctx.Err() == nil {
		w.refuse(c.place, code.InputUnreadable, "it is %s and name the result", foreign)
		return nil
	}
	if _, _, packed := archive.SplitName(p.name); packed && s.Size() == 0 {
		w.refuse(c.place, code.ArchiveBroken, archiveEmpty+"; copy it again")
		return nil
	}
	return w.readSingle(c, p, s, s.Size(), Decision{Action: Read})
}

// readSingle reads the content of s as one file of size bytes, -1 if unknown.
func (w *walker) readSingle(c *container, p place, s *archive.Stream, size int64, d Decision) error {
	head, err := s.Peek(archive.HeadSize)
	switch {
	case err != nil && err != io.EOF:
		return w.lose(c, s, &fault{p, err})
	case d.Action == Sniff && !manifest.LooksLikeObjects(head):
		w.skip(d.rejection())
		return nil
	}
	err = w.readFile(c, p, s, nil, size, math.MaxInt64)
	var f *fault
	if errors.As(err, &f) {
		return w.ended(c, s, f)
	}
	w.reportJunk(p, s)
	return err
}

// readFile reads and delivers a file whose first bytes, head, were read already. For size and
// atOnce see content. A *fault says that the content could not be read.
func (w *walker) readFile(c *container, p place, r io.Reader, head []byte, size, atOnce int64) error {
	data, err := w.content(r, head, size, atOnce)
	switch {
	case errors.Is(err, archive.ErrTooLarge):
		w.tooLarge(p, -1)
		return nil
	case err != nil:
		return w.lost(p, err)
	}
	f := p.file(data)
	f.Turn = w.turn
	f.Claim, w.claimed = w.claimed, nil
	w.count(c, len(data), !c.own && holdsObjects(p.name, data))
	return w.visit(f)
}

// count counts a file that is delivered. objects says that the file counts as objects of c.
func (w *walker) count(c *container, size int, objects bool) {
	if objects && !c.own {
		w.setOwn(c)
	}
	c.read++
	w.in.Files++
	w.in.Bytes += int64(size)
	w.turn++
	w.ledger.read++
}

// want returns the decision of Options.Want.
func (w *walker) want(p place, size int64) Decision {
	if w.opt.Want == nil {
		return Decision{Action: Read}
	}
	return w.opt.Want(p.name, size)
}

// skip counts a skipped file.
func (w *walker) skip(reason string) {
	w.ledger.passed++
	w.skipped[reason]++
}

func (w *walker) problem(p place, c code.Code, format string, args ...any) {
	w.problems.add(p.problem(c, format, args...))
}

// refuse records a problem because of which an entry is not read.
func (w *walker) refuse(p place, c code.Code, format string, args ...any) {
	w.ledger.lost++
	w.problem(p, c, format, args...)
}

// notRead lists an archive as not read. For foreign see Problem.
func (w *walker) notRead(p place, foreign, format string, args ...any) {
	w.ledger.closed++
	found := p.problem(code.ArchiveNotRead, format, args...)
	found.Foreign = foreign
	w.unread.add(found)
}

func (w *walker) unreadable(p place, err error) {
	w.problem(
		p,
		code.InputUnreadable,
		"cannot be read: %s; make it readable, or name the archive it was unpacked from",
		code.Reason(err),
	)
}
