// Package memoryfs gives files that are in memory as a file system, so that a reference in an archive is loaded as one in a folder is.
package memoryfs

import (
	"bytes"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"time"
)

// Of returns files, each with its name and its content, as a file system. Of a name that occurs twice the last file counts, as it would for
// tar. Names that no file system can have are left out. The content is not copied, not even by fs.ReadFile: it must not be changed.
func Of(files iter.Seq2[string, []byte]) fs.FS {
	m := memoryFS{".": &memoryFile{name: ".", folder: true}}
	for file, data := range files {
		name := strings.TrimPrefix(path.Clean("/"+file), "/")
		if fs.ValidPath(name) && name != "." {
			m.add(name, data)
		}
	}
	for _, f := range m {
		slices.SortFunc(f.entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	return m
}

// memoryFS has files and folders by their paths.
type memoryFS map[string]*memoryFile

// memoryFile is a file or folder. It is what fs.FileInfo and fs.DirEntry say of it too.
type memoryFile struct {
	name    string
	data    []byte
	folder  bool
	entries []fs.DirEntry
}

// add takes in a file with the folders around it. Where one of these is a file, or the file a folder, that stays what it is.
func (m memoryFS) add(name string, data []byte) {
	if known := m[name]; known != nil {
		if !known.folder {
			known.data = data
		}
		return
	}
	if f := m.folder(path.Dir(name)); f != nil {
		m[name] = &memoryFile{name: path.Base(name), data: data}
		f.entries = append(f.entries, m[name])
	}
}

// folder returns a folder, made if there is none; nil where a file is in the way.
func (m memoryFS) folder(name string) *memoryFile {
	f := m[name]
	switch {
	case f == nil:
		if around := m.folder(path.Dir(name)); around != nil {
			f = &memoryFile{name: path.Base(name), folder: true}
			m[name] = f
			around.entries = append(around.entries, f)
		}
	case !f.folder:
		return nil
	}
	return f
}

// find returns a file or folder.
func (m memoryFS) find(op, name string) (*memoryFile, error) {
	if f := m[name]; f != nil {
		return f, nil
	}
	err := fs.ErrNotExist
	if !fs.ValidPath(name) {
		err = fs.ErrInvalid
	}
	return nil, &fs.PathError{Op: op, Path: name, Err: err}
}

// Open is that of fs.FS.
func (m memoryFS) Open(name string) (fs.File, error) {
	f, err := m.find("open", name)
	if err != nil {
		return nil, err
	}
	return &openFile{f, bytes.NewReader(f.data), f.entries}, nil
}

// ReadFile is that of fs.ReadFileFS, and returns the content itself.
func (m memoryFS) ReadFile(name string) ([]byte, error) {
	f, err := m.find("open", name)
	if err == nil && f.folder {
		err = f.isFolder()
	}
	if err != nil {
		return nil, err
	}
	return slices.Clip(f.data), nil
}

func (f *memoryFile) isFolder() error {
	return &fs.PathError{Op: "read", Path: f.name, Err: fs.ErrInvalid}
}

// Name is that of fs.FileInfo, as are those that follow.
func (f *memoryFile) Name() string { return f.name }

// Size is the number of bytes.
func (f *memoryFile) Size() int64 { return int64(len(f.data)) }

// Mode tells folders from files.
func (f *memoryFile) Mode() fs.FileMode {
	if f.folder {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// ModTime is not known.
func (f *memoryFile) ModTime() time.Time { return time.Time{} }

// IsDir reports whether it is a folder.
func (f *memoryFile) IsDir() bool { return f.folder }

// Sys is nil.
func (f *memoryFile) Sys() any { return nil }

// Type is that of fs.DirEntry.
func (f *memoryFile) Type() fs.FileMode { return f.Mode().Type() }

// Info is that of fs.DirEntry.
func (f *memoryFile) Info() (fs.FileInfo, error) { return f, nil }

// openFile is a file or folder that is being read.
type openFile struct {
	*memoryFile
	content *bytes.Reader
	left    []fs.DirEntry
}

// Stat is that of fs.File.
func (o *openFile) Stat() (fs.FileInfo, error) { return o.memoryFile, nil }

// Read is that of fs.File.
func (o *openFile) Read(p []byte) (int, error) {
	if o.folder {
		return 0, o.isFolder()
	}
	return o.content.Read(p)
}

// ReadDir is that of fs.ReadDirFile.
func (o *openFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if !o.folder {
		return nil, o.isFolder()
	}
	if n > 0 && len(o.left) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(o.left) {
		n = len(o.left)
	}
	entries := slices.Clone(o.left[:n])
	o.left = o.left[n:]
	return entries, nil
}

// Close is that of fs.File.
func (o *openFile) Close() error { return nil }
