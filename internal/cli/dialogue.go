package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/report/text"
)

// dialogue asks the user which template fits a CR, and saves the answers as a diff config.
// Questions go to the error stream, so that the report can be piped.
type dialogue struct {
	ctx   context.Context
	in    *bufio.Reader
	out   io.Writer
	text  text.Options // for questions and the differences of a candidate
	made  []made
	ended bool // no more answers will come
}

// made is a choice that the user made.
type made struct {
	object   manifest.ID
	template finding.Template
}

// newDialogue returns a dialogue that asks on out, reads answers from in, and shows the differences
// of candidates according to opt.
func newDialogue(ctx context.Context, in io.Reader, out io.Writer, opt text.Options) *dialogue {
	return &dialogue{ctx: ctx, in: bufio.NewReader(in), out: out, text: opt}
}

// say prints lines. It escapes characters that act on a terminal.
func (d *dialogue) say(format string, args ...any) {
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		fmt.Fprintln(d.out, escape.Short(line))
	}
}

// line asks for one line. It returns false if no more answers will come because the input has ended
// or the run was interrupted. Reading cannot be interrupted, so a waiting goroutine is left behind.
func (d *dialogue) line(prompt string) (string, bool) {
	if d.ended || d.ctx.Err() != nil {
		return "", false
	}
	fmt.Fprint(d.out, prompt+" ")
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := d.in.ReadString('\n')
		answers <- answer{text, err}
	}()
	select {
	case <-d.ctx.Done():
		d.ended = true
		d.say("")
		return "", false
	case a := <-answers:
		if a.err != nil && a.text == "" {
			d.ended = true
			d.say("")
			return "", false
		}
		return strings.TrimSpace(a.text), true
	}
}

// choose asks one question and returns the index of the answer; false if the user wants no more
// questions.
func (d *dialogue) choose(q finding.Question) (int, bool) {
	d.show(q)
	for {
		answer, ok := d.line(
			"Number, Enter for 1 (the closest), d NUMBER to show its differences, q to stop asking:",
		)
		if !ok || answer == "q" {
			return 0, false
		}
		wanted, isView := strings.CutPrefix(answer, "d")
		n, err := strconv.Atoi(strings.TrimSpace(wanted))
		switch {
		case answer == "":
			return d.take(q, 0), true
		case answer == "d":
			for i := range q.Choices {
				d.differences(q, i)
			}
			d.show(q)
		case err != nil || n < 1 || n > len(q.Choices):
			d.say("%q is not a valid answer.", answer)
		case isView:
			d.differences(q, n-1)
		default:
			return d.take(q, n-1), true
		}
	}
}

// take records a choice.
func (d *dialogue) take(q finding.Question, n int) int {
	d.made = append(d.made, made{manifest.ID(q.Object), q.Choices[n].Template})
	return n
}

// show writes a question. If the terminal is gone, reading the answer fails.
func (d *dialogue) show(q finding.Question) { _ = text.Question(d.out, q, d.text) }

// differences shows the differences between the object and one of the templates.
func (d *dialogue) differences(q finding.Question, n int) {
	_ = text.Object(d.out, q.Choices[n].Shown(), d.text)
	d.say("")
}
