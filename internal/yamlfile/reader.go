// Package yamlfile reads YAML files that people write, and says of everything where it stands and of every fault what to do.
//
// A Reader reads a file with a fixed set of keys, such as the metadata of a reference: it forgives what others who read these files
// forgive, and warns of it. Document and Item take files apart that hold CRs, or templates of such. SetTexts adds to a file without
// losing its comments. What the keys mean is for the caller, and so is the name of the file.
package yamlfile

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/code"
)

// Reader reads one file that has a fixed set of keys, and tells what is wrong with it, and where. What has to be told goes to Fault and
// Warn, which must be set; format and arguments are those of fmt.Sprintf.
type Reader struct {
	Codes       Codes
	Limit       int // values that the file may stand for, because aliases let a small file stand for a huge one
	Fault, Warn func(code string, line, column int, format string, args ...any)
	visited     int
}

// Codes are those that the general faults of a kind of file carry.
type Codes struct {
	Syntax, WrongType, UnknownKey string
	Duplicate                     string // "" where a duplicate is an error with the code of an unknown key
}

// Field is one entry of a mapping.
type Field struct {
	Key        string
	Name, Node *Node
}

// Mapping is a YAML mapping whose keys were checked: in the order of the file, no key twice.
type Mapping struct {
	Node    *Node
	Fields  []Field
	Unknown []Field // keys that the format does not have here
}

// Field returns the value of a key, nil if it is absent or null.
func (m Mapping) Field(key string) *Node {
	if f := m.Lookup(key); f != nil && Kind(f.Node) != "nothing" {
		return f.Node
	}
	return nil
}

// Lookup returns the field of a key, nil if it is absent.
func (m Mapping) Lookup(key string) *Field {
	if i := slices.IndexFunc(m.Fields, func(f Field) bool { return f.Key == key }); i >= 0 {
		return &m.Fields[i]
	}
	return nil
}

// fault tells of an error at a node.
func (r *Reader) fault(c string, n *Node, format string, args ...any) {
	r.Fault(c, n.Line, n.Column, format, args...)
}

// warn tells of something odd at a node.
func (r *Reader) warn(c string, n *Node, format string, args ...any) {
	r.Warn(c, n.Line, n.Column, format, args...)
}

// Parse returns the root of the file's first document, nil if it is empty or cannot be parsed; ok is false for the latter. What
// follows that document is ignored, as by others who read these files, and warned of.
func (r *Reader) Parse(data []byte) (root *Node, ok bool) {
	for n, err := range roots(data) {
		switch {
		case err != nil:
			line, message := SyntaxFault(data, err)
			r.Fault(r.Codes.Syntax, line, 0, "%s", message)
			return root, false
		case root != nil:
			r.warn(code.RefSecondDocument, n, "a second YAML document; it and what follows it is ignored, because this file must hold one")
			return root, true
		}
		root = n
	}
	return root, true
}

// Mapping reads a node as a mapping with some of the known keys, and says which of its keys are not known. what names the node in
// messages. Tolerated keys are read too, but not recommended. Of a key that stands twice the last one counts.
func (r *Reader) Mapping(n *Node, what string, known []string, tolerated ...string) (Mapping, bool) {
	m, ok := r.KnownFields(n, what, known, tolerated...)
	for _, f := range m.Unknown {
		r.fault(r.Codes.UnknownKey, f.Name, "unknown key %q in %s; %s", f.Key, what, code.KnownKeys(f.Key, known))
	}
	return m, ok
}

// NoEffect warns of a key that is ignored.
func (r *Reader) NoEffect(f Field, what string, known []string) {
	r.warn(code.RefNoEffect, f.Name, "the key %q in %s has no effect here%s", f.Key, what, code.DidYouMean(f.Key, known))
}

// KnownFields reads a node as a mapping and sets the fields aside whose keys are not known.
func (r *Reader) KnownFields(n *Node, what string, known []string, tolerated ...string) (Mapping, bool) {
	m, ok := r.OpenMapping(n, what)
	all := slices.Concat(known, tolerated)
	m.Fields = slices.DeleteFunc(r.respell(m.Fields, what, all), func(f Field) bool {
		unknown := !slices.Contains(all, f.Key)
		if unknown {
			m.Unknown = append(m.Unknown, f)
		}
		return unknown
	})
	return m, ok
}

// respell gives keys in another letter case the spelling of the format: others read these files by way of JSON, for whose Go
// decoder case does not matter. Of several spellings of one key the exact one counts, else the last.
func (r *Reader) respell(fields []Field, what string, known []string) []Field {
	counts := map[string]*Node{} // the key that counts, by its exact spelling
	for i, f := range fields {
		k := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, f.Key) })
		if k < 0 {
			continue
		}
		if f.Key != known[k] {
			r.warn(code.RefKeyCase, f.Name, "the key %q in %s is read as %q, which is how it is written", f.Key, what, known[k])
			fields[i].Key = known[k]
		}
		if c := counts[known[k]]; c == nil || Target(c).Value != known[k] {
			counts[known[k]] = f.Name
		}
	}
	return slices.DeleteFunc(fields, func(f Field) bool {
		c := counts[f.Key]
		if c == nil || c == f.Name {
			return false
		}
		r.warn(code.RefDuplicateKey, f.Name, "the key %q stands in %s twice; that of line %d counts, this one does not", f.Key, what, c.Line)
		return true
	})
}

// OpenMapping reads a node as a mapping with any keys.
func (r *Reader) OpenMapping(n *Node, what string) (Mapping, bool) {
	m := Mapping{Node: Target(n)}
	switch kind := Kind(n); kind {
	case "nothing":
		return m, true
	case "a mapping":
	default:
		r.fault(r.Codes.WrongType, n, "%s must be a mapping, not %s", what, kind)
		return m, false
	}
	m.Fields = r.entries(m.Node, what, 0)
	return m, true
}

// entries returns the entries of a mapping and of those that it merges (<<), which do not replace its own.
func (r *Reader) entries(n *Node, what string, depth int) []Field {
	if !r.visit(n, len(n.Content)/2) {
		return nil
	}
	var own, merged []Field
	seen := map[string]int{} // index in own
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := Target(n.Content[i]), n.Content[i+1]
		if name.Kind != yaml.ScalarNode {
			r.fault(r.Codes.WrongType, n.Content[i], "a key of %s is %s; it must be text", what, Kind(name))
			continue
		}
		if name.ShortTag() == "!!merge" {
			merged = append(merged, r.merged(value, what, depth)...)
			continue
		}
		f := Field{keyText(name), n.Content[i], value}
		if j, twice := seen[f.Key]; twice {
			r.duplicate(own[j], f, what)
			own[j].Node = nil
		}
		seen[f.Key] = len(own)
		own = append(own, f)
	}
	own = slices.DeleteFunc(own, func(f Field) bool { return f.Node == nil })
	for _, f := range merged {
		if _, replaced := seen[f.Key]; !replaced {
			seen[f.Key] = len(own)
			own = append(own, f)
		}
	}
	return own
}

func (r *Reader) duplicate(first, again Field, what string) {
	if r.Codes.Duplicate == "" {
		r.fault(r.Codes.UnknownKey, again.Name, "the key %q stands in %s twice; the other is in line %d", again.Key, what, first.Name.Line)
		return
	}
	r.warn(r.Codes.Duplicate, again.Name, "the key %q stands in %s twice; this one counts, that of line %d does not",
		again.Key, what, first.Name.Line)
}

// merged returns the entries that a merge key brings in.
func (r *Reader) merged(n *Node, what string, depth int) []Field {
	const deepest = 20
	n = Target(n)
	switch {
	case depth > deepest:
		r.fault(code.LimitNesting, n, "merge keys (<<) are nested more than %d deep", deepest)
		return nil
	case n.Kind == yaml.MappingNode:
		return r.entries(n, what, depth+1)
	case n.Kind == yaml.SequenceNode:
		var all []Field
		for _, x := range n.Content {
			all = append(all, r.merged(x, what, depth+1)...)
		}
		return all
	}
	r.fault(r.Codes.WrongType, n, "a merge key (<<) in %s needs a mapping, not %s", what, Kind(n))
	return nil
}

// visit counts nodes and reports whether reading may go on.
func (r *Reader) visit(n *Node, count int) bool {
	before := r.visited
	r.visited += count + 1
	if before <= r.Limit && r.visited > r.Limit {
		r.fault(code.LimitAliases, n, "the file stands for more than %d values, the limit; aliases (*name) multiply them; "+
			"raise it with --limit aliases=N", r.Limit)
	}
	return r.visited <= r.Limit
}

// List reads a node as a list; nil is an empty one.
func (r *Reader) List(n *Node, what string) []*Node {
	if n == nil {
		return nil
	}
	switch kind := Kind(n); kind {
	case "nothing":
		return nil
	case "a list":
		if l := Target(n); r.visit(n, len(l.Content)) {
			return l.Content
		}
		return nil
	default:
		r.fault(r.Codes.WrongType, n, "%s must be a list, not %s; a missing \"- \" is the usual reason", what, kind)
		return nil
	}
}

// Text reads a node as text; nil is "". A number or a boolean is the text that others make of it who read these files.
func (r *Reader) Text(n *Node, what string) (string, bool) {
	if n == nil {
		return "", true
	}
	switch kind := Kind(n); kind {
	case "nothing":
		return "", true
	case "text":
		return Target(n).Value, true
	case "a number", "true or false":
		s := scalarText(Target(n))
		r.warn(code.RefNumber, n, "%s is %s and must be text; it is read as %q; put it in quotes", what, kind, s)
		return s, true
	default:
		r.fault(r.Codes.WrongType, n, "%s must be text, not %s", what, kind)
	}
	return "", false
}

// Flag reads a node as true or false; nil is false.
func (r *Reader) Flag(n *Node, what string) bool {
	if n == nil || Kind(n) == "nothing" {
		return false
	}
	value, ok := Boolean(n)
	if !ok {
		r.fault(r.Codes.WrongType, n, "%s must be true or false, not %s", what, Kind(n))
	}
	return value
}
