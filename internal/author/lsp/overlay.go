package lsp

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing/fstest"
)

// overlay is a folder in which unsaved texts replace files.
type overlay struct {
	disk  fs.FS
	texts fstest.MapFS
}

// newOverlay returns a folder with the open documents in it.
func newOverlay(disk fs.FS, folder string, open documents) overlay {
	o := overlay{disk: disk, texts: fstest.MapFS{}}
	for file, d := range open {
		if name, ok := strings.CutPrefix(file, below(folder)); ok && fs.ValidPath(name) {
			o.texts[name] = &fstest.MapFile{Data: []byte(d.text)}
		}
	}
	return o
}

// of returns what has a file: a folder that is on no disk may have unsaved texts in it.
func (o overlay) of(name string) fs.FS {
	if o.texts[name] == nil {
		if _, err := fs.Stat(o.disk, name); err == nil {
			return o.disk
		}
	}
	return o.texts
}

// Open opens a file.
func (o overlay) Open(name string) (fs.File, error) { return o.of(name).Open(name) }

// Stat describes a file without opening it, because opening a pipe might never end.
func (o overlay) Stat(name string) (fs.FileInfo, error) { return fs.Stat(o.of(name), name) }

// Lstat describes a file of the disk, or a link.
func (o overlay) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(o.disk, name) }

// ReadLink returns where a link of the disk leads.
func (o overlay) ReadLink(name string) (string, error) { return fs.ReadLink(o.disk, name) }

// ReadDir lists a folder of the disk, with the files that are not saved yet.
func (o overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(o.disk, name)
	more, err2 := fs.ReadDir(o.texts, name)
	if err != nil && (err2 != nil || !errors.Is(err, fs.ErrNotExist)) {
		return all, err
	}
	for _, one := range more {
		if !slices.ContainsFunc(all, func(e fs.DirEntry) bool { return e.Name() == one.Name() }) {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return all, nil
}
