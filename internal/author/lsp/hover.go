package lsp

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/author/inspect"
	"github.com/validationtool/validationtool/internal/run/slice"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// hover explains the word at a position, nil for none.
func (q *query) hover(file string) *hover {
	t := q.server.text(q.open, file)
	offset := t.offset(q.Position)
	about, from, to := "", 0, 0
	if c := q.cursor(file); c != nil {
		if c.at != nil {
			about, from, to = c.aboutName(), c.at.from, c.at.to
		}
		if about == "" {
			about, from, to = c.aboutField()
		}
	}
	if about == "" {
		about, from, to = q.aboutWord(t, file, offset)
	}
	if about == "" {
		return nil
	}
	return &hover{markup{"markdown", about}, t.span(from, to)}
}

// aboutWord explains what needs no reference: the key of the metadata, the key of a CR, or the function
// around an offset.
func (s *server) aboutWord(t *text, file string, offset int) (about string, from, to int) {
	a, i, inAction := actionAt(t.string, offset)
	place := yamlAt(t, offset)
	from, to = place.start+place.line.from, place.start+place.line.to
	onKey := !inAction && place.line.key != "" && from <= offset && offset <= to
	switch {
	case onKey && refconfig.IsMetadataName(file):
		return metadataSchemas(t.string, place.keys()).description(), from, to
	case onKey:
		return described(schemaAt(s.kindIn(documentAt(t.string, offset)), place.keys())), from, to
	case !inAction || i == len(a.tokens):
		return "", 0, 0
	}
	one := a.tokens[i]
	if one.kind != nameToken || offset < one.from {
		return "", 0, 0
	}
	return aboutFunction(one.text), one.from, one.to
}

// aboutFunction explains a function of templates.
func aboutFunction(name string) string {
	for _, d := range function.Docs() {
		switch {
		case d.Name != name:
		case d.Example != "":
			return fmt.Sprintf("```\n%s\n```\n%s\n\nExample:\n```\n%s\n```\n`%s`",
				d.Signature, d.Does, d.Example, d.Output)
		default:
			return fmt.Sprintf("```\n%s\n```\n%s\n\nA function of [%s](%s).", d.Signature, d.Does, d.Of.Name, d.Of.URL)
		}
	}
	return ""
}

// aboutName explains the name at the cursor.
func (c *cursor) aboutName() string {
	switch c.at.kind {
	case codeName:
		for _, own := range c.ref.Codes {
			if own.Code == c.at.name {
				lines := slice.Without([]string{own.Title, own.Cause, own.Triage}, func(s string) bool { return s == "" })
				return strings.Join(lines, "\n\n")
			}
		}
	case templateName:
		engine, _ := render.Compile(c.ctx, c.ref)
		for _, t := range slices.Concat(engine.Templates(), engine.Partial()) {
			if d := t.Find(c.at.name); d != nil && (c.at.scope == "" || d.File.Name == c.at.scope) {
				at := fmt.Sprintf("defined in %s, line %d", strings.TrimPrefix(d.Place().File, below(c.folder)), d.Place().Line)
				return strings.TrimSpace(d.Comment() + "\n\n" + at)
			}
		}
	case listName:
		return c.aboutList()
	case fileName:
		for _, t := range c.ref.Templates {
			if path.Clean(t.Path) == c.at.name && t.Description != "" {
				return t.Description
			}
		}
	}
	return ""
}

// aboutList lists the fields of the list at the cursor.
func (c *cursor) aboutList() string {
	lines := []string{"Omits:"}
	if c.at.name == refconfig.BuiltInOmitList {
		for _, e := range refconfig.BuiltInOmit() {
			lines = append(lines, "- `"+e.String()+"`")
		}
		return strings.Join(lines, "\n")
	}
	_, omit := c.yaml(c.ref.Metadata).Field("fieldsToOmit")
	_, items := omit.Field("items")
	for _, entry := range elements(items, c.at.name) {
		_, field := entry.Field("pathToKey")
		_, prefix := entry.Field("isPrefix")
		_, include := entry.Field("include")
		switch {
		case include != nil:
			lines = append(lines, "- those of "+include.Text)
		case field != nil && prefix != nil && prefix.Text == "true":
			lines = append(lines, "- `"+field.Text+"*`")
		case field != nil:
			lines = append(lines, "- `"+field.Text+"`")
		}
	}
	if len(lines) == 1 {
		return ""
	}
	return strings.Join(lines, "\n")
}

// aboutField explains the field of the CR that the template reads at the cursor.
func (c *cursor) aboutField() (about string, from, to int) {
	a, i, inAction := actionAt(c.text.string, c.offset)
	if !inAction || i == len(a.tokens) || a.tokens[i].kind != fieldToken || a.tokens[i].from > c.offset {
		return "", 0, 0
	}
	one := a.tokens[i]
	_, whole, _ := strings.Cut(one.text, ".")
	for _, end := range []int{endOfStep(one, c.offset), one.to} { // a map above a field may not be read itself
		name := one.text[:end-one.from]
		_, name, _ = strings.Cut(name, ".")
		if about = c.field(name, whole); about != "" {
			return about, one.from, end
		}
	}
	return "", 0, 0
}

// endOfStep returns the offset at which the step of a field ends that an offset is in.
func endOfStep(t token, offset int) int {
	rest := t.text[max(offset-t.from, 1):]
	if dot := strings.IndexByte(rest, '.'); dot >= 0 {
		return t.to - len(rest) + dot
	}
	return t.to
}

// field explains a field that a template reads in the line of the cursor, with the description in the
// schema of its kind.
func (c *cursor) field(name, whole string) string {
	engine, _ := render.Compile(c.ctx, c.ref)
	row := c.text.rowOf(c.offset)
	about := ""
	var prober probe.Prober
	for _, t := range slices.Concat(engine.Templates(), engine.Partial()) {
		if t.Ref.File != c.file && !c.isOfFunctions(c.file) || c.ctx.Err() != nil {
			continue
		}
		for _, f := range prober.Execute(c.ctx, t.Template).Fields {
			isHere := slices.ContainsFunc(f.Uses, func(u probe.Use) bool {
				return u.Place().File == c.file && u.Place().Line == row
			})
			isIt := name != "" && isHere && (f.Path == name || strings.HasSuffix(f.Path, "."+name))
			isAbove := isHere && strings.HasSuffix("."+f.Path, "."+whole)
			if !isIt && !isAbove {
				continue
			}
			fieldPath := strings.TrimSuffix(f.Path, strings.TrimPrefix(whole, name))
			schema := ""
			if k := c.kindIn(string(t.Ref.Source)); k != nil {
				if parsed, err := refconfig.ParseFieldPath(fieldPath); err == nil {
					s, _ := k.At(parsed)
					if schema = described(s); s == nil || !isIt && s.Description == "" {
						schema = ""
					}
				}
			}
			if isIt {
				return strings.TrimSpace(aboutField(f) + "\n\n" + schema)
			}
			about = schema
		}
	}
	return about
}

func aboutField(f probe.Field) string {
	lines := []string{fmt.Sprintf("`%s` of the CR is %s", f.Path, f.Need)}
	if f.Description != "" {
		lines = append(lines, f.Description)
	}
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
