package kubeyaml

import "bytes"

// Document is a part of a text that holds one YAML document, its directives, markers and comments
// included.
type Document struct {
	Text     []byte
	Base     int  // lines of the file before it
	carriage bool // there may be carriage returns in it
}

// Split cuts a text into documents. Joined again they are the text: no byte is lost.
//
// A line that begins with "---" or "..." and a blank is a marker wherever it stands, because YAML
// allows none at the beginning of a line inside a scalar: the content of a block scalar is
// indented. What precedes the first marker and is blank, a comment or a directive belongs to
// the document that follows.
func Split(text []byte) []Document {
	s := splitter{text: text, carriage: bytes.IndexByte(text, '\r') >= 0}
	for pos := 0; pos < len(text); {
		length := LineEnd(text[pos:], s.carriage)
		if length == 0 {
			length = len(text) - pos
		}
		if !s.begun || mayBeMarker(text[pos]) {
			s.take(text[pos:pos+length], pos)
		}
		pos += length
		s.line++
	}
	s.finish()
	return s.documents
}

func mayBeMarker(first byte) bool { return first == '-' || first == '.' || first == BOM[0] }

type splitter struct {
	text      []byte
	carriage  bool
	documents []Document
	start     int  // of the document at hand
	startLine int  // lines before it
	line      int  // lines before the line at hand
	begun     bool // the document at hand has its marker, or content
}

func (s *splitter) take(line []byte, pos int) {
	length := len(line)
	line = trimBOM(line)
	switch {
	case IsMarker(line, "---"):
		if s.begun {
			s.cut(pos, s.line)
		}
		s.begun = true
	case IsMarker(line, "..."):
		if s.begun {
			s.cut(pos+length, s.line+1)
		}
	case !s.begun:
		s.begun = isContent(line)
	}
}

func (s *splitter) cut(pos, line int) {
	s.documents = append(s.documents, Document{Text: s.text[s.start:pos], Base: s.startLine, carriage: s.carriage})
	s.start, s.startLine, s.begun = pos, line, false
}

// finish takes the rest as a document, or as the end of the last one if there is nothing in it.
func (s *splitter) finish() {
	if s.start == len(s.text) {
		return
	}
	if last := len(s.documents) - 1; last >= 0 && !s.begun {
		d := &s.documents[last]
		d.Text = s.text[s.start-len(d.Text):]
		return
	}
	s.cut(len(s.text), s.line)
}

// IsMarker reports whether the line is a document marker, perhaps with content behind it.
func IsMarker(line []byte, marker string) bool {
	rest, found := bytes.CutPrefix(line, []byte(marker))
	return found && (len(rest) == 0 || IsBlankOrBreak(rest[0]))
}

// isContent says whether a line before the first marker is more than a blank line, a comment or a
// directive.
func isContent(line []byte) bool {
	for _, b := range line { // a set of bytes would be made for each of millions of lines
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b != '#' && line[0] != '%'
		}
	}
	return false
}

// Body is a document's text without the lines before its content that hold no content: comments,
// blank lines and a bare marker. A document with directives, or with content beside its marker,
// keeps what stands there.
func (d Document) Body() Document {
	rest := d
	for len(rest.Text) > 0 {
		length := LineEnd(rest.Text, d.carriage)
		if length == 0 {
			length = len(rest.Text)
		}
		line := trimBOM(rest.Text[:length])
		if line[0] == '%' {
			return d
		}
		if IsMarker(line, "---") || IsMarker(line, "...") {
			line = line[len("---"):]
		}
		if isContent(line) {
			break
		}
		rest.Text, rest.Base = rest.Text[length:], rest.Base+1
	}
	rest.Text = trimBOM(rest.Text)
	return rest
}

// trimBOM takes away the byte order mark that files joined by cat may have anywhere at the
// beginning of a line.
func trimBOM(line []byte) []byte {
	if len(line) > len(BOM) {
		return bytes.TrimPrefix(line, []byte(BOM))
	}
	return line
}
