package text

import (
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/remark"
)

// notesShown is the maximum number of notes without --verbose.
const notesShown = 100

// widestSubject is the maximum width to which names of CRs are aligned. A longer name does not
// indent all messages.
const widestSubject = 40

// notes lists the notes of templates on all CRs in columns, so that aligned messages are a table.
func (p *printer) notes() {
	how := p.grouping()
	var rows [][3]string
	var widest [2]int
	for _, c := range p.r.Comparisons {
		if len(c.Notes) == 0 || !how.Filter.Shows(c) {
			continue
		}
		for _, s := range c.Notes {
			row := [3]string{c.Object.Short(), s.Code, s.Words()}
			for i := range widest {
				if n := p.ruler.width(row[i]); n <= widestSubject {
					widest[i] = max(widest[i], n)
				}
			}
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return
	}
	p.line("")
	p.line(paint(p.palette.heading, "Notes") + ": " + decimal(len(rows)))
	shown := p.shown(len(rows), notesShown)
	for _, row := range rows[:shown] {
		lead := ""
		for column, width := range widest {
			lead += row[column] + spacesOf(max(width-p.ruler.width(row[column]), 0)+2)
		}
		for _, l := range strings.Split(row[2], "\n") {
			p.say(2, lead+l)
			lead = spacesOf(p.ruler.width(lead))
		}
	}
	p.unlisted(2, len(rows)-shown, "")
}

// statements prints the violations of the reference's own codes, what an API server would refuse of an
// object, and the notes of templates.
func (p *printer) statements(c *finding.Comparison) {
	for _, d := range c.Differences {
		if s, ok := d.Violation(); ok {
			p.fact(2, "violation", proseLines(s.String())...)
		} else if d.Category == finding.Invalid {
			p.fact(2, "invalid", proseLines(d.Words())...)
		}
	}
	for _, s := range c.Notes {
		p.fact(2, "note", proseLines(s.String())...)
	}
}

// codes prints the meanings of the reference's own codes that the report has.
func (p *printer) codes() {
	if len(p.report.Codes) == 0 {
		return
	}
	p.section("Codes of the reference", len(p.report.Codes))
	for _, c := range p.report.Codes {
		p.say(4, c.Code+": "+c.Title)
		for _, text := range remark.Texts(c) {
			if p.opt.Summary {
				break
			}
			for _, l := range proseLines(text) {
				p.say(6, l)
			}
		}
	}
}
