// Package xz unpacks .xz files: streams of blocks of LZMA2 data, as the format's specification
// 1.2.1 describes them.
//
// Its speed comes from the state of the range coder in local variables of one loop, trees of bits
// that are decoded without branches, because nobody can predict them, and copies by words.
//
// Every size and checksum of a file is verified. The window grows with what is unpacked, whatever
// size the file states. Only the filter LZMA2 is known. It never panics.
package xz
