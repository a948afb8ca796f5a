// Package docs has the chapters of the manual, and the JSON schemas of the documents that the tool
// writes. Its input is a name, its output the text.
package docs

import (
	"embed"
	"strings"
)

//go:embed *.md *.schema.json
var files embed.FS

// The ends of the names of files.
const (
	ofChapters = ".md"
	ofSchemas  = ".schema.json"
)

// Chapter is a page of the manual.
type Chapter struct {
	Name, Title string
	Text        string // Markdown
}

// Chapters returns all chapters, sorted by name.
func Chapters() (all []Chapter) {
	for _, name := range names(ofChapters) {
		text, _ := files.ReadFile(name + ofChapters) // an embedded file can be read
		first, _, _ := strings.Cut(string(text), "\n")
		all = append(all, Chapter{Name: name, Title: strings.TrimPrefix(first, "# "), Text: string(text)})
	}
	return all
}

// Schemas returns the names of the schemas, sorted.
func Schemas() []string { return names(ofSchemas) }

// Schema returns the schema of a name; ok is false for other names.
func Schema(name string) (text []byte, ok bool) {
	text, err := files.ReadFile(name + ofSchemas)
	return text, err == nil
}

// names returns what stands before the end of the names of files.
func names(end string) (all []string) {
	entries, _ := files.ReadDir(".") // an embedded folder can be read
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), end); ok {
			all = append(all, name)
		}
	}
	return all
}
