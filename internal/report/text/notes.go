package text

import (
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/template/remark"
)

// notesShown is the maximum number of notes that are listed, unless --verbose is set.
const notesShown = 100

// widestSubject is the maximum width to which names of CRs are aligned. A longer name does not
// indent the messages of others.
const widestSubject = 40

// notes lists the notes of templates on all CRs in columns.
func (p *printer) notes() {
	how := p.grouping()
	var all []finding.Statement
	var rows [][2]string
	var widest [2]int
	for _, c := range p.r.Comparisons {
		if len(c.Notes) == 0 || !how.Filter.Shows(c) {
			continue
		}
		for _, s := range c.Notes {
			row := [2]string{c.Object.Short(), s.Code}
			for i := range widest {
				if n := p.ruler.width(row[i]); n <= widestSubject {
					widest[i] = max(widest[i], n)
				}
			}
			rows, all = append(rows, row), append(all, s)
		}
	}
	if len(rows) == 0 {
		return
	}
	p.line("")
	p.line(paint(p.palette.heading, "Notes") + ": " + decimal(len(rows)))
	shown := p.shown(len(rows), notesShown)
	messages := p.aligned(all)
	for i, row := range rows[:shown] {
		lead := ""
		for column, width := range widest {
			lead += row[column] + spacesOf(max(width-p.ruler.width(row[column]), 0)+2)
		}
		for _, l := range strings.Split(messages[i], "\n") {
			p.say(2, lead+l)
			lead = spacesOf(p.ruler.width(lead))
		}
	}
	p.unlisted(2, len(rows)-shown, "")
}

// aligned returns the messages of notes. The cells of notes with the same code are aligned in
// columns.
func (p *printer) aligned(all []finding.Statement) (messages []string) {
	widest := map[string][]int{} // the widths of the cells before the last one, by code
	for _, s := range all {
		cells := finding.Cells(s.Words())
		for i, cell := range cells[:len(cells)-1] {
			if i == len(widest[s.Code]) {
				widest[s.Code] = append(widest[s.Code], 0)
			}
			widest[s.Code][i] = max(widest[s.Code][i], min(p.ruler.width(cell), widestSubject))
		}
	}
	for _, s := range all {
		cells := finding.Cells(s.Words())
		for i, cell := range cells[:len(cells)-1] {
			cells[i] = cell + spacesOf(max(widest[s.Code][i]-p.ruler.width(cell), 0))
		}
		messages = append(messages, strings.Join(cells, " | "))
	}
	return messages
}

// statements prints violations with the reference's own codes, fields that an API server would
// reject or drop, and the notes of templates.
func (p *printer) statements(c *finding.Comparison) {
	for _, d := range c.Differences {
		if s, ok := d.Violation(); ok {
			p.fact(2, "violation", proseLines(s.String())...)
		} else if d.Category == finding.Invalid {
			p.fact(2, "invalid", proseLines(d.Words())...)
		}
	}
	for i, message := range p.aligned(c.Notes) {
		p.fact(2, "note", proseLines(c.Notes[i].Code+"  "+message)...)
	}
}

// codes prints the meanings of the reference's own codes in the report.
func (p *printer) codes() {
	var items [][]string
	for _, c := range p.report.Codes {
		lines := []string{c.Code + ": " + c.Title}
		if !p.opt.Summary {
			for _, text := range remark.Texts(c) {
				lines = append(lines, proseLines(text)...)
			}
		}
		items = append(items, lines)
	}
	p.list("Codes of the reference", len(items), items)
}
