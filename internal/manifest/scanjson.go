package manifest

// scanJSON reads the head of the JSON value at hand, checks the rest of it, and builds no nodes for it. Unlike the scanner
// for YAML it never has to decline.
func scanJSON(r *jsonReader, depth int) (h *head, fault *SyntaxError) {
	if depth > r.limits.Nesting {
		return nil, r.tooDeep()
	}
	if r.values++; r.values > r.limits.Values {
		return nil, r.tooMany()
	}
	h = &head{line: r.line}
	start, line := r.pos, r.line
	switch r.peek() {
	case '{':
		h.fields = true
		fault = r.members(func(key jsonKey) *SyntaxError { return h.scanField(r, key.raw, depth+1) })
	case '[':
		h.sequence = true
		fault = h.scanElements(r, depth)
	default:
		fault = r.skipValue(depth)
	}
	if fault != nil {
		return nil, fault
	}
	h.source = source{text: r.text[start:r.pos], base: line - 1}
	return h, nil
}

// scanField reads a field; of a field that stands twice the last one counts.
func (h *head) scanField(r *jsonReader, raw []byte, depth int) *SyntaxError {
	line := r.line
	switch key := unescapeJSON(raw); key {
	case "metadata":
		if h.metadata {
			h.again.see(key, line)
		}
		return h.scanMetadata(r, depth)
	case "items":
		h.items = nil
		h.list = r.peek() == '[' || r.peek() == 'n'
		if r.peek() == '[' {
			return h.scanElements(r, depth)
		}
		return r.skipValue(depth)
	case "apiVersion", "kind", "subjects", "sops":
		value, fault := r.value(depth)
		if fault != nil {
			return fault
		}
		if key == "apiVersion" && h.apiVersion != "" || key == "kind" && h.kind != "" {
			h.again.see(key, line)
		}
		h.field(nil, key, value)
		return nil
	}
	return r.skipValue(depth)
}

func (h *head) scanElements(r *jsonReader, depth int) *SyntaxError {
	if depth > r.limits.Nesting {
		return r.tooDeep()
	}
	return r.elements(func() *SyntaxError {
		item, fault := scanJSON(r, depth+1)
		h.items = append(h.items, item)
		return fault
	})
}

func (h *head) scanMetadata(r *jsonReader, depth int) *SyntaxError {
	h.metadata = r.peek() == '{'
	h.name, h.namespace, h.uid, h.resourceVersion, h.owners = "", "", "", "", nil
	if !h.metadata {
		return r.skipValue(depth)
	}
	return r.members(func(k jsonKey) *SyntaxError {
		switch key := unescapeJSON(k.raw); key {
		case "name", "namespace", "uid", "resourceVersion", "ownerReferences":
			value, fault := r.value(depth + 1)
			if fault == nil {
				h.metadataField(key, value)
			}
			return fault
		}
		return r.skipValue(depth + 1)
	})
}

// skipValue goes over a value and checks it as value does.
func (r *jsonReader) skipValue(depth int) *SyntaxError {
	if depth > r.limits.Nesting {
		return r.tooDeep()
	}
	switch c := r.peek(); {
	case c == '{':
		return r.members(func(jsonKey) *SyntaxError { return r.skipValue(depth + 1) })
	case c == '[':
		return r.elements(func() *SyntaxError { return r.skipValue(depth + 1) })
	case c == '"':
		_, fault := r.rawString()
		return fault
	case c == '-' || c >= '0' && c <= '9':
		_, fault := r.rawNumber()
		return fault
	default:
		_, fault := r.rawWord()
		return fault
	}
}
