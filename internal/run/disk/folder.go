package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Folder returns the file system of a folder. It is that of os.DirFS, but it opens only regular
// files and folders.
func Folder(name string) fs.FS { return folder{os.DirFS(name).(folderFS), name} }

// folderFS has the methods of the result of os.DirFS, except those that read a file.
type folderFS interface {
	fs.StatFS
	fs.ReadDirFS
	fs.ReadLinkFS
}

type folder struct {
	folderFS
	name string
}

// Open implements fs.FS.
func (f folder) Open(name string) (fs.File, error) {
	local, err := filepath.Localize(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := Open(filepath.Join(f.name, local))
	if err == nil {
		return file, nil
	}
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		failed.Path = name // as os.DirFS names it
	}
	return nil, err
}
