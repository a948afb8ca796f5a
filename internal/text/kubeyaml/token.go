package kubeyaml

import "bytes"

// valueForm is the notation of a token's value.
type valueForm uint8

// The forms of values.
const (
	noValue     valueForm = iota // nothing on the line: the value is on deeper lines, or null
	plainValue                   // without quotes
	quotedValue                  // in single or double quotes
	blockValue                   // a block scalar
	emptyMap                     // {}
	emptyList                    // []
)

// token is a line of block YAML that begins a key or a scalar: not a continuation, the content of a
// block scalar, or a comment. Indent is -1 at the end of the document.
type token struct {
	Start  int // offset of the line
	Line   int // line number in the file
	Indent int // column of the first character, which may be a dash
	Dashes int
	Column int // column of the key or scalar after the dashes

	IsKey, QuotedKey bool
	Key              []byte

	Value  valueForm
	Text   []byte // text of a quoted value on one line, nil for more, or the first line of a plain value
	Simple bool   // Text is the whole value without escapes
}

// end reports whether the document ends here or was declined.
func (t token) end() bool { return t.Indent < 0 }

// scanner divides a document into tokens. After it has declined it returns no more tokens.
type scanner struct {
	text     []byte
	pos      int // offset of the next line
	line     int // its 1-based number in the file
	pending  int // column of the key or dash whose value may be on deeper lines, or -1
	declined bool
}

// newScanner returns a scanner for the body of a document, which must be plain text (see
// IsPlainText) and end with a line break.
func newScanner(d Document) *scanner {
	return &scanner{text: d.Text, line: d.Base + 1, pending: -1}
}

// isDeclined reports whether the decoder has to decide about the document.
func (s *scanner) isDeclined() bool { return s.declined }

// decline leaves the document to the decoder, and returns the end.
func (s *scanner) decline() token {
	s.declined = true
	return s.finish(len(s.text))
}

func (s *scanner) finish(start int) token {
	s.pos = len(s.text)
	return token{Indent: -1, Start: start, Line: s.line}
}

// takeLine moves to the next line and returns the current one without its end.
func (s *scanner) takeLine() []byte {
	rest := s.text[s.pos:]
	end := bytes.IndexByte(rest, '\n')
	if end < 0 {
		s.pos = len(s.text)
		return rest
	}
	s.pos += end + 1
	s.line++
	if end > 0 && rest[end-1] == '\r' {
		end--
	}
	return rest[:end]
}

// next returns the next token.
func (s *scanner) next() token {
	var t token
	s.read(&t)
	return t
}

// read does the same as next with a reused token, because most lines are only skipped.
func (s *scanner) read(t *token) {
	for s.pos < len(s.text) {
		start, number := s.pos, s.line
		line := s.takeLine()
		indent := 0
		for indent < len(line) && line[indent] == ' ' {
			indent++
		}
		if indent == len(line) || line[indent] == '#' || line[indent] <= ' ' && isBlank(line[indent:]) {
			continue
		}
		*t = token{Start: start, Line: number, Indent: indent}
		if indent == 0 && IsMarker(line, "...") && isBlank(line[len("..."):]) {
			*t = s.finish(start)
			return
		}
		if indent == 0 && (IsMarker(line, "...") || IsMarker(line, "---")) || !s.dashes(t, line) {
			*t = s.decline()
		}
		return
	}
	*t = s.finish(len(s.text))
}

// dashes reads the "- " at the beginning of a line. Like all methods that read a part of a token it
// returns false to decline.
func (s *scanner) dashes(t *token, line []byte) bool {
	parent := s.pending
	s.pending = -1
	i := t.Indent
	for line[i] == '-' && (i+1 == len(line) || line[i+1] == ' ') {
		t.Dashes++
		parent = i
		for i++; i < len(line) && line[i] == ' '; i++ {
		}
		if i == len(line) || line[i] == '#' {
			t.Column = i
			s.pending = parent
			return true
		}
	}
	t.Column = i
	return s.content(t, line[i:], parent)
}

// content reads the part of a line after its indentation and dashes. If it is a scalar, parent is
// the column of its key or dash, or -1.
func (s *scanner) content(t *token, rest []byte, parent int) bool {
	switch c := rest[0]; {
	case c == '"' || c == '\'':
		return s.quotedContent(t, rest, parent)
	case t.Dashes > 0 && (c == '|' || c == '>' || c == '{' || c == '['):
		return s.valueOf(t, rest, parent)
	case !beginsPlain(rest):
		return false
	}
	colon := keyLength(rest)
	if colon < 0 {
		return parent >= 0 && parent < t.Column && s.valueOf(t, rest, parent)
	}
	t.IsKey, t.Key = true, rest[:colon]
	if colon == 0 || isBlankOrBreak(rest[colon-1]) {
		return false
	}
	return s.valueOf(t, rest[colon+1:], t.Column)
}

// quotedContent reads a line that begins with a quote: a key or a scalar.
func (s *scanner) quotedContent(t *token, rest []byte, parent int) bool {
	closed, after := s.quoted(t, rest)
	if closed && t.Simple && len(after) > 0 && after[0] == ':' && (len(after) == 1 || after[1] == ' ') {
		t.IsKey, t.QuotedKey, t.Key = true, true, t.Text
		t.Simple, t.Text = false, nil
		return s.valueOf(t, after[1:], t.Column)
	}
	t.Value = quotedValue
	return closed && isComment(after) && parent >= 0 && parent < t.Column
}

// valueOf reads a value that begins on the line, and skips its lines with a greater indentation
// than its parent's column.
func (s *scanner) valueOf(t *token, rest []byte, parent int) bool {
	i := 0
	for i < len(rest) && rest[i] == ' ' {
		i++
	}
	rest = rest[i:]
	if len(rest) == 0 || rest[0] == '#' {
		s.pending = t.Column
		return true
	}
	switch rest[0] {
	case '"', '\'':
		t.Value = quotedValue
		closed, after := s.quoted(t, rest)
		return closed && isComment(after)
	case '|', '>':
		t.Value = blockValue
		s.skipDeeper(parent)
		return isBlockHeader(rest)
	case '{', '[':
		return isEmptyFlow(t, rest)
	}
	if !beginsPlain(rest) {
		return false
	}
	t.Value, t.Text = plainValue, plainText(rest)
	from := s.pos
	t.Simple = !s.skipDeeper(parent)
	more := s.text[from:s.pos] // the continuation lines; they must not contain a key or anything that looks like one
	return t.Simple || !bytes.Contains(more, []byte(": ")) && !bytes.Contains(more, []byte(":\n"))
}

// isEmptyFlow reads an empty map or list in braces or brackets, and declines all others.
func isEmptyFlow(t *token, rest []byte) bool {
	t.Value = emptyMap
	if rest[0] == '[' {
		t.Value = emptyList
	}
	closing := rest[0] + 2 // closing brackets are two after opening ones in ASCII
	return len(rest) > 1 && rest[1] == closing && isComment(rest[2:])
}

// quoted reads a quoted scalar from the beginning of rest to its end, which may be on a later line,
// and returns what follows on that line.
func (s *scanner) quoted(t *token, rest []byte) (closed bool, after []byte) {
	quote, oneLine := rest[0], true
	t.Simple = true
	for i := 1; ; i = 0 {
		for ; i < len(rest); i++ {
			escape := quote == '"' && rest[i] == '\\'
			twice := quote == '\'' && rest[i] == quote && i+1 < len(rest) && rest[i+1] == quote
			switch {
			case escape || twice:
				t.Simple = false
				i++
			case rest[i] == quote:
				if oneLine {
					t.Text = rest[1:i]
				}
				return true, rest[i+1:]
			}
		}
		if t.Simple, oneLine = false, false; s.pos >= len(s.text) {
			return false, nil
		}
		rest = s.takeLine()
	}
}

// skipDeeper skips lines that are blank or indented more than column, and reports whether any was
// not blank.
func (s *scanner) skipDeeper(column int) (content bool) {
	for s.pos < len(s.text) {
		i := s.pos
		for limit := min(len(s.text), s.pos+column+1); i < limit && s.text[i] == ' '; i++ {
		}
		if deeper := i-s.pos > column; !deeper && !startsBlankLine(s.text[i:]) {
			return content
		} else if deeper && !content {
			content = !startsBlankLine(s.text[i:])
		}
		s.takeLine()
	}
	return content
}

func startsBlankLine(text []byte) bool {
	for _, c := range text {
		if c == '\n' {
			return true
		}
		if !isBlankOrBreak(c) {
			return false
		}
	}
	return true
}

func isBlank(line []byte) bool { return len(bytes.TrimLeft(line, " \t\r")) == 0 }

// isComment reports whether the rest of the line is at most a comment.
func isComment(rest []byte) bool {
	trimmed := bytes.TrimLeft(rest, " \t")
	return len(trimmed) == 0 || trimmed[0] == '#' && len(trimmed) < len(rest)
}

// isBlockHeader reports whether text is the header of a block scalar: | or >, perhaps with
// indentation and chomping indicators.
func isBlockHeader(rest []byte) bool {
	i := 1
	for i < len(rest) && i < 3 && (rest[i] == '-' || rest[i] == '+' || rest[i] >= '1' && rest[i] <= '9') {
		i++
	}
	return isComment(rest[i:])
}

// beginsPlain reports whether the first character of rest always begins a plain scalar.
func beginsPlain(rest []byte) bool {
	switch rest[0] {
	case '&', '*', '!', '|', '>', '%', '@', '`', '{', '}', '[', ']', ',', '"', '\'', '#', '\t':
		return false
	case '-', '?', ':':
		return len(rest) > 1 && !isBlankOrBreak(rest[1])
	case BOM[0]:
		return !bytes.HasPrefix(rest, []byte(BOM))
	}
	return true
}

// keyLength returns the offset of the colon that ends a plain key, or -1 if the line ends or a
// comment begins before it.
func keyLength(rest []byte) int {
	for i := 0; ; {
		colon := bytes.IndexByte(rest[i:], ':')
		if colon < 0 {
			return -1
		}
		i += colon
		if i+1 == len(rest) || rest[i+1] == ' ' || rest[i+1] == '\t' {
			if bytes.IndexByte(rest[:i], '#') >= 0 && len(plainText(rest)) < i {
				return -1
			}
			return i
		}
		i++
	}
}

// plainText returns the plain scalar of a line without trailing comment and white space.
func plainText(rest []byte) []byte {
	for i := 1; i < len(rest); i++ {
		hash := bytes.IndexByte(rest[i:], '#')
		if hash < 0 {
			break
		}
		i += hash
		if rest[i-1] == ' ' || rest[i-1] == '\t' {
			rest = rest[:i]
			break
		}
	}
	return bytes.TrimRight(rest, " \t")
}
