package destination

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/disk"
)

// Replacement is the text of a file in place of the text that a program has read.
type Replacement struct {
	Name string
	Was  []byte // nil for a new file
	Text []byte
}

// Replacing are files that are changed together: all of them, or none. Commit or Drop ends it. Drop does
// nothing after Commit, and another goroutine may call it.
type Replacing struct {
	all   []Replacement
	inUse *InUse

	mu    sync.Mutex // locked until what was begun is complete
	files []*File    // one for each of all, once they are written
	made  []string   // new folders, each before those in it
	ended bool
}

// Replace returns files to change. Nothing is written yet.
func Replace(all []Replacement, inUse *InUse) *Replacing { return &Replacing{all: all, inUse: inUse} }

// Write writes the texts beside the files. It returns an error if one of the files is not as it was read,
// or cannot be written.
func (r *Replacing) Write() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range r.all {
		if err := r.begin(one); err != nil {
			r.drop()
			return err
		}
	}
	return nil
}

// begin writes the text of a file beside it.
func (r *Replacing) begin(one Replacement) error {
	if err := one.check(); err != nil {
		return err
	}
	var missing []string
	for dir := filepath.Dir(one.Name); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		missing = append(missing, dir)
	}
	slices.Reverse(missing)
	r.made = append(r.made, missing...)
	if err := MakeDir(filepath.Dir(one.Name)); err != nil {
		return err
	}
	f, err := Create(one.Name, r.inUse)
	if err != nil {
		return err
	}
	r.files = append(r.files, f)
	if _, err := f.Write(one.Text); err != nil {
		return fmt.Errorf("%s could not be written: %w", one.Name, code.Reason(err))
	}
	return f.Finish()
}

// check returns an error if a file is not as it was read.
func (one Replacement) check() error {
	text, err := disk.ReadFile(one.Name)
	switch {
	case one.Was == nil && errors.Is(err, fs.ErrNotExist):
		return nil
	case one.Was == nil:
		return inTheWay(one.Name)
	case err != nil:
		return fmt.Errorf("%s cannot be read: %w", one.Name, code.Reason(err))
	case !bytes.Equal(text, one.Was):
		return fmt.Errorf("%s has changed since it was read", one.Name)
	}
	return nil
}

// Commit gives all files their names. After an error, the files are as they were.
func (r *Replacing) Commit() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended || len(r.files) != len(r.all) {
		return errors.New("the writing has ended")
	}
	for i, f := range r.files {
		err := r.all[i].check()
		if err == nil {
			err = f.Commit()
		}
		if err != nil {
			err = errors.Join(err, r.undo(i))
			r.drop()
			return err
		}
	}
	r.ended = true
	return nil
}

// undo gives the first n files their former text.
func (r *Replacing) undo(n int) (err error) {
	for _, one := range r.all[:n] {
		if one.Was == nil {
			err = errors.Join(err, os.Remove(one.Name))
		} else {
			err = errors.Join(err, WriteFile(one.Name, one.Was, nil))
		}
	}
	return err
}

// Drop removes what was written.
func (r *Replacing) Drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop()
}

func (r *Replacing) drop() {
	if r.ended {
		return
	}
	r.ended = true
	for _, f := range r.files {
		f.Drop()
	}
	for _, dir := range slices.Backward(r.made) {
		os.Remove(dir) // only if it is empty
	}
}
