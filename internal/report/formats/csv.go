package formats

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
)

// csvColumns returns the names of the columns.
func csvColumns() []string {
	return []string{
		"cluster",
		"class",
		"fails",
		"impact",
		"part",
		"component",
		"template",
		"apiVersion",
		"kind",
		"namespace",
		"name",
		"path",
		"code",
		"finding",
		"reference",
		"input",
		"comment",
		"link",
		"file",
		"entry",
		"line",
		"fingerprint",
		"change",
		"wrapper",
	}
}

// CSV writes a report as comma-separated values (RFC 4180): a line with the names of the columns,
// then for each cluster a line of class verdict, a line of class alarm for each alarm, and a line
// for each finding. A cell that a spreadsheet would evaluate as a formula gets an apostrophe at its
// start.
func CSV(w io.Writer, r *finding.Report) error {
	out := csv.NewWriter(w)
	out.Write(csvColumns())
	for _, run := range r.Runs {
		out.Write(csvRow(run.Name(), finding.Finding{
			Class:  "verdict",
			Effect: finding.Effect(run.ExitStatus(r.FailOn)), // the effects are in the order of the exit statuses
			Words:  run.Sentence(r.FailOn),
		}))
		for _, a := range run.Alarms {
			out.Write(csvRow(run.Name(), finding.Finding{
				Class:  "alarm",
				Code:   a.Code,
				Words:  a.Message,
				Source: finding.Source{File: a.Place},
			}))
		}
		for f := range run.Findings(r.FailOn, nil) {
			out.Write(csvRow(run.Name(), f))
		}
	}
	out.Flush()
	return out.Error()
}

// csvRow formats a finding as a line.
func csvRow(cluster string, f finding.Finding) []string {
	cells := []string{
		cluster,
		string(f.Class),
		[]string{"no", "yes", "incomplete"}[f.Effect],
		string(f.Impact),
		f.Template.Part,
		f.Template.Component,
		f.Template.Path,
		f.Object.APIVersion,
		f.Object.Kind,
		f.Object.Namespace,
		f.Object.Name,
		f.Path,
		string(f.Code),
		f.Words,
		string(f.Reference),
		string(f.Input),
		f.Comment,
		f.Link,
		f.Source.File,
		f.Source.Entry,
		"",
		f.Fingerprint,
		string(f.Change),
		f.Source.Wrapper,
	}
	if f.Source.Line > 0 {
		cells[20] = strconv.Itoa(f.Source.Line)
	}
	for i := range cells {
		cells[i] = csvCell(cells[i])
	}
	return cells
}

// csvCell makes a text safe for spreadsheets, which evaluate a cell that begins with one of these
// characters as a formula (OWASP, CSV injection). Some locales evaluate the full-width ones too.
func csvCell(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune("=+-@\t\r＝＋－＠", first) {
		text = "'" + text
	}
	return escape.Text(text)
}
