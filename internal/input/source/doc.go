// Package source turns the inputs (directories, files, standard input, support archives in any
// packing) into one ordered stream of files. It decides by content, never by extension, what a file
// is.
//
// Its input is the arguments of the command line, a function that decides by name which files are
// worth reading, and limits. Its output is [File] values with their full content, one call of visit
// each, and a [Summary]: the format and layout of each input, what could not be read, which
// archives inside it were not opened, and how many files were passed over for which reason.
//
// Names: a [File] has the Path of a file on disk and, in an archive or compressed file, the Entry
// inside it. For an archive in an archive, Entry joins the two paths with "!/":
// "inner.tar.gz!/namespaces/default/default.yaml". Name is the same kind of path from the point of
// view of the input: relative to the folder, or inside the archive, that the user named.
//
// Order: the files of a folder are sorted by the bytes of their slash-separated paths; an archive
// keeps its own order; archives inside that are opened because nothing else is in their container
// come after its other files. The same input always gives the same order. With [Options.Unordered]
// the files of a folder come in any order; if several inputs are read concurrently, only the
// summary keeps their order.
//
// Archives inside: they are opened if their container has no objects of its own, or with
// [Options.Nested]; otherwise they are listed in [Summary.NotRead]. A stream is read only once, and
// whether it has objects of its own is known only at its end. So the packed bytes of archives
// inside are kept in memory until then, up to [Limits.Held]. In a folder, a zip archive or an
// uncompressed tar archive they are opened in place.
//
// Links: inside a folder a link is not followed, because its target is read under its own name. The
// exception is a target whose own name is not wanted while the link's name is: it is read through
// the link. The same applies to a zip archive. In a tar archive, which is read only once, such a
// link is a problem. A link never leads out of its folder or archive, unless it is the argument
// itself. [ReadAll] returns a file system with the links of an archive.
//
// Duplicates: an archive may contain a name several times. All entries are delivered, in order;
// [Input.Replaced] lists the earlier ones, which do not count.
//
// Ledger: every entry has exactly one outcome. It is delivered, passed over for a reason, listed as
// not read, part of a problem, or opened as an archive.
//
// Damage: entries that were read completely before the break in an archive are delivered; the entry
// at the break is not, but the problem names it. The package never writes to disk, and never holds
// skipped content in memory.
//
// Package internal/input/archive unpacks and returns entries; this package decides which to open.
// It does not parse YAML or JSON, does not judge objects, and does not sort or join what it
// delivers.
package source
