package report

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/align"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/secret"
)

// cell is one side of a row: a line of YAML that is safe to print.
type cell struct {
	present bool
	indent  int // blanks before text
	text    string
	spans   []align.Span // words of text that differ from the other side
	short   bool         // text is not all that there is
}

// row is a line of the reference and a line of the input beside each other, or a note about the row above it.
type row struct {
	mark        compare.Category
	left, right cell
	note        string // where set, the row is a note and has no sides
	indent      int    // depth of the row: of the further left of its sides
}

// lead is what stands before the next line of one side: for the first line of a list item its dash, then blanks.
type lead struct{ first, rest string }

func (l *lead) take() string {
	s := l.first
	l.first = l.rest
	return s
}

// below returns the lead of what is nested in a map's key.
func (l *lead) below() *lead {
	return &lead{first: l.rest + "  ", rest: l.rest + "  "}
}

// item returns the lead of a list item. A list inside a list begins on the line of its outer item.
func (l *lead) item() *lead {
	return &lead{first: l.take() + "- ", rest: l.rest + "  "}
}

// rowBuilder turns pairs into rows. The two sides have leads of their own, because the first line of a list item need not
// be the same on both.
type rowBuilder struct {
	rows        []row
	showSecrets bool
	longest     int // bytes of a line; 0 for any number
}

// all returns the rows of a whole object. What there is to say about the object as a whole belongs to no row: its head
// tells it.
func (b *rowBuilder) all(root *compare.Pair) []row {
	whole := *root
	whole.Message = ""
	b.pair(&whole, "", &lead{}, &lead{})
	return b.rows
}

// pair adds the rows of a pair. label is the key with its colon, or "" for a list item and for the root.
func (b *rowBuilder) pair(p *compare.Pair, label string, left, right *lead) {
	if p.Kids == nil {
		b.leaf(p, label, left, right)
		return
	}
	if label != "" {
		b.both(compare.Same, line(left.take(), label), line(right.take(), label))
		left, right = left.below(), right.below()
	}
	b.note(p, len(left.rest))
	for _, kid := range p.Kids {
		if !p.List {
			b.pair(kid, text(kid.Step.Key)+":", left, right)
			continue
		}
		inLeft, inRight := left, right
		if kid.Left.Present || kid.Kids != nil {
			inLeft = left.item()
		}
		if kid.Right.Present || kid.Kids != nil {
			inRight = right.item()
		}
		b.pair(kid, "", inLeft, inRight)
	}
}

// leaf adds the rows of two whole values.
func (b *rowBuilder) leaf(p *compare.Pair, label string, left, right *lead) {
	at := len(b.rows)
	l, r := b.shown(p.Left, p.Secret), b.shown(p.Right, p.Secret)
	if p.Category == compare.Missing && isVoid(l) && (p.Code == code.EvalMissingKey || !l.Present) {
		l = compare.Value{Present: true, Data: hiddenValue("(required)")}
	}
	if p.Category == compare.Drift && byLine(l, r) {
		b.texts(label, l.Data.(string), r.Data.(string), left, right)
	} else {
		b.beside(p.Category, valueLines(l, label, left), valueLines(r, label, right))
	}
	if p.Message == "" {
		return
	}
	// The note belongs under the field's own line, not under the last line of what it holds.
	rest := slices.Clone(b.rows[min(at+1, len(b.rows)):])
	b.rows = b.rows[:min(at+1, len(b.rows))]
	indent := 0
	if len(b.rows) > 0 {
		indent = b.rows[len(b.rows)-1].indent
	}
	b.note(p, indent)
	b.rows = append(b.rows, rest...)
}

// note adds what there is to say about a pair, a row for each line of it.
func (b *rowBuilder) note(p *compare.Pair, indent int) {
	if p.Message == "" {
		return
	}
	mark := p.Category
	if mark == compare.Same && p.Kids != nil {
		mark = compare.Drift // a finding that has no field of its own
	}
	lines := strings.Split(strings.TrimRight(p.Message, "\n"), "\n")
	for i, message := range lines {
		message = visible(message)
		if i == len(lines)-1 {
			message += codeNote(p.Code)
		}
		b.rows = append(b.rows, row{mark: mark, note: message, indent: indent})
	}
}

// shown is a side as it may be shown.
func (b *rowBuilder) shown(v compare.Value, scope secret.Scope) compare.Value {
	if b.showSecrets {
		return v
	}
	return v.Shown(scope, hide)
}

func isVoid(v compare.Value) bool { return !v.Present || v.Data == nil || v.Data == "" }

// both adds a row with both sides.
func (b *rowBuilder) both(mark compare.Category, left, right cell) {
	b.shorten(&left, &right)
	indent := left.indent
	if !left.present || right.present && right.indent < indent {
		indent = right.indent
	}
	b.rows = append(b.rows, row{mark: mark, left: left, right: right, indent: indent})
}

// beside adds the lines of two values, one by one; where the one has more lines, the other side stays empty.
func (b *rowBuilder) beside(mark compare.Category, left, right []cell) {
	for i := range max(len(left), len(right)) {
		var l, r cell
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		b.shorten(&l, &r)
		if mark == compare.Drift && l.present && r.present {
			highlight(&l, &r)
		}
		b.both(mark, l, r)
	}
}

// texts adds two strings that differ, at least one of them with line breaks, line by line. They are aligned as they are,
// not as they are shown: a tab and the two characters \t look alike.
func (b *rowBuilder) texts(label, left, right string, leftLead, rightLead *lead) {
	l, r := textLines(left, label, leftLead), textLines(right, label, rightLead)
	head := compare.Same
	if l[0].text != r[0].text {
		head = compare.Drift
		highlight(&l[0], &r[0])
	}
	b.both(head, l[0], r[0])
	inA, inB := bodyLines(left), bodyLines(right)
	for _, pair := range align.Lines(inA, inB) {
		var a, c cell
		if pair.A >= 0 {
			a = l[1+pair.A]
		}
		if pair.B >= 0 {
			c = r[1+pair.B]
		}
		mark := compare.Drift
		if a.present && c.present && inA[pair.A] == inB[pair.B] {
			mark = compare.Same
		} else if a.present && c.present {
			b.shorten(&a, &c)
			highlight(&a, &c)
		}
		b.both(mark, a, c)
	}
}

// shorten cuts off what is too long for a line.
func (b *rowBuilder) shorten(cells ...*cell) {
	for _, c := range cells {
		if b.longest > 0 && !c.short && len(c.text) > b.longest {
			c.text, c.short = shortened(c.text, b.longest), true
		}
	}
}

// highlight finds the words that differ. The dash of a list item is no word: it may stand on one side only.
func highlight(l, r *cell) {
	skipL, skipR := dashes(l.text), dashes(r.text)
	l.spans, r.spans = align.Words(l.text[skipL:], r.text[skipR:])
	for i := range l.spans {
		l.spans[i].Start, l.spans[i].End = l.spans[i].Start+skipL, l.spans[i].End+skipL
	}
	for i := range r.spans {
		r.spans[i].Start, r.spans[i].End = r.spans[i].Start+skipR, r.spans[i].End+skipR
	}
}

func dashes(s string) int {
	n := 0
	for strings.HasPrefix(s[n:], "- ") {
		n += 2
	}
	return n
}

// line makes a cell of a lead and what follows it.
func line(lead, text string) cell {
	blanks := len(lead) - len(strings.TrimLeft(lead, " "))
	return cell{present: true, indent: blanks, text: lead[blanks:] + text}
}
