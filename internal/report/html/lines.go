package html

import (
	"html"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
)

const (
	// linesMost is the maximum number of bytes of a page for lines of CRs.
	linesMost = 8 << 20
	// ofRow and ofCell are the numbers of bytes of markup for a row and for a cell.
	ofRow, ofCell = 24, 14
)

// extent says which lines of a CR are on the page.
type extent int

// The extents.
const (
	allLines  extent = iota // all lines that the report has
	keyLines                // lines that differ, and their parents
	listsOnly               // no lines, only the list of findings
)

// allot returns the extent of each entry. If the page has room for all lines of all entries, each
// entry has all its lines. Else an entry has the lines that differ while there is room for them,
// and no lines after that.
func (p *page) allot(all []finding.Entry) []extent {
	sizes := func(how extent) (each []int, sum int) {
		for _, e := range all {
			n := 0
			if len(e.Group) > 0 {
				n = size(p.opt.kept(e.Group.First().Sides.Each(), how))
				for _, d := range e.Group.First().Differences {
					n += len(copied(d.Reference)) + len(copied(d.Input))
				}
			}
			each, sum = append(each, n), sum+n
		}
		return each, sum
	}
	out := make([]extent, len(all))
	if _, sum := sizes(allLines); sum <= p.budget {
		p.budget -= sum
		return out
	}
	each, _ := sizes(keyLines)
	for i, n := range each {
		if out[i] = keyLines; n > p.budget {
			out[i] = listsOnly
			continue
		}
		p.budget -= n
	}
	return out
}

// kept returns the lines of a CR that an extent includes.
func (o Options) kept(sides []finding.Side, how extent) []finding.Side {
	if o.Fold != nil {
		sides = diff.Fold(sides, *o.Fold)
	}
	switch how {
	case keyLines:
		return diff.Fold(sides, diff.Folding{})
	case listsOnly:
		return nil
	}
	return sides
}

// size estimates the number of bytes that lines take on the page.
func size(sides []finding.Side) (n int) {
	for _, s := range sides {
		n += ofRow
		for _, l := range []*finding.Line{s.Left, s.Right, s.Note} {
			if l != nil {
				n += ofCell + l.Indent + len(l.Text)
			}
		}
	}
	return n
}

// table formats the lines of a CR with both sides next to each other. If the CR has all its lines,
// long stretches without findings are folded, and users can open them.
func table(sides []finding.Side, context int) template.HTML {
	if len(sides) == 0 {
		return ""
	}
	folded := sides
	if !slices.ContainsFunc(sides, func(s finding.Side) bool { return s.Hidden > 0 }) {
		folded = diff.Fold(sides, diff.Folding{Context: context})
	}
	var b strings.Builder
	b.WriteString("<table class=l><thead><tr><th>reference<td><th>CR<tbody>\n")
	for at, i := 0, 0; i < len(folded); i++ {
		if folded[i].Hidden == 0 || len(folded) == len(sides) {
			writeSide(&b, folded[i])
			at++
			continue
		}
		end := at + stretch(sides[at:], folded[i].Hidden)
		b.WriteString(
			"</table><details class=h><summary>" + lineCount(folded[i].Hidden) + "</summary><table class=l><tbody>\n",
		)
		for ; at < end; at++ {
			writeSide(&b, sides[at])
		}
		b.WriteString("</table></details><table class=l><tbody>\n")
	}
	b.WriteString("</table>")
	return template.HTML(b.String()) // writeSide escapes all text
}

// stretch returns the number of rows that contain this number of lines, including the notes between
// them.
func stretch(sides []finding.Side, lines int) int {
	for i, s := range sides {
		if s.Note == nil {
			lines--
		}
		if lines < 0 {
			return i
		}
	}
	return len(sides)
}

func lineCount(n int) string { return finding.Plural(n, "line", "lines") + " without findings" }

// writeSide writes a row: a line of both sides, a note, or a count of hidden lines.
func writeSide(b *strings.Builder, s finding.Side) {
	switch {
	case s.Note != nil:
		b.WriteString("<tr class=n><td colspan=3>")
		b.WriteString(html.EscapeString(s.Note.Text))
	case s.Left == nil && s.Right == nil:
		b.WriteString("<tr class=h><td colspan=3>" + lineCount(s.Hidden))
	default:
		b.WriteString("<tr" + rowClass(s.Category) + ">")
		writeCell(b, s.Left, "del")
		b.WriteString("<td>")
		writeCell(b, s.Right, "ins")
	}
	b.WriteByte('\n')
}

// rowClass returns the CSS class of a row as an attribute.
func rowClass(c finding.Category) string {
	switch c {
	case finding.Drift, finding.Missing, finding.Extra, finding.Expected:
		return " class=" + string(c)
	}
	return ""
}

// writeCell writes a line of one side. The indentation is part of the text, so that copied lines
// keep it; a CSS class indents the continuation of wrapped lines.
func writeCell(b *strings.Builder, l *finding.Line, tag string) {
	if l == nil {
		b.WriteString("<td class=no>")
		return
	}
	b.WriteString("<td")
	if l.Indent > 0 {
		b.WriteString(" class=i" + strconv.Itoa(min(l.Indent, indentMost)))
	}
	b.WriteByte('>')
	for range l.Indent {
		b.WriteByte(' ')
	}
	at := 0
	for _, w := range l.Differing() {
		if w.Start < at || w.End > len(l.Text) || w.Start >= w.End {
			continue // only an edited report has such spans
		}
		b.WriteString(html.EscapeString(l.Text[at:w.Start]))
		b.WriteString("<" + tag + ">" + html.EscapeString(l.Text[w.Start:w.End]) + "</" + tag + ">")
		at = w.End
	}
	b.WriteString(html.EscapeString(l.Text[at:]))
}

// indentMost is the deepest indentation for which page.css has a class.
const indentMost = 24
