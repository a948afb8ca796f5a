package archive

import (
	"io"
	"path"
	"strconv"
)

// Kind is the type of an entry in an archive.
type Kind int

// The kinds. Other includes folders and entries that only describe another entry.
const (
	File Kind = iota
	Link
	Special // a device, socket or pipe
	Other
)

// Entry is one entry of an archive.
type Entry struct {
	Name string // slash-separated and clean: relative, without ".."
	// the quoted original name if it is absolute, contains "..", or is too long; else ""
	Unsafe string
	Kind   Kind
	Target string // the name of a link's target; "" if the target is outside of the archive
	Size   int64  // -1 if unknown

	Open func() (io.ReadCloser, error) // opens the content; valid until the next entry is requested
	// opens the content at any time while the archive is open; nil if that is impossible
	Later func() (io.ReadCloser, error)

	Fault string // a fault; the entry may still be readable
	Lost  bool   // the fault makes it unreadable
}

// named returns an entry with a cleaned name; f determines which separators count.
func named(name string, f format) Entry {
	clean, unsafe := cleanName(name, f)
	if !unsafe {
		return Entry{Name: clean}
	}
	return Entry{Name: clean, Unsafe: strconv.Quote(name)}
}

// linkTo makes the entry a link. The target of a symbolic link is relative to the folder of the
// link, the target of a hard link to the root of the archive.
func (e *Entry) linkTo(target string, symbolic bool) {
	e.Kind = Link
	if symbolic && !path.IsAbs(target) {
		target = path.Join(path.Dir(e.Name), target)
	}
	if !unsafeName(target) {
		e.Target, _ = cleanName(target, formatTar)
	}
}
