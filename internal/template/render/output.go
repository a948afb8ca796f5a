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

// Output is the text of one execution, with a record of every action that printed into it.
type Output struct {
	Buf       []byte
	Prints    []Printed
	texts     []literal // literal text of the template, in the order of the output
	HasText   bool      // the last line has more than blanks
	hasKeyEnd bool      // the last line has a colon and a blank, so further colons end no key
	unsure    bool      // some prints are unsure
}

// Printed is the output of one action. Other comments call it a print.
type Printed struct {
	start, end int  // bytes of the text as text/template prints it
	held       bool // may be a whole scalar; a token then replaces it
	blank      bool // only white space precedes it on its line
	Val        Value
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
func (o *Output) text(b []byte, file *template.File, pos parse.Pos) {
	o.texts = append(o.texts, literal{start: len(o.Buf), file: file, pos: pos})
	o.Buf = append(o.Buf, b...)
	o.trackLine(b)
}

// trackLine updates hasText and hasKeyEnd for written text.
func (o *Output) trackLine(b []byte) {
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		b, o.HasText, o.hasKeyEnd = b[i+1:], false, false
	}
	o.HasText = o.HasText || len(bytes.TrimLeft(b, " \t\r")) > 0
	o.hasKeyEnd = o.hasKeyEnd || bytes.Contains(b, []byte(": "))
}

// print writes the value of an action. p has what is known of the action and its value.
func (o *Output) print(p Printed) {
	if p.unsure {
		p.Val.open = true
		o.unsure = true
	}
	p.start = len(o.Buf)
	p.blank = !o.HasText
	p.open = p.Val.unknown()
	afterKey := o.endsKey()
	o.Buf = appendText(o.Buf, p.Val)
	p.end = len(o.Buf)
	o.trackLine(o.Buf[p.start:])
	p.held = p.holds(o.Buf[p.start:p.end], o.Buf[:p.start]) && (!afterKey || p.Val.isWholePlaceholder())
	if p.end > p.start || p.held || p.open || p.Val.Absent || p.Val.lost != nil {
		o.Prints = append(o.Prints, p)
	}
}

// fail records a call of fail, or of another check that failed.
func (o *Output) fail(failed *failure, file *template.File, pos parse.Pos) {
	at, blank := len(o.Buf), !o.HasText
	o.Prints = append(o.Prints, Printed{start: at, end: at, held: !blank && !o.endsKey(), blank: blank,
		Val: Value{Input: true, at: failed.at}, fail: failed.message, file: file, pos: pos})
}

// isValue reports whether a block that begins here stands in the place of a value: behind a key or
// the dash of an item, and indented more than the key if the first text of the block shows its
// indentation. Comments may stand between the two.
func (o *Output) isValue(b *parse.BranchNode) bool {
	before, line, ends := lastKey(o.Buf)
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
	own := append(slices.Clip(o.Buf[len(before):]), first.Text...)
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
func (p *Printed) holds(text, before []byte) bool {
	if len(text) == 0 && p.blank {
		return false
	}
	if p.Val.Absent {
		return len(text) == 0
	}
	if p.Val.isWholePlaceholder() || p.open && len(text) == 0 {
		return true
	}
	if !p.Val.pure {
		return false
	}
	if bytes.IndexByte(text, '\n') >= 0 {
		_, _, ends := lastKey(before)
		return ends && !p.blank
	}
	switch p.Val.V.(type) {
	case nil, string, bool, int64, float64:
		return true
	}
	return false
}

// endsKey reports whether the output ends in a colon that may end a key. Text that follows without
// a blank would continue that key. The second colon of "image: {{ .name }}:{{ .tag }}" ends none.
func (o *Output) endsKey() bool { return !o.hasKeyEnd && bytes.HasSuffix(o.Buf, []byte(":")) }

// appendText appends a value as text/template prints it, except that nil prints as nothing.
func appendText(b []byte, val Value) []byte {
	if val.V == nil {
		return b
	}
	return function.Append(b, val.V)
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
func (x *Execution) assemble(hold func(*Printed) bool) assembled {
	o := x.Out
	a := assembled{tokens: map[string]int{}, prefix: unusedPrefix(o.Buf)}
	a.text = x.Room.Nodes.Text(func(text []byte) []byte { return a.assemble(text, o, hold) })
	if x.Template.Several { // only the first YAML document counts
		a.text = template.FirstDocument(a.text)
	}
	return a
}

// assemble appends the text to another one, and sets the spans and tokens.
func (a *assembled) assemble(text []byte, o *Output, hold func(*Printed) bool) []byte {
	text = slices.Grow(text, len(o.Buf)+16*len(o.Prints))
	a.spans = make([]span, 0, len(o.Prints))
	done := 0
	for i := range o.Prints {
		p := &o.Prints[i]
		text = append(text, o.Buf[done:p.start]...)
		held := hold(p)
		if held && p.Val.isWholePlaceholder() {
			text = a.behindKey(text, o.Buf[p.start:p.end])
		}
		start := len(text)
		if held {
			token := fmt.Sprintf("%s%dX", a.prefix, i)
			a.tokens[token] = i
			text = append(text, token...)
		} else {
			text = append(text, o.Buf[p.start:p.end]...)
		}
		done = p.end
		a.spans = append(a.spans, span{start, len(text), i})
	}
	return append(text, o.Buf[done:]...)
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
