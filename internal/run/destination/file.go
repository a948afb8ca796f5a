// Package destination writes the files that a user names, completely or not at all: until a file or
// folder is complete, it has a temporary name in the same place. Pipes and devices are written
// directly. No other package changes anything on a disk.
package destination

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/disk"
)

// File is a file that is being written. Commit or Drop ends it. Drop does nothing after Commit, and
// another goroutine may call it, so that a process that must end leaves nothing behind.
type File struct {
	name     string // the file that is replaced: links are followed
	spelled  string // the name as the user wrote it
	out      *bufio.Writer
	appends  bool        // Commit appends to the existing file
	stream   bool        // a pipe or a device: nothing can be replaced, so everything is written to it directly
	partInfo fs.FileInfo // identifies the temporary file
	inUse    *InUse      // the files that must not be written
	// unfinished files with this name, which killed programs left or another program is writing
	Left []string

	mu       sync.Mutex
	part     *os.File // nil after the end
	finished bool     // everything is on the disk, and part is closed
}

// Create starts to write a file, which may already exist. The error says why that is impossible,
// with the file's name. Only regular files are replaced, and none that is in use. For a named pipe, it
// waits for a reader.
func Create(name string, inUse *InUse) (*File, error) {
	f := &File{name: name, spelled: name, inUse: inUse}
	mode, err := f.resolve()
	if err != nil {
		return nil, err
	}
	if f.stream {
		if f.part, err = os.OpenFile(f.spelled, os.O_WRONLY, 0); err != nil {
			return nil, fmt.Errorf("%s cannot be written: %w", name, code.Reason(err))
		}
		f.out = bufio.NewWriterSize(f.part, 64<<10)
		return f, nil
	}
	if f.part, err = f.createPart(); err != nil {
		return nil, err
	}
	f.out = bufio.NewWriterSize(f.part, 64<<10)
	if mode != 0 {
		f.part.Chmod(mode) // as far as the file system supports it
	}
	if f.partInfo, err = f.part.Stat(); err != nil {
		f.Drop()
		return nil, fmt.Errorf("%s cannot be written: %w", name, code.Reason(err))
	}
	inUse.begin(f)
	return f, nil
}

// resolve follows the links of the file's name and returns the mode of the existing file, 0 if
// there is none. It returns an error if something else has the name, or if the file is in use.
func (f *File) resolve() (fs.FileMode, error) {
	info, err := os.Stat(f.spelled)
	_, missing := os.Lstat(f.spelled)
	switch {
	case err != nil && missing == nil:
		return 0, fmt.Errorf("%s is a link that leads to no file; name the file, or delete the link", f.spelled)
	case err != nil:
		return 0, nil // creating it reports other errors
	case info.Mode()&fs.ModeCharDevice != 0:
		f.stream = true
		return 0, nil
	case info.Mode()&fs.ModeNamedPipe != 0:
		f.stream = true
		return 0, f.inUse.check(f.spelled, info, f)
	case !info.Mode().IsRegular():
		return 0, fmt.Errorf("%s is not a regular file; choose another path", f.spelled)
	}
	if f.name, err = filepath.EvalSymlinks(f.spelled); err != nil {
		return 0, err
	}
	return info.Mode().Perm(), f.inUse.check(f.spelled, info, f)
}

// Append starts to append to a file, or to write a new one. Commit appends everything or nothing.
func Append(name string, inUse *InUse) (*File, error) {
	f, err := Create(name, inUse)
	if err == nil {
		f.appends = true
	}
	return f, err
}

// createPart creates the temporary file that Commit renames.
func (f *File) createPart() (*os.File, error) {
	for n := 0; ; n++ {
		name := partName(f.name, n)
		part, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		switch {
		case err == nil:
			return part, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, fmt.Errorf("%s cannot be written: %w", f.name, code.Reason(err))
		}
		if err := f.inUse.checkPart(f.spelled, name); err != nil {
			return nil, err
		}
		f.Left = append(f.Left, name)
	}
}

// partName returns the temporary name of a file while it is written; n is the number of its
// temporary names that exist already.
func partName(name string, n int) string {
	return filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.part%d", filepath.Base(name), n))
}

// Begun reports whether a program began to write a file and was killed before the file was
// complete.
func Begun(name string) bool {
	_, err := os.Lstat(partName(name, 0))
	return err == nil
}

// Clear deletes the temporary files that killed programs left when they wrote a file.
func Clear(name string) {
	for n := 0; os.Remove(partName(name, n)) == nil; n++ {
	}
}

// MakeDir makes a folder and its parents, unless they exist.
func MakeDir(name string) error {
	if err := os.MkdirAll(name, 0o777); err != nil {
		return fmt.Errorf("%s cannot be made: %w", name, code.Reason(err))
	}
	return nil
}

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) { return f.out.Write(p) }

// Check returns an error if the run has begun to use the file since Create.
func (f *File) Check() error {
	_, err := f.resolve()
	return err
}

// Finish writes everything to the disk, so that Commit only has to name the file. After an error, the
// unfinished file is gone.
func (f *File) Finish() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.part == nil || f.finished {
		return nil
	}
	f.finished = true
	err := f.out.Flush()
	if !f.stream {
		err = errors.Join(err, f.part.Sync())
	}
	if err = errors.Join(err, f.part.Close()); err == nil {
		return nil
	}
	f.removePart()
	return fmt.Errorf("%s could not be written: %w", f.name, code.Reason(err))
}

// Commit gives the complete file its name, or appends it to the existing one. After an error, the
// old file is unchanged. It does nothing after Drop.
func (f *File) Commit() error {
	if err := errors.Join(f.Check(), f.Finish()); err != nil {
		f.Drop()
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	part := f.part
	if f.part = nil; part == nil || f.stream {
		return nil
	}
	var err error
	if f.appends {
		err = appendTo(f.name, part.Name())
	} else {
		err = os.Rename(part.Name(), f.name)
	}
	if err != nil || f.appends {
		os.Remove(part.Name())
	}
	if err != nil {
		return fmt.Errorf("%s could not be written: %w", f.name, code.Reason(err))
	}
	return nil
}

// appendTo appends the content of one file to another. After an error, the other file is unchanged.
func appendTo(name, part string) error {
	from, err := disk.Open(part)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	before, err := to.Seek(0, io.SeekEnd)
	if err == nil {
		if _, err = io.Copy(to, from); err != nil {
			to.Truncate(before)
		}
	}
	return errors.Join(err, to.Close())
}

// Drop removes the unfinished file. The old file stays.
func (f *File) Drop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.part != nil {
		f.part.Close()
		f.removePart()
	}
}

// removePart removes the temporary file. A pipe or a device stays.
func (f *File) removePart() {
	if !f.stream {
		os.Remove(f.part.Name())
	}
	f.part = nil
}

// WriteFile writes a file completely or not at all, unless it is in use.
func WriteFile(name string, text []byte, inUse *InUse) error {
	f, err := Create(name, inUse)
	if err != nil {
		return err
	}
	defer f.Drop()
	if _, err := f.Write(text); err != nil {
		return fmt.Errorf("%s could not be written: %w", name, code.Reason(err))
	}
	return f.Commit()
}
