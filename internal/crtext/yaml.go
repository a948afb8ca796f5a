package crtext

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
func (r *Reader) yamlCRs(document CR) []CR {
	root, err := yamlfile.Document(document.Text)
	if err == nil {
		return r.nodeCRs(document, document, root)
	}
	line, keys := document.Before+1, yamlfile.Keys(document.Text)
	switch {
	case !has(keys, "kind") && !has(keys, "apiVersion") && !has(keys, "metadata"):
		r.PassOver(line, noCR)
		return nil
	case has(keys, "items") && strings.HasSuffix(keys["kind"], "List"):
		r.Fault(code.RefTemplateYAML, line, 0, "a List that is no valid YAML cannot be taken apart (%v); write one CR a file", err)
		return nil
	}
	return []CR{document}
}

// nodeCRs returns the CRs of a YAML node of a document: the CR of which it is the whole, or the items of a List.
func (r *Reader) nodeCRs(doc, whole CR, n *yamlfile.Node) []CR {
	h, items, apiVersion := yamlHead(n)
	if yamlfile.Kind(n) == "a list" {
		items = n.Content
	}
	why := h.notCR()
	switch {
	case h.isList():
	case yamlfile.Kind(n) == "a list" && slices.ContainsFunc(items, isCR):
	case why != "":
		r.PassOver(doc.Before+n.Line, why)
		return nil
	default:
		return []CR{whole}
	}
	reader := r.Reader // each List may stand for as many values as the limit says
	var all []CR
	for _, item := range items {
		text, ok := reader.Item(doc.Text, item)
		if !ok {
			r.Fault(code.RefTemplateYAML, doc.Before+item.Line, 0, "an item of a List cannot be taken out of it; write one CR a file")
			continue
		}
		one := CR{Text: text, Before: doc.Before + item.Line - 1, document: doc.document}
		if kind := strings.TrimSuffix(h.kindText, "List"); kind != "" && unnamed(item) {
			one.Text = fill(item, text, apiVersion, kind)
			all = append(all, one)
			continue
		}
		all = append(all, r.nodeCRs(doc, one, yamlfile.Target(item))...)
	}
	return r.numbered(whole, all)
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
