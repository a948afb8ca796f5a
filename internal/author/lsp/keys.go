package lsp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/run/schema"
)

// line is a line of YAML that may be half written.
type line struct {
	column int  // of the key, or of the content; negative for a line without content
	isItem bool // a list item begins in the line
	// another document begins
	isMarker bool
	key      string
	from     int // offsets of the key in the line
	to       int
}

// lines reads the lines of a text.
type lines struct {
	*text
	key *regexp.Regexp
}

func linesOf(t *text) lines {
	return lines{t, regexp.MustCompile(
		`^([ ]*(?:- +)*)(?:(["']?)([^\s"'{}\[\],#&*!|>%@:-][^:{}"']*?)["']?[ ]*:(?:[ ]+|$))?`,
	)}
}

// read reads a line. Actions and comments are no content.
func (all lines) read(number int) line {
	from, to := all.line(number)
	s := all.string[from:to]
	m := all.key.FindStringSubmatchIndex(s)
	l := line{column: m[3], isItem: strings.Contains(s[m[2]:m[3]], "-")}
	if m[6] >= 0 {
		l.key, l.from, l.to = s[m[6]:m[7]], m[6], m[7]
	}
	rest := s[m[3]:]
	l.isMarker = strings.HasPrefix(s, "---")
	isEmpty := rest == "" && !l.isItem || strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "{{")
	if l.isMarker || m[6] < 0 && isEmpty {
		l.column = -1
	}
	return l
}

// yamlPlace is a place in a YAML text that may be half written.
type yamlPlace struct {
	above    []string // the keys around the line, the outermost first
	line     line
	start    int      // offset of the line
	siblings []string // the other keys of the mapping
}

// yamlAt returns the place of an offset in a YAML text.
func yamlAt(t *text, offset int) yamlPlace {
	all, number := linesOf(t), t.position(offset).Line
	p := yamlPlace{line: all.read(number), start: t.starts[number]}
	if p.line.column < 0 {
		p.line.column = offset - p.start
	}
	column, isSibling := p.line.column, !p.line.isItem
	for i := number - 1; i >= 0 && (column > 0 || isSibling); i-- {
		one := all.read(i)
		switch {
		case one.isMarker:
			i = 0
		case one.column < 0 || one.key == "":
		case one.column < column:
			p.above = append(p.above, one.key)
			column, isSibling = one.column, false
		case isSibling && one.column == column:
			p.siblings = append(p.siblings, one.key)
			isSibling = !one.isItem
		}
	}
	for i := number + 1; i < len(t.starts); i++ {
		one := all.read(i)
		isNext := one.column < p.line.column || one.isItem && one.column == p.line.column
		if one.isMarker || one.column >= 0 && isNext {
			break
		}
		if one.column == p.line.column && one.key != "" {
			p.siblings = append(p.siblings, one.key)
		}
	}
	slices.Reverse(p.above)
	return p
}

// keys returns the keys from the outermost to the one in the line.
func (p yamlPlace) keys() []string { return append(slices.Clone(p.above), p.line.key) }

// keysBelow returns the keys that a YAML text has below some keys.
func keysBelow(t *text, keys []string) (found []string) {
	all := linesOf(t)
	var above []line
	var names []string
	for i := range t.starts {
		one := all.read(i)
		if one.column < 0 || one.key == "" {
			continue
		}
		for len(above) > 0 && above[len(above)-1].column >= one.column {
			above, names = above[:len(above)-1], names[:len(names)-1]
		}
		if slices.Equal(names, keys) {
			found = append(found, one.key)
		}
		above, names = append(above, one), append(names, one.key)
	}
	return found
}

// schemas are the JSON schemas that may apply to a value.
type schemas []map[string]any

// metadataSchemas returns the schemas of the value at some keys of a metadata file.
func metadataSchemas(text string, keys []string) schemas {
	source, _ := schema.Text("metadata")
	var root map[string]any
	_ = json.Unmarshal(source, &root) // its tests hold it valid
	version := "else"
	if regexp.MustCompile(`(?mi)^apiVersion:\s*["']?v2`).MatchString(text) {
		version = "then"
	}
	var expand func(one any) schemas
	expand = func(one any) schemas {
		s, ok := one.(map[string]any)
		if !ok {
			return nil
		}
		all := schemas{s}
		if ref, ok := s["$ref"].(string); ok {
			definitions, _ := root["definitions"].(map[string]any)
			all = append(all, expand(definitions[path.Base(ref)])...)
		}
		return append(all, append(expand(s[version]), expand(s["items"])...)...)
	}
	at := expand(root)
	for _, key := range keys {
		var below schemas
		for _, one := range at {
			properties, _ := one["properties"].(map[string]any)
			next, ok := properties[key]
			if !ok {
				next = one["additionalProperties"]
			}
			below = append(below, expand(next)...)
		}
		at = below
	}
	return at
}

// description returns the first description.
func (all schemas) description() string {
	for _, one := range all {
		if about, ok := one["description"].(string); ok {
			if values, ok := one["enum"].([]any); ok {
				about += fmt.Sprintf("\n\nOne of %v", values)
			}
			return about
		}
	}
	return ""
}

// properties returns the descriptions of the keys that a value may have.
func (all schemas) properties() map[string]string {
	out := map[string]string{}
	var refused []string
	for _, one := range all {
		properties, _ := one["properties"].(map[string]any)
		for key, s := range properties {
			about, isSchema := s.(map[string]any)
			if !isSchema {
				refused = append(refused, key)
				continue
			}
			text, _ := about["description"].(string)
			out[key] = text
		}
	}
	for _, key := range refused {
		delete(out, key)
	}
	return out
}

// values returns the values that are known to be possible.
func (all schemas) values() (values []string) {
	for _, one := range all {
		for _, key := range []string{"enum", "examples"} {
			list, _ := one[key].([]any)
			for _, v := range list {
				values = append(values, fmt.Sprint(v))
			}
		}
		if v, ok := one["const"]; ok {
			values = append(values, fmt.Sprint(v))
		}
		if types, _ := one["type"].([]any); slices.Contains(types, any("boolean")) {
			values = append(values, "true", "false")
		}
	}
	return values
}

// documentAt returns the YAML document around an offset.
func documentAt(text string, offset int) string {
	from := max(strings.LastIndex(text[:offset], "\n---"), 0)
	if end := strings.Index(text[offset:], "\n---"); end >= 0 {
		text = text[:offset+end]
	}
	return text[from:]
}

// kindIn returns the schema of the kind that a text states, which may be one of Kubernetes; nil if it is
// unknown.
func (s *server) kindIn(text string) *crdschema.Kind {
	value := func(key string) string {
		m := regexp.MustCompile(`(?m)^` + key + `:[ \t]*["']?([\w./-]+)`).FindStringSubmatch(text)
		if m == nil {
			return ""
		}
		return m[1]
	}
	if s.opt.Schemas != nil {
		if k, _ := s.opt.Schemas.Kind(value("apiVersion"), value("kind")); k != nil {
			return k
		}
	}
	return s.builtIn().Kind(value("apiVersion"), value("kind"))
}

// schemaAt returns the schema of the value at some keys, those of items among them; nil if it is
// unknown.
func schemaAt(k *crdschema.Kind, keys []string) *crdschema.Schema {
	if k == nil {
		return nil
	}
	s := k.Root
	for _, key := range keys {
		s = itemOf(k, s)
		next := cmp.Or(s.Properties[key], s.Further())
		if next == nil {
			return nil
		}
		s = k.Target(next)
	}
	return s
}

// itemOf returns the schema of the items of a list, or the schema itself.
func itemOf(k *crdschema.Kind, s *crdschema.Schema) *crdschema.Schema {
	const deepest = 10
	for range deepest {
		if s != nil && s.Items != nil {
			s = k.Target(s.Items)
		}
	}
	return cmp.Or(s, &crdschema.Schema{})
}

// described describes a field by its schema.
func described(s *crdschema.Schema) string {
	if s == nil {
		return ""
	}
	var lines []string
	if about := strings.TrimSpace(s.Description); about != "" {
		lines = append(lines, about)
	}
	if s.Type != "" {
		lines = append(lines, "schema: type "+s.Type)
	}
	if len(s.Enum) > 0 {
		text, _ := json.Marshal(s.Enum)
		lines = append(lines, "one of `"+string(text)+"`")
	}
	if s.Default != nil {
		text, _ := json.Marshal(s.Default)
		lines = append(lines, "schema default: `"+string(text)+"`")
	}
	return strings.Join(lines, "\n\n")
}
