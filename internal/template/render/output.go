package render

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"text/template/parse"

	"github.com/validationtool/validationtool/internal/template"
	"github.com/validationtool/validationtool/internal/template/function"
)

// output is the text of one execution, with a record of every action that printed into it.
type output struct {
	buf       []byte
	prints    []printed
	texts     []literal // literal text of the template, in the order of the output
	hasText   bool      // the last line has more than blanks
	hasKeyEnd bool      // the last line has a colon and a blank, so further colons end no key
	unsure    bool      // some prints are unsure
}

// printed is the output of one action. Other comments call it a print.
type printed struct {
	start, end int  // bytes of the text as text/template prints it
	held       bool // may be a whole scalar; a token then replaces it
	blank      bool // only white space precedes it on its line
	val        value
	secret     bool   // the value may contain secret data
	open       bool   // the value is a placeholder or depends on one
	unsure     bool   // a placeholder decides whether it is printed
	fail       string // message of the check that failed; "" for none
	reported   bool   // the rendering contains its finding
	stated     bool   // the action prints a string literal, such as braces that start no action
	empty      bool   // it is no action but a block in the place of a value, and printed nothing
	file       *template.File
	pos        parse.Pos
}

// literal is literal text of the template, copied to the output at start.
type literal struct {
	start int
	file  *template.File
	pos   parse.Pos
}

// text writes literal text of the template.
func (o *output) text(b []byte, file *template.File, pos parse.Pos) {
	o.texts = append(o.texts, literal{start: len(o.buf), file: file, pos: pos})
	o.buf = append(o.buf, b...)
	o.trackLine(b)
}

// trackLine updates hasText and hasKeyEnd for written text.
func (o *output) trackLine(b []byte) {
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		b, o.hasText, o.hasKeyEnd = b[i+1:], false, false
	}
	o.hasText = o.hasText || len(bytes.TrimLeft(b, " \t\r")) > 0
	o.hasKeyEnd = o.hasKeyEnd || bytes.Contains(b, []byte(": "))
}

// print writes the value of an action. p has what is known of the action and its value.
func (o *output) print(p printed) {
	if p.unsure {
		p.val.open = true
		o.unsure = true
	}
	p.start = len(o.buf)
	p.blank = !o.hasText
	p.open = p.val.unknown()
	afterKey := o.endsKey()
	o.buf = appendText(o.buf, p.val)
	p.end = len(o.buf)
	o.trackLine(o.buf[p.start:])
	p.held = p.holds(o.buf[p.start:p.end], o.buf[:p.start]) && (!afterKey || p.val.isWholePlaceholder())
	if p.end > p.start || p.held || p.open || p.val.absent || p.val.lost != nil {
		o.prints = append(o.prints, p)
	}
}

// fail records a call of fail, or of another check that failed.
func (o *output) fail(failed *failure, file *template.File, pos parse.Pos) {
	at, blank := len(o.buf), !o.hasText
	o.prints = append(o.prints, printed{start: at, end: at, held: !blank && !o.endsKey(), blank: blank,
		val: value{input: true, at: failed.at}, fail: failed.message, file: file, pos: pos})
}

// isValue reports whether a block that begins here stands in the place of a value: behind a key or
// the dash of an item, and indented more than the key if the first text of the block shows its
// indentation. Comments may stand between the two.
func (o *output) isValue(b *parse.BranchNode) bool {
	before, line, ends := lastKey(o.buf)
	for bytes.HasPrefix(line, []byte("#")) {
		before, line, ends = lastKey(before[:len(before)-len(line)])
	}
	if !ends {
		return false
	}
	if len(b.List.Nodes) == 0 {
		return true
	}
	first, isText := b.List.Nodes[0].(*parse.TextNode)
	if !isText {
		return true
	}
	own := append(slices.Clip(o.buf[len(before):]), first.Text...)
	start := bytes.TrimLeft(own, " \n")
	lead := own[:len(own)-len(start)]
	by := len(lead) - 1 - bytes.LastIndexByte(lead, '\n')
	column := len(before) - 1 - bytes.LastIndexByte(before, '\n') - len(line)
	return len(start) == 0 || by == len(lead) || by > column || by == column && start[0] == '-'
}

// holds reports whether a print may be a whole scalar: a scalar of the input, or an absent value.
// before is the output before it. A text of several lines may be one only behind a key or an item
// dash. On a line of its own, an empty print is no value, so that an action that only computes
// something leaves no trace.
func (p *printed) holds(text, before []byte) bool {
	if len(text) == 0 && p.blank {
		return false
	}
	if p.val.absent {
		return len(text) == 0
	}
	if p.val.isWholePlaceholder() || p.open && len(text) == 0 {
		return true
	}
	if !p.val.pure {
		return false
	}
	if bytes.IndexByte(text, '\n') >= 0 {
		_, _, ends := lastKey(before)
		return ends && !p.blank
	}
	switch p.val.v.(type) {
	case nil, string, bool, int64, float64:
		return true
	}
	return false
}

// endsKey reports whether the output ends in a colon that may end a key. Text that follows without
// a blank would continue that key. The second colon of "image: {{ .name }}:{{ .tag }}" ends none.
func (o *output) endsKey() bool { return !o.hasKeyEnd && bytes.HasSuffix(o.buf, []byte(":")) }

// appendText appends a value as text/template prints it, except that nil prints as nothing.
func appendText(b []byte, val value) []byte {
	if val.v == nil {
		return b
	}
	return function.Append(b, val.v)
}

// assembled is the output as text for the YAML parser. Tokens replace the prints that are whole
// values, so that these keep their type.
type assembled struct {
	text   string
	tokens map[string]int // token → index of its print
	// prints in order, with their offsets in this text; the offsets of prints in a second document
	// are after its end
	spans  []span
	prefix string // common prefix of all tokens
}

// span is the part of a text that one print made.
type span struct {
	start, end int
	print      int
}

// unusedPrefix returns a word that does not occur in the text. It consists of a fixed word and a
// repeated letter, more often than the letter follows that word anywhere in the text.
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

// assemble returns the text with a token in place of every print that hold accepts.
func (x *exec) assemble(hold func(*printed) bool) assembled {
	o := x.out
	a := assembled{tokens: map[string]int{}, prefix: unusedPrefix(o.buf)}
	text := make([]byte, 0, len(o.buf)+16*len(o.prints))
	done := 0
	for i := range o.prints {
		p := &o.prints[i]
		text = append(text, o.buf[done:p.start]...)
		held := hold(p)
		if held && p.val.isWholePlaceholder() {
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
	if x.t.Several { // only the first YAML document counts
		a.text = template.FirstDocument(a.text)
	}
	return a
}

// behindKey prepares the text for a placeholder that may be replaced by a map or list. After a key
// or item dash, it removes line breaks and blanks, so that the placeholder becomes the value;
// elsewhere it keeps the blanks that were printed with it.
func (a *assembled) behindKey(text, printed []byte) []byte {
	cut, _, ends := lastKey(text)
	if !ends {
		return append(text, printed[:len(printed)-len(bytes.TrimLeft(printed, " \n"))]...)
	}
	for i := len(a.spans) - 1; i >= 0 && a.spans[i].end > len(cut); i-- {
		a.spans[i].start, a.spans[i].end = min(a.spans[i].start, len(cut)), len(cut)
	}
	return append(cut, ' ')
}

// lastKey returns a text without blanks and line breaks at its end, its last line, and whether that
// line ends in a colon or is the dash of an item.
func lastKey(text []byte) (cut, line []byte, ends bool) {
	cut = bytes.TrimRight(text, " \n")
	line = bytes.TrimLeft(cut[bytes.LastIndexByte(cut, '\n')+1:], " ")
	return cut, line, bytes.HasSuffix(line, []byte(":")) || string(line) == "-"
}
