// Package embed looks into texts that hold a document: JSON, YAML, INI or plain text, as it is or
// in a data URL, in base64 and compressed with gzip. In goes a text with what is said of it, or
// nothing said (Recognise); out comes what the document says, or an error that tells why it cannot
// be looked into. The error quotes nothing of the text.
//
// What a text unpacks to is bounded: in size, beside that of the text, in depth, and by the memory
// that a Reader has left. Whether a text holds something secret is for the caller to know.
package embed
