package finding

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// Read parses a report that was written as JSON. The error says why the report cannot be used: the
// text is not a report or is truncated, another version of the tool wrote it, or it was changed so
// that it contradicts itself.
func Read(text []byte) (*Report, error) {
	var version struct {
		SchemaVersion int `json:"schemaVersion"`
		Tool          Tool
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&version); err != nil {
		return nil, notJSON(text, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("the file has more text after the report; it must have only one report")
	}
	switch v := version.SchemaVersion; {
	case version.Tool.Name != ToolName || v == 0:
		return nil, fmt.Errorf("it is not a report of %s", ToolName)
	case v != SchemaVersion:
		advice := "compare again"
		if v > SchemaVersion {
			advice = "use a newer release"
		}
		return nil, fmt.Errorf(
			"version %s of %s wrote it, with version %d of the schema; this one knows version %d: %s",
			stated(version.Tool.Version),
			ToolName,
			v,
			SchemaVersion,
			advice,
		)
	}
	var r Report
	var dense bytes.Buffer // values in a report keep their layout, and values in a run have no blanks
	if err := json.Compact(&dense, text); err != nil {
		return nil, notJSON(text, err)
	}
	if err := json.Unmarshal(dense.Bytes(), &r); err != nil {
		return nil, fmt.Errorf("it is not a report: %w", err)
	}
	if len(r.Runs) == 0 || slices.Contains(r.Runs, nil) {
		return nil, errors.New("it is not a report of a comparison: it has no runs")
	}
	if err := r.sound(); err != nil {
		return nil, err
	}
	return &r, checkAmplification(text, &r)
}

// stated returns the version in a file, or "(unknown)" if not every format can show it.
func stated(version string) string {
	other := func(r rune) bool {
		return !strings.ContainsRune(".+-()_", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	if version == "" || len(version) > 100 || strings.ContainsFunc(version, other) {
		return "(unknown)"
	}
	return version
}

// notJSON describes why a text is not JSON.
func notJSON(text []byte, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it is cut short")
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		line := 1 + bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n"))
		return fmt.Errorf(
			"line %d: it is not JSON: %w; only reports of --output json can be read again", line, err,
		)
	}
	return fmt.Errorf("it is not a report of %s", ToolName)
}

// errChanged is the error for reports that contradict themselves.
var errChanged = errors.New(
	"its verdict or counts do not agree with its findings: it was changed after it was written; compare again",
)

// sound returns an error if the counts or the verdict of a report do not follow from its findings.
func (r *Report) sound() error {
	again := Report{FailOn: r.FailOn, Runs: r.Runs}
	for _, run := range r.Runs {
		if slices.Contains(run.Comparisons, nil) {
			return errChanged
		}
		if b := run.Baseline; b != nil && b.Changes != run.changes(r.FailOn) {
			return errChanged
		}
		o := run.Summary.Objects
		one := *run
		one.Summary = Summary{
			Objects: Objects{Read: o.Read, Unmatched: o.Unmatched, Ignored: o.Ignored, Copies: o.Copies},
			Masked:  run.Summary.Masked,
			Impact:  run.Summary.Impact,
		}
		one.count()
		if one.Summary != run.Summary {
			return errChanged
		}
	}
	if again.Conclude(); again.ExitStatus != r.ExitStatus || again.Summary != r.Summary {
		return errChanged
	}
	return nil
}
