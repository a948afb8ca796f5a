package source

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/validationtool/validationtool/internal/code"
)

// readDirectory reads a folder and everything below it.
func (w *walker) readDirectory(c *container) error {
	ahead, first := newTreeAhead(w, c.place)
	defer ahead.halt()
	tree := &treeWalk{walker: w, container: c, ahead: ahead}
	if err := tree.folder(first); err != nil {
		return err
	}
	if err := tree.followLinks(); err != nil {
		return err
	}
	err := w.settle(c, true)
	w.reportTallies(c)
	return err
}

// treeWalk is the walk through one folder that is an input.
type treeWalk struct {
	*walker
	*container
	ahead *treeAhead
	links []string // met on the way, as paths inside the folder
}

// folder reads a folder in the order of the paths in it.
func (t *treeWalk) folder(listing *aheadTask) error {
	t.ahead.await(listing)
	if listing.err != nil {
		t.unreadable(t.ahead.at(listing.rel), listing.err) // what could be listed is read
	}
	for i, e := range listing.entries {
		listing.entries[i] = aheadEntry{} // what is behind the walk is not to be kept
		if err := t.entry(listing.rel, e); err != nil {
			return err
		}
	}
	return t.ctx.Err()
}

// sortKey orders the entries of a folder as the paths of all files below them are ordered.
func sortKey(e fs.DirEntry) string {
	if e.IsDir() {
		return e.Name() + "/"
	}
	return e.Name()
}

// entry reads an entry of a folder.
func (t *treeWalk) entry(folder string, e aheadEntry) error {
	rel := ""
	if e.found == nil && e.folder == nil {
		rel = below(folder, e.Name())
	}
	switch mode := e.Type(); {
	case mode.IsDir() && e.Name() == ".git":
		t.ledger.met++
		t.skip(t.ahead.at(rel), -1, ReasonGit)
	case mode.IsDir():
		return t.folder(e.folder)
	case mode&fs.ModeSymlink != 0:
		t.ledger.met++
		t.links = append(t.links, rel)
	case !mode.IsRegular():
		t.ledger.met++
		t.skip(t.ahead.at(rel), -1, ReasonSpecial)
	default:
		t.ahead.await(e.files)
		if e.found.err != nil {
			t.ledger.met++
			t.ledger.lost++
			t.unreadable(e.found.place, e.found.err)
			return nil
		}
		return t.file(e.found.place, e.found.size, e.found)
	}
	return nil
}

// file reads a file of the folder.
func (t *treeWalk) file(p place, size int64, found *foundFile) error {
	open := func() (io.ReadCloser, error) { return os.Open(p.path) }
	err := t.take(t.container, item{place: p, size: size, open: open, again: true, found: found})
	var f *fault
	switch {
	case t.ctx.Err() != nil:
		return t.ctx.Err()
	case errors.As(err, &f):
		t.unreadable(f.place, f.err)
		return nil
	case errors.Is(err, errHalt):
		return nil
	}
	return err
}

// followLinks goes through the links after all else. What a link leads to inside the folder was met under its own name, so
// the link only counts if it gives a file a name that is worth reading. A link never leads out of the folder.
func (t *treeWalk) followLinks() error {
	if len(t.links) == 0 {
		return nil
	}
	root, err := filepath.EvalSymlinks(t.container.path)
	if err != nil {
		t.ledger.lost += len(t.links)
		t.unreadable(t.container.place, err)
		return nil
	}
	seen := map[string]bool{}
	for _, rel := range t.links {
		target, info, ok := t.resolve(root, rel)
		if !ok {
			t.ledger.lost++
			continue
		}
		t.opt.links.add(t.ahead.at(rel), target)
		if seen[target] || !t.worthFollowing(rel, target, info) {
			t.skip(t.ahead.at(rel), -1, ReasonLink)
			continue
		}
		seen[target] = true
		t.ledger.met-- // file counts it
		if err := t.file(t.ahead.at(rel), info.Size(), nil); err != nil {
			return err
		}
	}
	return t.ctx.Err()
}

// worthFollowing says whether a link gives a name that is wanted to a file that is not wanted under its own.
func (t *treeWalk) worthFollowing(rel, target string, info fs.FileInfo) bool {
	if !info.Mode().IsRegular() {
		return false
	}
	size := info.Size()
	return t.want(t.ahead.at(rel), size).Action != Skip && t.want(t.ahead.at(target), size).Action == Skip
}

// resolve finds what a link leads to, as a path inside the folder. A link that leads nowhere, in a circle or out of the folder is
// a problem.
func (t *treeWalk) resolve(root, rel string) (string, fs.FileInfo, bool) {
	p := t.ahead.at(rel)
	real, err := filepath.EvalSymlinks(p.path)
	if err != nil {
		why := "in a circle or nowhere"
		if errors.Is(err, fs.ErrNotExist) {
			why = "to nothing"
		}
		t.problem(p, code.LinkSkipped, "the link leads %s and was not followed", why)
		return "", nil, false
	}
	inside, err := filepath.Rel(root, real)
	if err != nil || !filepath.IsLocal(inside) {
		t.problem(p, code.LinkSkipped, "the link leads out of the input, to %s, and was not followed; name that as a further input if it holds CRs", real)
		return "", nil, false
	}
	info, err := os.Stat(real)
	if err != nil {
		t.unreadable(p, err)
		return "", nil, false
	}
	return filepath.ToSlash(inside), info, true
}
