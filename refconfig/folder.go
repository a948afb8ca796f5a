package refconfig

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
	errOutside   = errors.New("leads out of the reference")
	errLarge     = errors.New("larger than a file of a reference can be")
	errNoRegular = errors.New("not a file")
	errTotal     = errors.New("more than the files of a reference can have together")
)

// folder is the folder of a reference, which may be untrusted. It reads no file outside of the
// folder, and none that is too large, also together with those that were read before.
type folder struct {
	fs.FS
	root  string            // the folder in FS
	files map[string][]byte // files that were read, by clean path below root
	ctx   context.Context   // after its end, nothing can be read
	limit int               // maximum size of a file in bytes
	total int64             // maximum size of all files in memory
	kept  int64             // size of all files in memory
}

// read returns the content of a file of the reference, and remembers it. The name is clean and
// relative to the reference's folder.
func (f *folder) read(name string) ([]byte, error) {
	if data, ok := f.files[name]; ok {
		return data, nil
	}
	data, err := f.readAnew(name)
	if err == nil {
		f.files[name] = data
		f.kept += int64(len(data))
	}
	return data, err
}

// readAnew returns the content of a file without remembering it.
func (f *folder) readAnew(name string) ([]byte, error) {
	if leavesFolder(name) || f.linkLeaves(name) {
		return nil, errOutside
	}
	return f.readFile(path.Join(f.root, name))
}

// readFile returns the content of a regular file anywhere in the file system, unless it is too large.
func (f *folder) readFile(full string) ([]byte, error) {
	if f.ended() {
		return nil, f.ctx.Err()
	}
	info, err := fs.Stat(f.FS, full)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(): // reading a pipe might never end
		return nil, errNoRegular
	case info.Size() > int64(f.limit):
		return nil, errLarge
	case f.kept+info.Size() > f.total:
		return nil, errTotal
	}
	return fs.ReadFile(f.FS, full)
}

// ended reports whether nothing more can be read, because the context has ended.
func (f *folder) ended() bool { return f.ctx.Err() != nil }

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

// linkLeaves reports whether a symbolic link on the path of a file leads out of the reference's
// folder.
func (f *folder) linkLeaves(name string) bool {
	links, ok := f.FS.(fs.ReadLinkFS)
	if !ok {
		return false
	}
	const most = 40 // links on the path; systems accept no more
	at, rest := "", strings.Split(name, "/")
	for hops := 0; len(rest) > 0 && hops < most; {
		next := path.Join(at, rest[0])
		rest = rest[1:]
		info, err := links.Lstat(path.Join(f.root, next))
		if err != nil {
			return false // reading reports the error
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = next
			continue
		}
		hops++
		to, err := links.ReadLink(path.Join(f.root, next))
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

// glob returns the sorted files of the reference that match a glob (path.Match); none if a file has
// this name.
func (f *folder) glob(pattern string) []string {
	pattern = path.Clean(pattern)
	if !strings.ContainsAny(pattern, `*?[\\`) || leavesFolder(pattern) {
		return nil
	}
	if _, err := f.read(pattern); err == nil {
		return nil
	}
	root, err := fs.Sub(f.FS, f.root)
	if err != nil {
		return nil
	}
	names, _ := fs.Glob(root, pattern) // a malformed glob matches no file
	return names
}

// hash returns a hash of the names and contents of all files that were read.
func (f *folder) hash() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(f.files)) { // the lengths separate the files
		fmt.Fprintf(h, "%d %d %s\n", len(name), len(f.files[name]), name)
		h.Write(f.files[name])
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
