package report

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"

	"github.com/validationtool/validationtool/internal/compare"
)

// JSON prints a report as a document that docs/report.schema.json describes, indented by two blanks.
func JSON(w io.Writer, r Report, opt DocOptions) error {
	out := bufio.NewWriter(w)
	if err := writeDocument(out, r, opt); err != nil {
		return err
	}
	return out.Flush()
}

// DocAhead is for compare.Options.Each: it makes what JSON and YAML print of a comparison as soon as that is done, and lets go
// of the rest.
func DocAhead(opt DocOptions) func(*compare.Comparison) {
	return func(c *compare.Comparison) {
		text, err := comparisonJSON(c, opt)
		if err != nil {
			return // told when the report is written
		}
		c.Shown, c.Tree, c.Differences = text, nil, nil
	}
}

// writeDocument prints the document piece by piece, so that it never is in memory as a whole.
func writeDocument(out *bufio.Writer, r Report, opt DocOptions) error {
	head, err := indented(describeHead(r, opt), "")
	if err != nil {
		return err
	}
	out.Write(bytes.TrimSuffix(head, []byte("\n}")))
	out.WriteString(",\n  \"runs\": [")
	for i, run := range r.Runs {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n" + runIndent)
		if err := writeRun(out, run, opt); err != nil {
			return err
		}
	}
	_, err = out.WriteString("\n  ]\n}\n")
	return err
}

// What stands before the lines of a run, of the fields in it, and of the comparisons in it.
const (
	runIndent        = "    "
	runFieldIndent   = runIndent + "  "
	comparisonIndent = runFieldIndent + "  "
)

// writeRun prints what was found about one cluster.
func writeRun(out *bufio.Writer, r *compare.Result, opt DocOptions) error {
	head, err := indented(describeRunHead(r), runIndent)
	if err != nil {
		return err
	}
	tail, err := indented(describeRunTail(r), runIndent)
	if err != nil {
		return err
	}
	out.Write(bytes.TrimSuffix(head, []byte("\n"+runIndent+"}")))
	out.WriteString(",\n" + runFieldIndent + "\"comparisons\": [")
	for i, c := range inOrder(r.Comparisons) {
		text := c.Shown
		if text == nil {
			if text, err = comparisonJSON(c, opt); err != nil {
				return err
			}
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n" + comparisonIndent)
		out.Write(text)
	}
	if len(r.Comparisons) > 0 {
		out.WriteString("\n" + runFieldIndent)
	}
	out.WriteString("],")
	_, err = out.Write(bytes.TrimPrefix(tail, []byte("{")))
	return err
}

// inOrder puts comparisons into an order that depends on their content only.
func inOrder(list []compare.Comparison) []*compare.Comparison {
	all := make([]*compare.Comparison, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	slices.SortStableFunc(all, func(a, b *compare.Comparison) int {
		return cmp.Or(compareObjects(describeID(a.Object), describeID(b.Object)), compareSources(describePlace(a.Source), describePlace(b.Source)))
	})
	return all
}

// comparisonJSON is one comparison as it stands in the document.
func comparisonJSON(c *compare.Comparison, opt DocOptions) ([]byte, error) {
	d, err := describeComparison(c, opt)
	if err != nil {
		return nil, err
	}
	return indented(d, comparisonIndent)
}

// indented is a value as JSON, whose lines but the first begin with a prefix.
func indented(v any, prefix string) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, "  ")
	err := e.Encode(v)
	return bytes.Clone(escapeJSON(bytes.TrimSuffix(out.Bytes(), []byte("\n")))), err
}
