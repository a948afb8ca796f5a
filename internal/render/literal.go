package render

import (
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// literal returns a template of nothing but text, and warns of it: a plain CR may hold braces of a template language of its own, as the
// rules of alerts do.
func (e *Engine) literal(ref *refconfig.Template, fault refconfig.Problem) *Template {
	e.warnings = append(e.warnings, refconfig.Problem{Code: code.RefLiteral, Place: refconfig.Place{File: ref.File, Line: fault.Place.Line},
		Message: "the CR is no template and is taken as it is: " + fault.Message})
	file := newSourceFile(ref.File, ref.Source)
	file.before = ref.LinesBefore
	root := &parse.ListNode{NodeType: parse.NodeList, Nodes: []parse.Node{&parse.TextNode{NodeType: parse.NodeText, Text: ref.Source}}}
	t := &Template{Ref: ref, engine: e, body: &definition{name: ref.Path, root: root, file: file}}
	t.Identity = t.identify()
	return t
}

// isYAML reports whether a text is one YAML mapping as it stands.
func isYAML(text []byte) bool {
	_, err := mapping(string(text), Limits{})
	return err == nil
}
