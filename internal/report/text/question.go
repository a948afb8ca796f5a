package text

import (
	"io"

	"github.com/validationtool/validationtool/internal/finding"
)

// Question prints a question: the object, and a numbered line for each template with the number of
// differences. The error is the writer's.
func Question(w io.Writer, q finding.Question, opt Options) error {
	p := newPrinter(w, opt)
	p.line("")
	p.say(0, "Question "+decimal(
		q.Number,
	)+" of "+decimal(q.Of)+": which template is "+q.Object.String()+" to be compared with?")
	p.place(2, "file", q.Source.String())
	for i, c := range q.Choices {
		text := templateName(c.Template) + ": " + finding.Plural(c.Score, "changed character", "changed characters") +
			" (" + c.Counts.String() + ")"
		const column = 5
		number := decimal(i + 1)
		for j, l := range p.ruler.paragraph(text, p.width, column, column+2) {
			if j == 0 {
				l = "  " + paint(p.palette.heading, number) + spacesOf(max(column-2-len(number), 1)) + l[column:]
			}
			p.line(l)
		}
	}
	return p.end()
}
