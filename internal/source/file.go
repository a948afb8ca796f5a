package source

import (
	"iter"

	"github.com/validationtool/validationtool/internal/crew"
)

// File is one regular file of the input, wherever it is.
type File struct {
	Input int    // index of the input it came from, into Summary.Inputs
	Path  string // path on disk as the user would type it ("-" for standard input); the archive's path for an entry
	Entry string // path inside the archive, slash-separated, nested ones joined by "!/"; "" for a plain file on disk
	// path inside the input, slash-separated: what Options.Want was asked about, and what
	// collector.RootOf takes
	Name string
	Size int64  // bytes of the content, or -1 where the container does not tell and the content was not read
	Turn int    // how many files of the input were handed over before it: what Input.Replaced names
	Data []byte // whole content, unpacked; owned by the receiver, who may give it back to Options.Buffers
	// Looked is what Options.Look returned for the file. Where it was called there is no Data.
	Looked any
	// Claim is what the content takes of Options.Room, until the receiver releases it.
	Claim *crew.Claim
}

// Contents are the names of files with their contents.
func Contents(files []File) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, f := range files {
			if !yield(f.Name, f.Data) {
				return
			}
		}
	}
}

// nestedSeparator stands between an archive and the path inside it.
const nestedSeparator = "!/"

// place is where a file or archive lies; its fields are those of File.
type place struct {
	input             int
	path, entry, name string
}

// inside is the place of an entry of the archive at p.
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

// file is the File at this place.
func (p place) file(size int64, data []byte) File {
	return File{Input: p.input, Path: p.path, Entry: p.entry, Name: p.name, Size: size, Data: data}
}
