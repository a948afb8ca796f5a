// Package inflate unpacks deflate data (RFC 1951), the content of gzip and zip files, from a
// buffered reader into the caller's memory.
//
// Its speed comes from methods of libdeflate and zlib-ng: a buffer of 64 bits, filled eight bytes
// at a time; one table lookup for each code, which gives a literal, or a length with its base and
// extra bits; a fast loop with enough input and output that it needs no checks, and a careful loop
// for the rest; and copies by words. Unpacked data goes directly into the caller's memory. Only the
// last 32 KiB are copied, because later data may refer to them.
//
// It accepts and rejects the same data as compress/flate. It allocates nothing after the first
// block, and never panics.
package inflate
