package lsp

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/crdschema"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/function"
	"github.com/validationtool/validationtool/internal/template/probe"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// completion collects the words that complete a text before the cursor.
type completion struct {
	*query
	file   string
	text   *text
	offset int
	line   string // the line before the cursor
	from   int    // offset at which the word begins that is completed
	items  []item
	read   map[*render.Template][]probe.Field
}

// complete returns the possible words at a position.
func (q *query) complete(file string) []item {
	c := &completion{query: q, file: file, text: q.server.text(q.open, file), items: []item{}}
	c.read = map[*render.Template][]probe.Field{}
	c.offset = c.text.offset(q.Position)
	start, _ := c.text.lineOf(c.offset)
	c.line = c.text.string[start:c.offset]
	switch a, i, inAction := actionAt(c.text.string, c.offset); {
	case file == "":
	case c.begin(`#.*lint:ignore\s+(\w*)$`):
		for _, e := range code.All() {
			if strings.HasPrefix(e.Code, "VT2") { // of references
				c.add(constantItem, e.Code, e.Title, "")
			}
		}
	case inAction:
		c.inAction(a, i)
	case refconfig.IsMetadataName(file):
		c.inMetadata()
	default:
		c.inCR()
	}
	return c.items
}

// begin sets the beginning of the word, which is what the group of an expression matches in the line.
func (c *completion) begin(expression string) bool {
	m := regexp.MustCompile(expression).FindStringSubmatchIndex(c.line)
	if m == nil {
		return false
	}
	c.from = c.offset - len(c.line) + m[2]
	return true
}

// add adds a word if it begins with what is typed. The first of equal words counts.
func (c *completion) add(kind itemKind, label, detail, about string) {
	isKnown := func(i item) bool { return i.Label == label }
	if !strings.HasPrefix(label, c.text.string[c.from:c.offset]) || slices.ContainsFunc(c.items, isKnown) {
		return
	}
	one := item{Label: label, Kind: kind, Detail: detail, TextEdit: textEdit{c.text.span(c.from, c.offset), label}}
	if about != "" {
		one.Documentation = &markup{"markdown", about}
	}
	c.items = append(c.items, one)
}

// addKey adds a key, which a colon follows.
func (c *completion) addKey(key, detail, about string) {
	n := len(c.items)
	_, end := c.text.lineOf(c.offset)
	hasColon := strings.Contains(c.text.string[c.offset:end], ":")
	if c.add(propertyItem, key, detail, about); len(c.items) > n && !hasColon {
		c.items[n].TextEdit.NewText = key + ": "
	}
}

// names adds the names of a kind that the reference defines.
func (c *completion) names(kind nameKind, as itemKind) {
	p := c.project(c.file)
	if p == nil {
		return
	}
	titles := map[string]string{}
	for _, own := range p.ref.Codes {
		titles[own.Code] = own.Title
	}
	for _, n := range p.names(c.file) {
		isHere := n.file == c.file && c.offset >= n.from && c.offset <= n.to
		if n.kind == kind && n.defines && !isHere && (n.scope == "" || n.scope == c.file) {
			c.add(as, n.name, titles[n.name], "")
		}
	}
	if kind == listName {
		c.add(as, refconfig.BuiltInOmitList, "built in", "")
	}
}

// inMetadata completes the metadata: its keys, and values that are files, lists or known words.
func (c *completion) inMetadata() {
	place := yamlAt(c.text, c.offset)
	keys := place.above
	switch {
	case c.begin(`:\s+\[(?:[^\[\]]*,)?\s*["']?([^"'\s,\]]*)$`), c.begin(`:\s+["']?([^"'\s]*)$`):
		keys = place.keys()
	case c.begin(`^\s*-\s+["']?([^"':\s]*)$`):
		c.keys(keys, nil)
	case c.begin(`^\s*([\w-]*)$`):
		c.keys(keys, place.siblings)
		return
	default:
		return
	}
	last := ""
	if len(keys) > 0 {
		last = keys[len(keys)-1]
	}
	switch last {
	case "fieldsToOmitRefs", "defaultOmitRef", "include":
		c.names(listName, constantItem)
	case "path":
		c.files(".yaml", ".yml")
	case "templateFunctionFiles":
		c.files(".tmpl", ".yaml", ".yml")
	}
	for _, value := range metadataSchemas(c.text.string, keys).values() {
		c.add(valueItem, value, "", "")
	}
}

// keys adds the keys that the value at some keys of the metadata may have, without those that are there.
func (c *completion) keys(keys, there []string) {
	all := metadataSchemas(c.text.string, keys).properties()
	for _, key := range tree.Keys(all) {
		if !slices.Contains(there, key) {
			c.addKey(key, "", all[key])
		}
	}
}

// files adds the files below the folder of the metadata that end in one of some suffixes.
func (c *completion) files(suffixes ...string) {
	seen := 0
	_ = fs.WalkDir(c.server.files(c.open, path.Dir(c.file)), ".", func(name string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case err != nil || seen > mostFiles || c.ctx.Err() != nil:
			return fs.SkipAll
		case d.IsDir() && (name == refconfig.FixturesFolder || name != "." && strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case !d.IsDir() && !refconfig.IsMetadataName(name) && slices.Contains(suffixes, path.Ext(name)):
			c.add(fileItem, name, "", "")
		}
		return nil
	})
}

// inCR completes the keys of a CR and their values by the schema of its kind.
func (c *completion) inCR() {
	place, kind := yamlAt(c.text, c.offset), c.kindIn(documentAt(c.text.string, c.offset))
	if kind == nil {
		return
	}
	switch {
	case c.begin(`:\s+["']?([^"'\s]*)$`):
		if s := schemaAt(kind, place.keys()); s != nil {
			c.values(s)
		}
	case c.begin(`^\s*(?:-\s+)?(\w*)$`):
		if s := schemaAt(kind, place.above); s != nil {
			s = itemOf(kind, s)
			for _, key := range tree.Keys(s.Properties) {
				if below := kind.Target(s.Properties[key]); !slices.Contains(place.siblings, key) {
					c.addKey(key, below.Type, described(below))
				}
			}
		}
	}
}

// values adds the values that a schema names.
func (c *completion) values(s *crdschema.Schema) {
	for _, v := range s.Enum {
		if text, ok := v.(string); ok {
			c.add(valueItem, text, "", "")
		}
	}
	if s.Type == "boolean" {
		c.add(valueItem, "true", "", "")
		c.add(valueItem, "false", "", "")
	}
}

// inAction completes the token of an action with an index, or a new one in front of it.
func (c *completion) inAction(a action, i int) {
	var one token
	if c.from = c.offset; i < len(a.tokens) && a.tokens[i].from < c.offset {
		one = a.tokens[i]
	}
	switch {
	case one.kind == textToken && (c.offset < one.to || !one.closed):
		c.from = one.from + 1
		c.inText(a, i)
	case one.kind == fieldToken && !strings.Contains(one.text[:c.offset-one.from], "."):
		c.from = one.from
		c.variables()
	case one.kind == fieldToken:
		c.fields(a, one)
	case one.kind == nameToken || one.text == "":
		if one.text != "" {
			c.from = one.from
		}
		for _, d := range function.Docs() {
			c.add(functionItem, d.Name, d.Does, "")
		}
		for _, word := range []string{"if", "else", "end", "range", "with", "define", "template", "block", "break", "continue"} {
			c.add(keywordItem, word, "", "")
		}
	}
}

// inText completes a text in quotes: the name of a template, a code, or a value that a field is compared
// with.
func (c *completion) inText(a action, i int) {
	if i == 0 {
		return
	}
	switch kindOfArgument(a.tokens[i-1], a.tokens[:i-1]) {
	case templateName:
		c.names(templateName, moduleItem)
	case codeName:
		c.names(codeName, constantItem)
	case noName:
		if before := a.tokens[i-1]; before.kind == fieldToken && i > 1 &&
			slices.Contains([]string{"eq", "ne"}, a.tokens[i-2].text) {
			c.compared(a, before, i)
		}
	}
}

// compared adds the values that the schema allows for the field that a text is compared with.
func (c *completion) compared(a action, field token, i int) {
	text := c.text.string
	before, rest := text[:field.to]+"."+marker, text[field.to:a.to]
	if one := a.tokens[i]; !one.closed {
		rest = text[field.to:one.from] + `""`
	}
	for _, t := range c.marked(a, before, rest) {
		if s, _ := kindAt(t.kind, t.path); s != nil {
			c.values(s)
		}
	}
}

// variables adds the variables that the text before the cursor declares.
func (c *completion) variables() {
	c.add(variableItem, "$", "the CR", "")
	for _, a := range actions(c.text.string[:c.offset]) {
		for i, t := range a.tokens[:max(len(a.tokens)-1, 0)] {
			isDeclared := a.tokens[i+1].text == ":" || a.tokens[i+1].text == ","
			if t.kind == fieldToken && strings.HasPrefix(t.text, "$") && isDeclared {
				c.add(variableItem, t.text, "", "")
			}
		}
	}
}

// marker is a key that no CR has. A template is executed with it in place of the key that is typed, to
// see which field it is then: the dot may be any.
const marker = "zzTypedHere"

// markedTemplate is a template that reads the marker.
type markedTemplate struct {
	*render.Template
	path  refconfig.FieldPath // of the field above the marker
	kind  *crdschema.Kind     // nil if it is unknown
	every []*render.Template  // all templates of the reference
}

// marked returns the templates that read the marker, if the text up to the end of an action is another
// one: what comes before the end of the marker, and the rest of the action. What is not written yet is
// added: the end of the action, and that of the block that it begins.
func (c *completion) marked(a action, before, rest string) (all []markedTemplate) {
	if !a.closed {
		rest += "}}"
	}
	for _, end := range []string{"", "{{end}}"} {
		if all = c.reading(before + rest + end + c.text.string[a.to:]); all != nil {
			return all
		}
	}
	return nil
}

// reading returns the templates that read the marker, if the file has another text.
func (c *completion) reading(text string) (all []markedTemplate) {
	q := *c.query
	q.open = maps.Clone(c.open)
	d := q.open[c.file]
	d.text = text
	q.open[c.file] = d
	p := q.project(c.file)
	if p == nil {
		return nil
	}
	engine, _ := render.Compile(c.ctx, p.ref)
	every := slices.Concat(engine.Templates(), engine.Partial())
	for _, t := range every {
		if t.Ref.File != c.file && !p.isOfFunctions(c.file) {
			continue
		}
		for _, f := range c.fieldsOf(t) {
			above, isMarked := strings.CutSuffix("."+f.Path, "."+marker)
			if !isMarked {
				continue
			}
			path, err := refconfig.ParseFieldPath(above)
			if above == "" || err == nil {
				all = append(all, markedTemplate{t, path, c.kindIn(string(t.Ref.Source)), every})
			}
		}
	}
	return all
}

// fieldsOf returns the fields that a template reads.
func (c *completion) fieldsOf(t *render.Template) []probe.Field {
	if c.read[t] == nil && c.ctx.Err() == nil {
		c.read[t] = append([]probe.Field{}, probe.Execute(c.ctx, t.Template).Fields...)
	}
	return c.read[t]
}

// fields adds the keys below the field that is typed: those of the schema, those that the template prints
// there, and those that templates read.
func (c *completion) fields(a action, one token) {
	dot := strings.LastIndexByte(one.text[:c.offset-one.from], '.')
	c.from = one.from + dot + 1
	text := c.text.string
	known := c.marked(a, text[:c.from]+marker, text[one.to:a.to])
	for _, t := range known {
		if s, _ := kindAt(t.kind, t.path); s != nil {
			c.properties(t.kind, s)
		}
		c.printed(t)
		for _, other := range t.every {
			if other.Identity.Kind.String() != t.Identity.Kind.String() {
				continue
			}
			for _, f := range c.fieldsOf(other) {
				path, err := refconfig.ParseFieldPath(f.Path)
				if err == nil && len(path) > len(t.path) && path[:len(t.path)].String() == t.path.String() {
					c.addField(path[len(t.path)].Key, "read by "+other.Ref.Path)
				}
			}
		}
		c.sources(t)
	}
	if len(known) > 0 {
		return
	}
	c.textual(one.text[:dot+1], one.from)
}

// textual adds the keys below a field that begins at an offset, if the template cannot be executed: those
// of the schema and those that the text prints there if the field is one of the CR, and those that other
// actions read below the same words.
func (c *completion) textual(field string, from int) {
	all := c.text.string
	above, isOfCR := strings.CutPrefix(strings.TrimPrefix(field, "$"), ".")
	keys := strings.FieldsFunc(above, func(r rune) bool { return r == '.' })
	if kind := c.kindIn(documentAt(all, c.offset)); isOfCR && len(keys) > 0 {
		if s := schemaAt(kind, keys); s != nil {
			c.properties(kind, itemOf(kind, s))
		}
		for _, key := range keysBelow(c.text, keys) {
			c.addField(key, "printed here")
		}
	}
	for _, other := range actions(all) {
		for _, t := range other.tokens {
			if below, ok := strings.CutPrefix(t.text, field); ok && t.kind == fieldToken && t.from != from {
				key, _, _ := strings.Cut(below, ".")
				c.addField(key, "")
			}
		}
	}
}

// properties adds the fields that a schema has.
func (c *completion) properties(kind *crdschema.Kind, s *crdschema.Schema) {
	for _, key := range tree.Keys(s.Properties) {
		below := kind.Target(s.Properties[key])
		c.add(fieldItem, key, below.Type, described(below))
	}
}

// kindAt returns the schema at a path; nil if it is unknown.
func kindAt(k *crdschema.Kind, path refconfig.FieldPath) (*crdschema.Schema, *crdschema.Missed) {
	if k == nil {
		return nil, nil
	}
	return k.At(path)
}

// addField adds a key that can follow a dot.
func (c *completion) addField(key, detail string) {
	if key != marker && regexp.MustCompile(`^[A-Za-z_]\w*$`).MatchString(key) {
		c.add(fieldItem, key, detail, "")
	}
}

// sources adds the keys that source CRs of the template's kind have at the path of the marker.
func (c *completion) sources(t markedTemplate) {
	for _, cr := range c.opt.Sources {
		id := t.Identity
		if !id.APIVersion.Matches(tree.StringAt(cr, "apiVersion")) || !id.Kind.Matches(tree.StringAt(cr, "kind")) {
			continue
		}
		for _, path := range tree.Expand(cr, t.path) {
			value, _ := tree.At(cr, path)
			if m, isMap := value.(map[string]any); isMap {
				for _, key := range tree.Keys(m) {
					c.addField(key, "in a source CR")
				}
			}
		}
	}
}

// printed adds the keys that a template prints at the path of the marker.
func (c *completion) printed(t markedTemplate) {
	for _, p := range partsAt(c.ctx, t.Template, t.path) {
		for _, b := range p.Below {
			if !b.Item && !b.IsPrinted() {
				c.addField(b.Key, "printed here")
			}
		}
	}
}

// partsAt returns what a template prints at a path.
func partsAt(ctx context.Context, t *render.Template, path refconfig.FieldPath) []*probe.Part {
	root, _ := probe.Print(ctx, t.Template).Parts()
	at := []*probe.Part{root}
	for _, step := range path {
		var below []*probe.Part
		for _, p := range at {
			for _, b := range p.Below {
				if b.Is(step) {
					below = append(below, b)
				}
			}
		}
		at = below
	}
	return at
}
