package render

import (
	"bytes"
	"fmt"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/function"
	"github.com/validationtool/validationtool/internal/template"
)

// output is the text of one execution, with a record of every action that printed into it.
type output struct {
	buf    []byte
	prints []printed
	texts  []literal // the template's own text, in the order of the output
	inked  bool      // more than blanks stands on the last line
	keyed  bool      // a colon and a blank stand there, so that other colons are none that end a key
	first  bool      // only the first YAML document counts
	unsure bool      // some of the prints are
}

// printed is what one action put into the output.
type printed struct {
	start, end int  // the bytes of the text as text/template would print it
	held       bool // a whole-scalar candidate: stands for a value rather than for text
	blank      bool // nothing but space stands before it on its line
	val        value
	secret     bool   // the value holds secret data, or may
	open       bool   // the value is a placeholder, or hangs on one
	unsure     bool   // whether it is printed at all hangs on one
	fail       string // message of a call of fail
	told       bool   // what it found out is told in the rendering
	stated     bool   // it is a text that the template itself states, such as braces that begin no action
	file       *template.File
	pos        parse.Pos
}

// literal is a part of the template's own text, which stands in the output from start on, byte for
// byte.
type literal struct {
	start  int
	file   *template.File
	pos    parse.Pos
	action bool // it is what an action printed, which stands at pos; see Printing
}

// text writes literal text of the template.
func (o *output) text(b []byte, file *template.File, pos parse.Pos) {
	o.texts = append(o.texts, literal{start: len(o.buf), file: file, pos: pos})
	o.buf = append(o.buf, b...)
	o.ink(b)
}

// ink takes notice of what was written.
func (o *output) ink(b []byte) {
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		b, o.inked, o.keyed = b[i+1:], false, false
	}
	o.inked = o.inked || len(bytes.TrimLeft(b, " \t\r")) > 0
	o.keyed = o.keyed || bytes.Contains(b, []byte(": "))
}

// print writes what an action evaluated to, which is secret or not.
func (o *output) print(val value, secret bool, file *template.File, pos parse.Pos) {
	p := printed{
		start:  len(o.buf),
		blank:  !o.inked,
		val:    val,
		secret: secret,
		open:   val.unknown(),
		file:   file,
		pos:    pos,
	}
	behindKey := o.endsKey()
	o.buf = appendText(o.buf, val)
	p.end = len(o.buf)
	o.ink(o.buf[p.start:])
	p.held = p.holds(o.buf[p.start:p.end]) && (!behindKey || val.standsForAll())
	if p.end > p.start || p.held || p.open || val.absent || val.lost != nil {
		o.prints = append(o.prints, p)
	}
}

// fail records a call of fail, or of another check that did not hold.
func (o *output) fail(failed *failure, file *template.File, pos parse.Pos) {
	at, blank := len(o.buf), !o.inked
	o.prints = append(o.prints, printed{start: at, end: at, held: !blank && !o.endsKey(), blank: blank,
		val: value{input: true, at: failed.at}, fail: failed.message, file: file, pos: pos})
}

// holds decides whether a print stands for a value: a scalar of the input on one line, or nothing
// at all where something was asked for. On a line of its own, nothing prints as nothing, so that an
// action that only computes leaves no trace.
func (p *printed) holds(text []byte) bool {
	if len(text) == 0 && p.blank {
		return false
	}
	if p.val.absent {
		return len(text) == 0
	}
	if p.val.standsForAll() || p.open && len(text) == 0 {
		return true
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

// endsKey reports whether a colon ends the output and may end a key: what follows it without a
// blank would make one text of the two. The second colon of image: {{ .name }}:{{ .tag }} ends
// none.
func (o *output) endsKey() bool { return !o.keyed && bytes.HasSuffix(o.buf, []byte(":")) }

// appendText appends a value as text/template prints it, but for null and nothing, which print as
// nothing.
func appendText(b []byte, val value) []byte {
	if val.v == nil {
		return b
	}
	return function.Append(b, val.v)
}

// assembled is a text in which tokens stand for held values.
type assembled struct {
	text   string
	tokens map[string]int // token → index of its print
	// the prints, in order, by their bytes in this text, or behind it where they are of a second
	// document
	spans  []span
	prefix string // that all tokens begin with
}

// span is the part of a text that one print made.
type span struct {
	start, end int
	print      int
}

// unusedPrefix returns a word that the text does not hold: the same one with more letters behind it
// than it has anywhere in there.
func unusedPrefix(text []byte) string {
	const word, letter = "vtHeld", "Q"
	letters := 0
	for {
		i := bytes.Index(text, []byte(word))
		if i < 0 {
			return word + strings.Repeat(letter, letters)
		}
		text = text[i+len(word):]
		n := len(text) - len(bytes.TrimLeft(text, letter))
		letters = max(letters, n+1)
	}
}

// assemble builds the text with a token in the place of every print that hold accepts.
func (o *output) assemble(hold func(*printed) bool) assembled {
	a := assembled{tokens: map[string]int{}, prefix: unusedPrefix(o.buf)}
	text := make([]byte, 0, len(o.buf)+16*len(o.prints))
	done := 0
	for i := range o.prints {
		p := &o.prints[i]
		text = append(text, o.buf[done:p.start]...)
		held := hold(p)
		if held && p.val.standsForAll() {
			text = a.behindKey(text, o.buf[p.start:p.end])
		}
		start := len(text)
		if held {
			token := fmt.Sprintf("%s%dX", a.prefix, i)
			a.tokens[token] = i
			text = append(text, token...)
		} else {
			text = append(text, o.buf[p.start:p.end]...)
		}
		done = p.end
		a.spans = append(a.spans, span{start, len(text), i})
	}
	a.text = string(append(text, o.buf[done:]...))
	if o.first {
		a.text = template.FirstDocument(a.text)
	}
	return a
}

// behindKey makes ready a text for a placeholder that may stand for a map or list. Where it ends in
// a key or the mark of an item, that takes its place behind them, as YAML has it of a text;
// elsewhere behind the blanks that were printed with it.
func (a *assembled) behindKey(text, printed []byte) []byte {
	cut := bytes.TrimRight(text, " \n")
	if line := cut[bytes.LastIndexByte(cut, '\n')+1:]; !bytes.HasSuffix(line, []byte(":")) &&
		string(bytes.TrimLeft(line, " ")) != "-" {
		return append(text, printed[:len(printed)-len(bytes.TrimLeft(printed, " \n"))]...)
	}
	for i := len(a.spans) - 1; i >= 0 && a.spans[i].end > len(cut); i-- {
		a.spans[i].start, a.spans[i].end = min(a.spans[i].start, len(cut)), len(cut)
	}
	return append(cut, ' ')
}
