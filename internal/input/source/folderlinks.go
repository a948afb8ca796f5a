package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/input/collector"
)

// follower processes the links of a folder. It reads no file twice, and follows no circle.
type follower struct {
	*walker
	c *container
	// paths without links of the folder and of the folders that links led to: the files below them are
	// read under their own names
	trees []string
	files []folderLink // links to files
}

// folderLink is a link of a folder that leads to a file.
type folderLink struct {
	place
	target string // path without links
	size   int64
}

// readFolderLinks processes the links of a folder, those to files after those to folders. A target
// inside the folder was read under its own name, so a link to it counts only if it gives a file a
// name that is worth reading. A link leads out of the folder only with Options.FollowLinks.
func (w *walker) readFolderLinks(c *container, links []place) error {
	if len(links) == 0 {
		return nil
	}
	root, err := RealPath(c.path)
	if err != nil {
		w.ledger.lost += len(links)
		w.unreadable(c.place, err)
		return nil
	}
	f := &follower{walker: w, c: c, trees: []string{root}}
	for len(links) > 0 {
		more, err := f.follow(links[0])
		if err != nil {
			return err
		}
		links = append(links[1:], more...)
	}
	return f.readFiles()
}

// follow reads the folder that a link leads to, and returns its links. It keeps a link to a file for
// later.
func (f *follower) follow(p place) (links []place, err error) {
	target, err := RealPath(p.path)
	if err != nil {
		why := "in a circle or nowhere"
		if errors.Is(err, fs.ErrNotExist) {
			why = "to nothing"
		}
		f.notFollowed(p, "the link leads "+why+" and was not followed; restore its target, or remove the link")
		return nil, nil
	}
	if f.isNoInput(target) {
		f.ledger.met-- // the link is counted already
		return nil, nil
	}
	info, err := os.Stat(target)
	if err != nil {
		f.ledger.lost++
		f.unreadable(p, err)
		return nil, nil
	}
	_, inside := f.withinTree(target)
	switch from, err := RealPath(filepath.Dir(p.path)); {
	case info.IsDir() && inside:
		f.skip(ReasonLink)
	case !info.IsDir() && !info.Mode().IsRegular():
		f.skip(ReasonSpecial)
	case !inside && !f.opt.FollowLinks:
		f.notFollowed(p, "the link leads out of the input, to "+target+", and was not followed; if it holds CRs, "+
			"read it with --follow-links, or name the target as a further input")
	case info.Mode().IsRegular():
		f.files = append(f.files, folderLink{p, target, info.Size()})
	case err != nil || IsWithin(from, target):
		f.notFollowed(p, "the link leads in a circle, to "+target+", and was not followed")
	default:
		f.ledger.met-- // its entries are counted
		links, err = f.readTree(f.c, tree{p, target, slices.Clone(f.trees)})
		f.trees = append(f.trees, target)
		return links, err
	}
	return nil, nil
}

// readFiles reads the targets of links to files.
func (f *follower) readFiles() error {
	seen := map[string]bool{}
	for _, link := range f.files {
		name, inside := f.withinTree(link.target)
		unwanted := f.want(link.place, link.size).unwanted()
		read := inside && !collector.InPrivate(name) && !f.want(place{name: name}, link.size).unwanted()
		if seen[link.target] || read || inside && unwanted {
			f.skip(ReasonLink)
			continue
		}
		seen[link.target] = true
		f.ledger.met-- // takeFile counts the file
		if err := f.takeFile(f.c, link.place, link.size); err != nil {
			return err
		}
	}
	return f.ctx.Err()
}

// notFollowed records a link that was not followed.
func (f *follower) notFollowed(p place, why string) { f.refuse(p, f.unfollowed(p.name), "%s", why) }

// withinTree returns the path of a target below a folder whose files are read.
func (f *follower) withinTree(target string) (name string, ok bool) {
	for _, tree := range f.trees {
		if IsWithin(target, tree) {
			return strings.TrimPrefix(target[len(tree):], "/"), true
		}
	}
	return "", false
}

// IsWithin reports whether a path is that of a folder, or below it.
func IsWithin(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}

// RealPath returns an absolute path without links, with slashes.
func RealPath(name string) (string, error) {
	real, err := filepath.Abs(name) // which may have links itself
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	return filepath.ToSlash(real), err
}
