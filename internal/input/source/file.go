package source

import "github.com/validationtool/validationtool/internal/run/workers"

// File is one regular file of the input, on disk or in an archive.
type File struct {
	Input int // index of its input in Summary.Inputs
	// path on disk as the user would type it ("-" for standard input); the archive's path for an entry
	Path  string
	Entry string // path inside the archive, nested ones joined by "!/"; "" for a plain file on disk
	// slash-separated path inside the input: the argument of Options.Want and collector.RootOf
	Name string
	// path from the root of the file system, without links; only if the input may be a part of what a
	// collector wrote, so that the folders around it tell what is in it
	Full string
	Turn int    // number of files of the same input delivered before it; only for entries, see Input.Replaced
	Data []byte // whole unpacked content; owned by the receiver, who may return it to Options.Buffers
	// Claim is the content's share of Options.Semaphore, until the receiver releases it.
	Claim *workers.Claim
}

// nestedSeparator separates the path of an archive from the path inside it.
const nestedSeparator = "!/"

// place is the location of a file or archive; its fields are those of File.
type place struct {
	input                   int
	path, entry, name, full string
}

// inside returns the place of an entry of the archive at p.
func (p place) inside(entry string) place {
	p.entry = joinNested(p.entry, entry)
	p.name = joinNested(p.name, entry)
	return p
}

func joinNested(outer, inner string) string {
	if outer == "" {
		return inner
	}
	return outer + nestedSeparator + inner
}

// file returns the File at this place.
func (p place) file(data []byte) File {
	return File{Input: p.input, Path: p.path, Entry: p.entry, Name: p.name, Full: p.full, Data: data}
}
