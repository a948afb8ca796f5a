// Package archive reads packed files. It removes compression (gzip, xz, zstd, bzip2, also nested)
// and iterates over the entries of tar and zip archives. It recognizes formats by their first
// bytes, never by the file name.
//
// Its input is the bytes of a file. Its output is a [Stream] of the decompressed content and, for
// an archive, its entries in order: through [Tar] or [Zip]. The caller decides which entries to
// open. Nothing is written to disk, and entries that are not opened are never held in memory.
//
// All files of one run share an [Unpacker]: it counts the unpacked bytes and the memory of
// decompression windows against [Limits], and ends with its context.
//
// Damage: entries that are complete before the break in an archive are intact; their checksums are
// verified at the end of each. The central directory of a zip archive has no checksum, so it is
// compared with the local header of each entry; an archive without a central directory is not read.
//
// The package does not open files, follow links, or open archives inside archives: it knows nothing
// of the input around the bytes.
package archive
