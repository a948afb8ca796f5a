package lsp

import (
	"io/fs"
	"testing/fstest"
)

// overlay is a folder in which unsaved texts replace files.
type overlay struct {
	disk  fs.FS
	texts fstest.MapFS
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
