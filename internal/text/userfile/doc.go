// Package userfile reads files that users write besides CRs, such as the metadata of a reference: a
// Reader takes the bytes of a file and the keys that its format knows, and reports errors and warnings
// with line and column. SetTexts adds texts to such a file and keeps its comments.
//
// It comes after kubeyaml, which reads the YAML, and before the packages that know a format.
package userfile
