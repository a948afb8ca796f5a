// Package scan reads YAML and JSON as text: it cuts a file into documents, a document of block YAML into the lines that begin a key or a
// scalar, and goes through JSON, all without building anything of what it goes over. Most of a support archive is only gone over.
//
// In go bytes that are UTF-8; out come parts of them. What of these is an object, and the full decode, are others' business
// (internal/manifest). A scanner of YAML either understands a line as the decoder would, or declines the document; the reader of JSON
// knows all of it. Plain tells what a scalar without quotes means, and LooksLikeObjects whether a file is worth reading by how it begins.
//
// The package opens no files and changes nothing of what it is given.
package scan
