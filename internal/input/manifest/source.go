package manifest

import (
	"bytes"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// form is the form of a source's text.
type form uint8

const (
	wholeText form = iota // a YAML document or a JSON value
	element               // lines that form a YAML list of one element, cut from a longer list
	kept                  // no text; the decoded node is kept
)

// source is the text from which an object is decoded, any number of times.
type source struct {
	limits           *kubeyaml.Limits
	form             form
	text             []byte
	detached         string // the same after Detach, in place of text; "" for a long one
	origin           int    // offset of text in the text that node offsets refer to; used only while heads are read
	base             int    // number of lines before text in the file
	node             *kubeyaml.Node
	apart            bool   // parts can be decoded separately: no aliases, no directives
	apiVersion, kind string // defaults for an object without them
}

// parse decodes the source, with nodes in a room. The line of a fault is relative to the file.
func (s source) parse(room *kubeyaml.Room) (*kubeyaml.Node, *kubeyaml.SyntaxError) {
	n := s.node
	if s.form != kept {
		nodes, fault := s.documents(room)
		if fault != nil {
			return nil, fault
		}
		if len(nodes) != 1 {
			return nil, &kubeyaml.SyntaxError{Line: s.base + 1, Message: "expected one document"}
		}
		n = nodes[0]
	}
	if s.form == element {
		if n.Kind != kubeyaml.List || len(n.Values) != 1 {
			return nil, &kubeyaml.SyntaxError{Line: s.base + 1, Message: "expected one item of a List"}
		}
		n = n.Values[0]
	}
	return s.fill(n), nil
}

// documents decodes the documents of the text.
func (s source) documents(room *kubeyaml.Room) ([]*kubeyaml.Node, *kubeyaml.SyntaxError) {
	if s.detached != "" {
		return s.limits.ParseTextIn(room, s.detached, s.base)
	}
	return s.limits.ParseIn(room, s.text, s.base)
}

// detach copies the text. Nodes are parts of a string, so a text of usual length becomes one.
func (s *source) detach() {
	const longest = 1 << 20 // a longer one would be there twice while it is decoded
	if s.detached == "" && len(s.text) <= longest {
		s.text, s.detached = nil, string(s.text)
		return
	}
	s.text = bytes.Clone(s.text)
}

// size returns the number of bytes of the text.
func (s source) size() int { return len(s.text) + len(s.detached) }

// fill adds the apiVersion and kind of the List, or of the path, to an object without them.
func (s source) fill(n *kubeyaml.Node) *kubeyaml.Node {
	if n.Kind != kubeyaml.Map || s.apiVersion == "" && s.kind == "" {
		return n
	}
	filled := *n
	filled.Keys = append([]*kubeyaml.Node(nil), n.Keys...)
	filled.Values = append([]*kubeyaml.Node(nil), n.Values...)
	for _, field := range [][2]string{{"apiVersion", s.apiVersion}, {"kind", s.kind}} {
		key, _ := n.Field(field[0])
		if field[1] == "" || key != nil {
			continue
		}
		at := kubeyaml.Node{Style: kubeyaml.DoubleQuoted, Line: n.Line, Column: n.Column, Offset: n.Offset}
		name, value := at, at
		name.Text, value.Text = field[0], field[1]
		filled.Keys = append(filled.Keys, &name)
		filled.Values = append(filled.Values, &value)
	}
	return &filled
}

// elementSources returns a source for each element of a list whose text ends at end. If an element
// cannot be cut out, its node is kept.
func elementSources(list *kubeyaml.Node, end int, whole source) []source {
	sources := make([]source, len(list.Values))
	whole, ends := whole.elements(list, end)
	for i, v := range list.Values {
		sources[i] = whole.part(v, ends[i])
	}
	return sources
}

// elements returns the end of each element's text, and the source that the elements are parts of.
func (s source) elements(list *kubeyaml.Node, end int) (whole source, ends []int) {
	starts, ok := elementStarts(list, s)
	s.apart = s.apart && ok
	for i := range list.Values {
		if ok && i+1 < len(starts) {
			ends = append(ends, s.origin+starts[i+1])
			continue
		}
		ends = append(ends, end)
	}
	return s, ends
}

// elementStarts returns the offsets of the lines where the elements of a block list begin in the
// text of whole. It declines if an element does not begin with "- " and its first character on one
// line, or may depend on text outside of it.
func elementStarts(list *kubeyaml.Node, whole source) (starts []int, ok bool) {
	if list.Flow || !whole.apart {
		return nil, false
	}
	for _, v := range list.Values {
		start := whole.lineStart(v.Offset)
		before := bytes.TrimSpace(whole.text[start : v.Offset-whole.origin])
		if string(before) != "-" || v.Flow || v.Kind != kubeyaml.Map {
			return nil, false
		}
		starts = append(starts, start)
	}
	return starts, true
}

// part returns a source for a value inside this source, if its lines end before end and can be
// decoded alone. If not, the source keeps the node.
func (s source) part(v *kubeyaml.Node, end int) source {
	if s.form != kept && v.End > 0 {
		return source{text: s.text[v.Offset-s.origin : v.End-s.origin], base: v.Line - 1, origin: v.Offset}
	}
	if s.form == kept || !s.apart || v.Flow || v.Kind != kubeyaml.Map || v.Tag() != "" {
		return source{form: kept, node: v}
	}
	start := s.lineStart(v.Offset)
	of := source{text: s.text[start:s.lineStart(end)], base: v.Line - 1, origin: s.origin + start, apart: true}
	switch string(bytes.TrimSpace(s.text[start : v.Offset-s.origin])) {
	case "":
		return of
	case "-":
		of.form = element
		return of
	}
	return source{form: kept, node: v}
}

// end returns the offset after the source's text.
func (s source) end() int { return s.origin + len(s.text) }

// lineStart returns the start, in the source's text, of the line of a node's offset; beyond the
// text it returns the end of the text.
func (s source) lineStart(offset int) int {
	offset -= s.origin
	if offset >= len(s.text) {
		return len(s.text)
	}
	return bytes.LastIndexByte(s.text[:offset], '\n') + 1
}
