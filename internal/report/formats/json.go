package formats

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"slices"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/run/workers"
)

// The indentation of runs, of their fields, and of their comparisons.
const (
	runIndent        = "    "
	runFieldIndent   = runIndent + "  "
	comparisonIndent = runFieldIndent + "  "
)

// Omit says which optional parts of a report a document lacks.
type Omit struct {
	Lines     bool // the lines of CRs with findings
	Unmatched bool // the CRs that match no template, so that they are only counted
}

// JSON writes a report as the document that docs/report.schema.json describes, indented by two
// blanks. It writes piece by piece and never has the whole document in memory.
func JSON(w io.Writer, r *finding.Report, omit Omit) error {
	out := bufio.NewWriterSize(w, chunk)
	frame := *r
	if len(r.Runs) > 1 {
		frame.Summary.Groups = r.Fleet(finding.Filter{}).Groups()
	}
	frame.Runs = nil
	if r.Reference != (finding.Reference{}) && slices.ContainsFunc(r.Runs, r.HasOther) {
		frame.Reference = finding.Reference{}
	}
	head, tail, err := splitAt(frame, "", `"runs": `)
	if err != nil {
		return err
	}
	out.Write(head)
	out.WriteString("[")
	for i, run := range r.Runs {
		out.WriteString(separator(i) + runIndent)
		if err := jsonRun(out, run, r.FailOn, omit); err != nil {
			return err
		}
	}
	out.WriteString(listEnd(len(r.Runs), "  "))
	out.Write(tail)
	out.WriteByte('\n')
	return out.Flush() // Flush returns the first error of any write
}

// NDJSON writes the records of a report as JSON, each on a line of its own.
func NDJSON(w io.Writer, r *finding.Report) error {
	out := bufio.NewWriterSize(w, chunk)
	for record := range r.Records() {
		text, err := escape.LineJSON(record)
		if err != nil {
			return err
		}
		out.Write(text)
	}
	return out.Flush() // Flush returns the first error of any write
}

// jsonRun writes the findings on one cluster.
func jsonRun(out *bufio.Writer, r *finding.Run, failOn finding.FailOn, omit Omit) error {
	frame := *r
	frame.Comparisons = nil
	if omit.Unmatched {
		frame.Unmatched = nil
	}
	const list, further = `"findings": [`, `"comparisons": `
	head, tail, err := splitAt(frame, runIndent, further)
	if err != nil {
		return err
	}
	out.Write(bytes.TrimSuffix(head, []byte(further)))
	out.WriteString(list)
	if err := jsonList(out, r.Records(failOn), func(finding.Record) int { return usualSize }); err != nil {
		return err
	}
	out.WriteString(",\n" + runFieldIndent + further + "[")
	comparisons := func(yield func(*finding.Comparison) bool) {
		for _, c := range r.Comparisons {
			if omit.Lines {
				bare := *c
				bare.Sides = ""
				c = &bare
			}
			if !yield(c) {
				return
			}
		}
	}
	err = jsonList(out, comparisons, func(c *finding.Comparison) int { return usualSize + len(c.Sides) })
	if err != nil {
		return err
	}
	_, err = out.Write(tail)
	return err
}

// usualSize is about the number of bytes of a record, or of a comparison without its lines, as JSON.
const usualSize = 1 << 10

// jsonList writes the elements and the end of a list of a run. size returns about the number of bytes of an
// element as JSON. Several goroutines encode chunks, because a goroutine for each element takes much
// of the time.
func jsonList[T any](out *bufio.Writer, all iter.Seq[T], size func(T) int) error {
	n := 0
	err := workers.Ordered(chunks(all, size), func(elements []T) (text []byte, err error) {
		e := escape.NewEncoder()
		text = make([]byte, 0, usualSize*len(elements))
		for i, element := range elements {
			if i > 0 {
				text = append(text, separator(i)+comparisonIndent...)
			}
			if text, err = e.Append(text, element, comparisonIndent); err != nil {
				return nil, err
			}
		}
		return text, nil
	}, func(text []byte) error {
		out.WriteString(separator(n) + comparisonIndent)
		n++
		_, err := out.Write(text)
		return err
	})
	out.WriteString(listEnd(n, runFieldIndent))
	return err
}

// chunks yields the elements of a list in parts of about the size of a chunk.
func chunks[T any](all iter.Seq[T], size func(T) int) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		var some []T
		sum := 0
		for one := range all {
			some, sum = append(some, one), sum+size(one)
			if sum < chunk {
				continue
			}
			if !yield(some) {
				return
			}
			some, sum = make([]T, 0, len(some)), 0
		}
		if len(some) > 0 {
			yield(some)
		}
	}
}

// separator returns the text before the element i of a list.
func separator(i int) string {
	if i == 0 {
		return "\n"
	}
	return ",\n"
}

// listEnd returns the end of a list of n elements.
func listEnd(n int, indent string) string {
	if n == 0 {
		return "]"
	}
	return "\n" + indent + "]"
}

// splitAt encodes a value as JSON and splits the text at a key whose list is nil. head ends with
// the key, and tail begins after the list.
func splitAt(v any, indent, key string) (head, tail []byte, err error) {
	text, err := escape.IndentedJSON(v, indent)
	line := []byte("\n" + indent + "  " + key)
	head, tail, _ = bytes.Cut(text, append(line, "null"...))
	return append(head[:len(head):len(head)], line...), tail, err
}
