package manifest

import (
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// scanJSON reads the head of the next JSON value and checks the rest of it without building nodes.
// Unlike the YAML scanner it never declines.
func scanJSON(r *kubeyaml.JSON) (*head, *kubeyaml.SyntaxError) {
	h := &head{line: r.Line()}
	start := r.Start()
	var fault *kubeyaml.SyntaxError
	if h.sequence = r.IsList(); h.sequence {
		_, fault = h.scanItems(r)
	} else {
		h.fields, fault = r.Fields(func(key []byte) *kubeyaml.SyntaxError { return h.scanField(r, string(key)) })
	}
	if fault != nil {
		return nil, fault
	}
	h.source = source{text: r.From(start), base: h.line - 1}
	return h, nil
}

// scanField reads a field; the last of several fields with one name counts.
func (h *head) scanField(r *kubeyaml.JSON, key string) (fault *kubeyaml.SyntaxError) {
	line := r.Line()
	switch key {
	case "metadata":
		if h.metadata {
			h.again.see(key, line)
		}
		return h.scanMetadata(r)
	case "items":
		h.list, fault = h.scanItems(r)
		return fault
	case "apiVersion", "kind", "subjects", "sops":
		value, fault := r.Value()
		if fault != nil {
			return fault
		}
		if key == "apiVersion" && h.apiVersion != "" || key == "kind" && h.kind != "" {
			h.again.see(key, line)
		}
		h.field(nil, key, value)
		return nil
	}
	return r.Skip()
}

func (h *head) scanItems(r *kubeyaml.JSON) (isList bool, fault *kubeyaml.SyntaxError) {
	h.items = nil
	return r.Elements(func() *kubeyaml.SyntaxError {
		if fault := r.Item(); fault != nil {
			return fault
		}
		item, fault := scanJSON(r)
		h.items = append(h.items, item)
		return fault
	})
}

func (h *head) scanMetadata(r *kubeyaml.JSON) (fault *kubeyaml.SyntaxError) {
	h.name, h.namespace, h.uid, h.resourceVersion, h.rest, h.remaining, h.owners = "", "", "", "", "", "", nil
	h.metadata, fault = r.Fields(func(key []byte) *kubeyaml.SyntaxError {
		name := string(key)
		if name != ownerReferences && h.inMetadata(name) == nil {
			return r.Skip()
		}
		value, fault := r.Value()
		if fault == nil {
			h.metadataField(name, value)
		}
		return fault
	})
	return fault
}
