package formats

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/run/workers"
)

// Diff writes a report as unified diffs, one for each CR, from the reference to the input. Where
// content is expected to vary, both sides have the value of the input, so that only findings are
// changes. Everything that is not part of a diff is in lines that begin with #: programs that read
// diffs ignore these. Each change has this many lines of context around it. The comparisons must
// have all their lines, including the expected ones.
func Diff(w io.Writer, r *finding.Report, context int) error {
	out := bufio.NewWriter(w)
	if len(r.Runs) > 1 {
		diffComment(out, r.Sentence())
	}
	for _, run := range r.Runs {
		if err := diffRun(out, run, r.FailOn, context); err != nil {
			return err
		}
	}
	return out.Flush()
}

// diffRun writes the verdict on a cluster, the diffs of its CRs, and its other findings.
func diffRun(out *bufio.Writer, run *finding.Run, failOn finding.FailOn, context int) error {
	diffComment(out, run.Name()+": "+run.Sentence(failOn))
	for _, a := range run.Alarms {
		diffComment(out, "!! "+a.String())
	}
	groups := run.Groups(finding.Grouping{Single: true})
	err := workers.InOrder(len(groups), func(i int) ([]byte, error) {
		var text bytes.Buffer
		diffObject(&text, groups[i].First(), context)
		return text.Bytes(), nil
	}, func(text []byte) error {
		_, err := out.Write(text)
		return err
	})
	isBeside := func(c finding.Class) bool { return !c.IsOfCR() }
	for f := range run.Findings(failOn, isBeside) {
		diffComment(out, strings.TrimSpace(f.Object.Stated()+" "+f.Words))
	}
	return err
}

// diffComment writes lines that belong to no diff.
func diffComment(out io.Writer, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintln(out, "# "+escape.Line(line))
	}
}

// diffObject writes the diff of a CR.
func diffObject(out io.Writer, c *finding.Comparison, context int) {
	if c.Error != nil {
		diffComment(out, c.Object.String()+": "+c.Error.Message+finding.Note(c.Error.Code))
		return
	}
	diffComment(out, c.Object.String()+": "+c.Counts.String())
	for _, d := range c.Differences {
		if d.Reference == nil && d.Input == nil && d.Category != finding.Expected {
			diffComment(out, d.Words())
		}
	}
	fmt.Fprintf(out, "--- %s\n+++ %s\n", escape.Line("reference/"+c.Template.Path), escape.Line(c.Source.String()))
	for _, h := range hunks(edits(c.Sides.Each()), context) {
		h.write(out)
	}
}

// edit is a line of a diff with its mark: a blank, - or +.
type edit struct {
	mark   byte
	text   string
	hidden int // the number of lines that the report does not have here; 0 for a line
}

// edits returns the lines of a diff. Removed lines come before the lines that replace them.
func edits(sides []finding.Side) []edit {
	var all, added []edit
	flush := func() {
		all, added = append(all, added...), nil
	}
	for _, s := range sides {
		switch {
		case s.Hidden > 0:
			flush()
			all = append(all, edit{mark: ' ', hidden: s.Hidden})
		case s.Note != nil || s.Left == nil && s.Right == nil:
		case s.Category == finding.Expected || s.Left != nil && s.Right != nil && textOf(s.Left) == textOf(s.Right):
			if s.Right != nil {
				flush()
				all = append(all, edit{mark: ' ', text: textOf(s.Right)})
			}
		default:
			if s.Left != nil {
				all = append(all, edit{mark: '-', text: textOf(s.Left)})
			}
			if s.Right != nil {
				added = append(added, edit{mark: '+', text: textOf(s.Right)})
			}
		}
	}
	flush()
	return all
}

// textOf returns a line with its indentation.
func textOf(l *finding.Line) string { return strings.Repeat(" ", l.Indent) + l.Text }

// hunk is a part of a diff: its lines, and for each side the number of lines before it.
type hunk struct {
	left, right int
	lines       []edit
}

// hunks returns the changes, each with this many lines of context around it. Hunks that touch are
// merged.
func hunks(all []edit, context int) []hunk {
	var out []hunk
	// end is the index after the last line of the last hunk. apart is true after lines that the
	// report does not have: the next change then begins a new hunk.
	left, right, end, apart := 0, 0, 0, true
	for i, e := range all {
		if e.hidden > 0 {
			left, right, end, apart = left+e.hidden, right+e.hidden, i+1, true
			continue
		}
		if e.mark != ' ' {
			from := max(i-context, end)
			if apart || from > end {
				out = append(out, hunk{left: left - (i - from), right: right - (i - from)})
			}
			apart = false
			last := &out[len(out)-1]
			last.lines = append(last.lines, all[from:i+1]...)
			end = i + 1
			for n := 0; n < context && end < len(all) && all[end].mark == ' ' && all[end].hidden == 0; n++ {
				last.lines = append(last.lines, all[end])
				end++
			}
		}
		if e.mark != '+' {
			left++
		}
		if e.mark != '-' {
			right++
		}
	}
	return out
}

// write writes a hunk. As the program diff does, it lets a side without lines begin at the previous
// line.
func (h hunk) write(out io.Writer) {
	left, right := 0, 0
	for _, e := range h.lines {
		if e.mark != '+' {
			left++
		}
		if e.mark != '-' {
			right++
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(h.left, left), span(h.right, right))
	for _, e := range h.lines {
		fmt.Fprintf(out, "%c%s\n", e.mark, e.text)
	}
}

// span formats the number of a hunk's first line on a side, and its number of lines.
func span(before, n int) string {
	if n > 0 {
		before++
	}
	if n == 1 {
		return fmt.Sprint(before)
	}
	return fmt.Sprintf("%d,%d", before, n)
}
