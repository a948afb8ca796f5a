package text

import (
	"fmt"

	"github.com/fatih/color"

	"github.com/validationtool/validationtool/internal/finding"
)

const (
	gutterWidth = 3
	// columnLeast is the preferred minimum width of a column, so that objects with short lines have
	// the same layout.
	columnLeast = 38
	// signWidth is the width of the start of a unified row: side, mark, blank.
	signWidth = 3
)

// sides prints the lines of an object: side by side, or unified.
func (p *printer) sides(sides []finding.Side) {
	width := p.width
	print := p.unifiedRow
	if !p.unified {
		width = p.columnWidth(sides)
		print = p.sideBySideRow
		p.columnHeads(width)
	}
	for _, s := range sides {
		if _, known := p.fields[s.Path]; !known && p.fields != nil {
			p.fields[s.Path] = p.above
		}
		switch {
		case s.Hidden > 0:
			p.folded(s)
		case s.Note != nil:
			p.note(s)
		default:
			print(s, width)
		}
	}
}

// columnWidth returns the width of each column: that of the longest line, but at most half of the
// text's.
func (p *printer) columnWidth(sides []finding.Side) int {
	most := (p.width - gutterWidth) / 2
	need := min(columnLeast, most)
	for _, s := range sides {
		for _, l := range []*finding.Line{s.Left, s.Right} {
			switch {
			case l == nil:
			case len(l.Text) > 4*most || need == most:
				return most
			default:
				need = max(need, min(most, l.Indent+p.ruler.width(l.Text)))
			}
		}
	}
	return need
}

func (p *printer) columnHeads(width int) {
	const left, right = "reference", "input"
	p.line(paint(p.palette.quiet, left) + spacesOf(width-len(left)+gutterWidth) + paint(p.palette.quiet, right))
}

// folded prints a line that replaces hidden lines and counts them. It is indented like the first of
// them.
func (p *printer) folded(s finding.Side) {
	indent := min(s.Indent, p.width/4)
	if p.unified {
		indent += signWidth
	}
	p.line(spacesOf(
		indent,
	) + paint(p.palette.quiet, fmt.Sprintf("⋮ %s without findings", finding.Plural(s.Hidden, "line", "lines"))))
}

// note prints a note about the row above.
func (p *printer) note(s finding.Side) {
	indent := min(s.Note.Indent, p.width/4)
	if p.unified {
		indent += signWidth
	}
	style, _ := p.palette.mark(s.Category)
	p.marked(spacesOf(indent)+"^ ", indent+2, style, s.Note.Text)
}

// sideBySideRow prints a line of the reference and a line of the input in two columns, with the
// mark between them. A long line continues in its column, and the mark is repeated.
func (p *printer) sideBySideRow(s finding.Side, width int) {
	line, word := p.palette.mark(s.Category)
	left, leftColumns := p.ruler.cellLines(s.Left, width, line, word)
	right, _ := p.ruler.cellLines(s.Right, width, line, word)
	mark := sign(s.Category)
	for i := range max(len(left), len(right)) {
		out, used := "", 0
		if i < len(left) {
			out, used = left[i], leftColumns[i]
		}
		if mark != " " || i < len(right) {
			out += spacesOf(width-used) + " " + paint(line, mark)
		}
		if i < len(right) {
			out += " " + right[i]
		}
		p.line(out)
	}
}

// unifiedRow prints a line of each side below each other. A line begins with "-" for the reference,
// "+" for the input or a blank for both, then the mark: "-|" and "+|" for drift, "-<" for missing,
// "+>" for extra, " ~" for expected.
func (p *printer) unifiedRow(s finding.Side, width int) {
	line, word := p.palette.mark(s.Category)
	mark := sign(s.Category)
	if s.Left != nil && s.Right != nil && s.Left.Text == s.Right.Text && s.Left.Indent == s.Right.Indent &&
		!differs(s.Category) {
		p.unifiedLines(" "+mark, s.Right, width, line, word)
		return
	}
	if s.Left != nil {
		p.unifiedLines("-"+mark, s.Left, width, line, word)
	}
	if s.Right != nil {
		p.unifiedLines("+"+mark, s.Right, width, line, word)
	}
}

func differs(c finding.Category) bool { return c == finding.Drift || c == finding.Missing }

func (p *printer) unifiedLines(sign string, c *finding.Line, width int, line, word *color.Color) {
	lines, _ := p.ruler.cellLines(c, width-signWidth, line, word)
	for _, l := range lines {
		p.line(paint(line, sign) + " " + l)
	}
}
