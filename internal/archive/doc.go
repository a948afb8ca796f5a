// Package archive finds out what packed bytes hold. It takes compression off (gzip, xz, zstd,
// bzip2, also one over another), and goes through the entries of tar and zip archives. What
// anything is, its first bytes say, never its name.
//
// In go the bytes of a file. Out come a [Stream] with what is in it, and, where that is an archive,
// its entries one after the other: by [Tar] or by [Zip]. Whoever reads them decides which are
// opened. Nothing is written to disk, and what is not opened is never held in memory.
//
// All that is read for one run goes through one [Unpacker]: it counts what is unpacked, and what
// windows of decompressors take of the memory, against [Limits], and ends with its context.
//
// Damage: entries that are complete before an archive breaks off are sound; checksums are checked
// at the end of each. The list of a zip archive, which has none, is compared with what precedes
// each entry; an archive without its list is not read.
//
// The package does not open files, follow links, or open archives that are in archives: it knows
// nothing of the input around the bytes.
package archive
