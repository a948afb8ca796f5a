package source

import (
	"cmp"
	"io"

	"github.com/validationtool/validationtool/internal/collector"
	"github.com/validationtool/validationtool/internal/crew"
)

// Options says what to read and how much of it. The zero value reads everything within the default
// limits.
type Options struct {
	Stdin  io.Reader // what the argument "-" stands for
	Nested bool      // open archives inside inputs that hold objects of their own too
	Limits Limits

	// Want decides by the name of a file, before its content is read, whether it is worth reading.
	// The name is that of File.Name, the size is -1 where it is not known yet. It is not asked
	// about a file that is an argument itself. It may be called by several goroutines at once. Nil
	// reads all files.
	Want func(name string, size int64) Decision

	// Look, if set, is handed files of folders as soon as they are read, by several goroutines at
	// once and in no order. What it returns comes with the file when that is visited. It is not
	// called for every file.
	Look func(f File) any

	// Buffers, if set, is where the memory for Data comes from.
	Buffers *Buffers

	// Room, if set, is memory for the content of files, see File.Claim: reading waits until there
	// is some.
	Room *crew.Room

	// Jobs is how many inputs are read at a time; zero is one.
	Jobs int

	// Progress, if set, is told of inputs that are begun, and of bytes that are read of archives
	// and other files that are an argument themselves, by several goroutines at once. In the end
	// the bytes of a file add up to its size; the last are negative where some were read twice.
	Progress func(inputs int, bytes int64)

	links *linkSet // gathers links, for ReadAll
}

// Limits protect against archives that were built to exhaust memory or time. They are for each
// input. A zero field means its default.
type Limits struct {
	Unpacked int64 // bytes that come out of decompression, in all archives together, wanted or not
	File     int64 // bytes of one file that is read, and of a zip archive that has to be unpacked to memory
	Held     int64 // packed bytes of archives inside that are kept until it is known whether they are opened
	// bytes of windows of decompressors and archives in memory, together; of one file; and of what
	// Held is of
	Memory   int64
	Entries  int // entries of all archives together
	Archives int // archives inside that are opened
	Depth    int // archives inside archives, and compression inside compression
}

// DefaultLimits are those that a zero field stands for. A file may have what there is memory for.
func DefaultLimits() Limits {
	return Limits{
		Unpacked: 1 << 40,
		File:     1 << 40,
		Held:     512 << 20,
		Memory:   512 << 20,
		Entries:  2_000_000,
		Archives: 10_000,
		Depth:    4,
	}
}

// OrDefault fills what was not set.
func (l Limits) OrDefault() Limits {
	def := DefaultLimits()
	return Limits{
		Unpacked: cmp.Or(l.Unpacked, def.Unpacked),
		File:     cmp.Or(l.File, def.File),
		Held:     cmp.Or(l.Held, def.Held),
		Memory:   cmp.Or(l.Memory, def.Memory),
		Entries:  cmp.Or(l.Entries, def.Entries),
		Archives: cmp.Or(l.Archives, def.Archives),
		Depth:    cmp.Or(l.Depth, def.Depth),
	}
}

// Action is what to do with a file.
type Action int

// The actions. Sniff reads the first bytes and goes on only if LooksLikeObjects says so.
const (
	Read Action = iota
	Sniff
	Skip
)

// Decision is an action and, for Skip, the reason under which the file is counted.
type Decision struct {
	Action Action
	Reason string
}

// Reasons for which files are passed over. They are texts for people.
const (
	ReasonEmpty   = "empty"
	ReasonLog     = collector.Log
	ReasonName    = collector.Other
	ReasonContent = "neither YAML nor JSON of Kubernetes by its first bytes"
	ReasonLink    = "link to another file of the input"

	ReasonReplaced    = "replaced by a later entry of the same name"
	ReasonAppleDouble = "attributes of a file of macOS"
	ReasonSpecial     = "device, socket or pipe"
	ReasonGit         = "folder of a version control system"
)
