package manifest

// scanYAML reads the head of a document without decoding it, or declines. It understands plain block YAML, as printers
// write it, and declines whatever could make it differ from the decoder: then the decoder decides.
//
// Guarantee: where it does not decline and the document decodes, the two heads are equal. A document whose fault lies
// in a part that is only skipped may be accepted; its fault shows when it is decoded. The text must be the body of a
// document, be valid UTF-8 without NUL and odd line breaks, and end with a line break. It has up to so many items.
func scanYAML(d document, items int) (h *head, ok bool) {
	s := newScanner(d)
	s.left = items
	h = &head{source: source{text: d.text, base: d.base, apart: true}}
	t := s.next()
	if t.end() || t.column != 0 {
		return nil, false
	}
	h.line = t.line
	s.object(h, t, true)
	return h, !s.declined
}

// keySet remembers the few keys that are read of one map.
type keySet struct {
	names [8]string
	count int
}

// add says whether the key is new, and may be kept.
func (k *keySet) add(name string) bool {
	for _, known := range k.names[:k.count] {
		if known == name {
			return false
		}
	}
	if k.count == len(k.names) {
		return false
	}
	k.names[k.count] = name
	k.count++
	return true
}

// object reads the fields of a map whose first key is t and returns the token behind it. Only a document, not an item,
// may have items.
func (s *scanner) object(h *head, t token, document bool) token {
	var seen keySet
	h.fields = true
	column := t.column
	for first := true; ; first = false {
		if !first && t.indent < column {
			return t
		}
		if !t.isKey || t.quotedKey || !first && (t.indent != column || t.dashes > 0) {
			return s.decline()
		}
		switch name := string(t.key); name {
		case "apiVersion", "kind", "metadata", "subjects", "items":
			if !seen.add(name) || name == "items" && !document {
				return s.decline()
			}
			t = s.field(h, name, t)
		case "sops", "<<":
			return s.decline()
		default:
			t = s.skip(t)
		}
	}
}

func (s *scanner) field(h *head, name string, t token) token {
	switch name {
	case "apiVersion":
		return s.scalar(&h.apiVersion, t)
	case "kind":
		return s.scalar(&h.kind, t)
	case "metadata":
		return s.metadata(h, t)
	case "subjects":
		return s.entries(t, func() func(string) *string {
			h.subjects = append(h.subjects, Subject{})
			return h.subjects[len(h.subjects)-1].field
		})
	default:
		return s.items(h, t)
	}
}

// scalar reads a value that must be a string on one line.
func (s *scanner) scalar(into *string, t token) token {
	text := string(t.text)
	switch {
	case !t.simple:
		return s.decline()
	case t.value == plainValue:
		if _, isString := resolvePlain(text).(string); !isString || keyLength(t.text) >= 0 {
			return s.decline()
		}
	case t.value != quotedValue:
		return s.decline()
	}
	*into = text
	return s.next()
}

func (s *scanner) metadata(h *head, t token) token {
	column := t.column
	if t.value == emptyMap {
		h.metadata = true
		return s.next()
	}
	if t.value != noValue {
		return s.decline()
	}
	if t = s.next(); t.indent <= column {
		return s.unlessDash(t, column)
	}
	var seen keySet
	h.metadata = true
	for inner := t.indent; t.indent > column; {
		if !t.isKey || t.quotedKey || t.indent != inner || t.dashes > 0 {
			return s.decline()
		}
		t = s.metadataField(h, &seen, t)
	}
	return t
}

func (s *scanner) metadataField(h *head, seen *keySet, t token) token {
	var into *string
	switch name := string(t.key); name {
	case "name":
		into = &h.name
	case "namespace":
		into = &h.namespace
	case "uid":
		into = &h.uid
	case "resourceVersion":
		into = &h.resourceVersion
	case "ownerReferences":
		if !seen.add(name) {
			return s.decline()
		}
		return s.entries(t, func() func(string) *string {
			h.owners = append(h.owners, Owner{})
			return h.owners[len(h.owners)-1].field
		})
	case "<<":
		return s.decline()
	default:
		return s.skip(t)
	}
	if !seen.add(string(t.key)) {
		return s.decline()
	}
	return s.scalar(into, t)
}

// unlessDash declines where a list follows a key that should have a map.
func (s *scanner) unlessDash(t token, column int) token {
	if t.indent == column && t.dashes > 0 {
		return s.decline()
	}
	return t
}

// field is where an owner's field of that name is kept, or nil.
func (o *Owner) field(name string) *string {
	switch name {
	case "apiVersion":
		return &o.APIVersion
	case "kind":
		return &o.Kind
	case "name":
		return &o.Name
	case "uid":
		return &o.UID
	}
	return nil
}

// field is where a subject's field of that name is kept, or nil.
func (u *Subject) field(name string) *string {
	switch name {
	case "kind":
		return &u.Kind
	case "namespace":
		return &u.Namespace
	case "name":
		return &u.Name
	}
	return nil
}

// elements reads a list of maps that is the value of key, and returns the token behind it. each reads one map.
func (s *scanner) elements(key token, each func(first token) token) token {
	if key.value == emptyList {
		return s.next()
	}
	if key.value != noValue {
		return s.decline()
	}
	t := s.next()
	if t.indent < key.column || t.indent == key.column && t.dashes == 0 {
		return t // null
	}
	for dash := t.indent; t.indent >= dash; {
		if t.indent == dash && t.dashes == 0 && dash == key.column {
			return t // the next key, as the list is not indented
		}
		if t.indent != dash || t.dashes != 1 || !t.isKey {
			return s.decline()
		}
		t = each(t)
	}
	if t.indent > key.column {
		return s.decline()
	}
	return t
}

// entries reads a list of maps of strings; begin makes room for one and tells where its fields go.
func (s *scanner) entries(key token, begin func() func(name string) *string) token {
	return s.elements(key, func(t token) token {
		var seen keySet
		place, column := begin(), t.column
		for first := true; first || t.indent == column && t.dashes == 0; first = false {
			if !t.isKey || t.quotedKey || string(t.key) == "<<" {
				return s.decline()
			}
			into := place(string(t.key))
			if into == nil {
				t = s.skip(t)
				continue
			}
			if !seen.add(string(t.key)) {
				return s.decline()
			}
			t = s.scalar(into, t)
		}
		if t.indent >= column {
			return s.decline()
		}
		return t
	})
}

// items reads the items of a List.
func (s *scanner) items(h *head, key token) token {
	h.list = true
	if key.value == plainValue && key.simple && resolvePlain(string(key.text)) == nil {
		return s.next()
	}
	return s.elements(key, func(first token) token {
		if s.left--; s.left < 0 {
			return s.decline()
		}
		item := &head{line: first.line}
		behind := s.object(item, first, false)
		item.source = source{form: element, text: h.source.text[first.start:behind.start], base: first.line - 1, apart: true}
		h.items = append(h.items, item)
		return behind
	})
}
