package manifest

import (
	"bytes"

	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// form says what a source's text is.
type form uint8

const (
	wholeText form = iota // a YAML document or a JSON value
	element               // lines that are a YAML list of one element, as cut out of a longer list
	kept                  // no text of its own: the decoded node is kept
)

// source is what an object can be decoded from, as often as wanted.
type source struct {
	limits           *kubeyaml.Limits // nil for the defaults
	form             form
	text             []byte
	origin           int // offset of text in the text that node offsets are relative to; only while heads are read
	base             int // lines of the file before text
	node             *kubeyaml.Node
	apart            bool   // parts of the text can be decoded by themselves: no aliases, no directives
	apiVersion, kind string // to be filled in where the object does not have them
}

// parse decodes the source. A fault's line is the file's.
func (s source) parse() (*kubeyaml.Node, *kubeyaml.SyntaxError) {
	n := s.node
	if s.form != kept {
		limits := kubeyaml.DefaultLimits()
		if s.limits != nil {
			limits = *s.limits
		}
		nodes, fault := limits.ParseAt(s.text, s.base)
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

// fill adds the apiVersion and kind that only the List, or the path, says.
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

// elementSources finds for each element of a list the text that it alone can be decoded from; the
// list's text ends at end. Where that cannot be told, the nodes are kept.
func elementSources(list *kubeyaml.Node, end int, whole source) []source {
	sources := make([]source, len(list.Values))
	whole, ends := whole.elements(list, end)
	for i, v := range list.Values {
		sources[i] = whole.part(v, ends[i])
	}
	return sources
}

// elements says where the text of each element of a list ends, and what they are parts of.
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

// elementStarts lists where the lines of a block list's elements begin in the text of whole. It
// declines where an element does not begin as "- " and its first character on one line, or where it
// may need something from outside of itself.
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

// part is the text that a value within the source's can be decoded from alone, where its lines end
// before end. Where that cannot be told, the node is kept.
func (s source) part(v *kubeyaml.Node, end int) source {
	if s.form != kept && v.End > 0 {
		return source{text: s.text[v.Offset-s.origin : v.End-s.origin], base: v.Line - 1, origin: v.Offset}
	}
	if s.form == kept || !s.apart || v.Flow || v.Kind != kubeyaml.Map || v.Tag != "" {
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

// end is the offset behind the source's text.
func (s source) end() int { return s.origin + len(s.text) }

// lineStart is where the line of a node's offset begins in the source's text; behind the text it is
// the text's end.
func (s source) lineStart(offset int) int {
	offset -= s.origin
	if offset >= len(s.text) {
		return len(s.text)
	}
	return bytes.LastIndexByte(s.text[:offset], '\n') + 1
}
