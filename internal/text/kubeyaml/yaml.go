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

// maxDirectives is the maximum number of directives in a text. The library compares each with all
// earlier ones, and printers write at most two.
const maxDirectives = 100

// Parse reads all documents of a YAML or JSON text; a document that is empty or null is a Scalar
// node with no text. The error is a *SyntaxError.
func Parse(text []byte) ([]*Node, error) {
	nodes, fault := Limits{}.ParseAt(text, 0)
	if fault != nil {
		return nil, fault
	}
	return nodes, nil
}

// ParseAt does the same as Parse, with limits, for a text that has base lines before it in its file.
func (l Limits) ParseAt(text []byte, base int) ([]*Node, *SyntaxError) {
	return l.ParseIn(&Room{}, text, base)
}

// ParseIn does the same as ParseAt, but may take the memory of nodes from a room.
func (l Limits) ParseIn(room *Room, text []byte, base int) ([]*Node, *SyntaxError) {
	return l.parse(room, text, "", base)
}

// ParseTextIn does the same as ParseIn for a string. The texts of the nodes may be parts of it.
func (l Limits) ParseTextIn(room *Room, text string, base int) ([]*Node, *SyntaxError) {
	return l.parse(room, room.bytes(text), text, base)
}

// parse does the same as ParseIn. source is the text too, or "" if only its bytes are there: nodes have
// parts of it as their texts.
func (l Limits) parse(room *Room, text []byte, source string, base int) ([]*Node, *SyntaxError) {
	l = l.OrDefault().forText(text)
	if fault := l.tooLarge(text, base); fault != nil {
		return nil, fault
	}
	if !LooksLikeJSON(text) {
		y := l.readYAML(room, text, source, base)
		return y.Nodes, y.Fault
	}
	nodes, fault := l.parseJSON(text, base, room)
	meant := IsJSON(text)
	if fault == nil || fault.Code != "" || meant && fault.IsJSON {
		return nodes, fault
	}
	y := l.readYAML(room, text, source, base)
	if y.Fault != nil && meant {
		return nil, fault
	}
	return y.Nodes, y.Fault
}

// Parsed is the result of ReadYAML.
type Parsed struct {
	Nodes    []*Node
	Anchored bool // the text has anchors, so its parts may depend on each other
	Fault    *SyntaxError
}

// ReadYAML does the same as parseYAML, but faster for plain text.
func (l Limits) ReadYAML(text []byte, base int) Parsed {
	if fault := l.tooLarge(text, base); fault != nil {
		return Parsed{Fault: fault}
	}
	return l.readYAML(&Room{}, text, "", base)
}

func (l Limits) readYAML(room *Room, text []byte, source string, base int) Parsed {
	if n := l.parsePlain(text, source, base, room); n != nil {
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
	if !utf8.Valid(text) { // yaml.v3 would read some invalid texts as UTF-16
		return Parsed{Fault: badByte(text, base)}
	}
	if !l.fits(text) {
		return Parsed{Fault: l.tooMany(base+1, 1)}
	}
	text = withoutVersion(text)
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
		if err != nil && flowDepth(text) > l.Nesting { // the library has a limit of its own
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

// withoutVersion returns a text whose directive %YAML 1.2 is a comment, because the library accepts
// only its own version. Kubernetes reads every text as YAML 1.1.
func withoutVersion(text []byte) []byte {
	pos := 0
	for pos < len(text) && !isContent(text[pos:pos+LineLength(text[pos:])]) {
		if bytes.HasPrefix(text[pos:], []byte("%YAML 1.")) {
			text = bytes.Clone(text)
			text[pos] = '#'
		}
		pos += LineLength(text[pos:])
	}
	return text
}

// converter converts nodes of yaml.v3 to Nodes. It drops those that it has converted, because both
// take many times the memory of the text.
type converter struct {
	limits   Limits
	places   *places
	anchored map[*yaml.Node]*Node // targets of aliases so far; nil during the conversion of a node
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

// place sets the position of the node. yaml.v3 includes tag and anchor in a node, this package does
// not.
func (c *converter) place(y *yaml.Node, n *Node) {
	offset := c.places.Offset(y.Line, y.Column)
	if y.Kind != yaml.ScalarNode || y.Value != "" || y.Style&^yaml.TaggedStyle != 0 {
		offset = c.places.skipProperties(offset) // the value is not empty
	}
	n.Offset = offset
	n.Line, n.Column = c.places.lineColumn(offset)
	n.Flow = y.Style&yaml.FlowStyle != 0
	if y.Style&yaml.TaggedStyle != 0 {
		n.Rare = &Rare{Tag: y.Tag}
	}
}

// alias counts the values that an alias repeats, and returns the node of its anchor.
func (c *converter) alias(y *yaml.Node, depth int) (*Node, *SyntaxError) {
	n := c.anchored[y.Alias]
	line, column := c.at(y)
	if n == nil {
		return nil, &SyntaxError{Line: line, Column: column, Message: "an anchor contains itself"}
	}
	return n, c.repeat(n, depth, line, column)
}

// repeat counts the values, at and below a node, that an alias at a place repeats.
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

// value converts a node that is not a key; it must have a value in Kubernetes.
func (c *converter) value(y *yaml.Node, depth int) (*Node, *SyntaxError) {
	n, fault := c.convert(y, depth)
	if fault != nil {
		return nil, fault
	}
	return n, n.noValue()
}

// noValue returns the fault of a scalar without a value in Kubernetes.
func (n *Node) noValue() *SyntaxError {
	if n.Kind != Scalar || n.Tag() == "" && (n.Style != Plain || !mayBeNoNumber(n.Text)) {
		return nil
	}
	if _, fault := resolve(n.Text, n.Style, n.Tag()); fault != "" {
		return &SyntaxError{Line: n.Line, Column: n.Column, Message: fault}
	}
	return nil
}

// mayBeNoNumber reports whether plain text may be a spelling of infinity or not-a-number.
func mayBeNoNumber(text string) bool {
	return text != "" && strings.IndexByte(".+-", text[0]) >= 0
}

func (c *converter) sequence(y *yaml.Node, n *Node, depth int) *SyntaxError {
	n.Values = make([]*Node, 0, len(y.Content))
	for i, child := range y.Content {
		element, fault := c.value(child, depth+1)
		if fault != nil {
			return fault
		}
		n.Values = append(n.Values, element)
		y.Content[i] = nil
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
		y.Content[i], y.Content[i+1] = nil, nil
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

// mergeInto adds the fields of the map, or of the maps in the list, that is the value of a merge
// key. In a list, the first map takes precedence.
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

// at returns the place of a yaml.v3 node.
func (c *converter) at(y *yaml.Node) (line, column int) {
	return c.places.lineColumn(c.places.Offset(y.Line, y.Column))
}

// Marshal writes a decoded value as YAML.
func Marshal(value any) ([]byte, error) { return yaml.Marshal(value) }
