package source

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/archive"
	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/disk"
	"github.com/validationtool/validationtool/internal/run/workers"
)

// readFolder reads a folder and everything below it, in the order of the paths. The targets of
// links come after all other files, and archives among them come last.
func (w *walker) readFolder(c *container) error {
	links, err := w.readTree(c, tree{place: c.place})
	if err == nil {
		err = w.readFolderLinks(c, links)
	}
	if err == nil {
		err = w.openRest(c, true)
		w.reportTallies(c)
	}
	return err
}

// batchFiles is the number of files that a goroutine reads in one go, large enough to make the cost
// of handing them over irrelevant.
const batchFiles = 32

// foundFile is an entry of a folder. A folder has an entry only if it is passed over or cannot be
// listed.
type foundFile struct {
	place    place
	real     string      // its path without links, if Options.NoInput needs it
	mode     fs.FileMode // only the type bits
	entry    fs.DirEntry
	err      error  // why the folder cannot be listed
	read     bool   // it was delivered ahead of the walk
	size     int    // of what was delivered
	objects  bool   // the result of holdsObjects
	rejected string // why it is skipped, according to its first bytes or those in it; "" if it is not
}

// tree is a folder whose files are read, with those of the folders in it.
type tree struct {
	place
	real string   // its path without links; "" for the input itself
	skip []string // paths without links of folders in it that were read before
}

// readTree reads the files of a folder and returns its links. Most of the time is spent in system
// calls, several for every folder and file. So one goroutine lists the folders, others read the
// files ahead of the walk, and the walk uses their results in its own order.
func (w *walker) readTree(c *container, root tree) (links []place, err error) {
	err = workers.Ordered(w.batches(root), func(batch []foundFile) ([]foundFile, error) {
		for i := range batch {
			if err := w.readAhead(&batch[i]); err != nil {
				return nil, err
			}
		}
		return batch, nil
	}, func(batch []foundFile) error {
		for _, f := range batch {
			if f.mode&fs.ModeSymlink != 0 {
				links = append(links, f.place)
			}
			if err := w.takeFound(c, f); err != nil {
				return err
			}
		}
		return nil
	})
	return links, cmp.Or(err, w.ctx.Err())
}

// batches yields the entries of a folder, and of the folders in it, in the order of their paths.
func (w *walker) batches(root tree) iter.Seq[[]foundFile] {
	prefix := strings.TrimSuffix(filepath.ToSlash(filepath.Join(root.path, "x")), "x")
	at := func(rel string) place {
		p := root.place
		p.path = prefix + rel
		if p.name = p.path[len(prefix):]; root.name != "" { // else share the memory of the path
			p.name = root.name + "/" + p.name
		}
		if root.full != "" {
			p.full = root.full + "/" + rel
		}
		return p
	}
	realPath := func(rel string) string {
		if w.root == "" {
			return ""
		}
		return path.Join(cmp.Or(root.real, w.root), rel)
	}
	return func(yield func([]foundFile) bool) {
		var batch []foundFile
		add := func(f foundFile) bool {
			if batch = append(batch, f); len(batch) < batchFiles {
				return true
			}
			full := batch
			batch = make([]foundFile, 0, batchFiles)
			return yield(full)
		}
		var list func(dir place, rel string) bool
		list = func(dir place, rel string) bool {
			entries, err := os.ReadDir(dir.path)
			if err != nil && !add(foundFile{place: dir, mode: fs.ModeDir, err: err}) {
				return false
			}
			if rel != "" && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return isScriptOfFix(dir.path, e) }) {
				return add(foundFile{place: dir, mode: fs.ModeDir, rejected: ReasonFix})
			}
			slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(sortKey(a), sortKey(b)) })
			for _, e := range entries {
				rel := strings.TrimPrefix(rel+"/"+e.Name(), "/")
				p := at(rel)
				switch {
				case e.IsDir() && len(root.skip) > 0 && slices.Contains(root.skip, path.Join(root.real, rel)):
				case e.IsDir() && !collector.IsPrivate(e.Name()):
					if w.ctx.Err() != nil || !list(p, rel) {
						return false
					}
				case !add(foundFile{place: p, real: realPath(rel), mode: e.Type(), entry: e}):
					return false
				}
			}
			return true
		}
		root.path = filepath.ToSlash(filepath.Clean(root.path))
		if list(root.place, "") {
			yield(batch)
		}
	}
}

// isScriptOfFix reports whether an entry of a folder is the script that --output fix writes.
func isScriptOfFix(folder string, e fs.DirEntry) bool {
	if e.Name() != finding.FixScript || !e.Type().IsRegular() {
		return false
	}
	file, err := disk.Open(filepath.Join(folder, e.Name()))
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, len(finding.FixHead))
	_, err = io.ReadFull(file, head)
	return err == nil && string(head) == finding.FixHead
}

// sortKey returns a key that sorts the entries of a folder like the paths of the files below them.
func sortKey(e fs.DirEntry) string {
	if e.IsDir() {
		return e.Name() + "/"
	}
	return e.Name()
}

// readAhead delivers a wanted file ahead of the walk, if Options.Unordered allows it. It leaves
// unusual and large files to the walk.
func (w *walker) readAhead(f *foundFile) error {
	if !w.opt.Unordered || !f.mode.IsRegular() || w.whyNoInput(f.real) != "" {
		return nil
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	d := w.want(f.place, -1)
	if d.Action == Skip {
		return nil
	}
	file, err := disk.Open(f.place.path)
	if err != nil {
		return nil // the walk reports it
	}
	memory := w.opt.Buffers.Take(bufferAtLeast)
	n, err := file.Read(memory)
	file.Close() // delivering it may take long
	data, head := memory[:n], memory[:min(n, archive.HeadSize)]
	switch {
	case err != nil, n == len(memory), int64(n) > w.fileLimit(), archive.IsPacked(head), archive.Foreign(head) != "",
		isAppleDouble(f.place.name, head):
	case d.Action == Sniff && !manifest.LooksLikeObjects(head):
		f.rejected = d.rejection()
	default:
		f.read, f.size, f.objects = true, n, holdsObjects(f.place.name, data)
		return w.visit(f.place.file(data))
	}
	w.opt.Buffers.Give(memory)
	return nil
}

// takeFound processes an entry of a folder.
func (w *walker) takeFound(c *container, f foundFile) error {
	switch {
	case f.mode.IsRegular() && w.isNoInput(f.real):
	case f.err != nil: // the entries that could be listed are read
		w.unreadable(f.place, f.err)
	case f.mode&fs.ModeSymlink != 0:
		w.ledger.met++
	case f.mode.IsDir():
		w.ledger.met++
		w.skip(cmp.Or(f.rejected, ReasonPrivate))
		if f.rejected == ReasonFix {
			w.problem(f.place, code.ReferenceInInput,
				"--output fix wrote this folder, so its CRs do not count as CRs of the cluster; name the folder to read them")
		}
	case !f.mode.IsRegular():
		w.ledger.met++
		w.skip(ReasonSpecial)
	case f.read:
		w.meet(f.place)
		w.count(c, f.size, f.objects)
	case f.rejected != "":
		w.meet(f.place)
		w.skip(f.rejected)
	default:
		return w.takeLeft(c, f)
	}
	return nil
}

// takeLeft processes a regular file that was not read ahead. It does not request the size of a file
// with an unwanted name.
func (w *walker) takeLeft(c *container, f foundFile) error {
	size := int64(-1)
	if _, _, packed := archive.SplitName(f.place.name); packed || w.want(f.place, -1).Action != Skip {
		info, err := f.entry.Info()
		if err != nil {
			w.ledger.met++
			w.ledger.lost++
			w.unreadable(f.place, err)
			return nil
		}
		size = info.Size()
	}
	return w.takeFile(c, f.place, size)
}

// takeFile processes a file of a folder.
func (w *walker) takeFile(c *container, p place, size int64) error {
	open := func() (io.ReadCloser, error) { return disk.Open(p.path) }
	err := w.take(c, item{place: p, size: size, open: open, later: open})
	var f *fault
	switch {
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case errors.As(err, &f):
		w.unreadable(f.place, f.err)
		return nil
	case errors.Is(err, errHalt):
		return nil
	}
	return err
}
