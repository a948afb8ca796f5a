package source

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/validationtool/validationtool/internal/code"
)

// readFolder reads a folder and everything below it, in the order of the paths. The targets of
// links come after all other files, and archives among them come last.
func (w *walker) readFolder(c *container) error {
	links, err := w.readTree(c)
	if err == nil {
		err = w.readFolderLinks(c, links)
	}
	if err == nil {
		err = w.settle(c, true)
		w.reportTallies(c)
	}
	return err
}

// readTree reads the files of a folder and returns its links.
func (w *walker) readTree(c *container) (links []place, err error) {
	ctx, cancel := context.WithCancel(w.ctx)
	t := startTree(ctx, w, c.place)
	defer t.group.Wait()
	defer cancel()
	for b := range t.order {
		<-b.done
		for i := range b.found {
			f := &b.found[i]
			if f.mode&fs.ModeSymlink != 0 {
				links = append(links, f.place)
			}
			if err := w.takeFound(c, f); err != nil {
				return nil, err
			}
		}
	}
	return links, w.ctx.Err()
}

// takeFound processes an entry of a folder.
func (w *walker) takeFound(c *container, f *foundFile) error {
	switch {
	case f.mode.IsRegular() && f.err == nil:
		return w.takeFile(c, f.place, f.size, f)
	case f.mode.IsRegular():
		w.ledger.met++
		w.ledger.lost++
		w.unreadable(f.place, f.err)
	case f.err != nil: // a folder; its entries that could be listed are read
		w.unreadable(f.place, f.err)
	case f.mode&fs.ModeSymlink != 0:
		w.ledger.met++
	case f.mode.IsDir():
		w.ledger.met++
		w.skip(ReasonGit)
	default:
		w.ledger.met++
		w.skip(ReasonSpecial)
	}
	return nil
}

// takeFile processes a file of a folder; found may be nil.
func (w *walker) takeFile(c *container, p place, size int64, found *foundFile) error {
	open := func() (io.ReadCloser, error) { return os.Open(p.path) }
	err := w.take(c, item{place: p, size: size, open: open, later: open, found: found})
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

// readFolderLinks processes the links of a folder. A target inside the folder was read under its
// own name, so a link counts only if it gives a file a name that is worth reading. A link never
// leads out of the folder.
func (w *walker) readFolderLinks(c *container, links []place) error {
	if len(links) == 0 {
		return nil
	}
	root, err := filepath.EvalSymlinks(c.path)
	if err != nil {
		w.ledger.lost += len(links)
		w.unreadable(c.place, err)
		return nil
	}
	seen := map[string]bool{}
	for _, p := range links {
		target, info, ok := w.resolve(root, p)
		switch {
		case !ok:
			w.ledger.lost++
			continue
		case seen[target] || !info.Mode().IsRegular() || w.want(p, info.Size()).Action == Skip ||
			w.want(place{name: target}, info.Size()).Action != Skip:
			w.skip(ReasonLink)
			continue
		}
		seen[target] = true
		w.ledger.met-- // takeFile counts the file
		if err := w.takeFile(c, p, info.Size(), nil); err != nil {
			return err
		}
	}
	return w.ctx.Err()
}

// resolve returns the target of a link as a path inside the folder. A link that leads to no file,
// in a circle or out of the folder is a problem.
func (w *walker) resolve(root string, p place) (string, fs.FileInfo, bool) {
	real, err := filepath.EvalSymlinks(p.path)
	if err != nil {
		why := "in a circle or nowhere"
		if errors.Is(err, fs.ErrNotExist) {
			why = "to nothing"
		}
		w.problem(p, code.LinkSkipped, "the link leads %s and was not followed", why)
		return "", nil, false
	}
	inside, err := filepath.Rel(root, real)
	if err != nil || !filepath.IsLocal(inside) {
		w.problem(
			p,
			code.LinkSkipped,
			"the link leads out of the input, to %s, and was not followed; name the target as a further input if it holds CRs",
			real,
		)
		return "", nil, false
	}
	info, err := os.Stat(real)
	if err != nil {
		w.unreadable(p, err)
		return "", nil, false
	}
	return filepath.ToSlash(inside), info, true
}
