// Package embed reads texts that contain a document: JSON, YAML, INI or plain text, as it is or
// encoded as data URL, base64 or gzip. Decode reads a text whose encoding and format are known,
// Recognise detects both. Both functions return the document, or an error that says why the text
// cannot be read without quoting any of it.
//
// Limits apply to the unpacked size in relation to the text, to the nesting of encodings, and to
// the bytes that a Reader may still decode. The caller must know whether a text is secret.
package embed
