package kubeyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// maxDirectives is how many directives a text may have. The library compares each with all before
// it, and no printer writes more than two.
const maxDirectives = 100

// Parse reads all documents of a YAML or JSON text; a document that is empty or null is a Scalar
// node with no text. The error is a *SyntaxError.
func Parse(text []byte) ([]*Node, error) { return Limits{}.Parse(text) }

// Parse is the function Parse with these limits.
func (l Limits) Parse(text []byte) ([]*Node, error) {
	nodes, fault := l.OrDefault().ParseAt(text, 0)
	if fault != nil {
		return nil, fault
	}
	return nodes, nil
}

// ParseAt is Parse for a text that has base lines before it in its file.
func (l Limits) ParseAt(text []byte, base int) ([]*Node, *SyntaxError) {
	if !LooksLikeJSON(text) {
		y := l.ReadYAML(text, base)
		return y.Nodes, y.Fault
	}
	nodes, fault := l.parseJSON(text, base)
	meant := IsJSON(text)
	if fault == nil || meant && !fault.MayBeYAML() {
		return nodes, fault
	}
	y := l.ReadYAML(text, base)
	if y.Fault != nil && meant {
		return nil, fault
	}
	return y.Nodes, y.Fault
}

// Parsed is the outcome of reading YAML.
type Parsed struct {
	Nodes    []*Node
	Anchored bool // there are anchors, so that a part of the text may need another
	Fault    *SyntaxError
}

// ReadYAML is parseYAML, but faster where the text is plain.
func (l Limits) ReadYAML(text []byte, base int) Parsed {
	if n := l.parsePlain(text, base); n != nil {
		return Parsed{Nodes: []*Node{n}}
	}
	return l.parseYAML(text, base)
}

// parseYAML never panics: yaml.v3 has internal checks that do.
func (l Limits) parseYAML(text []byte, base int) (p Parsed) {
	defer func() {
		if recover() != nil {
			p = Parsed{Fault: &SyntaxError{Line: base + 1, Message: "the YAML parser failed"}}
		}
	}()
	if !utf8.Valid(text) { // yaml.v3 would take some of it for UTF-16
		return Parsed{Fault: badByte(text, base)}
	}
	if !l.Fits(text) {
		return Parsed{Fault: l.tooMany(base+1, 1)}
	}
	if bytes.Count(text, []byte("\n%")) > maxDirectives {
		return Parsed{
			Fault: &SyntaxError{
				Line:    base + 1,
				Message: fmt.Sprintf("it has more than %d directives, lines that begin with %%", maxDirectives),
			},
		}
	}
	c := converter{limits: l, places: newPlaces(text, base), anchored: map[*yaml.Node]*Node{}}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document yaml.Node
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			p.Anchored = len(c.anchored) > 0
			return p
		}
		if err != nil && flowDepth(text) > l.Nesting { // where the library has a limit of its own
			return Parsed{Fault: l.tooDeep(base+1, 1)}
		}
		if err != nil {
			return Parsed{Fault: yamlError(err, text, base)}
		}
		root := &yaml.Node{Kind: yaml.ScalarNode, Line: document.Line, Column: document.Column}
		if len(document.Content) > 0 {
			root = document.Content[0]
		}
		n, fault := c.value(root, 0)
		if fault != nil {
			return Parsed{Fault: fault}
		}
		p.Nodes = append(p.Nodes, n)
	}
}

// converter makes Nodes of yaml.v3's.
type converter struct {
	limits   Limits
	places   *places
	anchored map[*yaml.Node]*Node // the targets of aliases so far; nil while a node is being converted
	aliased  int
}

func (c *converter) convert(y *yaml.Node, depth int) (*Node, *SyntaxError) {
	if depth > c.limits.Nesting {
		return nil, c.limits.tooDeep(c.at(y))
	}
	if y.Kind == yaml.AliasNode {
		return c.alias(y, depth)
	}
	if y.Anchor != "" {
		c.anchored[y] = nil
	}
	n := &Node{}
	c.place(y, n)
	var fault *SyntaxError
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind = Map
		fault = c.mapping(y, n, depth)
	case yaml.SequenceNode:
		n.Kind = List
		fault = c.sequence(y, n, depth)
	default:
		scalar(y, n)
	}
	if y.Anchor != "" {
		c.anchored[y] = n
	}
	return n, fault
}

// place fills in where the node stands; yaml.v3 counts its tag and anchor to it, we do not.
func (c *converter) place(y *yaml.Node, n *Node) {
	offset := c.places.Offset(y.Line, y.Column)
	if y.Kind != yaml.ScalarNode || y.Value != "" || y.Style&^yaml.TaggedStyle != 0 {
		offset = c.places.skipProperties(offset) // a value that is there
	}
	n.Offset = offset
	n.Line, n.Column = c.places.lineColumn(offset)
	n.Flow = y.Style&yaml.FlowStyle != 0
	if y.Style&yaml.TaggedStyle != 0 {
		n.Tag = y.Tag
	}
}

// alias returns the node that an alias stands for, once it is counted what that repeats.
func (c *converter) alias(y *yaml.Node, depth int) (*Node, *SyntaxError) {
	n := c.anchored[y.Alias]
	line, column := c.at(y)
	if n == nil {
		return nil, &SyntaxError{Line: line, Column: column, Message: "an anchor contains itself"}
	}
	return n, c.repeat(n, depth, line, column)
}

// repeat counts the values that an alias at a place repeats, which are at and below a node.
func (c *converter) repeat(n *Node, depth, line, column int) *SyntaxError {
	c.aliased += 1 + len(n.Text)/aliasedBytes
	if c.aliased > c.limits.Aliases {
		return c.limits.tooManyAliases(line, column)
	}
	if depth > c.limits.Nesting {
		return c.limits.tooDeep(line, column)
	}
	for _, below := range [][]*Node{n.Keys, n.Values} {
		for _, one := range below {
			if fault := c.repeat(one, depth+1, line, column); fault != nil {
				return fault
			}
		}
	}
	return nil
}

func scalar(y *yaml.Node, n *Node) {
	n.Text = y.Value
	switch {
	case y.Style&yaml.DoubleQuotedStyle != 0:
		n.Style = DoubleQuoted
	case y.Style&yaml.SingleQuotedStyle != 0:
		n.Style = SingleQuoted
	case y.Style&yaml.LiteralStyle != 0:
		n.Style = Literal
	case y.Style&yaml.FoldedStyle != 0:
		n.Style = Folded
	}
}

// value is convert for what is no key, with the demand that Kubernetes has a value for it.
func (c *converter) value(y *yaml.Node, depth int) (*Node, *SyntaxError) {
	n, fault := c.convert(y, depth)
	if fault != nil {
		return nil, fault
	}
	return n, n.noValue()
}

// noValue is the fault of a scalar for which Kubernetes has no value.
func (n *Node) noValue() *SyntaxError {
	if n.Kind != Scalar || n.Tag == "" && (n.Style != Plain || !mayBeNoNumber(n.Text)) {
		return nil
	}
	if _, fault := resolve(n.Text, n.Style, n.Tag); fault != "" {
		return &SyntaxError{Line: n.Line, Column: n.Column, Message: fault}
	}
	return nil
}

// mayBeNoNumber says whether plain text could be one of the spellings of infinity and not-a-number.
func mayBeNoNumber(text string) bool {
	return text != "" && strings.IndexByte(".+-", text[0]) >= 0
}

func (c *converter) sequence(y *yaml.Node, n *Node, depth int) *SyntaxError {
	n.Values = make([]*Node, 0, len(y.Content))
	for _, child := range y.Content {
		element, fault := c.value(child, depth+1)
		if fault != nil {
			return fault
		}
		n.Values = append(n.Values, element)
	}
	return nil
}

func (c *converter) mapping(y *yaml.Node, n *Node, depth int) *SyntaxError {
	fields := newFields(len(y.Content) / 2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, fault := c.convert(y.Content[i], depth+1)
		if fault != nil {
			return fault
		}
		value, fault := c.value(y.Content[i+1], depth+1)
		if fault != nil {
			return fault
		}
		if isMerge(y.Content[i]) {
			fault = mergeInto(fields, value)
		} else {
			fault = fields.add(key, value)
		}
		if fault != nil {
			return fault
		}
	}
	fields.set(n)
	return nil
}

// isMerge reports whether the key is a plain <<; a quoted one is an ordinary key.
func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Tag == "!!merge"
}

// mergeInto adds the fields of the map, or of the maps in the list, that a merge key names. Of the
// list, the first map wins.
func mergeInto(fields *fields, value *Node) *SyntaxError {
	sources := []*Node{value}
	if value.Kind == List {
		sources = value.Values
	}
	for _, source := range slices.Backward(sources) {
		if source.Kind != Map {
			return &SyntaxError{
				Line:    value.Line,
				Column:  value.Column,
				Message: "a merge key (<<) needs a map or a list of maps",
			}
		}
		for i, key := range source.Keys {
			fields.put(field{name: KeyString(key), key: key, value: source.Values[i], merged: true})
		}
	}
	return nil
}

// at is the place of a node of yaml.v3.
func (c *converter) at(y *yaml.Node) (line, column int) {
	return c.places.lineColumn(c.places.Offset(y.Line, y.Column))
}
