package template

import (
	"bytes"
	"regexp"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/refconfig"
)

// Content is a key of a template's literal text, or an item of a list there, with what stands below
// it in any branch of conditions.
type Content struct {
	Parent   *Content // nil for the root
	Children []*Content
	Key      string // of a map, with Printed in it for what an action prints
	Item     bool   // it is an item of a list
	At       int    // offset of the key
	ValueAt  int    // offset of the value
	// what stands behind the key on its line, without blanks around it; Printed for what an action
	// prints
	Value  string
	Block  bool // lines of text follow
	End    int  // offset behind these
	Open   bool // an action prints something in it that may be further keys or items
	Branch *parse.ListNode
	indent int
	keys   map[string]*Content // the last child of each key
	folded map[string]*Content // the first of each key in small letters
}

// Contents are what the literal text of a template says, line by line. Reading it is no parsing of
// YAML: what is not understood makes it broken, so that nobody concludes anything from what it does
// not have.
type Contents struct {
	Outline
	Root   *Content
	Broken bool
}

// Contents reads the literal text of the template.
func (t *Template) Contents() *Contents {
	o := &Contents{Root: &Content{indent: -1}}
	if t.Literal {
		o.Broken = true
		return o
	}
	o.Outline = t.Outline()
	text := []byte(FirstDocument(string(o.Text)))
	r := &contentReader{Contents: o, top: o.Root, keys: regexp.MustCompile(
		`^("[^"\\]*"|'[^']*'|[^\s"'{}\[\],&*!|>%@\x60#-].*?|-[^\s].*?) *:(?: +|$)`)}
	for at := 0; at < len(text) && r.depth < deepest; {
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		r.line(string(line), at)
		at += len(line) + 1
	}
	o.Broken = o.Broken || r.depth >= deepest
	o.Branch = nil // it is large, and each node has its own
	return o
}

// contentReader is the reading of an outline.
type contentReader struct {
	*Contents
	top   *Content // the innermost one at the line
	block *Content // the key whose lines of text are at hand, or nil
	depth int      // of the innermost one
	keys  *regexp.Regexp
}

// deepest is how many nodes lie in each other at most: what is deeper is not looked at.
const deepest = 200

// line reads one line, which begins at an offset.
func (r *contentReader) line(line string, at int) {
	signs := strings.NewReplacer(string(Acted), " ")
	line = strings.TrimRight(signs.Replace(line), " \t\r")
	body := strings.TrimLeft(line, " ")
	indent := len(line) - len(body)
	inBlock := r.block != nil && indent > r.block.indent
	if inBlock && body != "" {
		r.block.End = at + len(line)
	}
	switch {
	case body == "", body[0] == '#' || strings.HasPrefix(body, "---"):
		return
	case strings.Trim(body, string(Printed)+" \t") == "":
		r.openAll()
		return
	case inBlock:
		return
	}
	r.block = nil
	if body[0] == '\t' || strings.ContainsRune("{[&*!?%@`|>", rune(body[0])) {
		r.openAll()
		r.Broken = true
		return
	}
	for r.depth < deepest && (strings.HasPrefix(body, "- ") || body == "-") {
		r.pop(func(top *Content) bool { return top.indent > indent || top.indent == indent && top.Item })
		r.push(&Content{Item: true, At: at + indent, indent: indent})
		rest := strings.TrimLeft(body[1:], " ")
		indent += len(body) - len(rest)
		if body = rest; body == "" || body == string(Printed) {
			r.top.Value, r.top.Open = body, body != ""
			return
		}
	}
	r.keyed(body, at+indent, indent)
}

// keyed reads what stands on a line behind its indentation and the dashes of items.
func (r *contentReader) keyed(body string, at, indent int) {
	m := r.keys.FindStringSubmatch(body)
	if m == nil || strings.Trim(m[1], string(Printed)+" ") == "" && m[1] != string(Printed) {
		if r.top.Item && r.top.Value == "" && len(r.top.Children) == 0 {
			r.top.Value, r.top.ValueAt = body, at
		} else {
			r.Broken = true
			r.openAll()
		}
		return
	}
	r.pop(func(top *Content) bool { return top.indent >= indent })
	key := m[1]
	if key[0] == '"' || key[0] == '\'' {
		key = key[1 : len(key)-1]
	}
	n := &Content{Key: key, At: at, Value: uncommented(body[len(m[0]):]), ValueAt: at + len(m[0]), indent: indent}
	r.push(n)
	switch {
	case n.IsPrinted():
		r.openAll()
		r.Broken = true
	case key == "<<" || strings.HasPrefix(n.Value, "&") || strings.HasPrefix(n.Value, "*"):
		r.openAll()
		r.Broken = true
	case strings.HasPrefix(n.Value, "|"), strings.HasPrefix(n.Value, ">"):
		n.Block, n.End, r.block = true, n.ValueAt, n
	case strings.ContainsRune("{[", firstOf(n.Value)):
		n.Open = n.Value != "{}" && n.Value != "[]"
		r.Broken = r.Broken ||
			n.Open &&
				strings.Count(
					n.Value, "{",
				)+strings.Count(n.Value, "[") != strings.Count(n.Value, "}")+strings.Count(n.Value, "]")
	case (firstOf(n.Value) == '"' || firstOf(n.Value) == '\'') && (len(n.Value) < 2 ||
		n.Value[len(n.Value)-1] != n.Value[0]):
		r.openAll() // it goes on in the next line
		r.Broken = true
	case strings.ContainsRune(n.Value, Printed):
		n.Open = true // it may print more lines
	}
}

// pop leaves the nodes that end before a line.
func (r *contentReader) pop(ended func(*Content) bool) {
	for r.top != r.Root && ended(r.top) {
		r.top = r.top.Parent
		r.depth--
	}
}

// push enters a node.
func (r *contentReader) push(n *Content) {
	n.Parent, n.Branch = r.top, r.Branch[n.At]
	r.top.Children = append(r.top.Children, n)
	if !n.Item {
		r.top.index(n)
	}
	r.top = n
	r.depth++
}

// openAll notes that something is printed of which it is not known how far it is indented.
func (r *contentReader) openAll() {
	for n := r.top; n != nil; n = n.Parent {
		n.Open = true
	}
}

// uncommented is a value without the comment behind it.
func uncommented(value string) string {
	if firstOf(value) != '"' && firstOf(value) != '\'' {
		value, _, _ = strings.Cut(" "+value, " #")
	}
	return strings.TrimSpace(value)
}

func firstOf(text string) rune {
	for _, c := range text {
		return c
	}
	return 0
}

// Child returns the last child of a key, or nil.
func (n *Content) Child(key string) *Content { return n.keys[key] }

// ChildLike returns the first child of a key, in whatever letter case that is, or nil.
func (n *Content) ChildLike(key string) *Content { return n.folded[strings.ToLower(key)] }

func (n *Content) index(child *Content) {
	if n.keys == nil {
		n.keys, n.folded = map[string]*Content{}, map[string]*Content{}
	}
	n.keys[child.Key] = child
	if folded := strings.ToLower(child.Key); n.folded[folded] == nil {
		n.folded[folded] = child
	}
}

// Path leads from the root to a node.
func (n *Content) Path() refconfig.FieldPath {
	if n.Parent == nil {
		return nil
	}
	step := refconfig.Key(n.Key)
	if n.Item {
		step = refconfig.Step{Any: true, Index: -1}
	}
	return append(n.Parent.Path(), step)
}

// Each calls visit for a node and all below it.
func (n *Content) Each(visit func(*Content)) {
	visit(n)
	for _, c := range n.Children {
		c.Each(visit)
	}
}

// IsPrinted reports whether an action prints the key, or a part of it.
func (n *Content) IsPrinted() bool { return strings.ContainsRune(n.Key, Printed) }

// Literal reports whether the value is nothing but text of the template.
func (o *Contents) Literal(n *Content) bool {
	line, _, _ := bytes.Cut(o.Text[n.At:], []byte("\n"))
	return bytes.IndexByte(line, Printed) < 0 && bytes.IndexByte(line, Acted) < 0
}

// IsList reports whether a list stands below a key.
func (n *Content) IsList() bool { return len(n.Children) > 0 && n.Children[0].Item }
