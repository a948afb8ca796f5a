// Package inflate unpacks deflate data (RFC 1951), which gzip and zip files are made of, from a
// buffered reader into memory of the caller.
//
// It is as fast as it is by what the descriptions of libdeflate and zlib-ng name: a buffer of 64
// bits that is filled eight bytes at a time; one look into a table for each code, which yields a
// literal, or a length with its base and its extra bits; a fast loop that has room on both sides,
// so that it never asks whether input or output ends, beside a careful one that does; and copies by
// words. What it unpacks goes straight into the caller's memory: only the last 32 KiB are copied,
// for what comes later to refer to.
//
// It accepts and refuses what compress/flate does. It allocates nothing after its first block, and
// never panics.
package inflate
