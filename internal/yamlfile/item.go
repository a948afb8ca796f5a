package yamlfile

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Parse returns the root of a text's first document, nil where it has none.
func Parse(text []byte) (*Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil || len(doc.Content) == 0 {
		return nil, err
	}
	return doc.Content[0], nil
}

// Document parses a text that is one YAML document. The actions of templates often parse, as maps that are keys of maps: these
// are an error too.
func Document(text []byte) (*Node, error) {
	var root *Node
	for n, err := range roots(text) {
		switch {
		case err != nil:
			return nil, err
		case root != nil:
			return nil, errors.New("it is not one document")
		case hasAction(n):
			return nil, errors.New("it holds template actions")
		}
		root = n
	}
	if root == nil {
		return nil, errors.New("it is empty")
	}
	return root, nil
}

// roots are those of a text's documents that have something in them, and at last the error at which they end, if there is one.
func roots(text []byte) iter.Seq2[*Node, error] {
	return func(yield func(*Node, error) bool) {
		decoder := yaml.NewDecoder(bytes.NewReader(text))
		for {
			var n yaml.Node
			switch err := decoder.Decode(&n); {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(nil, err)
				return
			case len(n.Content) > 0 && Kind(n.Content[0]) != "nothing" && !yield(n.Content[0], nil):
				return
			}
		}
	}
}

// hasAction reports whether a key below a node is a map or a list.
func hasAction(n *Node) bool {
	for i, below := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && len(Target(below).Content) > 0 || hasAction(below) {
			return true
		}
	}
	return false
}

// Item returns the text of a list's item: its lines, moved to the left, or, where it has aliases or stands in a line with others, a
// text of the same meaning.
func (r *Reader) Item(doc []byte, item *Node) ([]byte, bool) {
	if text, ok := cutItem(doc, item); ok {
		return text, true
	}
	whole, ok := r.withoutAliases(item)
	if !ok {
		return nil, false
	}
	text, err := yaml.Marshal(whole)
	return text, err == nil && means(text, whole)
}

// cutItem takes the lines of a list's item out of a text. False where these by themselves mean something else.
func cutItem(doc []byte, item *Node) ([]byte, bool) {
	rest, column := string(doc[lineStart(doc, item.Line):]), item.Column-1
	var text strings.Builder
	for line := range strings.Lines(rest) {
		first := text.Len() == 0
		switch {
		case first && (len(line) <= column || strings.Trim(line[:column], " -") != ""):
			return nil, false
		case !first && strings.TrimSpace(line) != "" && Indentation(line) < column:
			return []byte(text.String()), means([]byte(text.String()), item)
		case strings.TrimSpace(line) == "" && len(line) <= column:
			line = strings.Repeat(" ", column) + strings.TrimLeft(line, " ")
		}
		text.WriteString(line[column:])
	}
	if !strings.HasSuffix(text.String(), "\n") {
		text.WriteByte('\n')
	}
	return []byte(text.String()), means([]byte(text.String()), item)
}

// means reports whether a text is what a node is.
func means(text []byte, n *Node) bool {
	root, err := Document(text)
	return err == nil && same(root, n)
}

// same reports whether two nodes mean the same; never where there are aliases.
func same(a, b *Node) bool {
	tagged := a.ShortTag() == b.ShortTag() || a.Value == "<<" // a merge key that was built has no tag
	if a.Kind != b.Kind || a.Kind == yaml.AliasNode || !tagged || a.Value != b.Value {
		return false
	}
	return slices.EqualFunc(a.Content, b.Content, same)
}

// withoutAliases returns a copy of a node with what its aliases stand for in their place. False where that is too much.
func (r *Reader) withoutAliases(n *Node) (*Node, bool) {
	if !r.visit(n, 0) {
		return nil, false
	}
	c := *Target(n)
	c.Anchor = ""
	if c.ShortTag() == "!!merge" {
		c.Tag = ""
	}
	c.Content = make([]*Node, len(c.Content))
	for i, below := range Target(n).Content {
		copied, ok := r.withoutAliases(below)
		if !ok {
			return nil, false
		}
		c.Content[i] = copied
	}
	return &c, true
}
