package text

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/russross/blackfriday/v2"
)

// widestProse is the most columns of a chapter: longer lines of prose are hard to read.
const widestProse = 100

// The inline code of a chapter has these around each word while lines are broken.
const (
	startOfCode = "\x01"
	endOfCode   = "\x02"
)

// Chapter writes a chapter of the manual, which is Markdown, laid out to the width.
func Chapter(w io.Writer, markdown string, opt Options) error {
	l := chapter{width: min(opt.Width, widestProse), palette: newPalette(opt.Color), ruler: newRuler()}
	parser := blackfriday.New(blackfriday.WithExtensions(blackfriday.Tables | blackfriday.FencedCode))
	var b strings.Builder
	l.blocks(&b, parser.Parse([]byte(markdown)), "")
	before, after, _ := strings.Cut(l.palette.extra.Sprint("|"), "|")
	styles := strings.NewReplacer(endOfCode+" "+startOfCode, " ", startOfCode, before, endOfCode, after)
	_, err := styles.WriteString(w, b.String())
	return err
}

// chapter lays out a chapter.
type chapter struct {
	width   int
	palette *palette
	ruler   ruler
}

// blocks writes the blocks below a node, after a margin, with empty lines between them.
func (c chapter) blocks(b *strings.Builder, of *blackfriday.Node, margin string) {
	for n := of.FirstChild; n != nil; n = n.Next {
		if n.Prev != nil {
			b.WriteString("\n")
		}
		switch n.Type {
		case blackfriday.Heading:
			title := strings.Repeat("#", n.Level) + " " + unmarked(inline(n))
			b.WriteString(paint(c.palette.heading, title) + "\n")
		case blackfriday.CodeBlock:
			for line := range strings.Lines(string(n.Literal)) {
				b.WriteString(margin + "    " + line)
			}
		case blackfriday.Table:
			c.table(b, n)
		case blackfriday.List:
			c.list(b, n, margin)
		default:
			for _, line := range c.lines(inline(n), c.width-len(margin)) {
				b.WriteString(margin + line + "\n")
			}
		}
	}
}

// list writes a list, whose items begin with a hyphen or with their number.
func (c chapter) list(b *strings.Builder, list *blackfriday.Node, margin string) {
	number := 0
	for item := list.FirstChild; item != nil; item = item.Next {
		number++
		mark := "- "
		if list.ListFlags&blackfriday.ListTypeOrdered != 0 {
			mark = fmt.Sprintf("%d. ", number)
		}
		indented := margin + strings.Repeat(" ", len(mark))
		var below strings.Builder
		c.blocks(&below, item, indented)
		b.WriteString(margin + mark + strings.TrimPrefix(below.String(), indented))
	}
}

// table writes a table. Its widest columns become narrower until it fits, but never narrower than
// their longest word, and their cells have several lines.
func (c chapter) table(b *strings.Builder, table *blackfriday.Node) {
	var rows [][]string
	var widths, narrowest []int
	table.Walk(func(n *blackfriday.Node, entering bool) blackfriday.WalkStatus {
		switch {
		case entering && n.Type == blackfriday.TableRow:
			rows = append(rows, nil)
		case entering && n.Type == blackfriday.TableCell:
			row := &rows[len(rows)-1]
			at := len(*row)
			if at == len(widths) {
				widths = append(widths, 0)
				narrowest = append(narrowest, 0)
			}
			cell := inline(n)
			*row = append(*row, cell)
			widths[at] = max(widths[at], c.columns(cell))
			for _, word := range strings.Fields(cell) {
				narrowest[at] = max(narrowest[at], c.columns(word))
			}
		}
		return blackfriday.GoToNext
	})
	const gap = 2
	for {
		total, widest := gap*(len(widths)-1), -1
		for i, width := range widths {
			total += width
			if width > narrowest[i] && (widest < 0 || width > widths[widest]) {
				widest = i
			}
		}
		if total <= c.width || widest < 0 {
			break
		}
		widths[widest]--
	}
	for i, row := range rows {
		for _, line := range c.sideBySide(row, widths, gap) {
			if i == 0 {
				line = paint(c.palette.heading, unmarked(line))
			}
			b.WriteString(line + "\n")
		}
	}
}

// sideBySide returns the lines of the cells of a row, each cell in its column.
func (c chapter) sideBySide(row []string, widths []int, gap int) (all []string) {
	cells := make([][]string, len(row))
	height := 0
	for i, cell := range row {
		cells[i] = c.lines(cell, widths[i])
		height = max(height, len(cells[i]))
	}
	for y := range height {
		line := ""
		for i, lines := range cells {
			text := ""
			if y < len(lines) {
				text = lines[y]
			}
			line += text + strings.Repeat(" ", widths[i]-c.columns(text)+gap)
		}
		all = append(all, strings.TrimRight(line, " "))
	}
	return all
}

// lines breaks a text at its blanks into lines of a width. A word that is longer has its own line.
func (c chapter) lines(text string, width int) (all []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && c.columns(line)+1+c.columns(word) > width {
			all = append(all, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(all, line)
}

// columns returns the width of a text.
func (c chapter) columns(text string) int { return c.ruler.width(unmarked(text)) }

// unmarked removes the marks of inline code.
func unmarked(text string) string {
	return strings.NewReplacer(startOfCode, "", endOfCode, "").Replace(text)
}

// inline returns the text of a node, with marks around the words of code. A link to another chapter
// names the chapter, any other link has its address.
func inline(of *blackfriday.Node) string {
	var b strings.Builder
	for n := of.FirstChild; n != nil; n = n.Next {
		text := inline(n)
		switch n.Type {
		case blackfriday.Code:
			for i, word := range strings.Fields(string(n.Literal)) {
				if i > 0 {
					b.WriteString(" ")
				}
				b.WriteString(startOfCode + word + endOfCode)
			}
		case blackfriday.Link:
			b.WriteString(text)
			target, _, _ := strings.Cut(string(n.Destination), "#")
			if name := strings.TrimSuffix(path.Base(target), ".md"); target != "" && !strings.Contains(text, name) {
				if name+".md" == target {
					target = "docs " + name
				}
				b.WriteString(" (" + target + ")")
			}
		case blackfriday.Text:
			b.Write(n.Literal)
		default:
			b.WriteString(text)
		}
	}
	return b.String()
}
