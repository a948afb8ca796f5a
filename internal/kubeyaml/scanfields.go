package kubeyaml

import "bytes"

// keySet is the set of keys that were read of one map. It has room for only a few.
type keySet struct {
	names [8][]byte
	count int
}

// add adds a key and reports whether it is new and fits.
func (k *keySet) add(name []byte) bool {
	for _, known := range k.names[:k.count] {
		if bytes.Equal(known, name) {
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

// Fields iterates over the fields of the map whose first key is t, and returns the token after the
// map. read reads a field and returns the token after it, or false to skip the field. Fields
// declines a map with a merge key, or with duplicates of a key that is read.
func (s *Scanner) Fields(t Token, read func(t Token) (behind Token, known bool)) Token {
	var seen keySet
	column := t.Column
	for first := true; first || t.Indent >= column; first = false {
		if !t.IsKey || t.QuotedKey || !first && (t.Indent != column || t.Dashes > 0) || string(t.Key) == "<<" {
			return s.Decline()
		}
		key := t.Key
		behind, known := read(t)
		if known && !seen.add(key) {
			return s.Decline()
		}
		if t = behind; !known {
			t = s.Skip(t)
		}
	}
	return t
}

// Map reads the value of a key that must be a map or null; for read see Fields.
func (s *Scanner) Map(key Token, read func(t Token) (behind Token, known bool)) (behind Token, isMap bool) {
	switch key.Value {
	case EmptyMap:
		return s.Next(), true
	case NoValue:
	default:
		return s.Decline(), false
	}
	t := s.Next()
	deeper := t.Indent > key.Column
	switch {
	case t.Dashes > 0 && t.Indent >= key.Column:
		return s.Decline(), false // a list
	case deeper:
		t = s.Fields(t, read)
	}
	if t.Indent > key.Column {
		return s.Decline(), false
	}
	return t, deeper
}

// String reads the value of a key that must be a string on one line.
func (s *Scanner) String(into *string, key Token) Token {
	text := string(key.Text)
	switch {
	case !key.Simple:
		return s.Decline()
	case key.Value == PlainValue:
		if !isString(text) || keyLength(key.Text) >= 0 {
			return s.Decline()
		}
	case key.Value != QuotedValue:
		return s.Decline()
	}
	*into = text
	return s.Next()
}

// isString reports whether ResolvePlain resolves a text to a string.
func isString(text string) bool {
	if IsWord(text) {
		return true
	}
	_, is := ResolvePlain(text).(string)
	return is
}

// Elements reads a list of maps that is the value of a key, and returns the token after it. read
// reads one map.
func (s *Scanner) Elements(key Token, read func(first Token) Token) Token {
	switch key.Value {
	case EmptyList:
		return s.Next()
	case NoValue:
	default:
		return s.Decline()
	}
	t := s.Next()
	if t.Indent < key.Column || t.Indent == key.Column && t.Dashes == 0 {
		return t // null
	}
	for dash := t.Indent; t.Indent >= dash; {
		if t.Indent == dash && t.Dashes == 0 && dash == key.Column {
			return t // the next key, because the list is not indented
		}
		if t.Indent != dash || t.Dashes != 1 || !t.IsKey {
			return s.Decline()
		}
		t = read(t)
	}
	if t.Indent > key.Column {
		return s.Decline()
	}
	return t
}

// Entries reads a list of maps of strings. begin adds an entry and returns a function from the name
// of a field to a pointer to that field of the entry; the function returns nil for a field to skip.
func (s *Scanner) Entries(key Token, begin func() func(name string) *string) Token {
	return s.Elements(key, func(first Token) Token {
		place := begin()
		return s.Fields(first, func(t Token) (Token, bool) {
			into := place(string(t.Key))
			if into == nil {
				return t, false
			}
			return s.String(into, t), true
		})
	})
}
