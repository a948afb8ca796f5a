package render

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"text/template/parse"
)

// output is the text of one execution, with a record of every action that printed into it.
type output struct {
	buf    []byte
	prints []printed
	trace  []traced // where the text came from; kept only on request
	keep   bool
}

// printed is what one action put into the output.
type printed struct {
	start, end int  // the bytes of the text as text/template would print it
	held       bool // a whole-scalar candidate: stands for a value rather than for text
	blank      bool // nothing but space stands before it on its line
	val        value
	fail       string // message of a call of fail
	file       *sourceFile
	pos        parse.Pos
}

// traced says that the bytes from start on were written by the node at pos.
type traced struct {
	start int
	file  *sourceFile
	pos   parse.Pos
}

// text writes literal text of the template.
func (o *output) text(b []byte, file *sourceFile, pos parse.Pos) {
	if o.keep {
		o.trace = append(o.trace, traced{len(o.buf), file, pos})
	}
	o.buf = append(o.buf, b...)
}

// print writes what an action evaluated to.
func (o *output) print(val value, file *sourceFile, pos parse.Pos) {
	if o.keep {
		o.trace = append(o.trace, traced{len(o.buf), file, pos})
	}
	p := printed{start: len(o.buf), blank: o.lineIsBlank(), val: val, file: file, pos: pos}
	o.buf = appendText(o.buf, val)
	p.end = len(o.buf)
	p.held = p.holds(o.buf[p.start:p.end])
	if p.end > p.start || p.held || val.absent || val.lost != nil {
		o.prints = append(o.prints, p)
	}
}

// fail records a call of fail, or of another check that did not hold.
func (o *output) fail(message string, file *sourceFile, pos parse.Pos) {
	at, blank := len(o.buf), o.lineIsBlank()
	o.prints = append(o.prints, printed{start: at, end: at, held: !blank, blank: blank, val: value{input: true}, fail: message, file: file, pos: pos})
}

// holds decides whether a print stands for a value: a scalar of the input on one line, or nothing at all where something
// was asked for. On a line of its own, nothing prints as nothing, so that an action that only computes leaves no trace.
func (p *printed) holds(text []byte) bool {
	if len(text) == 0 && p.blank {
		return false
	}
	if p.val.absent || p.val.lost != nil {
		return len(text) == 0
	}
	if !p.val.pure || bytes.IndexByte(text, '\n') >= 0 {
		return false
	}
	switch p.val.v.(type) {
	case nil, string, bool, int64, float64:
		return true
	}
	return false
}

// lineIsBlank reports whether only white space stands on the last line of the output.
func (o *output) lineIsBlank() bool {
	line := o.buf[bytes.LastIndexByte(o.buf, '\n')+1:]
	return len(bytes.TrimLeft(line, " \t\r")) == 0
}

// settle finds the prints of nothing that stand between a key and the block below it, where the template trimmed the
// space in front of an action on a line of its own. They belong to no field, and a token in their place would be a value
// where the block is one already.
func (o *output) settle() {
	for i := range o.prints {
		if p := &o.prints[i]; p.held && p.start == p.end && o.opensBlock(p.start) {
			p.held, p.blank = false, true
		}
	}
}

// opensBlock reports whether the text before an offset ends with a key, a dash or the sign of a block scalar whose value
// are the lines below.
func (o *output) opensBlock(at int) bool {
	rest, below, _ := bytes.Cut(o.buf[at:], []byte("\n"))
	if len(bytes.TrimSpace(rest)) > 0 {
		return false
	}
	head := strings.TrimRight(string(o.buf[bytes.LastIndexByte(o.buf[:at], '\n')+1:at]), " \t")
	column := 0
	for column < len(head) && (head[column] == ' ' || strings.HasPrefix(head[column:], "- ")) {
		column++
	}
	isKey := strings.HasSuffix(head, ":")
	if !isKey && head[column:] != "-" && !opensScalar(head[column:]) {
		return false
	}
	for next := range bytes.Lines(below) {
		text := bytes.TrimLeft(next, " ")
		if len(bytes.TrimSpace(text)) == 0 || text[0] == '#' {
			continue
		}
		indent := len(next) - len(text)
		return indent > column || (indent == column && isKey && bytes.HasPrefix(text, []byte("- ")))
	}
	return false
}

// opensScalar reports whether a line ends with the header of a block scalar, such as "|" or ">-".
func opensScalar(line string) bool {
	i := strings.LastIndexByte(line, ' ')
	header := line[i+1:]
	return i > 0 && header != "" && (header[0] == '|' || header[0] == '>') && strings.Trim(header[1:], "+-123456789") == ""
}

// appendText appends a value as text/template prints it, but for null and nothing: null of the input prints as null, and
// nothing prints as nothing.
func appendText(b []byte, val value) []byte {
	switch v := val.v.(type) {
	case nil:
		if val.pure && !val.absent {
			return append(b, "null"...)
		}
		return b
	case string:
		return append(b, v...)
	}
	return fmt.Append(b, val.v)
}

// assembled is a text in which tokens stand for held values.
type assembled struct {
	text   string
	tokens map[string]int // token → index of its print
	spans  []span         // the prints that are text, in order, by their bytes in this text
	prefix string         // that all tokens begin with
}

// token is what stands for a print's value.
func (a assembled) token(print int) string { return a.prefix + strconv.Itoa(print) + "X" }

// span is the part of a text that one print made.
type span struct {
	start, end int
	print      int
}

// assemble builds the text with a token in the place of every print that hold accepts.
func (o *output) assemble(hold func(*printed) bool) assembled {
	a := assembled{tokens: map[string]int{}, prefix: "vtHeld"}
	for bytes.Contains(o.buf, []byte(a.prefix)) {
		a.prefix += "Q"
	}
	var b strings.Builder
	b.Grow(len(o.buf) + 16*len(o.prints))
	done := 0
	for i := range o.prints {
		p := &o.prints[i]
		b.Write(o.buf[done:p.start])
		start := b.Len()
		if hold(p) {
			token := a.token(i)
			a.tokens[token] = i
			b.WriteString(token)
		} else {
			b.Write(o.buf[p.start:p.end])
		}
		done = p.end
		a.spans = append(a.spans, span{start, b.Len(), i})
	}
	b.Write(o.buf[done:])
	a.text = b.String()
	return a
}
