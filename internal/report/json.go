package report

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/validationtool/validationtool/internal/compare"
)

// JSON prints a result as a document that docs/report.schema.json describes, indented by two blanks.
func JSON(w io.Writer, r *compare.Result, opt DocOptions) error {
	out, err := marshal(r, opt)
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

func marshal(r *compare.Result, opt DocOptions) ([]byte, error) {
	d, err := describe(r, opt)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(d)
	return out.Bytes(), err
}
