package manifest

import (
	"bytes"

	"github.com/validationtool/validationtool/internal/input/collector"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// scanYAML reads the head of a document without decoding all of it, or returns nil. It accepts
// plain YAML as printers write it, and declines everything that the decoder could read differently.
//
// Guarantee: if it accepts a document that decodes, both heads are equal. It may accept a document
// with a fault in a skipped part; decoding reports the fault later. The text must be the body of a
// document, valid UTF-8 without NUL and odd line breaks, and end with a line break. An accepted
// document has no more items than the limit of values.
func (r *reader) scanYAML(d kubeyaml.Document) *head {
	defer r.nodes.Reuse(r.nodes.Mark())
	var items []*head
	n := r.limits.ReadOutline(r.nodes, d, outline(false, func(n *kubeyaml.Node, start, end int) {
		from := source{form: element, text: d.Text[start:end], base: n.Line - 1, origin: start, apart: true}
		items = append(items, headOf(n, from, nil))
	}))
	if n == nil || len(items) > r.limits.Values {
		return nil
	}
	return headOf(n, source{text: d.Text, base: d.Base, apart: true}, items)
}

// scanJSON reads the head of the next JSON value, and checks the rest of it. Unlike scanYAML it
// never declines. The text is that of the whole document.
func (r *reader) scanJSON(j *kubeyaml.JSON, text []byte) (*head, *kubeyaml.SyntaxError) {
	defer r.nodes.Reuse(r.nodes.Mark())
	from := func(n *kubeyaml.Node, start, end int) source {
		return source{text: text[start:end], base: n.Line - 1, origin: start}
	}
	var items []*head
	parts := kubeyaml.Outline{}
	if !r.decode {
		parts = outline(bytes.HasPrefix(j.Rest(), []byte{'['}), func(n *kubeyaml.Node, start, end int) {
			items = append(items, headOf(n, from(n, start, end), nil))
		})
	}
	n, fault := j.ReadOutline(parts)
	if fault != nil {
		return nil, fault
	}
	return headOf(n, from(n, n.Offset, n.End), items), nil
}

// outline returns the parts of a value that are in its head: of a list, or of an object or List. item
// receives the elements of the list, or the items of the List.
func outline(isList bool, item func(n *kubeyaml.Node, start, end int)) kubeyaml.Outline {
	items := kubeyaml.Outline{Field: headField, Element: item}
	if isList {
		return items
	}
	return kubeyaml.Outline{Field: func(key []byte) (string, kubeyaml.Outline) {
		name, value := headField(key)
		if name == "items" {
			value = items
		}
		return name, value
	}}
}

// headField is the outline of an object, or of a List in a List.
func headField(key []byte) (name string, value kubeyaml.Outline) {
	switch string(key) {
	case "apiVersion":
		return "apiVersion", value
	case "kind":
		return "kind", value
	case "metadata":
		return "metadata", kubeyaml.Outline{Field: metadataField}
	case "subjects":
		return "subjects", value
	case "items":
		return "items", kubeyaml.Outline{Field: headField}
	case "sops":
		return "sops", kubeyaml.Outline{Field: noField}
	case "$patch":
		return "$patch", kubeyaml.Outline{Field: noField}
	case "fingerprint":
		return "fingerprint", kubeyaml.Outline{Field: noField}
	case "spec", "status", "data", "type", "rules": // most others, so that they take no time
		return "", value
	}
	if collector.IsMessageKey(key) {
		return string(key), kubeyaml.Outline{Field: noField}
	}
	return "", value
}

func metadataField(key []byte) (name string, value kubeyaml.Outline) {
	switch string(key) {
	case "name":
		name = "name"
	case "generateName":
		name = "generateName"
	case "namespace":
		name = "namespace"
	case "uid":
		name = "uid"
	case "resourceVersion":
		name = "resourceVersion"
	case "continue":
		name = "continue"
	case "remainingItemCount":
		name = "remainingItemCount"
	case "ownerReferences":
		return "ownerReferences", kubeyaml.Outline{Field: ownerField}
	}
	return name, value
}

func ownerField(key []byte) (name string, value kubeyaml.Outline) {
	switch string(key) {
	case "apiVersion":
		name = "apiVersion"
	case "kind":
		name = "kind"
	case "name":
		name = "name"
	case "uid":
		name = "uid"
	}
	return name, value
}

func noField([]byte) (name string, value kubeyaml.Outline) { return "", value }
