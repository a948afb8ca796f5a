package template

import (
	"bytes"
	"regexp"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/refconfig"
)

// Content is a key of the template's literal text, or an item of a list in it. Its children are the
// keys and items nested in it, in any branch of a condition.
type Content struct {
	Parent   *Content // nil for the root
	Children []*Content
	Key      string // map key; Printed marks the output of an action
	Item     bool   // is a list item
	At       int    // offset of the key
	ValueAt  int    // offset of the value
	// rest of the key's line, without blanks around it; Printed marks the output of an action
	Value  string
	Block  bool // is a block scalar: lines of text follow
	End    int  // offset after these lines
	Open   bool // an action in it may print further keys or items
	Branch *parse.ListNode
	indent int
	keys   map[string]*Content // last child of each key
	folded map[string]*Content // first child of each key in lower case
}

// Contents is the YAML structure of a template's literal text, read line by line. It is no YAML
// parser: text that it does not understand sets Broken, and then a missing key proves nothing.
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
	o.Branch = nil // large, and each node has its own
	return o
}

// contentReader is the state while an outline is read.
type contentReader struct {
	*Contents
	top   *Content // innermost node at the current line
	block *Content // key of the block scalar at the current line, or nil
	depth int      // number of nodes around the current line
	keys  *regexp.Regexp
}

// deepest is the largest nesting of nodes that is read.
const deepest = 200

// line reads the line that starts at an offset.
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

// keyed reads a line from after its indentation and item dashes.
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
		r.openAll() // continues in the next line
		r.Broken = true
	case strings.ContainsRune(n.Value, Printed):
		n.Open = true // may print more lines
	}
}

// pop leaves the nodes that end before the current line.
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

// openAll marks all open nodes because an action prints text of unknown indentation.
func (r *contentReader) openAll() {
	for n := r.top; n != nil; n = n.Parent {
		n.Open = true
	}
}

// uncommented removes the comment after a value.
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

// Child returns the last child with a key, or nil.
func (n *Content) Child(key string) *Content { return n.keys[key] }

// ChildLike returns the first child with a key, ignoring case, or nil.
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

// Path returns the path from the root to the node.
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

// Each calls visit for the node and all nodes below it.
func (n *Content) Each(visit func(*Content)) {
	visit(n)
	for _, c := range n.Children {
		c.Each(visit)
	}
}

// IsPrinted reports whether an action prints the key or a part of it.
func (n *Content) IsPrinted() bool { return strings.ContainsRune(n.Key, Printed) }

// Literal reports whether the line of a node has no output of actions.
func (o *Contents) Literal(n *Content) bool {
	line, _, _ := bytes.Cut(o.Text[n.At:], []byte("\n"))
	return bytes.IndexByte(line, Printed) < 0 && bytes.IndexByte(line, Acted) < 0
}

// IsList reports whether the value of the node is a list.
func (n *Content) IsList() bool { return len(n.Children) > 0 && n.Children[0].Item }
