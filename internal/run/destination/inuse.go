package destination

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// InUse has the files that a run reads and the outputs that it has begun. No output can be one of
// them, so that an output never destroys an input. Two names are the same file if the file system
// says so: links and other spellings do not matter. The zero value is empty, and nil has no files.
// Several goroutines may use it.
type InUse struct {
	mu      sync.Mutex
	read    []readFile
	outputs []*File
}

// readFile is a file that the run reads.
type readFile struct {
	role string // why the run reads it, as "the INPUT"
	path string
	info fs.FileInfo // nil if the path was not looked at yet, or leads to nothing
}

// InUseError is the error for an output that is a file in use.
type InUseError struct{ message string }

// NewInUseError returns an error with a message.
func NewInUseError(message string) error { return InUseError{message} }

// Error implements error.
func (e InUseError) Error() string { return e.message }

// Add adds files that the run reads, and folders of which it may read any file. role says why, as
// "the INPUT".
func (u *InUse) Add(role string, paths ...string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, path := range paths {
		u.read = append(u.read, readFile{role: role, path: path})
	}
}

// AddOpen adds an open file that the run reads.
func (u *InUse) AddOpen(role string, file fs.File) {
	if info, err := file.Stat(); err == nil {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.read = append(u.read, readFile{role: role, path: "-", info: info})
	}
}

// Release removes a file that the run reads and may change.
func (u *InUse) Release(path string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.read = slices.DeleteFunc(u.read, func(f readFile) bool { return f.path == path })
}

// Check returns an InUseError if a file is in use.
func (u *InUse) Check(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return nil // it does not exist, or cannot be written
	}
	return u.check(name, info, nil)
}

// check returns an InUseError if an existing file is in use. Of the outputs, self is left out.
func (u *InUse) check(name string, info fs.FileInfo, self *File) error {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for i := range u.read {
		f := &u.read[i]
		if f.info == nil {
			f.info, _ = os.Stat(f.path) // a file that is gone cannot be destroyed
		}
		if f.is(name, info) {
			return InUseError{fmt.Sprintf("%s is also read, as %s, %s; name another file for the output", name, f.role, f.path)}
		}
	}
	for _, other := range u.outputs {
		if there, err := os.Stat(other.name); err == nil && other != self && os.SameFile(there, info) {
			return alsoWritten(name, other)
		}
	}
	return nil
}

// is reports whether a file with this name is f, or below the folder f.
func (f readFile) is(name string, info fs.FileInfo) bool {
	switch {
	case f.info == nil:
		return false
	case !f.info.IsDir():
		return os.SameFile(f.info, info)
	}
	return isBelow(name, f.info)
}

// isBelow reports whether a file is, or would be, in a folder or in one below it.
func isBelow(name string, folder fs.FileInfo) bool {
	dir, err := filepath.EvalSymlinks(filepath.Dir(name))
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	for ; err == nil; dir = filepath.Dir(dir) {
		if at, err := os.Stat(dir); err == nil && os.SameFile(at, folder) {
			return true
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return false
}

// checkPart returns an InUseError if a temporary file is that of another output: then both outputs
// are the same file, even if that does not exist yet.
func (u *InUse) checkPart(name, part string) error {
	info, err := os.Stat(part)
	if u == nil || err != nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, other := range u.outputs {
		if os.SameFile(other.partInfo, info) {
			return alsoWritten(name, other)
		}
	}
	return nil
}

func alsoWritten(name string, other *File) error {
	return InUseError{fmt.Sprintf("%s is also written as %s; name another file for one of them", name, other.spelled)}
}

// begin adds an output.
func (u *InUse) begin(f *File) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.outputs = append(u.outputs, f)
}
