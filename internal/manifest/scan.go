package manifest

import (
	"github.com/validationtool/validationtool/internal/kubeyaml"
)

// scanYAML reads the head of a document without decoding it, or declines. It accepts plain YAML as
// printers write it, and declines everything that the decoder could read differently.
//
// Guarantee: if it accepts a document that decodes, both heads are equal. It may accept a document
// with a fault in a skipped part; decoding reports the fault later. The text must be the body of a
// document, valid UTF-8 without NUL and odd line breaks, and end with a line break. An accepted
// document has no more items than the limit of values.
func scanYAML(l kubeyaml.Limits, d kubeyaml.Document) (h *head, ok bool) {
	s := headScanner{kubeyaml.NewScanner(d), l.Values}
	h = &head{source: source{text: d.Text, base: d.Base, apart: true}}
	t := s.Next()
	if t.End() || t.Column != 0 {
		return nil, false
	}
	h.line = t.Line
	s.object(h, t, true)
	return h, !s.Declined()
}

// headScanner reads heads.
type headScanner struct {
	*kubeyaml.Scanner
	left int // number of items still allowed
}

// object reads the fields of the map whose first key is t, and returns the token after it. Only a
// document, not an item, may have items.
func (s *headScanner) object(h *head, t kubeyaml.Token, document bool) kubeyaml.Token {
	h.fields = true
	return s.Fields(t, func(t kubeyaml.Token) (kubeyaml.Token, bool) {
		switch string(t.Key) {
		case "apiVersion":
			return s.String(&h.apiVersion, t), true
		case "kind":
			return s.String(&h.kind, t), true
		case "metadata":
			return s.metadata(h, t), true
		case "subjects":
			return s.Entries(t, h.newSubject), true
		case "items":
			if document {
				return s.items(h, t), true
			}
			return s.Decline(), true
		case "sops":
			return s.Decline(), true
		}
		return t, false
	})
}

func (s *headScanner) metadata(h *head, key kubeyaml.Token) kubeyaml.Token {
	behind, isMap := s.Map(key, func(t kubeyaml.Token) (kubeyaml.Token, bool) {
		if string(t.Key) == ownerReferences {
			return s.Entries(t, h.newOwner), true
		}
		into := h.inMetadata(string(t.Key))
		if into == nil {
			return t, false
		}
		return s.String(into, t), true
	})
	h.metadata = isMap
	return behind
}

// items reads the items of a List.
func (s *headScanner) items(h *head, key kubeyaml.Token) kubeyaml.Token {
	h.list = true
	if key.Value == kubeyaml.PlainValue && key.Simple && kubeyaml.ResolvePlain(string(key.Text)) == nil {
		return s.Next()
	}
	return s.Elements(key, func(first kubeyaml.Token) kubeyaml.Token {
		if s.left--; s.left < 0 {
			return s.Decline()
		}
		item := &head{line: first.Line}
		behind := s.object(item, first, false)
		item.source = source{form: element, text: s.Text(first, behind), base: first.Line - 1, apart: true}
		h.items = append(h.items, item)
		return behind
	})
}
