package refconfig

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
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
	syntax, wrongType, unknownKey string
	duplicate                     string // "" where a duplicate is an error with the code of an unknown key
}

func metadataCodes() codes {
	return codes{syntax: code.RefSyntax, wrongType: code.RefType, unknownKey: code.RefUnknownKey, duplicate: code.RefDuplicateKey}
}

func uniformCodes(c string) codes { return codes{syntax: c, wrongType: c, unknownKey: c} }

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
	unknown []field // keys that the format does not have here
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
func (d *document) at(n *yaml.Node) Place { return Place{File: d.file, Line: n.Line, Column: n.Column} }

// parse returns the root of the file's first document, nil if it is empty or cannot be parsed; ok is false for the latter. What
// follows that document is ignored, as by others who read these files, and warned of.
func (d *document) parse(data []byte) (root *yaml.Node, ok bool) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var n yaml.Node
		err := decoder.Decode(&n)
		if errors.Is(err, io.EOF) {
			return root, true
		}
		if err != nil {
			line, message := syntaxFault(data, err)
			d.fault(d.codes.syntax, Place{File: d.file, Line: line}, "%s", message)
			return root, false
		}
		if len(n.Content) == 0 || kindOf(n.Content[0]) == "nothing" {
			continue
		}
		if root != nil {
			d.warn(code.RefSecondDocument, d.at(n.Content[0]), "a second YAML document; it and what follows it is ignored, because this file must hold one")
			return root, true
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

// mapping reads a node as a mapping with some of the known keys, and says which of its keys are not known. what names the node in
// messages. Tolerated keys are read too, but not recommended. Of a key that stands twice the last one counts.
func (d *document) mapping(n *yaml.Node, what string, known []string, tolerated ...string) (mapping, bool) {
	m, ok := d.knownFields(n, what, known, tolerated...)
	for _, f := range m.unknown {
		d.fault(d.codes.unknownKey, d.at(f.name), "unknown key %q in %s; %s", f.key, what, hintKeys(f.key, known))
	}
	return m, ok
}

// lenientMapping is mapping where a key that is not known does no harm, so that files of a later version can be read.
func (d *document) lenientMapping(n *yaml.Node, what string, known []string) (mapping, bool) {
	m, ok := d.knownFields(n, what, known)
	for _, f := range m.unknown {
		d.noEffect(f, what, known)
	}
	return m, ok
}

// noEffect warns of a key that is ignored.
func (d *document) noEffect(f field, what string, known []string) {
	d.warn(code.RefNoEffect, d.at(f.name), "the key %q in %s has no effect here%s", f.key, what, hint(f.key, known))
}

// knownFields reads a node as a mapping and sets the fields aside whose keys are not known.
func (d *document) knownFields(n *yaml.Node, what string, known []string, tolerated ...string) (mapping, bool) {
	m, ok := d.openMapping(n, what)
	all := slices.Concat(known, tolerated)
	m.fields = slices.DeleteFunc(d.respell(m.fields, what, all), func(f field) bool {
		unknown := !slices.Contains(all, f.key)
		if unknown {
			m.unknown = append(m.unknown, f)
		}
		return unknown
	})
	return m, ok
}

// respell gives keys in another letter case the spelling of the format: others read these files by way of JSON, for whose Go
// decoder case does not matter. Of several spellings of one key the exact one counts, else the last.
func (d *document) respell(fields []field, what string, known []string) []field {
	counts := map[string]*yaml.Node{} // the key that counts, by its exact spelling
	for i, f := range fields {
		k := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, f.key) })
		if k < 0 {
			continue
		}
		if f.key != known[k] {
			d.warn(code.RefKeyCase, d.at(f.name), "the key %q in %s is read as %q, which is how it is written", f.key, what, known[k])
			fields[i].key = known[k]
		}
		if c := counts[known[k]]; c == nil || target(c).Value != known[k] {
			counts[known[k]] = f.name
		}
	}
	return slices.DeleteFunc(fields, func(f field) bool {
		c := counts[f.key]
		if c == nil || c == f.name {
			return false
		}
		d.warn(code.RefDuplicateKey, d.at(f.name), "the key %q stands in %s twice; that of line %d counts, this one does not", f.key, what, c.Line)
		return true
	})
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

// text reads a node as text; nil is "". A number or a boolean is the text that others make of it who read these files.
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
		s := scalarText(target(n))
		d.warn(code.RefNumber, d.at(n), "%s is %s and must be text; it is read as %q; put it in quotes", what, kind, s)
		return s, true
	default:
		d.fault(d.codes.wrongType, d.at(n), "%s must be text, not %s", what, kind)
	}
	return "", false
}

// scalarText is the text of a number or boolean as sigs.k8s.io/yaml hands it to a field of Go's type string: 4.10 is "4.1".
func scalarText(n *yaml.Node) string {
	var v any
	if n.Decode(&v) != nil {
		return n.Value
	}
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return fmt.Sprint(v)
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
