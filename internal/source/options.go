package source

import "io"

// Options says what to read and how much of it. The zero value reads everything within the default limits.
type Options struct {
	Stdin  io.Reader // what the argument "-" stands for
	Nested bool      // open archives inside inputs that hold objects of their own too
	Limits Limits

	// Want decides by the name of a file, before its content is read, whether it is worth reading. The name is that of File.Name,
	// the size is -1 where it is not known yet. It is not asked about a file that is an argument itself.
	// It may be called by several goroutines at once. Nil reads all files.
	Want func(name string, size int64) Decision

	// Look, if set, is handed files of folders as soon as they are read, by several goroutines at once and in no order. What it
	// returns comes with the file when that is visited. It is not called for every file.
	Look func(f File) any

	// Buffers, if set, is where the memory for Data comes from.
	Buffers *Buffers

	// Passed, if set, is told each file that was passed over, and why. The file has no Data.
	Passed func(f File, reason string)

	links *linkSet // gathers links, for ReadAll
}

// Limits protect against archives that were built to exhaust memory or time. A zero field means its default.
type Limits struct {
	Unpacked int64 // bytes that come out of decompression, in all archives together, wanted or not; default 16 GiB
	File     int64 // bytes of one file that is read, and of a zip archive that has to be unpacked to memory; default 1 GiB
	Held     int64 // packed bytes of archives inside standard input that are held until its end; default 512 MiB
	Entries  int   // entries of all archives together; default 2,000,000
	Depth    int   // archives inside archives, and compression inside compression; default 4
}

// orDefault fills what was not set.
func (l Limits) orDefault() Limits {
	fill := func(v *int64, def int64) {
		if *v <= 0 {
			*v = def
		}
	}
	fill(&l.Unpacked, 16<<30)
	fill(&l.File, 1<<30)
	fill(&l.Held, 512<<20)
	if l.Entries <= 0 {
		l.Entries = 2_000_000
	}
	if l.Depth <= 0 {
		l.Depth = 4
	}
	return l
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
	ReasonLog     = "log or data of the collector"
	ReasonName    = "neither YAML nor JSON by its name"
	ReasonContent = "neither YAML nor JSON of Kubernetes by its first bytes"
	ReasonLink    = "link to another file of the input"
	ReasonSpecial = "device, socket or pipe"
	ReasonGit     = "folder of a version control system"
)
