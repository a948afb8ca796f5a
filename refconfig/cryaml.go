package refconfig

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/yamlfile"
)

// yamlCRs returns the CRs of a YAML document: itself, or the items of a List. A document that is no YAML before it is executed as
// a template is a CR if its lines look like one.
func (l *loader) yamlCRs(file string, document cr) []cr {
	root, err := yamlfile.Document(document.text)
	if err == nil {
		return l.nodeCRs(file, document, document, root)
	}
	at, keys := Place{File: l.shown(file), Line: document.before + 1}, yamlfile.Keys(document.text)
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

// nodeCRs returns the CRs of a YAML node of a document: the CR of which it is the whole, or the items of a List.
func (l *loader) nodeCRs(file string, doc, whole cr, n *yamlfile.Node) []cr {
	h, items, apiVersion := yamlHead(n)
	if yamlfile.Kind(n) == "a list" {
		items = n.Content
	}
	why := h.notCR()
	switch {
	case h.isList():
	case yamlfile.Kind(n) == "a list" && slices.ContainsFunc(items, isCR):
	case why != "":
		l.passOver(file, doc.before+n.Line, why)
		return nil
	default:
		return []cr{whole}
	}
	d := l.document(l.shown(file), metadataCodes(), l.aliases)
	var all []cr
	for _, item := range items {
		text, ok := d.Item(doc.text, item)
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
		all = append(all, l.nodeCRs(file, doc, one, yamlfile.Target(item))...)
	}
	return l.numbered(file, whole, all)
}

// isCR reports whether a node is surely a CR or a List.
func isCR(n *yamlfile.Node) bool {
	h, _, _ := yamlHead(n)
	return h.isSurely()
}

// yamlHead reads what tells whether a YAML node is a CR, the items of a List, and the apiVersion.
func yamlHead(n *yamlfile.Node) (h head, items []*yamlfile.Node, apiVersion string) {
	if n = yamlfile.Target(n); yamlfile.Kind(n) != "a mapping" {
		return h, nil, ""
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := yamlfile.Target(n.Content[i+1])
		switch n.Content[i].Value {
		case "apiVersion":
			h.apiVersion, apiVersion = true, value.Value
			h.group = groupOf(apiVersion)
		case "kind":
			h.kind, h.kindText = true, value.Value
		case "metadata":
			h.metadata = true
		case "items":
			h.items = slices.Contains([]string{"a list", "nothing"}, yamlfile.Kind(value))
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
	root, err := yamlfile.Document(text)
	if err != nil {
		return head{}
	}
	h, _, _ := yamlHead(root)
	return h
}

// unnamed reports whether an item is a map with neither apiVersion nor kind.
func unnamed(item *yamlfile.Node) bool {
	h, _, _ := yamlHead(item)
	return yamlfile.Kind(item) == "a mapping" && !h.apiVersion && !h.kind
}

// fill gives an item of a typed List the apiVersion and kind that it need not state.
func fill(item *yamlfile.Node, text []byte, apiVersion, kind string) []byte {
	apiVersion, kind = "apiVersion: "+strconv.Quote(apiVersion), "kind: "+strconv.Quote(kind)
	if yamlfile.IsFlow(item) {
		return []byte("{" + apiVersion + ", " + kind + ", " + strings.TrimPrefix(string(text), "{"))
	}
	return append(text, apiVersion+"\n"+kind+"\n"...)
}
