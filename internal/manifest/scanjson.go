package manifest

import (
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// scanJSON reads the head of the next JSON value and checks the rest of it without building nodes.
// Unlike the YAML scanner it never declines.
func scanJSON(r *kubeyaml.JSON, depth int) (h *head, fault *kubeyaml.SyntaxError) {
	if fault := r.Enter(depth); fault != nil {
		return nil, fault
	}
	h = &head{line: r.Line}
	start := r.Pos
	switch r.Peek() {
	case '{':
		h.fields = true
		fault = r.Members(func(key kubeyaml.Key) *kubeyaml.SyntaxError { return h.scanField(r, key, depth+1) })
	case '[':
		h.sequence = true
		fault = h.scanElements(r, depth)
	default:
		fault = r.SkipValue(depth)
	}
	if fault != nil {
		return nil, fault
	}
	h.source = source{text: r.From(start), base: h.line - 1}
	return h, nil
}

// scanField reads a field; the last of several fields with one name counts.
func (h *head) scanField(r *kubeyaml.JSON, k kubeyaml.Key, depth int) *kubeyaml.SyntaxError {
	line := r.Line
	switch key := k.Text(); key {
	case "metadata":
		if h.metadata {
			h.again.see(key, line)
		}
		return h.scanMetadata(r, depth)
	case "items":
		h.items = nil
		h.list = r.Peek() == '[' || r.Peek() == 'n'
		if r.Peek() == '[' {
			return h.scanElements(r, depth)
		}
		return r.SkipValue(depth)
	case "apiVersion", "kind", "subjects", "sops":
		value, fault := r.Value(depth)
		if fault != nil {
			return fault
		}
		if key == "apiVersion" && h.apiVersion != "" || key == "kind" && h.kind != "" {
			h.again.see(key, line)
		}
		h.field(nil, key, value)
		return nil
	}
	return r.SkipValue(depth)
}

func (h *head) scanElements(r *kubeyaml.JSON, depth int) *kubeyaml.SyntaxError {
	if fault := r.Deep(depth); fault != nil {
		return fault
	}
	return r.Elements(func() *kubeyaml.SyntaxError {
		if fault := r.Item(); fault != nil {
			return fault
		}
		item, fault := scanJSON(r, depth+1)
		h.items = append(h.items, item)
		return fault
	})
}

func (h *head) scanMetadata(r *kubeyaml.JSON, depth int) *kubeyaml.SyntaxError {
	h.metadata = r.Peek() == '{'
	h.name, h.namespace, h.uid, h.resourceVersion, h.rest, h.remaining, h.owners = "", "", "", "", "", "", nil
	if !h.metadata {
		return r.SkipValue(depth)
	}
	return r.Members(func(k kubeyaml.Key) *kubeyaml.SyntaxError {
		key := k.Text()
		if key != ownerReferences && h.inMetadata(key) == nil {
			return r.SkipValue(depth + 1)
		}
		value, fault := r.Value(depth + 1)
		if fault == nil {
			h.metadataField(key, value)
		}
		return fault
	})
}
