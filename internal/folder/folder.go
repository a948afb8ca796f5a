// Package folder reads the files of a reference's folder, which may be untrusted: none outside of
// the folder, and none that is too large.
package folder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Errors for existing files that are not read; other errors come from the file system.
var (
	ErrOutside   = errors.New("leads out of the reference")
	ErrLarge     = errors.New("larger than a file of a reference can be")
	ErrNoRegular = errors.New("not a file")
)

// Folder is the folder of a reference.
type Folder struct {
	FS     fs.FS
	Root   string            // the folder in FS
	Files  map[string][]byte // files that were read, by clean path below Root
	absent map[string]error  // errors of other files
	ctx    context.Context
	limit  int // maximum size of a file in bytes
}

// New returns a folder whose files may have at most limit bytes. After the context ends, nothing
// can be read.
func New(ctx context.Context, fsys fs.FS, limit int) Folder {
	return Folder{FS: fsys, Files: map[string][]byte{}, absent: map[string]error{}, ctx: ctx, limit: limit}
}

// Read returns the content of a file of the reference, and remembers it. The name is clean and
// relative to the reference's folder.
func (f *Folder) Read(name string) ([]byte, error) {
	if data, ok := f.Files[name]; ok {
		return data, nil
	}
	if err := f.absent[name]; err != nil {
		return nil, err
	}
	data, err := f.Anew(name)
	if err != nil {
		f.absent[name] = err
		return nil, err
	}
	f.Files[name] = data
	return data, nil
}

// Anew returns the content of a file without remembering it.
func (f *Folder) Anew(name string) ([]byte, error) {
	if leavesFolder(name) || f.LinkLeaves(name) {
		return nil, ErrOutside
	}
	return f.At(path.Join(f.Root, name))
}

// At returns the content of a regular file anywhere in the file system, unless it is too large.
func (f *Folder) At(full string) ([]byte, error) {
	if f.Ended() {
		return nil, f.ctx.Err()
	}
	info, err := fs.Stat(f.FS, full)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(): // reading a pipe might never end
		return nil, ErrNoRegular
	case info.Size() > int64(f.limit):
		return nil, ErrLarge
	}
	return fs.ReadFile(f.FS, full)
}

// Ended reports whether nothing more can be read, because the context has ended.
func (f *Folder) Ended() bool { return f.ctx.Err() != nil }

// leavesFolder reports whether a clean path is absolute or climbs out of the folder it is relative
// to.
func leavesFolder(name string) bool {
	return absolute(name) || name == ".." || strings.HasPrefix(name, "../") || strings.HasPrefix(name, `..\`)
}

// absolute reports whether a path is absolute on any system.
func absolute(name string) bool {
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\`) {
		return true
	}
	return len(name) > 2 && name[1] == ':' && (name[2] == '/' || name[2] == '\\')
}

// LinkLeaves reports whether a symbolic link on the path of a file leads out of the reference's
// folder.
func (f *Folder) LinkLeaves(name string) bool {
	links, ok := f.FS.(fs.ReadLinkFS)
	if !ok {
		return false
	}
	const most = 40 // links on the path; systems accept no more
	at, rest := "", strings.Split(name, "/")
	for hops := 0; len(rest) > 0 && hops < most; {
		next := path.Join(at, rest[0])
		rest = rest[1:]
		info, err := links.Lstat(path.Join(f.Root, next))
		if err != nil {
			return false // reading reports the error
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		hops++
		to, err := links.ReadLink(path.Join(f.Root, next))
		if err != nil {
			return false
		}
		if absolute(to) || leavesFolder(path.Join(at, to)) {
			return true
		}
		at, rest = "", append(strings.Split(path.Join(at, to), "/"), rest...)
	}
	return false
}

// Glob returns the sorted files of the reference that match a glob (path.Match); none if a file has
// this name.
func (f *Folder) Glob(pattern string) []string {
	pattern = path.Clean(pattern)
	if !strings.ContainsAny(pattern, `*?[\\`) || leavesFolder(pattern) {
		return nil
	}
	if _, err := f.Read(pattern); err == nil {
		return nil
	}
	root, err := fs.Sub(f.FS, f.Root)
	if err != nil {
		return nil
	}
	names, _ := fs.Glob(root, pattern) // a malformed glob matches no file
	return names
}

// Hash returns a hash of the names and contents of all files that were read.
func (f *Folder) Hash() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(f.Files)) { // the lengths separate the files
		fmt.Fprintf(h, "%d %d %s\n", len(name), len(f.Files[name]), name)
		h.Write(f.Files[name])
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
