package kubeyaml

import (
	"bytes"
	"math"
)

// Document is the part of a text with one YAML document, including its directives, markers and
// comments.
type Document struct {
	Text []byte
	Base int // number of lines before it in the file
}

// Split divides a text into documents. Their concatenation is the text: no byte is lost.
//
// A line that begins with "---" or "..." and white space is always a marker, because YAML does not
// allow such a line inside a scalar: the content of a block scalar is indented. Blank lines,
// comments and directives before the first marker belong to the document that follows.
func Split(text []byte) []Document {
	documents, _ := SplitAtMost(text, math.MaxInt)
	return documents
}

// SplitAtMost divides a text as Split does. It returns false if there are more than most documents.
func SplitAtMost(text []byte, most int) (documents []Document, ok bool) {
	s := splitter{text: text}
	for pos := 0; pos < len(text) && len(s.documents) <= most; {
		length := LineLength(text[pos:])
		if !s.begun || mayBeMarker(text[pos]) {
			s.take(text[pos:pos+length], pos)
		}
		pos += length
		s.line++
	}
	s.finish()
	return s.documents, len(s.documents) <= most
}

func mayBeMarker(first byte) bool { return first == '-' || first == '.' || first == BOM[0] }

type splitter struct {
	text      []byte
	documents []Document
	start     int  // offset of the current document
	startLine int  // number of lines before it
	line      int  // number of lines before the current line
	begun     bool // the current document has its marker or content
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
	s.documents = append(s.documents, Document{Text: s.text[s.start:pos], Base: s.startLine})
	s.start, s.startLine, s.begun = pos, line, false
}

// finish adds the rest as a document, or to the last document if the rest has no content.
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

// IsMarker reports whether the line is a document marker, with or without content after it.
func IsMarker(line []byte, marker string) bool {
	rest, found := bytes.CutPrefix(line, []byte(marker))
	return found && (len(rest) == 0 || isBlankOrBreak(rest[0]))
}

// isContent reports whether a line before the first marker is anything but a blank line, a comment
// or a directive.
func isContent(line []byte) bool {
	for _, b := range line { // the library functions would allocate a byte set for each of millions of lines
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b != '#' && line[0] != '%'
		}
	}
	return false
}

// Body returns the document's text without leading lines that have no content: comments, blank
// lines and a bare marker. A document with directives, or with content on the line of its marker,
// keeps these lines.
func (d Document) Body() Document {
	rest := d
	for len(rest.Text) > 0 {
		length := LineLength(rest.Text)
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

// trimBOM removes a byte order mark at the beginning of any line, as in files joined by cat.
func trimBOM(line []byte) []byte {
	if len(line) > len(BOM) {
		return bytes.TrimPrefix(line, []byte(BOM))
	}
	return line
}
