package kubeyaml

import (
	"bytes"
	"math"
	"unicode/utf8"
)

// NewFlow reads a YAML document in braces or brackets.
func (l Limits) NewFlow(d Document) *JSON {
	r := newFlow(d.Text, Token{Line: d.Base + 1}, 0, l.Nesting)
	r.room = &Room{}
	return r
}

// newFlow reads the map or list in braces or brackets that begins at an offset of a text, on the
// line of a token. It supports one difference from JSON: scalars may have single quotes or none.
// Everything else, such as escapes, comments, tags, anchors or missing values, is a fault, which
// only means that the decoder has to decide. The text in between must be printable.
func newFlow(text []byte, t Token, at, nesting int) *JSON {
	return &JSON{
		Flow:      true,
		Line:      t.Line,
		Pos:       at,
		text:      text,
		lineStart: t.Start,
		limits:    Limits{Nesting: nesting, Values: math.MaxInt},
	}
}

// LongestKey is the maximum length in bytes of a key that is read without the decoder; yaml.v3
// accepts 1024 characters.
const LongestKey = 1000

// endsFlowKey reports whether the current colon ends a key: after a key without quotes it is part
// of the scalar unless white space follows.
func (r *JSON) endsFlowKey(k Key) bool {
	return r.Line == k.Line && r.Pos-k.Offset <= LongestKey &&
		(k.Quote != 0 || r.Pos+1 < len(r.text) && IsBlankOrBreak(r.text[r.Pos+1]))
}

// flowScalar reads a scalar on one line.
func (r *JSON) flowScalar() (raw []byte, quote byte, fault *SyntaxError) {
	rest := r.Rest()
	if quote = r.Peek(); quote != '"' && quote != '\'' {
		raw = rest[:flowPlainLength(rest)]
		if r.Pos += len(raw); len(raw) == 0 {
			fault = r.fault("expected a simple scalar")
		}
		return raw, 0, fault
	}
	length := bytes.IndexByte(rest[1:], quote)
	if length < 0 || bytes.ContainsAny(rest[:length+1], "\\\n") || bytes.HasPrefix(rest[length+2:], []byte("'")) {
		return nil, quote, r.fault("expected a string on one line")
	}
	const quotes = 2
	r.Pos += length + quotes
	return rest[1 : length+1], quote, nil
}

// flowPlainLength returns the length of the unquoted scalar at the beginning of text, or 0 if the
// decoder might read the text differently.
func flowPlainLength(text []byte) int {
	length := 0
	for i, c := range text {
		word := isWordByte(c) || c == '/' || c == '_'
		before := i > 0 && length == i // no space
		followed := i+1 < len(text) && isWordByte(text[i+1])
		switch {
		case word, before && bytes.IndexByte([]byte("$%&()*;<=>@^|~!\"'`"), c) >= 0:
		case c == '-' || c == '.' || c == '+':
			if !before && !followed {
				return length
			}
		case c == ':' && before && (followed || i+1 < len(text) && text[i+1] == '/'):
		case c == ' ' && i > 0:
			continue
		default:
			return length
		}
		length = i + 1
	}
	return length
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}
