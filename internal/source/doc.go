// Package source turns what the user handed in (directories, files, standard input, support
// archives in any wrapping) into one ordered stream of files, judged by content and never by
// extension.
//
// In go the arguments of the command line, a function that says by its name which file is worth
// reading, and limits. Out come [File] values with their whole content, one call of visit each, and
// a [Summary]: the format and layout of each input, what could not be read, which archives inside
// it were left closed, and how many files were passed over for which reason.
//
// Names: a [File] has the Path of a file on disk and, where that is an archive or compressed, the
// Entry inside it. Where an archive is in an archive, Entry joins the two with "!/":
// "inner.tar.gz!/namespaces/default/default.yaml". Name is the same kind of path, seen from the
// input: relative to the folder, or inside the archive, that the user named.
//
// Order: a folder by the bytes of its slash-separated paths; an archive as it is written; archives
// that a folder or archive only wraps come after its other files. The same input gives the same
// order always. Several inputs can be read at a time: only the summary is in their order then.
//
// Archives inside: they are opened where what is around them holds no objects of its own, or with
// [Options.Nested]; else they are named in [Summary.NotRead]. Whether a stream has objects of its
// own is known at its end only, and it is read once. So the packed bytes of archives inside are
// kept in memory until then, up to [Limits.Held]; in a folder, a zip archive or a tar archive
// without compression they are opened where they are.
//
// Links: inside a folder a link is not followed, since what it leads to is met under its own name;
// only if that name would be passed over while the link's would not is it read through the link. So
// it is in a zip archive; in a tar archive, which is read once, such a link is a problem. A link
// never leads out of the folder or archive it is in, unless it is the argument itself. [ReadAll]
// delivers the links of an archive as copies of what they lead to.
//
// Duplicates: an archive may hold one name twice. Both are delivered, in order; [Input.Replaced]
// names the earlier, which does not count.
//
// Ledger: every entry that is met ends in exactly one place. It is delivered, passed over for a
// reason, named as not read, part of a problem, or opened as an archive.
//
// Damage: entries that were read completely before an archive breaks off are delivered; the one it
// breaks off in is not, but is named in the problem. Nothing is ever written to disk, and what is
// passed over is never held in memory.
//
// What is packed, internal/archive unpacks: it hands out entries, and this package decides which
// are opened.
//
// The package does not parse YAML or JSON, does not judge objects, and does not sort or join what
// it delivers.
package source
