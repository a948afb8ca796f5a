package destination

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/validationtool/validationtool/internal/code"
)

// Folder is a folder that is being filled. Commit or Drop ends it. Drop does nothing after Commit,
// and another goroutine may call it.
type Folder struct {
	name  string
	isNew bool

	mu   sync.RWMutex // locked for reading while a file is written, and for writing at the end
	part string       // temporary folder inside with the new files; "" after the end

	former, others []string // previous files: those that Commit deletes, and those that stay
}

// MakeFolder starts to fill a folder, which must be empty or new. The error says why that is
// impossible, with the folder's name.
func MakeFolder(name string) (*Folder, error) {
	if entries, err := os.ReadDir(name); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s already exists and is not empty; name a new or empty folder", name)
	}
	return Refill(name, nil)
}

// Refill starts to fill a folder that may hold files. Commit deletes the files whose paths former
// accepts; nothing else is replaced or deleted.
func Refill(name string, former func(path string) bool) (*Folder, error) {
	d := &Folder{name: name, part: filepath.Join(name, ".part")}
	entries, err := os.ReadDir(name)
	if errors.Is(err, fs.ErrNotExist) {
		d.isNew = true
		err = os.MkdirAll(name, 0o777)
	}
	for _, e := range entries {
		if e.Type().IsRegular() && former(filepath.Join(name, e.Name())) {
			d.former = append(d.former, e.Name())
		} else {
			d.others = append(d.others, e.Name())
		}
	}
	if err == nil {
		err = os.Mkdir(d.part, 0o777)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", name, code.Reason(err))
	}
	return d, nil
}

// Write writes a file of the folder. The name has slashes and must not leave the folder. Each name
// can be written only once. Several goroutines may write files.
func (d *Folder) Write(name string, text []byte) error { return d.write(name, text, 0o666) }

// WritePrivate writes a file that only its owner can read.
func (d *Folder) WritePrivate(name string, text []byte) error { return d.write(name, text, 0o600) }

func (d *Folder) write(name string, text []byte, mode fs.FileMode) error {
	top, _, _ := strings.Cut(name, "/")
	if slices.ContainsFunc(
		d.others, func(other string) bool { return strings.EqualFold(other, top) },
	) { // names that some file systems treat as equal
		return fmt.Errorf("%s is in the way; move it elsewhere", filepath.Join(d.name, top))
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("%s: %q leaves the folder", d.name, name)
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.part == "" {
		return fmt.Errorf("%s: the writing has ended", d.name)
	}
	at := filepath.Join(d.part, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(at), 0o777)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(at, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode); err == nil {
			_, err = f.Write(text)
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		return fmt.Errorf("%s could not be written: %w", filepath.Join(d.name, filepath.FromSlash(name)), code.Reason(err))
	}
	return nil
}

// Commit makes the written files the content of the folder.
func (d *Folder) Commit() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.part == "" {
		return fmt.Errorf("%s: the writing has ended", d.name)
	}
	entries, err := os.ReadDir(d.part)
	for _, name := range d.former {
		if err == nil {
			err = os.Remove(filepath.Join(d.name, name))
		}
	}
	for _, e := range entries {
		if err == nil {
			err = os.Rename(filepath.Join(d.part, e.Name()), filepath.Join(d.name, e.Name()))
		}
	}
	if err == nil {
		err = os.Remove(d.part)
	}
	if err != nil {
		return fmt.Errorf("%s could not be written: %w", d.name, code.Reason(err))
	}
	d.part = ""
	return nil
}

// Drop removes the written files.
func (d *Folder) Drop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.part == "" {
		return
	}
	os.RemoveAll(d.part)
	if d.isNew {
		os.Remove(d.name)
	}
	d.part = ""
}
