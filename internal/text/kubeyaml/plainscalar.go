package kubeyaml

import (
	"bytes"
	"strings"
)

// scalarText returns the text and the style of a token's scalar, which begins at an offset. The token
// must be the last one that was read.
func (r *plainReader) scalarText(t token, at int) (string, Style) {
	written := r.text[at:r.pos]
	switch {
	case t.Simple:
		return r.cut(at, t.Text, t.Value == quotedValue, "")
	case bytes.IndexByte(written, '\t') >= 0 || bytes.IndexByte(written, '\r') >= 0: // they need more rules
	case t.Value == blockValue:
		return r.blockText(written)
	case t.Value == plainValue && !hasComment(written):
		j := joiner{}
		j.out.Grow(len(written))
		for len(written) > 0 {
			length := LineLength(written)
			j.add(bytes.Trim(written[:length], " \n"))
			written = written[length:]
		}
		return j.out.String(), Plain
	case t.Value == quotedValue:
		text := t.Text
		if text == nil {
			text = r.quotedLines(written)
		}
		if written[0] == '\'' {
			return r.unescaped(text, '\'', "'", "'"), SingleQuoted
		}
		return r.unescaped(text, '\\', `ntr"\/ `, "\n\t\r\"\\/ "), DoubleQuoted
	}
	r.decline()
	return "", Plain
}

// hasComment reports whether a comment can begin in the lines of plain text: at a # after a blank or at
// the start of a line.
func hasComment(written []byte) bool {
	return bytes.Contains(written, []byte(" #")) || bytes.Contains(written, []byte("\n#"))
}

// quotedLines reads the lines of text in quotes, with their escapes. It declines a first or last line
// that is blank, an escaped line break, and what follows the closing quote.
func (r *plainReader) quotedLines(written []byte) []byte {
	quote, end := written[0], 1
	for end < len(written) {
		isTwice := quote == '\'' && written[end] == quote && end+1 < len(written) && written[end+1] == quote
		if isTwice || quote == '"' && written[end] == '\\' {
			end++
		} else if written[end] == quote {
			break
		}
		end++
	}
	if end >= len(written) || len(bytes.Trim(written[end+1:], " \n")) > 0 {
		r.decline()
		return nil
	}
	j := joiner{}
	j.out.Grow(end)
	lines := bytes.Split(written[1:end], []byte("\n"))
	for i, line := range lines {
		if i > 0 {
			line = bytes.TrimLeft(line, " ")
		}
		if i < len(lines)-1 {
			line = bytes.TrimRight(line, " ")
		}
		isOpen := quote == '"' && i < len(lines)-1 && bytes.HasSuffix(line, []byte{'\\'})
		if isOpen || len(line) == 0 && (i == 0 || i == len(lines)-1) {
			r.decline()
			return nil
		}
		j.add(line)
	}
	return []byte(j.out.String())
}

// joiner joins the lines of a scalar.
type joiner struct {
	out     strings.Builder
	literal bool // keep each line break; else one becomes a space, and n+1 become n
	breaks  int  // line breaks since the last line that is not blank
}

// add adds a line without its line break.
func (j *joiner) add(line []byte) {
	if len(line) > 0 {
		switch {
		case j.literal:
			j.writeBreaks(j.breaks)
		case j.breaks == 1:
			j.out.WriteByte(' ')
		default:
			j.writeBreaks(j.breaks - 1)
		}
		j.breaks = 0
		j.out.Write(line)
	}
	j.breaks++
}

func (j *joiner) writeBreaks(n int) {
	for range n {
		j.out.WriteByte('\n')
	}
}

// blockText reads a block scalar. It declines a header with more than how to treat the last line
// breaks, and lines whose indentation does not follow from the first one.
func (r *plainReader) blockText(written []byte) (string, Style) {
	header := LineLength(written)
	kind, lines := bytes.TrimRight(written[:header], " \n"), written[header:]
	style, chomping := Literal, byte(0)
	if kind[0] == '>' {
		style = Folded
	}
	if len(kind) == 2 {
		chomping = kind[1]
	}
	indent := leadingSpaces(lines)
	if len(kind) > 2 || chomping >= '0' && chomping <= '9' || indent == 0 || startsBlankLine(lines) {
		r.decline()
		return "", style
	}
	j := joiner{literal: style == Literal}
	indented := append([]byte{'\n'}, lines[:indent]...)
	j.out.Grow(len(lines) - indent*bytes.Count(lines, indented)) // growing would take twice the text
	for len(lines) > 0 {
		length := LineLength(lines)
		spaces := leadingSpaces(lines[:length])
		line := lines[min(spaces, indent) : length-1]
		if len(line) > 0 && (spaces < indent || spaces > indent && style == Folded) {
			r.decline()
			return "", style
		}
		j.add(line)
		lines = lines[length:]
	}
	switch chomping {
	case '-':
	case '+':
		j.writeBreaks(j.breaks)
	default:
		j.writeBreaks(1)
	}
	return j.out.String(), style
}

func leadingSpaces(text []byte) int {
	n := 0
	for n < len(text) && text[n] == ' ' {
		n++
	}
	return n
}

// unescaped resolves the escapes of quoted text: a mark, which some character always follows, and one
// of the characters that have a meaning. It declines others, which printers write for unusual
// characters only.
func (r *plainReader) unescaped(text []byte, mark byte, escapes, meanings string) string {
	var out strings.Builder
	out.Grow(len(text))
	for {
		before, after, found := bytes.Cut(text, []byte{mark})
		out.Write(before)
		if !found {
			return out.String()
		}
		i := strings.IndexByte(escapes, after[0])
		if i < 0 {
			r.decline()
			return ""
		}
		out.WriteByte(meanings[i])
		text = after[1:]
	}
}
