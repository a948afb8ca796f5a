package archive

import (
	"io"
	"path"
	"strconv"
)

// Kind is what an entry of an archive is.
type Kind int

// The kinds. Other entries are folders, and what only describes another entry.
const (
	File Kind = iota
	Link
	Special // a device, socket or pipe
	Other
)

// Entry is one entry of an archive.
type Entry struct {
	Name string // slash-separated and clean: it climbs nowhere
	// the name as it is in the archive, in quotes, where that is absolute, climbs or is too
	// long; else ""
	Unsafe string
	Kind   Kind
	Target string // the name of what a link leads to; "" if that lies outside of the archive
	Size   int64  // -1 where it is not known

	Open func() (io.ReadCloser, error) // opens the content, until the next entry is asked for
	// opens the content at any time, as long as the archive is open; nil where that cannot be done
	Later func() (io.ReadCloser, error)

	Fault string // what is wrong with it, though it may be readable
	Lost  bool   // it cannot be read because of that
}

// named returns an entry with a name as archives of the format write it.
func named(name string, f format) Entry {
	clean, unsafe := cleanName(name, f)
	if !unsafe {
		return Entry{Name: clean}
	}
	return Entry{Name: clean, Unsafe: strconv.Quote(name)}
}

// linkTo makes the entry a link: a symbolic one is relative to its folder, a hard one to the
// archive.
func (e *Entry) linkTo(target string, symbolic bool) {
	e.Kind = Link
	if symbolic && !path.IsAbs(target) {
		target = path.Join(path.Dir(e.Name), target)
	}
	if !unsafeName(target) {
		e.Target, _ = cleanName(target, formatTar)
	}
}
