package lsp

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/schema"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// cursor is a place in a text of a reference.
type cursor struct {
	file   string
	text   string
	number int // of the line
	line   string
	at     int // the byte of the line
}

// cursor returns the place of a position; false if the text cannot be read.
func (s *server) cursor(file string, p position) (cursor, bool) {
	text, err := fs.ReadFile(s.files(path.Dir(file)), path.Base(file))
	p.Line = max(p.Line, 0)
	c := cursor{file: file, text: string(text), number: p.Line, line: lineOf(string(text), p.Line)}
	c.at = offset(c.line, p.Character)
	return c, err == nil
}

// isMetadata reports whether the text is the metadata of a reference.
func (c cursor) isMetadata() bool {
	return strings.HasPrefix(path.Base(c.file), "metadata.y")
}

// inAction reports whether the cursor is inside of an action of a template, as far as it is written.
func (c cursor) inAction() bool {
	lines := strings.SplitAfter(c.text, "\n")
	before := strings.Join(lines[:min(c.number, len(lines))], "") + c.line[:c.at]
	return strings.LastIndex(before, "{{") > strings.LastIndex(before, "}}")
}

// word returns the bytes of the name around the cursor. It may begin with the characters in
// before, and have them inside up to the cursor; after the cursor it may have those in after.
func (c cursor) word(before, after string) (from, to int) {
	isPart := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	rest := c.line[c.at:]
	isBefore := func(r rune) bool { return isPart(r) || strings.ContainsRune(before, r) }
	isAfter := func(r rune) bool { return isPart(r) || strings.ContainsRune(after, r) }
	from = len(strings.TrimRightFunc(c.line[:c.at], isBefore))
	return from, len(c.line) - len(strings.TrimLeftFunc(rest, isAfter))
}

// hover explains the word at a position, nil for none.
func (s *server) hover(file string, p position) *hover {
	c, ok := s.cursor(file, p)
	if !ok {
		return nil
	}
	from, to := c.word(".", "")
	about := ""
	switch name := c.line[from:to]; {
	case c.isMetadata():
		about, from, to = c.key()
	case !c.inAction():
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "$."):
		if about = s.field(c, strings.TrimLeft(name, "$.")); about == "" { // a map above a field
			from, to = c.word(".", ".")
			about = s.field(c, strings.TrimLeft(c.line[from:to], "$."))
		}
	default:
		if from == 0 || c.line[from-1] != '$' { // no variable
			about = aboutFunction(name)
		}
	}
	if about == "" {
		return nil
	}
	return &hover{markup{"markdown", about}, span(c.number, c.line, from, to)}
}

// aboutFunction explains a function of templates.
func aboutFunction(name string) string {
	for _, d := range function.Docs() {
		switch {
		case d.Name != name:
		case d.Example != "":
			return fmt.Sprintf("```\n%s\n```\n%s\n\nExample:\n```\n%s\n```\n`%s`", d.Signature, d.Does, d.Example, d.Output)
		default:
			return fmt.Sprintf("```\n%s\n```\n%s\n\nA function of [%s](%s).", d.Signature, d.Does, d.Of.Name, d.Of.URL)
		}
	}
	return ""
}

// field explains a field of the CR that the template reads at the cursor.
func (s *server) field(c cursor, name string) string {
	folder := s.folder(c.file)
	if folder == "" {
		return ""
	}
	ref, _ := s.opt.Load(s.ctx, s.files(folder), folder)
	engine, _ := render.Compile(s.ctx, ref)
	for _, t := range engine.Templates() {
		if t.Ref.File != c.file {
			continue
		}
		for _, f := range probe.Execute(s.ctx, t.Template).Fields {
			here := slices.ContainsFunc(f.Uses, func(u probe.Use) bool {
				return u.Place().File == c.file && u.Place().Line == c.number+1
			})
			if here && (f.Path == name || strings.HasSuffix(f.Path, "."+name)) {
				return aboutField(f)
			}
		}
	}
	return ""
}

func aboutField(f probe.Field) string {
	lines := []string{fmt.Sprintf("`%s` of the CR is %s", f.Path, f.Need)}
	for _, w := range f.When {
		lines = append(lines, "where `"+w+"`")
	}
	if f.Type != "" {
		lines = append(lines, "type: "+f.Type)
	}
	if f.Default != nil {
		value, _ := json.Marshal(*f.Default)
		lines = append(lines, "default: `"+string(value)+"`")
	}
	for _, one := range f.Constraints {
		lines = append(lines, inspect.Words(one))
	}
	return strings.Join(lines, "\n\n")
}

// key explains the key of the metadata at the cursor.
func (c cursor) key() (about string, from, to int) {
	keys := regexp.MustCompile(`^[ -]*["']?([\w./-]+)["']?\s*:`)
	var names []string
	lines := strings.Split(c.text, "\n")
	lines = lines[:min(c.number+1, len(lines))]
	inside := len(c.line) + 1 // keys further left are around the cursor
	for i, line := range slices.Backward(lines) {
		m := keys.FindStringSubmatchIndex(line)
		if m == nil || m[2] >= inside {
			continue
		}
		if i == c.number {
			if from, to = m[2], m[3]; c.at < from || c.at > to {
				return "", 0, 0
			}
		}
		inside = m[2]
		names = append(names, line[m[2]:m[3]])
	}
	if to == 0 {
		return "", 0, 0
	}
	slices.Reverse(names)
	return described(names), from, to
}

// described returns the description of a key in the schema of the metadata.
func described(names []string) string {
	text, _ := schema.Text("metadata")
	var root map[string]any
	_ = json.Unmarshal(text, &root) // its tests hold it valid
	at := expand(root, root)
	for _, name := range names {
		var below []map[string]any
		for _, one := range at {
			properties, _ := one["properties"].(map[string]any)
			next, ok := properties[name].(map[string]any)
			if !ok {
				next, ok = one["additionalProperties"].(map[string]any)
			}
			if ok {
				below = append(below, expand(root, next)...)
			}
		}
		at = below
	}
	for _, one := range at {
		if about, ok := one["description"].(string); ok {
			if values, ok := one["enum"].([]any); ok {
				about += fmt.Sprintf("\n\nOne of %v", values)
			}
			return about
		}
	}
	return ""
}

// expand returns a schema, the schemas that it references, and those of its list items.
func expand(root, one map[string]any) []map[string]any {
	all := []map[string]any{one}
	if ref, ok := one["$ref"].(string); ok {
		definitions, _ := root["definitions"].(map[string]any)
		if to, ok := definitions[path.Base(ref)].(map[string]any); ok {
			all = append(all, expand(root, to)...)
		}
	}
	for _, word := range []string{"then", "else", "items"} {
		if next, ok := one[word].(map[string]any); ok {
			all = append(all, expand(root, next)...)
		}
	}
	return all
}

// complete returns the possible words at a position.
func (s *server) complete(file string, p position) []item {
	c, ok := s.cursor(file, p)
	if !ok {
		return []item{}
	}
	before := c.line[:c.at]
	items := []item{}
	add := func(kind itemKind, from int, label, detail string) {
		if !strings.HasPrefix(label, before[from:]) {
			return
		}
		edit := textEdit{span(c.number, c.line, from, c.at), label}
		items = append(items, item{Label: label, Kind: kind, Detail: detail, TextEdit: edit})
	}
	find := func(expression string) (from int, found bool) {
		m := regexp.MustCompile(expression).FindStringSubmatchIndex(before)
		if m == nil {
			return 0, false
		}
		return m[2], true
	}
	if from, ok := find(`#.*lint:ignore\s+(\w*)$`); ok {
		for _, e := range code.All() {
			if strings.HasPrefix(string(e.Code), "VT2") { // of references
				add(constantItem, from, string(e.Code), e.Title)
			}
		}
		return items
	}
	if c.isMetadata() {
		from, ok := find(`\bpath:\s*["']?([^"'\s]*)$`)
		suffixes := []string{".yaml", ".yml"}
		if !ok {
			from, ok = find(`^\s*-\s+["']?([^"':\s]*)$`)
			suffixes = []string{".tmpl"}
		}
		if ok {
			for _, name := range s.names(file, suffixes) {
				add(fileItem, from, name, "")
			}
		}
		return items
	}
	if !c.inAction() {
		return items
	}
	if from, ok := find(`\b(?:violation|note)\s+"([^"]*)$`); ok {
		folder := s.folder(file)
		ref, _ := s.opt.Load(s.ctx, s.files(folder), folder)
		for _, own := range ref.Codes {
			add(constantItem, from, string(own.Code), own.Title)
		}
		return items
	}
	from := c.at - len(regexp.MustCompile(`\w*$`).FindString(before))
	if quotes := strings.Count(before[strings.LastIndex(before, "{{")+1:], `"`); quotes%2 == 1 ||
		from > 0 && strings.ContainsRune(".$", rune(before[from-1])) {
		return items // in a text, a field or a variable
	}
	for _, d := range function.Docs() {
		add(functionItem, from, d.Name, d.Does)
	}
	return items
}

// names returns the files below the folder of the metadata that end in one of some suffixes.
func (s *server) names(metadata string, suffixes []string) (all []string) {
	const most = 10_000 // files that are looked at
	seen := 0
	_ = fs.WalkDir(s.files(path.Dir(metadata)), ".", func(name string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case err != nil || seen > most || s.ctx.Err() != nil:
			return fs.SkipAll
		case d.IsDir() && (name == refconfig.FixturesFolder || name != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case !d.IsDir() && name != path.Base(metadata) && slices.Contains(suffixes, path.Ext(name)):
			all = append(all, name)
		}
		return nil
	})
	return all
}
