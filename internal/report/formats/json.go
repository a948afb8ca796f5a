package formats

import (
	"bufio"
	"bytes"
	"io"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/visible"
	"github.com/validationtool/validationtool/internal/workers"
)

// What stands before the lines of a run, of the fields in it, and of the comparisons in it.
const (
	runIndent        = "    "
	runFieldIndent   = runIndent + "  "
	comparisonIndent = runFieldIndent + "  "
)

// JSON writes a report as a document that docs/report.schema.json describes, indented by two
// blanks. It is written piece by piece, so that it never is in memory as a whole.
func JSON(w io.Writer, r *finding.Report) error {
	out := bufio.NewWriterSize(w, chunk)
	frame := *r
	frame.Runs = nil
	head, tail, err := splitAt(frame, "", `"runs": `)
	if err != nil {
		return err
	}
	out.Write(head)
	out.WriteString("[")
	for i, run := range r.Runs {
		out.WriteString(separator(i) + runIndent)
		if err := jsonRun(out, run); err != nil {
			return err
		}
	}
	out.WriteString(listEnd(len(r.Runs), "  "))
	out.Write(tail)
	out.WriteByte('\n')
	return out.Flush() // which returns the first error of all writing
}

// jsonRun writes what was found about one cluster.
func jsonRun(out *bufio.Writer, r *finding.Run) error {
	frame := *r
	frame.Comparisons = nil
	head, tail, err := splitAt(frame, runIndent, `"comparisons": `)
	if err != nil {
		return err
	}
	out.Write(head)
	out.WriteString("[")
	n := 0
	err = workers.InOrder(len(r.Comparisons), func(i int) ([]byte, error) {
		return visible.IndentedJSON(r.Comparisons[i], comparisonIndent)
	}, func(text []byte) error {
		out.WriteString(separator(n) + comparisonIndent)
		n++
		_, err := out.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	out.WriteString(listEnd(n, runFieldIndent))
	_, err = out.Write(tail)
	return err
}

// separator stands before an element of a list.
func separator(i int) string {
	if i == 0 {
		return "\n"
	}
	return ",\n"
}

// listEnd closes a list of n elements, whose key is indented by indent.
func listEnd(n int, indent string) string {
	if n == 0 {
		return "]"
	}
	return "\n" + indent + "]"
}

// splitAt is a value as JSON in two parts: as far as a key whose list was taken out of it, and what
// comes behind that list.
func splitAt(v any, indent, key string) (head, tail []byte, err error) {
	text, err := visible.IndentedJSON(v, indent)
	line := []byte("\n" + indent + "  " + key)
	head, tail, _ = bytes.Cut(text, append(line, "null"...))
	return append(head[:len(head):len(head)], line...), tail, err
}
