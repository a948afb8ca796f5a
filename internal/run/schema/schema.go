// Package schema has JSON schemas of the files that users write, for editors and other checkers. Its
// input is the name of a kind of file, its output the schema.
package schema

import (
	"embed"
	"strings"
)

//go:embed *.schema.json
var files embed.FS

const suffix = ".schema.json"

// Names returns the names of all schemas, sorted.
func Names() []string {
	entries, _ := files.ReadDir(".") // an embedded folder can be read
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), suffix))
	}
	return names
}

// Text returns the schema of a name; ok is false for other names.
func Text(name string) (text []byte, ok bool) {
	text, err := files.ReadFile(name + suffix)
	return text, err == nil
}

// Comment returns the first line of a file, which names its schema for editors. `validationTool
// schema NAME > NAME.schema.json` writes the schema next to the file.
func Comment(name string) string {
	return "# yaml-language-server: $schema=" + name + suffix + "\n"
}
