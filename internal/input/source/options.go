package source

import (
	"cmp"
	"io"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/run/workers"
)

// Options control what is read and how much. The zero value reads everything within the default
// limits.
type Options struct {
	Stdin  io.Reader // source of the argument "-"
	Nested bool      // also open archives inside inputs that have objects of their own
	Limits Limits

	// FollowLinks also follows the links of a folder that lead out of it.
	FollowLinks bool

	// Checksums computes Input.SHA256. That takes a tenth of the time for unpacking gzip.
	Checksums bool

	keepsLinks bool // the links of an archive are delivered as such, so that none is lost

	// Want decides by name, before the content is read, whether a file is worth reading. The name
	// is File.Name; the size is -1 if not known yet. It is not called for a file that is itself an
	// argument. Several goroutines may call it at once. Nil reads all files.
	Want func(name string, size int64) Decision

	// NoInput, if set, returns why a file on disk is no part of the input, or "": ReasonReference or
	// ReasonOption. Both paths are results of RealPath; root is that of the input. Several goroutines
	// may call it at once.
	NoInput func(root, file string) (reason string)

	// Unordered allows several goroutines to deliver files of a folder at once, in any order.
	Unordered bool

	// Buffers, if set, provides the memory for Data.
	Buffers *Buffers

	// Semaphore, if set, limits the memory for the content of files, see File.Claim: reading waits until
	// memory is available.
	Semaphore *workers.Semaphore

	// Jobs is the number of inputs that are read concurrently; zero means one.
	Jobs int

	// Progress, if set, receives the number of inputs that were begun, and of bytes read from
	// archives and other files that are arguments. Several goroutines call it at once. The bytes of
	// a file add up to its size in the end; the last number is negative if some bytes were read
	// several times.
	Progress func(inputs int, bytes int64)
}

// Limits protect against archives that were built to exhaust memory or time. They apply to each
// input. A zero field means its default.
type Limits struct {
	Unpacked int64 // bytes that decompression produces, in all archives together, wanted or not
	File     int64 // bytes of one file that is read, and of a zip archive that is unpacked to memory
	Held     int64 // packed bytes of nested archives that are kept until it is known whether they are opened
	// Bytes of decompression windows and archives in memory, together. It also bounds File and
	// Held.
	Memory   int64
	Entries  int // entries in all archives together
	Archives int // nested archives that are opened
	Depth    int // depth of archives in archives and compression in compression
}

// DefaultLimits returns the values for zero fields. The size of a file is limited only by Memory.
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

// OrDefault returns the limits with defaults for zero fields.
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

// Action is the treatment of a file.
type Action int

// The actions. Sniff reads the first bytes and continues only if LooksLikeObjects accepts them; with
// a Reason, the name says that the file is something else, and the reason counts if it is.
const (
	Read Action = iota
	Sniff
	Skip
)

// Decision is an action and, for Skip and perhaps Sniff, the reason under which the file is counted.
type Decision struct {
	Action Action
	Reason string
}

// unwanted reports whether the name of a file says that it holds no objects.
func (d Decision) unwanted() bool { return d.Action == Skip || d.Reason != "" }

// rejection is the reason under which a file is counted whose first bytes are not those of objects.
func (d Decision) rejection() string { return cmp.Or(d.Reason, ReasonContent) }

// Reasons for skipping files, as shown to users.
const (
	ReasonEmpty   = "empty"
	ReasonLog     = collector.Log
	ReasonName    = collector.Other
	ReasonContent = "neither YAML nor JSON of Kubernetes by its first bytes"
	ReasonLink    = "link to another file of the input"

	ReasonReplaced    = "replaced by a later entry of the same name"
	ReasonAppleDouble = "attributes of a file of macOS"
	ReasonSpecial     = "device, socket or pipe"
	ReasonReference   = "file of the reference"
	ReasonOption      = "file of an option"
	ReasonFix         = "folder that --output fix wrote"
	ReasonTemplate    = "template of another reference"
	ReasonPrivate     = "folder of a version control system or an editor"
)
