package lint

import (
	"bytes"
	"regexp"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/refconfig"
)

// node is a key of a template's literal text, or an item of a list there, with what stands below it in any branch of conditions.
type node struct {
	parent   *node
	children []*node
	key      string // of a map
	item     bool   // it is an item of a list
	at       int    // offset of the key
	valueAt  int    // offset of the value
	value    string // what stands behind the key on its line, without blanks around it; template.Printed for what an action prints
	block    bool   // lines of text follow
	open     bool   // an action prints something in it that may be further keys or items
	branch   *parse.ListNode
	indent   int
}

// outline is what the literal text of a template says, line by line. It is no parser of YAML: what it does not understand makes it broken,
// so that nobody concludes anything from what it does not have.
type outline struct {
	template.Outline
	root   *node
	broken bool
}

// newOutline reads the literal text of a template.
func newOutline(t *render.Template) *outline {
	o := &outline{root: &node{indent: -1}}
	if t.Literal {
		o.broken = true
		return o
	}
	o.Outline = t.Outline()
	text := []byte(template.FirstDocument(string(o.Text)))
	r := &outlineReader{outline: o, top: o.root, block: -1, keys: regexp.MustCompile(
		`^("[^"\\\x01]*"|'[^'\x01]*'|[^\s"'{}\[\],&*!|>%@\x60\x01#-][^\x01]*?|-[^\s\x01][^\x01]*?) *:(?: +|$)`)}
	for at := 0; at < len(text) && r.depth < deepest; {
		line, _, _ := bytes.Cut(text[at:], []byte("\n"))
		r.line(string(line), at)
		at += len(line) + 1
	}
	o.broken = o.broken || r.depth >= deepest
	o.Branch = nil // it is large, and each node has its own
	return o
}

// outlineReader is the reading of an outline.
type outlineReader struct {
	*outline
	top   *node // the innermost one at the line
	block int   // indentation of the key whose lines of text are at hand, -1 for none
	depth int   // of the innermost one
	keys  *regexp.Regexp
}

// deepest is how many nodes lie in each other at most: what is deeper is not looked at.
const deepest = 200

// line reads one line, which begins at an offset.
func (r *outlineReader) line(line string, at int) {
	signs := strings.NewReplacer(string(template.Acted), " ")
	line = strings.TrimRight(signs.Replace(line), " \t\r")
	body := strings.TrimLeft(line, " ")
	indent := len(line) - len(body)
	switch {
	case body == "", body[0] == '#' || strings.HasPrefix(body, "---"):
		return
	case strings.Trim(body, string(template.Printed)+" \t") == "":
		r.openAll()
		return
	case r.block >= 0 && indent > r.block:
		return
	}
	r.block = -1
	if body[0] == template.Printed || body[0] == '\t' || strings.ContainsRune("{[&*!?%@`|>", rune(body[0])) {
		r.openAll()
		r.broken = true
		return
	}
	for r.depth < deepest && (strings.HasPrefix(body, "- ") || body == "-") {
		r.pop(func(top *node) bool { return top.indent > indent || top.indent == indent && top.item })
		r.push(&node{item: true, at: at + indent, indent: indent})
		rest := strings.TrimLeft(body[1:], " ")
		indent += len(body) - len(rest)
		if body = rest; body == "" || body == string(template.Printed) {
			r.top.value, r.top.open = body, body != ""
			return
		}
	}
	r.keyed(body, at+indent, indent)
}

// keyed reads what stands on a line behind its indentation and the dashes of items.
func (r *outlineReader) keyed(body string, at, indent int) {
	m := r.keys.FindStringSubmatch(body)
	if m == nil {
		if r.top.item && r.top.value == "" && len(r.top.children) == 0 {
			r.top.value, r.top.valueAt = body, at
		} else {
			r.broken = true
			r.openAll()
		}
		return
	}
	r.pop(func(top *node) bool { return top.indent >= indent })
	key := m[1]
	if key[0] == '"' || key[0] == '\'' {
		key = key[1 : len(key)-1]
	}
	n := &node{key: key, at: at, value: uncommented(body[len(m[0]):]), valueAt: at + len(m[0]), indent: indent}
	r.push(n)
	switch {
	case key == "<<" || strings.HasPrefix(n.value, "&") || strings.HasPrefix(n.value, "*"):
		r.openAll()
		r.broken = true
	case strings.HasPrefix(n.value, "|"), strings.HasPrefix(n.value, ">"):
		n.block, r.block = true, indent
	case strings.ContainsRune("{[", firstOf(n.value)):
		n.open = n.value != "{}" && n.value != "[]"
		r.broken = r.broken || n.open && strings.Count(n.value, "{")+strings.Count(n.value, "[") != strings.Count(n.value, "}")+strings.Count(n.value, "]")
	case (firstOf(n.value) == '"' || firstOf(n.value) == '\'') && (len(n.value) < 2 || n.value[len(n.value)-1] != n.value[0]):
		r.openAll() // it goes on in the next line
		r.broken = true
	case strings.ContainsRune(n.value, template.Printed):
		n.open = true // it may print more lines
	}
}

// pop leaves the nodes that end before a line.
func (r *outlineReader) pop(ended func(*node) bool) {
	for r.top != r.root && ended(r.top) {
		r.top = r.top.parent
		r.depth--
	}
}

// push enters a node.
func (r *outlineReader) push(n *node) {
	n.parent, n.branch = r.top, r.Branch[n.at]
	r.top.children = append(r.top.children, n)
	r.top = n
	r.depth++
}

// openAll notes that something is printed of which it is not known how far it is indented.
func (r *outlineReader) openAll() {
	for n := r.top; n != nil; n = n.parent {
		n.open = true
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

// child returns the last child of a key, or nil.
func (n *node) child(key string) *node {
	var found *node
	for _, c := range n.children {
		if !c.item && c.key == key {
			found = c
		}
	}
	return found
}

// path leads from the root to a node.
func (n *node) path() refconfig.FieldPath {
	if n.parent == nil {
		return nil
	}
	step := refconfig.Step{Key: n.key, Index: -1}
	if n.item {
		step = refconfig.Step{Any: true, Index: -1}
	}
	return append(n.parent.path(), step)
}

// each calls visit for a node and all below it.
func (n *node) each(visit func(*node)) {
	visit(n)
	for _, c := range n.children {
		c.each(visit)
	}
}

// literal reports whether the value is nothing but text of the template.
func (o *outline) literal(n *node) bool {
	line, _, _ := bytes.Cut(o.Text[n.at:], []byte("\n"))
	return bytes.IndexByte(line, template.Printed) < 0 && bytes.IndexByte(line, template.Acted) < 0
}
