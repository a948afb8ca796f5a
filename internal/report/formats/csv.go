package formats

import (
	"encoding/csv"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
)

// CSV writes the records of a report as comma-separated values (RFC 4180), after a line with the names of
// the columns. A cell that a spreadsheet would evaluate as a formula gets an apostrophe at its start.
func CSV(w io.Writer, r *finding.Report) error {
	out := csv.NewWriter(w)
	var columns []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[finding.Record]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		columns = append(columns, name)
	}
	out.Write(columns)
	cells := make([]string, len(columns))
	for record := range r.Records() {
		for i, of := 0, reflect.ValueOf(record); i < len(cells); i++ {
			switch v := of.Field(i); v.Kind() {
			case reflect.Int:
				cells[i] = strings.TrimPrefix(strconv.FormatInt(v.Int(), 10), "0") // 0 is unknown
			case reflect.Slice:
				cells[i] = csvCell(string(v.Bytes()))
			default:
				cells[i] = csvCell(v.String())
			}
		}
		out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// csvCell makes a text safe for spreadsheets, which evaluate a cell that begins with one of these
// characters as a formula (OWASP, CSV injection). Some locales evaluate the full-width ones too.
func csvCell(text string) string {
	if first, _ := utf8.DecodeRuneInString(text); text != "" && strings.ContainsRune("=+-@\t\r＝＋－＠", first) {
		text = "'" + text
	}
	return escape.Text(text)
}
