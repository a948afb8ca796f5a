package refconfig

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/code"
)

// yamlDocuments cuts a text into its documents, without looking into them.
func yamlDocuments(text []byte) []cr {
	var all []cr
	for before := 0; ; {
		line := secondDocument(string(text))
		end := len(text)
		if line > 0 {
			end = lineStart(text, line)
		}
		if line > 0 || !blankDocument(text) {
			all = append(all, cr{text: text[:end], before: before})
		}
		if line == 0 {
			return all
		}
		text, before = text[end:], before+line-1
	}
}

// blankDocument reports whether a text has nothing but markers, comments and blanks.
func blankDocument(text []byte) bool {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.Trim(line, "\ufeff"), "---"))
		if line != "" && line[0] != '#' && line != "..." {
			return false
		}
	}
	return true
}

// lineStart returns the offset of a 1-based line.
func lineStart(text []byte, line int) int {
	at := 0
	for ; line > 1; line-- {
		at += bytes.IndexByte(text[at:], '\n') + 1
	}
	return at
}

// yamlCRs returns the CRs of a YAML document: itself, or the items of a List. A document that is no YAML before it is executed as
// a template is a CR if its lines look like one.
func (l *loader) yamlCRs(file string, document cr) []cr {
	root, err := parseDocument(document.text)
	if err == nil {
		return l.nodeCRs(file, document, document, root)
	}
	at, keys := Place{File: l.shown(file), Line: document.before + 1}, keysOf(document.text)
	switch {
	case !has(keys, "kind") && !has(keys, "apiVersion") && !has(keys, "metadata"):
		l.passOver(file, at.Line, noCR)
		return nil
	case has(keys, "items") && strings.HasSuffix(keys["kind"], "List"):
		l.fault(code.RefTemplateYAML, at, "a List that is no valid YAML cannot be taken apart (%v); write one CR a file", err)
		return nil
	}
	return []cr{document}
}

// parseDocument parses a text that is one YAML document. The actions of templates often parse, as maps that are keys of maps: these
// are an error too.
func parseDocument(text []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var root *yaml.Node
	for {
		var n yaml.Node
		err := decoder.Decode(&n)
		switch {
		case errors.Is(err, io.EOF) && root == nil:
			return nil, errors.New("it is empty")
		case errors.Is(err, io.EOF):
			return root, nil
		case err != nil:
			return nil, err
		case root != nil && len(n.Content) > 0 && kindOf(n.Content[0]) != "nothing":
			return nil, errors.New("it is not one document")
		case root == nil && len(n.Content) > 0 && kindOf(n.Content[0]) != "nothing":
			root = n.Content[0]
			if hasAction(root) {
				return nil, errors.New("it holds template actions")
			}
		}
	}
}

// hasAction reports whether a key below a node is a map or a list.
func hasAction(n *yaml.Node) bool {
	for i, below := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && len(target(below).Content) > 0 || hasAction(below) {
			return true
		}
	}
	return false
}

// nodeCRs returns the CRs of a YAML node of a document: the CR of which it is the whole, or the items of a List.
func (l *loader) nodeCRs(file string, doc, whole cr, n *yaml.Node) []cr {
	h, items, apiVersion := yamlHead(n)
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	why := h.notCR()
	switch {
	case h.isList():
	case n.Kind == yaml.SequenceNode && slices.ContainsFunc(items, isCR):
	case why != "":
		l.passOver(file, doc.before+n.Line, why)
		return nil
	default:
		return []cr{whole}
	}
	d := &document{findings: l.findings, file: l.shown(file), codes: metadataCodes(), most: l.aliases}
	var all []cr
	for _, item := range items {
		text, ok := d.itemText(doc.text, item)
		if !ok {
			l.fault(code.RefTemplateYAML, Place{File: d.file, Line: doc.before + item.Line}, "an item of a List cannot be taken out of it; write one CR a file")
			continue
		}
		one := cr{text: text, before: doc.before + item.Line - 1, document: doc.document}
		if kind := strings.TrimSuffix(h.kindText, "List"); kind != "" && unnamed(item) {
			one.text = fill(item, text, apiVersion, kind)
			all = append(all, one)
			continue
		}
		all = append(all, l.nodeCRs(file, doc, one, target(item))...)
	}
	return l.numbered(file, whole, all)
}

// itemText returns the text of a list's item: its lines, moved to the left, or, where it has aliases or stands in a line with others, a
// text of the same meaning.
func (d *document) itemText(doc []byte, item *yaml.Node) ([]byte, bool) {
	if text, ok := cutItem(doc, item); ok {
		return text, true
	}
	whole, ok := d.withoutAliases(item)
	if !ok {
		return nil, false
	}
	text, err := yaml.Marshal(whole)
	return text, err == nil && means(text, whole)
}

// cutItem takes the lines of a list's item out of a text. False where these by themselves mean something else.
func cutItem(doc []byte, item *yaml.Node) ([]byte, bool) {
	rest, column := string(doc[lineStart(doc, item.Line):]), item.Column-1
	var text strings.Builder
	for line := range strings.Lines(rest) {
		first := text.Len() == 0
		switch {
		case first && (len(line) <= column || strings.Trim(line[:column], " -") != ""):
			return nil, false
		case !first && strings.TrimSpace(line) != "" && indentation(line) < column:
			return []byte(text.String()), means([]byte(text.String()), item)
		case strings.TrimSpace(line) == "" && len(line) <= column:
			line = strings.Repeat(" ", column) + strings.TrimLeft(line, " ")
		}
		text.WriteString(line[column:])
	}
	if !strings.HasSuffix(text.String(), "\n") {
		text.WriteByte('\n')
	}
	return []byte(text.String()), means([]byte(text.String()), item)
}

// means reports whether a text is what a node is.
func means(text []byte, n *yaml.Node) bool {
	root, err := parseDocument(text)
	return err == nil && same(root, n)
}

// same reports whether two nodes mean the same; never where there are aliases.
func same(a, b *yaml.Node) bool {
	tagged := a.ShortTag() == b.ShortTag() || a.Value == "<<" // a merge key that was built has no tag
	if a.Kind != b.Kind || a.Kind == yaml.AliasNode || !tagged || a.Value != b.Value {
		return false
	}
	return slices.EqualFunc(a.Content, b.Content, same)
}

// isCR reports whether a node is surely a CR or a List.
func isCR(n *yaml.Node) bool {
	h, _, _ := yamlHead(n)
	return h.kind && h.apiVersion && h.metadata || h.isList()
}

// yamlHead reads what tells whether a YAML node is a CR, the items of a List, and the apiVersion.
func yamlHead(n *yaml.Node) (h head, items []*yaml.Node, apiVersion string) {
	if n = target(n); n.Kind != yaml.MappingNode {
		return h, nil, ""
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := target(n.Content[i+1])
		switch n.Content[i].Value {
		case "apiVersion":
			h.apiVersion, apiVersion = true, value.Value
			h.group = groupOf(apiVersion)
		case "kind":
			h.kind, h.kindText = true, value.Value
		case "metadata":
			h.metadata = true
		case "items":
			h.items = value.Kind == yaml.SequenceNode || kindOf(value) == "nothing"
			items = value.Content
		}
	}
	return h, items, apiVersion
}

// flowHead is yamlHead for a text in YAML flow style.
func flowHead(text []byte) head {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return head{}
	}
	root, err := parseDocument(text)
	if err != nil {
		return head{}
	}
	h, _, _ := yamlHead(root)
	return h
}

// unnamed reports whether an item is a map with neither apiVersion nor kind.
func unnamed(item *yaml.Node) bool {
	h, _, _ := yamlHead(item)
	return target(item).Kind == yaml.MappingNode && !h.apiVersion && !h.kind
}

// fill gives an item of a typed List the apiVersion and kind that it need not state.
func fill(item *yaml.Node, text []byte, apiVersion, kind string) []byte {
	apiVersion, kind = "apiVersion: "+strconv.Quote(apiVersion), "kind: "+strconv.Quote(kind)
	if target(item).Style&yaml.FlowStyle != 0 {
		return []byte("{" + apiVersion + ", " + kind + ", " + strings.TrimPrefix(string(text), "{"))
	}
	return append(text, apiVersion+"\n"+kind+"\n"...)
}

// withoutAliases returns a copy of a node with what its aliases stand for in their place. False where that is too much.
func (d *document) withoutAliases(n *yaml.Node) (*yaml.Node, bool) {
	if !d.visit(n, 0) {
		return nil, false
	}
	c := *target(n)
	c.Anchor = ""
	if c.ShortTag() == "!!merge" {
		c.Tag = ""
	}
	c.Content = make([]*yaml.Node, len(c.Content))
	for i, below := range target(n).Content {
		copied, ok := d.withoutAliases(below)
		if !ok {
			return nil, false
		}
		c.Content[i] = copied
	}
	return &c, true
}
