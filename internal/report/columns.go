package report

import (
	"fmt"

	"github.com/fatih/color"

	"github.com/validationtool/validationtool/internal/compare"
)

const (
	gutterWidth = 3
	// columnLeast is the width that a column has at least, if there is room: objects with short lines look alike then.
	columnLeast = 38
	// signWidth is what a unified row begins with: side, mark, blank.
	signWidth = 3
)

// rows prints the rows of an object: side by side, or unified.
func (p *printer) rows(rows []row) {
	stretches := fold(rows, p.opt)
	width := p.width
	print := p.unifiedRow
	if !p.unified {
		width = p.columnWidth(rows, stretches)
		print = p.sideBySideRow
		p.columnHeads(width)
	}
	for _, s := range stretches {
		if s.hidden {
			p.folded(rows[s.from:s.to])
			continue
		}
		for _, r := range rows[s.from:s.to] {
			if r.note != "" {
				p.note(r)
				continue
			}
			print(r, width)
		}
	}
}

// columnWidth is the width of either column: what the widest shown line needs, and no more than half of the whole.
func (p *printer) columnWidth(rows []row, stretches []stretch) int {
	most := (p.width - gutterWidth) / 2
	need := min(columnLeast, most)
	for _, s := range stretches {
		if s.hidden {
			continue
		}
		for _, r := range rows[s.from:s.to] {
			for _, c := range []cell{r.left, r.right} {
				if len(c.text) > 4*most || need == most {
					return most
				}
				need = max(need, min(most, c.indent+p.ruler.width(c.text)))
			}
		}
	}
	return need
}

func (p *printer) columnHeads(width int) {
	const left, right = "reference", "input"
	p.line(paint(p.palette.quiet, left) + spacesOf(width-len(left)+gutterWidth) + paint(p.palette.quiet, right))
}

// folded prints the marker of rows that are not shown, at the depth of the first of them.
func (p *printer) folded(rows []row) {
	n := 0
	for _, r := range rows {
		if r.note == "" {
			n++
		}
	}
	indent := min(rows[0].indent, p.width/4)
	if p.unified {
		indent += signWidth
	}
	p.line(spacesOf(indent) + paint(p.palette.quiet, fmt.Sprintf("⋮ %s without findings", plural(n, "line", "lines"))))
}

// note prints what there is to say about the row above.
func (p *printer) note(r row) {
	indent := min(r.indent, p.width/4)
	if p.unified {
		indent += signWidth
	}
	style, _ := p.palette.mark(r.mark)
	for i, l := range p.ruler.paragraph(r.note, p.width, indent+2, indent+2) {
		if i == 0 {
			l = spacesOf(indent) + "^ " + l[indent+2:]
		}
		p.line(paint(style, l))
	}
}

// sideBySideRow prints the reference's line and the input's line beside each other with the mark between them. What does
// not fit into a column goes on in the same column, and the mark is repeated.
func (p *printer) sideBySideRow(r row, width int) {
	line, word := p.palette.mark(r.mark)
	left, leftColumns := p.ruler.cellLines(r.left, width, line, word)
	right, _ := p.ruler.cellLines(r.right, width, line, word)
	mark := sign(r.mark)
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

// unifiedRow prints a row below each other. Each line begins with its side, "-" for the reference and "+" for the input
// and a blank for both, then the same mark as side by side: "-|" and "+|" for drift, "-<" for missing, "+>" for extra,
// " ~" for expected.
func (p *printer) unifiedRow(r row, width int) {
	line, word := p.palette.mark(r.mark)
	mark := sign(r.mark)
	if r.left.present && r.right.present && r.left.text == r.right.text && r.left.indent == r.right.indent && !differs(r.mark) {
		p.unifiedLines(" "+mark, r.right, width, line, word)
		return
	}
	if r.left.present {
		p.unifiedLines("-"+mark, r.left, width, line, word)
	}
	if r.right.present {
		p.unifiedLines("+"+mark, r.right, width, line, word)
	}
}

func differs(c compare.Category) bool { return c == compare.Drift || c == compare.Missing }

func (p *printer) unifiedLines(sign string, c cell, width int, line, word *color.Color) {
	lines, _ := p.ruler.cellLines(c, width-signWidth, line, word)
	for _, l := range lines {
		p.line(paint(line, sign) + " " + l)
	}
}
