package userfile

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// Reader reads a file that users write and that has a fixed set of keys, such as the metadata
// of a reference. It accepts what other readers of these files accept, with a warning. It reports
// errors through Fault and warnings through Warn. Both must be set, and take a format and arguments
// as fmt.Sprintf does.
type Reader struct {
	Codes       Codes
	Words       []string // keys whose values are only words for people
	Limit       int      // maximum number of values that aliases repeat; 0 for the default
	Fault, Warn func(code string, line, column int, format string, args ...any)
}

// Codes are the codes of the general errors in one type of file.
type Codes struct {
	Syntax, WrongType, UnknownKey string
	Duplicate                     string // "" if a duplicate is an error with the code of an unknown key
	Dropped                       string // of a duplicate that drops more than words; "" for that of Duplicate
}

// OneCode returns Codes with the same code everywhere.
func OneCode(c string) Codes { return Codes{Syntax: c, WrongType: c, UnknownKey: c} }

// Field is one entry of a mapping.
type Field struct {
	Key        string
	Name, Node *kubeyaml.Node
}

// Mapping is a map with checked keys, in the order of the file and without duplicates.
type Mapping struct {
	Node    *kubeyaml.Node
	Fields  []Field
	Unknown []Field // keys that the format does not define here
}

// Field returns the value of a key, nil if it is absent or null.
func (m Mapping) Field(key string) *kubeyaml.Node {
	if f := m.Lookup(key); f != nil && !f.Node.IsNull() {
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

// fault reports an error at the position of a node.
func (r *Reader) fault(c string, n *kubeyaml.Node, format string, args ...any) {
	r.Fault(c, n.Line, n.Column, format, args...)
}

// warn reports a warning at the position of a node.
func (r *Reader) warn(c string, n *kubeyaml.Node, format string, args ...any) {
	r.Warn(c, n.Line, n.Column, format, args...)
}

// Parse returns the root of the file's first document. It returns nil if the file is empty or
// cannot be parsed; ok is false only if it cannot be parsed. Further documents are ignored with a
// warning, as by other readers of these files.
func (r *Reader) Parse(data []byte) (root *kubeyaml.Node, ok bool) {
	nodes, fault := kubeyaml.Limits{Aliases: r.Limit}.ParseAt(kubeyaml.DecodeText(data), 0)
	if fault != nil {
		format := "not valid YAML: %s"
		if fault.Code != "" {
			format = "%s"
		}
		r.Fault(cmp.Or(fault.Code, r.Codes.Syntax), fault.Line, fault.Column, format, fault.Message)
		return nil, false
	}
	nodes = slices.DeleteFunc(nodes, (*kubeyaml.Node).IsNull)
	if len(nodes) == 0 {
		return nil, true
	}
	if len(nodes) > 1 {
		r.warn(
			code.RefSecondDocument,
			nodes[1],
			"a second YAML document; the file must have one, so the rest is ignored",
		)
	}
	return nodes[0], true
}

// Mapping reads a node as a map with some of the known keys, and reports unknown keys. what names
// the node in messages. Tolerated keys are read too, but messages do not suggest them. The last of
// several equal keys counts.
func (r *Reader) Mapping(n *kubeyaml.Node, what string, known []string, tolerated ...string) (Mapping, bool) {
	m, ok := r.KnownFields(n, what, known, tolerated...)
	for _, f := range m.Unknown {
		r.fault(r.Codes.UnknownKey, f.Name, "unknown key %q in %s; %s", f.Key, what, code.KnownKeys(f.Key, known))
	}
	return m, ok
}

// NoEffect warns about an ignored key.
func (r *Reader) NoEffect(f Field, what string, known []string) {
	near := code.DidYouMean(f.Key, known)
	r.warn(code.RefNoEffect, f.Name, "the key %q in %s has no effect here%s", f.Key, what, near)
}

// KnownFields reads a node as a map and separates the fields with unknown keys.
func (r *Reader) KnownFields(n *kubeyaml.Node, what string, known []string, tolerated ...string) (Mapping, bool) {
	all := slices.Concat(known, tolerated)
	isKnown := func(key string) bool {
		return slices.ContainsFunc(all, func(k string) bool { return strings.EqualFold(k, key) })
	}
	m, ok := r.mapping(n, what, isKnown)
	m.Fields = slices.DeleteFunc(r.respell(m.Fields, what, all), func(f Field) bool {
		unknown := !slices.Contains(all, f.Key)
		if unknown {
			m.Unknown = append(m.Unknown, f)
		}
		return unknown
	})
	return m, ok
}

// respell changes keys in another letter case to the spelling of the format: other readers use Go's
// JSON decoder, which ignores letter case. If a key has several spellings, the exact one counts, or
// else the last.
func (r *Reader) respell(fields []Field, what string, known []string) []Field {
	counts := map[string]Field{} // the effective field, by its exact spelling
	for i, f := range fields {
		k := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, f.Key) })
		if k < 0 {
			continue
		}
		if f.Key != known[k] {
			r.warn(code.RefKeyCase, f.Name, "the key %q in %s is read as %q; correct its letter case%s",
				f.Key, what, known[k], code.Meant{Word: f.Key, Instead: known[k]})
			fields[i].Key = known[k]
		}
		if c := counts[known[k]]; c.Name == nil || c.Name.Text != known[k] {
			counts[known[k]] = f
		}
	}
	return slices.DeleteFunc(fields, func(f Field) bool {
		c := counts[f.Key]
		if c.Name == nil || c.Name == f.Name {
			return false
		}
		r.warn(r.duplicate(code.RefDuplicateKey, f.Key, f.Node, c.Node), f.Name,
			"duplicate key %q in %s; the one in line %d counts, this one does not", f.Key, what, c.Name.Line)
		return true
	})
}

// duplicate returns the code for a known key with two values: otherwise, unless more than words is
// dropped with the value that does not count.
func (r *Reader) duplicate(otherwise, key string, dropped, counts *kubeyaml.Node) string {
	isEmpty := dropped.IsNull() || dropped.Kind != kubeyaml.Scalar && len(dropped.Values) == 0
	if r.Codes.Dropped == "" || isEmpty || slices.Contains(r.Words, key) ||
		reflect.DeepEqual(dropped.Value(), counts.Value()) {
		return otherwise
	}
	return r.Codes.Dropped
}

// OpenMapping reads a node as a map with any keys.
func (r *Reader) OpenMapping(n *kubeyaml.Node, what string) (Mapping, bool) {
	return r.mapping(n, what, func(string) bool { return true })
}

// mapping reads a node as a map. Duplicates of keys that are not known drop nothing.
func (r *Reader) mapping(n *kubeyaml.Node, what string, isKnown func(key string) bool) (Mapping, bool) {
	m := Mapping{Node: n}
	switch {
	case n.IsNull():
		return m, true
	case n.Kind != kubeyaml.Map:
		r.fault(r.Codes.WrongType, n, "%s must be a mapping, not %s", what, n.TypeName())
		return m, false
	}
	for i, key := range n.Keys {
		f := Field{Key: kubeyaml.KeyString(key), Name: key, Node: n.Values[i]}
		if key.IsText() {
			f.Key = key.Text
		}
		m.Fields = append(m.Fields, f)
	}
	for i, lost := range n.Duplicates() {
		name := kubeyaml.KeyString(lost)
		counts, value := n.Field(name)
		if r.Codes.Duplicate == "" {
			r.fault(r.Codes.UnknownKey, counts,
				"duplicate key %q in %s; the other is in line %d", name, what, lost.Line)
			continue
		}
		c := r.Codes.Duplicate
		if isKnown(name) {
			c = r.duplicate(c, name, n.Replaced()[i], value)
		}
		r.warn(c, counts, "duplicate key %q in %s; this one counts, the one in line %d does not", name, what, lost.Line)
	}
	return m, true
}

// List reads a node as a list; a nil node is an empty list.
func (r *Reader) List(n *kubeyaml.Node, what string) []*kubeyaml.Node {
	switch {
	case n.IsNull():
		return nil
	case n.Kind == kubeyaml.List:
		return n.Values
	}
	r.fault(r.Codes.WrongType, n, "%s must be a list, not %s; often a \"- \" is missing", what, n.TypeName())
	return nil
}

// Text reads a node as text; a nil node is "". A number or boolean is converted to text as other
// readers of these files do.
func (r *Reader) Text(n *kubeyaml.Node, what string) (string, bool) {
	switch {
	case n.IsNull():
		return "", true
	case n.Kind != kubeyaml.Scalar:
		r.fault(r.Codes.WrongType, n, "%s must be text, not %s", what, n.TypeName())
		return "", false
	case n.IsText():
		return n.Text, true
	}
	s := scalarText(n)
	r.warn(code.RefNumber, n, "%s is %s, but must be text; it is read as %q; quote it", what, n.TypeName(), s)
	return s, true
}

// scalarText returns the text of a number or boolean as sigs.k8s.io/yaml converts it for a Go
// string: 4.10 is "4.1".
func scalarText(n *kubeyaml.Node) string {
	if f, ok := kubeyaml.ResolvePlain(n.Text).(float64); ok {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return fmt.Sprint(n.Value())
}

// Flag reads a node as true or false; a nil node is false.
func (r *Reader) Flag(n *kubeyaml.Node, what string) bool {
	if n.IsNull() {
		return false
	}
	value, ok := n.Value().(bool)
	if !ok {
		r.fault(r.Codes.WrongType, n, "%s must be true or false, not %s", what, n.TypeName())
	}
	return value
}
