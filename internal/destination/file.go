// Package destination writes the files that a user names, whole or not at all: what becomes a file
// or the content of a folder stands under another name in the same place until it is complete. It
// is the only part of the tool that changes anything on a disk.
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
)

// File is a file that is being written. Either Commit or Drop ends it; Drop does nothing after
// Commit, and may be called by another goroutine, so that nothing is left behind where the process
// has to end.
type File struct {
	name    string
	out     *bufio.Writer
	appends bool // Commit adds to what is there

	mu   sync.Mutex
	part *os.File // nil after the end
}

// Create begins to write a file, which may be there already. The error says why that cannot be,
// with the file's name. Nothing but a regular file is ever replaced.
func Create(name string) (*File, error) {
	mode := fs.FileMode(0)
	switch info, err := os.Stat(name); {
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file; choose another path", name)
	case err == nil:
		mode = info.Mode().Perm()
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return nil, err
		}
	}
	part, err := createPart(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", name, reason(err))
	}
	f := &File{name: name, part: part, out: bufio.NewWriterSize(part, 64<<10)}
	if mode != 0 {
		part.Chmod(mode) // as far as the file system knows of it
	}
	return f, nil
}

// Append begins to add to a file, which keeps what it has and is made where it is not there. Commit
// adds all of it or nothing.
func Append(name string) (*File, error) {
	f, err := Create(name)
	if err == nil {
		f.appends = true
	}
	return f, err
}

// createPart makes the file that is renamed when it is complete.
func createPart(name string) (*os.File, error) {
	const most = 1000 // so many others can be there, of programs that did not come to their end
	for n := 0; ; n++ {
		part := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.part%d", filepath.Base(name), n))
		f, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if !errors.Is(err, fs.ErrExist) || n == most {
			return f, err
		}
	}
}

// reason is an error without the name of the file that it is about.
func reason(err error) error {
	var about *fs.PathError
	if errors.As(err, &about) {
		return about.Err
	}
	return err
}

// Write is that of io.Writer.
func (f *File) Write(p []byte) (int, error) { return f.out.Write(p) }

// Commit ends the writing, and gives the file its name, or adds to the one that has it. After an
// error there is nothing, or what was there before.
func (f *File) Commit() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	part := f.part
	if part == nil {
		return nil
	}
	f.part = nil
	err := errors.Join(f.out.Flush(), part.Sync(), part.Close())
	switch {
	case err == nil && f.appends:
		err = appendTo(f.name, part.Name())
	case err == nil:
		err = os.Rename(part.Name(), f.name)
	}
	if err != nil || f.appends {
		os.Remove(part.Name())
	}
	if err != nil {
		return fmt.Errorf("%s could not be written: %w", f.name, reason(err))
	}
	return nil
}

// appendTo adds what one file holds to another. Where that fails, the other has what it had.
func appendTo(name, part string) error {
	from, err := os.Open(part)
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

// Drop ends the writing, and leaves what was there before.
func (f *File) Drop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.part != nil {
		f.part.Close()
		os.Remove(f.part.Name())
		f.part = nil
	}
}

// WriteFile writes a file as a whole.
func WriteFile(name string, text []byte) error {
	f, err := Create(name)
	if err != nil {
		return err
	}
	defer f.Drop()
	if _, err := f.Write(text); err != nil {
		return fmt.Errorf("%s could not be written: %w", name, reason(err))
	}
	return f.Commit()
}
