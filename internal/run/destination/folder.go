package destination

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/validationtool/validationtool/internal/run/code"
)

// Folder is a folder that is being filled. Commit or Drop ends it. Drop does nothing after Commit,
// and another goroutine may call it.
type Folder struct {
	name   string
	isNew  bool // it did not exist
	refill bool // it may have files of the user

	mu      sync.RWMutex // locked for reading while a file is written, and for writing at the end
	part    string       // temporary folder inside with the new files; "" after the end
	written atomic.Int64 // number of new files

	former, others []string // previous files: those that Commit deletes, and those that stay
}

// MakeFolder starts to fill a folder, which must be empty or new. The error says why that is
// impossible, with the folder's name.
func MakeFolder(name string) (*Folder, error) {
	return fill(&Folder{name: name}, nil, nil)
}

// Refill starts to fill a folder that may hold files. Commit deletes the files whose paths former
// accepts; nothing else is replaced or deleted. A former file that is in use is an error.
func Refill(name string, former func(path string) bool, inUse *InUse) (*Folder, error) {
	return fill(&Folder{name: name, refill: true}, former, inUse)
}

// fill starts to fill a folder.
func fill(d *Folder, former func(path string) bool, inUse *InUse) (*Folder, error) {
	entries, err := d.entries()
	switch {
	case errors.As(err, &NotEmptyError{}):
		return nil, err
	case errors.Is(err, fs.ErrNotExist):
		d.isNew = true
		err = os.MkdirAll(d.name, 0o777)
	}
	for _, e := range entries {
		path := filepath.Join(d.name, e.Name())
		if !e.Type().IsRegular() || !former(path) {
			d.others = append(d.others, e.Name())
			continue
		}
		if err := inUse.Check(path); err != nil {
			return nil, err
		}
		d.former = append(d.former, e.Name())
	}
	if err == nil {
		d.part, err = makePart(d.name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", d.name, code.Reason(err))
	}
	return d, nil
}

// NotEmptyError is the error for a folder that must be empty and is not.
type NotEmptyError struct{ name string }

// Error implements error.
func (e NotEmptyError) Error() string {
	return e.name + " already exists and is not empty; name a new or empty folder"
}

// entries returns the entries of the folder without temporary folders. It returns an error if there
// are any and the folder must be empty.
func (d *Folder) entries() ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(d.name)
	entries = slices.DeleteFunc(entries, isPart)
	if err == nil && !d.refill && len(entries) > 0 {
		err = NotEmptyError{d.name}
	}
	return entries, err
}

// partPrefix begins the names of temporary folders, before a number.
const partPrefix = ".part"

// formerSuffix ends the name of the temporary folder for former files.
const formerSuffix = ".former"

// isPart reports whether an entry is a temporary folder, of this run or of one that was killed.
func isPart(e fs.DirEntry) bool {
	number, found := strings.CutPrefix(strings.TrimSuffix(e.Name(), formerSuffix), partPrefix)
	_, err := strconv.Atoi(number)
	return found && err == nil && e.IsDir()
}

// makePart makes a temporary folder in a folder.
func makePart(folder string) (string, error) {
	for n := 0; ; n++ {
		name := filepath.Join(folder, partPrefix+strconv.Itoa(n))
		if err := os.Mkdir(name, 0o777); !errors.Is(err, fs.ErrExist) {
			return name, err
		}
	}
}

// Holds reports whether a path is, or would be, in the folder.
func (d *Folder) Holds(path string) bool {
	info, err := os.Stat(d.name)
	return err == nil && isBelow(path, info)
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
		return inTheWay(filepath.Join(d.name, top))
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
	d.written.Add(1)
	return nil
}

func inTheWay(path string) error { return fmt.Errorf("%s is in the way; move it elsewhere", path) }

// Commit makes the written files the content of the folder. After an error, the folder has its
// former files.
func (d *Folder) Commit() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.part == "" {
		return fmt.Errorf("%s: the writing has ended", d.name)
	}
	if err := d.replace(); err != nil {
		return fmt.Errorf("%s could not be written: %w", d.name, code.Reason(err))
	}
	d.part = ""
	return nil
}

// replace moves the former files aside and the new files in, deletes the former files, and what
// killed programs left.
func (d *Folder) replace() error {
	if err := d.complete(); err != nil {
		return err
	}
	entries, err := os.ReadDir(d.part)
	if err != nil {
		return err
	}
	aside := d.part + formerSuffix
	if err := os.Mkdir(aside, 0o777); err != nil {
		return err
	}
	var m moves
	for _, name := range d.former {
		m.move(filepath.Join(d.name, name), filepath.Join(aside, name))
	}
	for _, e := range entries {
		m.move(filepath.Join(d.part, e.Name()), filepath.Join(d.name, e.Name()))
	}
	if m.err != nil {
		return errors.Join(m.err, m.undo(), os.Remove(aside))
	}
	there, err := os.ReadDir(d.name)
	for _, e := range there {
		if isPart(e) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(d.name, e.Name())))
		}
	}
	return err
}

// complete returns an error if another program has changed what was written, or the folder since.
func (d *Folder) complete() error {
	if _, err := d.entries(); err != nil {
		return err
	}
	files := int64(0)
	err := filepath.WalkDir(d.part, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files++
		}
		return err
	})
	if err == nil && files != d.written.Load() {
		err = errors.New("another program has changed the folder")
	}
	return err
}

// moves are files that were moved, until the first error.
type moves struct {
	done [][2]string // from where to where
	err  error
}

// move moves a file to a name that does not exist, unless there was an error before.
func (m *moves) move(from, to string) {
	if m.err != nil {
		return
	}
	if _, err := os.Lstat(to); err == nil {
		m.err = inTheWay(to)
		return
	}
	err := os.Rename(from, to)
	var link *os.LinkError
	switch {
	case err == nil:
		m.done = append(m.done, [2]string{from, to})
	case errors.As(err, &link):
		m.err = fmt.Errorf("%s cannot be moved: %w", from, link.Err)
	default:
		m.err = err
	}
}

// undo moves the files back.
func (m *moves) undo() (err error) {
	for _, one := range slices.Backward(m.done) {
		err = errors.Join(err, os.Rename(one[1], one[0]))
	}
	return err
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
