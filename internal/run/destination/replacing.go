package destination

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/disk"
)

// Replacement is the text of a file in place of the text that a program has read.
type Replacement struct {
	Name string
	Was  []byte // nil for a new file
	Text []byte
}

// Replacing are files of one folder that are changed together. Commit or Drop ends it. Drop does nothing
// after Commit, and another goroutine may call it.
type Replacing struct {
	all   []Replacement
	files []*File
	made  []string // new folders, each before those in it
}

// Replace starts to change files: all of them, or none. It returns an error if one of them is not as it
// was read, or cannot be written.
func Replace(all []Replacement, inUse *InUse) (*Replacing, error) {
	r := &Replacing{all: all}
	for _, one := range all {
		if err := r.begin(one, inUse); err != nil {
			r.Drop()
			return nil, err
		}
	}
	return r, nil
}

// begin writes the text of a file beside it.
func (r *Replacing) begin(one Replacement, inUse *InUse) error {
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
	f, err := Create(one.Name, inUse)
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
	for i, f := range r.files {
		err := r.all[i].check()
		if err == nil {
			err = f.Commit()
		}
		if err != nil {
			return errors.Join(err, r.undo(i))
		}
	}
	r.made = nil
	return nil
}

// undo gives the first n files their former text, and drops the others.
func (r *Replacing) undo(n int) (err error) {
	for _, one := range r.all[:n] {
		if one.Was == nil {
			err = errors.Join(err, os.Remove(one.Name))
		} else {
			err = errors.Join(err, WriteFile(one.Name, one.Was, nil))
		}
	}
	r.Drop()
	return err
}

// Drop removes what was written.
func (r *Replacing) Drop() {
	for _, f := range r.files {
		f.Drop()
	}
	for _, dir := range slices.Backward(r.made) {
		os.Remove(dir) // only if it is empty
	}
}
