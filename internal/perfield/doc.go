// Package perfield owns what a reference says of single fields (perField), but for how patterns are matched, which is package inline. In go
// templates, or both sides of a comparison; out come faults of the entries, and sides in which documents stand in the place of the texts that
// hold them.
package perfield
