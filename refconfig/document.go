package refconfig

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/code"
)

// document is a YAML file with a fixed set of keys that is being read: the metadata, a diff config, or overrides. What is
// wrong with it goes to the findings, under the codes of the kind of file.
type document struct {
	*findings
	file    string
	codes   codes
	visited int
	most    int // values that may be visited; 0 for DefaultAliasLimit
}

// codes are those that the general faults of a kind of file carry.
type codes struct {
	syntax, wrongType, unknownKey code.Code
	duplicate                     code.Code // "" where a duplicate is an error with the code of an unknown key
}

func metadataCodes() codes {
	return codes{syntax: code.RefSyntax, wrongType: code.RefType, unknownKey: code.RefUnknownKey, duplicate: code.RefDuplicateKey}
}

func uniformCodes(c code.Code) codes { return codes{syntax: c, wrongType: c, unknownKey: c} }

// DefaultAliasLimit is how many values a file may stand for, because aliases let a small file stand for a huge one.
const DefaultAliasLimit = 200_000

// field is one entry of a mapping.
type field struct {
	key        string
	name, node *yaml.Node
}

// mapping is a YAML mapping whose keys were checked: in the order of the file, no key twice.
type mapping struct {
	node    *yaml.Node
	fields  []field
	unknown []string // keys that were dropped
}

// field returns the value of a key, nil if it is absent or null.
func (m mapping) field(key string) *yaml.Node {
	if f := m.lookup(key); f != nil && kindOf(f.node) != "nothing" {
		return f.node
	}
	return nil
}

// lookup returns the field of a key, nil if it is absent.
func (m mapping) lookup(key string) *field {
	if i := slices.IndexFunc(m.fields, func(f field) bool { return f.key == key }); i >= 0 {
		return &m.fields[i]
	}
	return nil
}

// at is the place of a node.
func (d *document) at(n *yaml.Node) place { return place{d.file, n.Line, n.Column} }

// parse returns the root of the file's one document, nil if it is empty or cannot be parsed; ok is false for the latter.
func (d *document) parse(data []byte) (root *yaml.Node, ok bool) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	ok = true
	for {
		var n yaml.Node
		err := decoder.Decode(&n)
		if errors.Is(err, io.EOF) {
			return root, ok
		}
		if err != nil {
			line, message := syntaxFault(data, err)
			d.fault(d.codes.syntax, place{d.file, line, 0}, "%s", message)
			return root, false
		}
		if len(n.Content) == 0 || kindOf(n.Content[0]) == "nothing" {
			continue
		}
		if root != nil {
			d.fault(d.codes.syntax, d.at(n.Content[0]), "a second YAML document; this file must hold one")
			return root, ok
		}
		root = n.Content[0]
	}
}

// target follows an alias.
func target(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	return n
}

// kindOf names what a node is, for messages. Values have the meaning that Kubernetes gives them: a date is text.
func kindOf(n *yaml.Node) string {
	n = target(n)
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!bool":
		return "true or false"
	case "!!int", "!!float":
		return "a number"
	}
	return "text"
}

// mapping reads a node as a mapping with some of the known keys. what names the node in messages. Tolerated keys are read
// too, but not recommended. Of a key that stands twice the last one counts.
func (d *document) mapping(n *yaml.Node, what string, known []string, tolerated ...string) (mapping, bool) {
	m, ok := d.openMapping(n, what)
	m.fields = slices.DeleteFunc(m.fields, func(f field) bool {
		if slices.Contains(known, f.key) || slices.Contains(tolerated, f.key) {
			return false
		}
		m.unknown = append(m.unknown, f.key)
		d.fault(d.codes.unknownKey, d.at(f.name), "unknown key %q in %s; %s", f.key, what, hintKeys(f.key, known))
		return true
	})
	return m, ok
}

// openMapping reads a node as a mapping with any keys.
func (d *document) openMapping(n *yaml.Node, what string) (mapping, bool) {
	m := mapping{node: target(n)}
	switch kind := kindOf(n); kind {
	case "nothing":
		return m, true
	case "a mapping":
	default:
		d.fault(d.codes.wrongType, d.at(n), "%s must be a mapping, not %s", what, kind)
		return m, false
	}
	m.fields = d.entries(m.node, what, 0)
	return m, true
}

// entries returns the entries of a mapping and of those that it merges (<<), which do not replace its own.
func (d *document) entries(n *yaml.Node, what string, depth int) []field {
	if !d.visit(n, len(n.Content)/2) {
		return nil
	}
	var own, merged []field
	seen := map[string]int{} // index in own
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := target(n.Content[i]), n.Content[i+1]
		if name.Kind != yaml.ScalarNode {
			d.fault(d.codes.wrongType, d.at(n.Content[i]), "a key of %s is %s; it must be text", what, kindOf(name))
			continue
		}
		if name.ShortTag() == "!!merge" {
			merged = append(merged, d.merged(value, what, depth)...)
			continue
		}
		f := field{name.Value, n.Content[i], value}
		if j, twice := seen[f.key]; twice {
			d.duplicate(own[j], f, what)
			own[j].node = nil
		}
		seen[f.key] = len(own)
		own = append(own, f)
	}
	own = slices.DeleteFunc(own, func(f field) bool { return f.node == nil })
	for _, f := range merged {
		if _, replaced := seen[f.key]; !replaced {
			seen[f.key] = len(own)
			own = append(own, f)
		}
	}
	return own
}

func (d *document) duplicate(first, again field, what string) {
	if d.codes.duplicate == "" {
		d.fault(d.codes.unknownKey, d.at(again.name), "the key %q stands in %s twice; the other is in line %d", again.key, what, first.name.Line)
		return
	}
	d.warn(d.codes.duplicate, d.at(again.name), "the key %q stands in %s twice; this one counts, that of line %d does not",
		again.key, what, first.name.Line)
}

// merged returns the entries that a merge key brings in.
func (d *document) merged(n *yaml.Node, what string, depth int) []field {
	const deepest = 20
	n = target(n)
	switch {
	case depth > deepest:
		d.fault(code.LimitNesting, d.at(n), "merge keys (<<) are nested more than %d deep", deepest)
		return nil
	case n.Kind == yaml.MappingNode:
		return d.entries(n, what, depth+1)
	case n.Kind == yaml.SequenceNode:
		var all []field
		for _, x := range n.Content {
			all = append(all, d.merged(x, what, depth+1)...)
		}
		return all
	}
	d.fault(d.codes.wrongType, d.at(n), "a merge key (<<) in %s needs a mapping, not %s", what, kindOf(n))
	return nil
}

// visit counts nodes and reports whether reading may go on.
func (d *document) visit(n *yaml.Node, count int) bool {
	before, most := d.visited, d.most
	if most <= 0 {
		most = DefaultAliasLimit
	}
	d.visited += count + 1
	if before <= most && d.visited > most {
		d.fault(code.LimitAliases, d.at(n), "the file stands for more than %d values, the limit; aliases (*name) multiply them; "+
			"raise it with --limit aliases=N", most)
	}
	return d.visited <= most
}

// list reads a node as a list; nil is an empty one.
func (d *document) list(n *yaml.Node, what string) []*yaml.Node {
	if n == nil {
		return nil
	}
	switch kind := kindOf(n); kind {
	case "nothing":
		return nil
	case "a list":
		if l := target(n); d.visit(n, len(l.Content)) {
			return l.Content
		}
		return nil
	default:
		d.fault(d.codes.wrongType, d.at(n), "%s must be a list, not %s; a missing \"- \" is the usual reason", what, kind)
		return nil
	}
}

// text reads a node as text; nil is "".
func (d *document) text(n *yaml.Node, what string) (string, bool) {
	if n == nil {
		return "", true
	}
	switch kind := kindOf(n); kind {
	case "nothing":
		return "", true
	case "text":
		return target(n).Value, true
	case "a number", "true or false":
		d.fault(d.codes.wrongType, d.at(n), "%s must be text, not %s; write it in quotes: %q", what, kind, target(n).Value)
	default:
		d.fault(d.codes.wrongType, d.at(n), "%s must be text, not %s", what, kind)
	}
	return "", false
}

// flag reads a node as true or false; nil is false.
func (d *document) flag(n *yaml.Node, what string) bool {
	if n == nil || kindOf(n) == "nothing" {
		return false
	}
	value, ok := boolean(n)
	if !ok {
		d.fault(d.codes.wrongType, d.at(n), "%s must be true or false, not %s", what, kindOf(n))
	}
	return value
}

// boolean returns the value of a scalar that is a boolean; as in Kubernetes, yes, no, on and off without quotes are, too.
func boolean(n *yaml.Node) (value, ok bool) {
	n = target(n)
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n.Kind != yaml.ScalarNode || n.Style&quoted != 0 {
		return false, false
	}
	switch strings.ToLower(n.Value) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off":
		return false, true
	}
	return false, false
}

// lineIn returns the line of the file at which the byte at an offset of a scalar's value stands, as far as it is known.
func lineIn(n *yaml.Node, offset int) int {
	n = target(n)
	switch {
	case n.Style&yaml.LiteralStyle != 0:
		return n.Line + 1 + strings.Count(n.Value[:min(max(offset, 0), len(n.Value))], "\n")
	case n.Style&yaml.FoldedStyle != 0:
		return n.Line + 1
	}
	return n.Line
}
