package diff

import (
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/text/lines"
	"github.com/validationtool/validationtool/internal/value/align"
	"github.com/validationtool/validationtool/refconfig"
)

// sideBuilder makes lines from pairs. Each side has its own lead, because the first line of a list
// item may differ.
type sideBuilder struct {
	show  Show
	sides []finding.Side
	path  refconfig.FieldPath // the path of the current pair
	marks marks
}

// Sides returns the lines of an object to show. A message about the whole object belongs to no
// line. The differences are those of the pair, with findings about its fields. The lines are valid
// until the room has other ones.
func (show Show) Sides(room *Room, root *Pair, differences []Difference) []finding.Side {
	b := &sideBuilder{show: show, marks: marksOf(root, differences), sides: room.sides[:0]}
	whole := *root
	whole.Message = ""
	b.pair(&whole, "", &escape.Lead{}, &escape.Lead{})
	if show.Full {
		return b.sides
	}
	return fold(b.sides[:0], b.sides, Folding{Context: show.Context, Expected: show.Expected || show.Varying})
}

// Packed returns the lines of Sides, packed. It keeps only some of the memory in the room.
func (show Show) Packed(room *Room, root *Pair, differences []Difference) finding.Sides {
	const most = 1024 // maximum number of lines whose memory is kept
	sides := show.Sides(room, root, differences)
	packed := lines.Pack(sides)
	if room.sides = nil; cap(sides) <= most {
		room.sides = sides[:cap(sides)]
		clear(room.sides)
	}
	return packed
}

// isAlike reports whether two equal values have the same lines. Numbers with a fraction may be
// equal and look different.
func isAlike(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, x := range a {
			if y, ok := b[k]; !ok || !isAlike(x, y) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, isAlike)
	case nil, bool, int64, string:
		return a == b
	}
	return false
}

// pair adds the lines of a pair. label is the key, or "" for a list item and for the root.
func (b *sideBuilder) pair(p *Pair, label string, left, right *escape.Lead) {
	if in := p.Inside; in != nil && in.lines != nil {
		at := b.path
		b.path = at.Inside()
		b.pair(in.lines, label, left, right)
		b.path = at
		return
	}
	if p.rows != nil {
		p = p.rows
	}
	if p = b.opened(p); p.Children == nil {
		b.leaf(p, label, left, right)
		return
	}
	if label != "" {
		b.add(finding.Same, escape.Key(label, left), escape.Key(label, right))
		left, right = left.Below(), right.Below()
	}
	b.note(p, left.Indent())
	b.mark(left.Indent())
	for _, child := range p.Children {
		b.path = append(b.path, child.Step)
		if p.List {
			inLeft, inRight := left, right
			if child.Left.Present || child.Children != nil {
				inLeft = left.Item()
			}
			if child.Right.Present || child.Children != nil {
				inRight = right.Item()
			}
			b.pair(child, "", inLeft, inRight)
		} else {
			b.pair(child, escape.String(child.Step.Key), left, right)
		}
		b.path = b.path[:len(b.path)-1]
	}
}

// leaf adds the lines of two whole values.
func (b *sideBuilder) leaf(p *Pair, label string, left, right *escape.Lead) {
	at := len(b.sides)
	l := b.show.value(p.Left, p.Secret)
	r := l
	alike := p.Category == finding.Same && isAlike(p.Left.Data, p.Right.Data)
	if !alike {
		r = b.show.value(p.Right, p.Secret)
	}
	if p.Category == finding.Missing && isVoid(l) && (p.Code == code.EvalMissingKey || !l.Present) {
		l = Present("(required)")
	}
	if p.Category == finding.Drift && byLine(l, r) {
		b.texts(label, l.Data.(string), r.Data.(string), left, right)
	} else {
		alike = alike && *left == *right
		between := ""
		if !alike {
			between = lookAlikes(l, r)
		}
		lines := valueLines(l, label, left, between)
		others := lines
		if alike {
			*right = *left
		} else {
			others = valueLines(r, label, right, between)
		}
		b.beside(p.Category, lines, others)
	}
	if p.Message == "" && p.Accepted == nil && len(b.marked()) == 0 {
		return
	}
	// The note belongs under the first line of the field, not under the last line of its value.
	rest := slices.Clone(b.sides[at+1:])
	b.sides = b.sides[:at+1]
	indent := b.sides[at].Depth()
	b.note(p, indent)
	b.mark(indent)
	b.sides = append(b.sides, rest...)
}

// note adds the message of a pair, a side for each line.
func (b *sideBuilder) note(p *Pair, indent int) {
	if p.Accepted != nil {
		text := "accepted: nothing"
		switch {
		case p.Category == finding.Same:
			text = "accepted"
		case p.Accepted.Present:
			text = "accepted: " + finding.ShortValue(b.show.raw(*p.Accepted, p.Secret))
		}
		b.sides = append(b.sides, finding.Side{
			Category: p.Category, Note: &finding.Line{Indent: indent, Text: escape.Text(text)},
		})
	}
	if p.Message == "" {
		return
	}
	category := p.Category
	if category == finding.Same && p.Children != nil {
		category = finding.Drift // the message is a finding that belongs to no field
	}
	lines := strings.Split(strings.TrimRight(p.Message, "\n"), "\n")
	for i, message := range lines {
		message = escape.Text(message)
		if i == len(lines)-1 {
			message += finding.Note(p.Code)
		}
		b.sides = append(b.sides, finding.Side{Category: category, Note: &finding.Line{Indent: indent, Text: message}})
	}
}

// valueLines formats a value as lines of YAML that begin with the label. A missing value has no
// lines. The characters of alike are escaped.
func valueLines(v Value, label string, at *escape.Lead, alike string) []*finding.Line {
	if !v.Present {
		return nil
	}
	return escape.Lines(v.Data, label, at, alike)
}

// lookAlikes returns the characters by which two texts differ although they look the same.
func lookAlikes(left, right Value) string {
	l, _ := left.Data.(string)
	r, _ := right.Data.(string)
	return align.LookAlikes(l, r)
}

// byLine reports whether two values are compared line by line: texts that are not empty, one of
// them with several lines.
func byLine(left, right Value) bool {
	l, _ := left.Data.(string)
	r, _ := right.Data.(string)
	return l != "" && r != "" && (escape.IsBlock(l) || escape.IsBlock(r))
}

func isVoid(v Value) bool { return !v.Present || v.Data == nil || v.Data == "" }

// add adds a line for each side, or nil for a side without one.
func (b *sideBuilder) add(category finding.Category, left, right *finding.Line) {
	for i, l := range []*finding.Line{left, right} {
		if l != nil && b.show.Longest > 0 && (i == 0 || l != left) {
			l.Text = escape.Shortened(l.Text, b.show.Longest)
		}
	}
	side := finding.Side{Category: category, Left: left, Right: right}
	switch {
	case category == finding.Drift && left != nil && right != nil:
		markWords(left, right)
	case category == finding.Same && left != nil && right != nil && left.Text == right.Text &&
		left.Indent == right.Indent:
		side.Right = left
	}
	if category != finding.Same && !b.show.NoValues && !b.show.Brief {
		side.Path = b.path.String()
	}
	b.sides = append(b.sides, side)
}

// beside adds the lines of two values next to each other. The side with fewer lines is empty at the
// end.
func (b *sideBuilder) beside(category finding.Category, left, right []*finding.Line) {
	for i := range max(len(left), len(right)) {
		b.add(category, at(left, i), at(right, i))
	}
}

func at(lines []*finding.Line, i int) *finding.Line {
	if i < 0 || i >= len(lines) {
		return nil
	}
	return lines[i]
}

// texts adds two different texts line by line. At least one of them has several lines. It aligns
// the texts themselves, because a tab and the two characters \t look alike.
func (b *sideBuilder) texts(label, left, right string, leftLead, rightLead *escape.Lead) {
	l, r := escape.TextLines(left, label, leftLead), escape.TextLines(right, label, rightLead)
	head := finding.Same
	if l[0].Text != r[0].Text {
		head = finding.Drift
	}
	b.add(head, l[0], r[0])
	inLeft, inRight := escape.BodyLines(left), escape.BodyLines(right)
	for _, pair := range align.Lines(inLeft, inRight) {
		category := finding.Drift
		if pair.A >= 0 && pair.B >= 0 && inLeft[pair.A] == inRight[pair.B] {
			category = finding.Same
		} else if pair.A >= 0 && pair.B >= 0 {
			x, y := inLeft[pair.A], inRight[pair.B]
			alike := align.LookAlikes(x, y)
			l[1+pair.A].Text, r[1+pair.B].Text = escape.LineApart(x, alike), escape.LineApart(y, alike)
		}
		b.add(category, at(l[1:], pair.A), at(r[1:], pair.B))
	}
}

// markWords marks the different words. The dash of a list item is not a word, because one side may
// lack it.
func markWords(l, r *finding.Line) {
	skipL, skipR := dashes(l.Text), dashes(r.Text)
	inL, inR := align.Words(l.Text[skipL:], r.Text[skipR:])
	l.Words, r.Words = shifted(inL, skipL), shifted(inR, skipR)
}

func shifted(spans []align.Span, by int) *[]finding.Span {
	if len(spans) == 0 {
		return nil
	}
	var out []finding.Span
	for _, s := range spans {
		out = append(out, finding.Span{Start: s.Start + by, End: s.End + by})
	}
	return &out
}

func dashes(s string) int {
	n := 0
	for strings.HasPrefix(s[n:], "- ") {
		n += 2
	}
	return n
}
