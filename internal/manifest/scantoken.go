package manifest

import "bytes"

// valueForm says how the value of a token is written.
type valueForm uint8

const (
	noValue valueForm = iota // nothing on the line: it follows on deeper lines, or is null
	plainValue
	quotedValue
	blockValue
	emptyMap
	emptyList
)

// token is a line of block YAML that begins a key or a scalar: no continuation, no content of a block scalar, no
// comment. indent is -1 at the end of the document.
type token struct {
	start  int // offset of the line
	line   int // its number in the file
	indent int // column of the first character, a dash or not
	dashes int
	column int // of the key or scalar behind the dashes

	isKey, quotedKey bool
	key              []byte

	value  valueForm
	text   []byte // of a plain or quoted value on one line
	simple bool   // text is the whole value, and needs no unescaping
}

func (t token) end() bool { return t.indent < 0 }

// scanner cuts a document into tokens. Once it has declined there are no more.
type scanner struct {
	text     []byte
	pos      int // where the next line begins
	line     int // its 1-based number in the file
	left     int // how many more items there may be
	pending  int // column of the key or dash whose value may follow on deeper lines, or -1
	declined bool
}

func newScanner(d document) *scanner {
	return &scanner{text: d.text, line: d.base + 1, pending: -1}
}

func (s *scanner) decline() token {
	s.declined = true
	return s.finish(len(s.text))
}

func (s *scanner) finish(start int) token {
	s.pos = len(s.text)
	return token{indent: -1, start: start, line: s.line}
}

// takeLine goes to the next line and returns this one without its end.
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

func (s *scanner) next() token {
	var t token
	s.read(&t)
	return t
}

// read is next for a token that is there to be used again: most lines are only gone over.
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
		*t = token{start: start, line: number, indent: indent}
		if indent == 0 && isMarker(line, "...") && isBlank(line[len("..."):]) {
			*t = s.finish(start)
			return
		}
		if indent == 0 && (isMarker(line, "...") || isMarker(line, "---")) || !s.dashes(t, line) {
			*t = s.decline()
		}
		return
	}
	*t = s.finish(len(s.text))
}

// dashes reads the "- " that a line begins with. Like all that reads a part of a token it returns false to decline.
func (s *scanner) dashes(t *token, line []byte) bool {
	parent := s.pending
	s.pending = -1
	i := t.indent
	for line[i] == '-' && (i+1 == len(line) || line[i+1] == ' ') {
		t.dashes++
		parent = i
		for i++; i < len(line) && line[i] == ' '; i++ {
		}
		if i == len(line) || line[i] == '#' {
			t.column = i
			s.pending = parent
			return true
		}
	}
	t.column = i
	return s.content(t, line[i:], parent)
}

// content reads what stands on a line behind its indentation and dashes. parent is the column of what a scalar here
// would be the value of, or -1.
func (s *scanner) content(t *token, rest []byte, parent int) bool {
	switch c := rest[0]; {
	case c == '"' || c == '\'':
		return s.quotedContent(t, rest, parent)
	case t.dashes > 0 && (c == '|' || c == '>' || c == '{' || c == '['):
		return s.valueOf(t, rest, parent)
	case !beginsPlain(rest):
		return false
	}
	colon := keyLength(rest)
	if colon < 0 {
		return parent >= 0 && parent < t.column && s.valueOf(t, rest, parent)
	}
	t.isKey, t.key = true, rest[:colon]
	if colon == 0 || isBlankOrBreak(rest[colon-1]) {
		return false
	}
	return s.valueOf(t, rest[colon+1:], t.column)
}

// quotedContent is for a line that begins with a quote: a key or a scalar.
func (s *scanner) quotedContent(t *token, rest []byte, parent int) bool {
	closed, after := s.quoted(t, rest)
	if closed && t.simple && len(after) > 0 && after[0] == ':' && (len(after) == 1 || after[1] == ' ') {
		t.isKey, t.quotedKey, t.key = true, true, t.text
		t.simple, t.text = false, nil
		return s.valueOf(t, after[1:], t.column)
	}
	t.value = quotedValue
	return closed && isComment(after) && parent >= 0 && parent < t.column
}

// valueOf reads a value that begins on the line, and goes over what of it stands on deeper lines than its parent's column.
func (s *scanner) valueOf(t *token, rest []byte, parent int) bool {
	i := 0
	for i < len(rest) && rest[i] == ' ' {
		i++
	}
	rest = rest[i:]
	if len(rest) == 0 || rest[0] == '#' {
		s.pending = t.column
		return true
	}
	switch rest[0] {
	case '"', '\'':
		t.value = quotedValue
		closed, after := s.quoted(t, rest)
		return closed && isComment(after)
	case '|', '>':
		t.value = blockValue
		s.skipDeeper(parent)
		return isBlockHeader(rest)
	case '{', '[':
		return s.emptyValue(t, rest)
	}
	if !beginsPlain(rest) {
		return false
	}
	t.value, t.text = plainValue, plainText(rest)
	t.simple = !s.skipDeeper(parent)
	return true
}

// emptyValue accepts {} and [] only.
func (s *scanner) emptyValue(t *token, rest []byte) bool {
	t.value = emptyMap
	if rest[0] == '[' {
		t.value = emptyList
	}
	closing := rest[0] + 2 // in ASCII
	return len(rest) > 1 && rest[1] == closing && isComment(rest[2:])
}

// quoted reads a quoted scalar that begins at the line's rest, to its end on whatever line, and returns what follows it there.
func (s *scanner) quoted(t *token, rest []byte) (closed bool, after []byte) {
	quote := rest[0]
	t.simple = true
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && quote == '"':
			t.simple = false
			i++
		case rest[i] == quote && quote == '\'' && i+1 < len(rest) && rest[i+1] == quote:
			t.simple = false
			i++
		case rest[i] == quote:
			if t.simple {
				t.text = rest[1:i]
			}
			return true, rest[i+1:]
		}
	}
	return s.quotedOn(t, quote)
}

// quotedOn goes on with a quoted scalar on the following lines.
func (s *scanner) quotedOn(t *token, quote byte) (closed bool, after []byte) {
	t.simple = false
	for s.pos < len(s.text) {
		line := s.takeLine()
		for i := 0; i < len(line); i++ {
			switch {
			case line[i] == '\\' && quote == '"':
				i++
			case line[i] == quote && quote == '\'' && i+1 < len(line) && line[i+1] == quote:
				i++
			case line[i] == quote:
				return true, line[i+1:]
			}
		}
	}
	return false, nil
}

// skipDeeper goes over the lines that are blank or indented more than column, and says whether one was not blank.
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

// isComment says whether nothing but a comment follows on the line.
func isComment(rest []byte) bool {
	trimmed := bytes.TrimLeft(rest, " \t")
	return len(trimmed) == 0 || trimmed[0] == '#' && len(trimmed) < len(rest)
}

// isBlockHeader checks the line that begins a block scalar: | or >, perhaps with indentation and chomping.
func isBlockHeader(rest []byte) bool {
	i := 1
	for i < len(rest) && i < 3 && (rest[i] == '-' || rest[i] == '+' || rest[i] >= '1' && rest[i] <= '9') {
		i++
	}
	return isComment(rest[i:])
}

// beginsPlain says whether rest begins a plain scalar that needs no closer look at its first character.
func beginsPlain(rest []byte) bool {
	switch rest[0] {
	case '&', '*', '!', '|', '>', '%', '@', '`', '{', '}', '[', ']', ',', '"', '\'', '#', '\t':
		return false
	case '-', '?', ':':
		return len(rest) > 1 && !isBlankOrBreak(rest[1])
	case bomUTF8[0]:
		return !bytes.HasPrefix(rest, []byte(bomUTF8))
	}
	return true
}

// keyLength is the offset of the colon that ends a plain key, or -1 if there is none before the line or a comment begins.
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

// plainText is a line's plain scalar without the comment and the blanks behind it.
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
