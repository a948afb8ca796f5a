package render

import (
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/refconfig"
)

// literal takes a plain CR that does not parse as a template as it is, and warns of it: the rules of alerts, for one, hold braces
// of a template language of their own. Where the text is no YAML mapping either, the fault stays.
func (e *Engine) literal(ref *refconfig.Template, fault *refconfig.Problem) ([]*definition, *refconfig.Problem) {
	if _, err := mapping(string(ref.Source), Limits{}); err != nil {
		return nil, fault
	}
	e.warnings = append(e.warnings, refconfig.Problem{Code: code.RefLiteral, File: ref.File, Line: fault.Line + ref.LinesBefore,
		Message: "the CR is no template and is taken as it is: " + fault.Message})
	root := &parse.ListNode{NodeType: parse.NodeList, Nodes: []parse.Node{&parse.TextNode{NodeType: parse.NodeText, Text: ref.Source}}}
	return []*definition{{name: ref.Path, root: root, file: newSourceFile(ref.File, ref.Source)}}, nil
}
