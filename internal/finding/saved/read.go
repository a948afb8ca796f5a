// Package saved reads reports that were saved as JSON, merges them, and compares them: two findings
// are the same if their fingerprints are equal, and two clusters if the names known of both are
// equal. A report that was changed after it was written, or that no comparison could have written, is
// an error.
package saved

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/validationtool/validationtool/internal/finding"
)

// Read parses a report that was written as JSON. The error says why the report cannot be used: the
// text is not a report or is truncated, another version of the tool wrote it, or it was changed so
// that it contradicts itself.
func Read(text []byte) (*finding.Report, error) {
	text, written := dense(text), text // values in a report keep their layout, and values in a run have no blanks
	var r finding.Report
	err := json.Unmarshal(text, &r)
	if err != nil || r.Tool.Name != finding.ToolName || r.SchemaVersion != finding.SchemaVersion {
		if err := checkVersion(written); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, fmt.Errorf("it is not a report: %w", err)
	}
	if len(r.Runs) == 0 || slices.Contains(r.Runs, nil) {
		return nil, errors.New("it is not a report of a comparison: it has no runs")
	}
	r.Reference = cmp.Or(r.Reference, r.Runs[0].Reference)
	if err := checkAmplification(text, &r); err != nil {
		return nil, err
	}
	if err := checkSound(&r); err != nil {
		return nil, err
	}
	return &r, nil
}

// checkVersion returns an error if a text is not one JSON document that a version of the tool wrote
// with the schema of this one.
func checkVersion(text []byte) error {
	var version struct {
		SchemaVersion int `json:"schemaVersion"`
		Tool          finding.Tool
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&version); err != nil {
		return notJSON(text, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("the file has more text after the report; it must have only one report")
	}
	switch v := version.SchemaVersion; {
	case version.Tool.Name != finding.ToolName || v == 0:
		return fmt.Errorf("it is not a report of %s", finding.ToolName)
	case v != finding.SchemaVersion:
		advice := "compare again"
		if v > finding.SchemaVersion {
			advice = "use a newer release"
		}
		return fmt.Errorf(
			"version %s of %s wrote it, with version %d of the schema; this one knows version %d: %s",
			stated(version.Tool.Version),
			finding.ToolName,
			v,
			finding.SchemaVersion,
			advice,
		)
	}
	return nil
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
	return fmt.Errorf("it is not a report of %s", finding.ToolName)
}

// The errors for reports that contradict themselves.
var (
	errChanged = errors.New(
		"its verdict or counts do not agree with its findings: it was changed after it was written; compare again",
	)
	errOtherFingerprint = errors.New(
		"a fingerprint is not that of its finding: the report was changed after it was written; compare again",
	)
)

// checkSound returns an error if the counts, the fingerprints or the verdict of a report do not
// follow from its findings.
func checkSound(r *finding.Report) error {
	again := finding.Report{FailOn: r.FailOn, Runs: r.Runs}
	for _, run := range r.Runs {
		if !countsAgree(run, r.FailOn) {
			return errChanged
		}
		if !fingerprintsAgree(run) {
			return errOtherFingerprint
		}
	}
	again.Conclude()
	r.Summary.Groups = nil
	var each finding.Clusters // as earlier versions counted a cluster in several reports
	for _, run := range r.Runs {
		each.Count(run.Summary.Verdict)
	}
	if again.ExitStatus != r.ExitStatus || again.Summary.Verdict != r.Summary.Verdict ||
		again.Summary.Clusters != r.Summary.Clusters && each != r.Summary.Clusters {
		return errChanged
	}
	return nil
}

// countsAgree reports whether the results, counts and verdict of a run are those of its lists.
func countsAgree(r *finding.Run, failOn finding.FailOn) bool {
	if b := r.Baseline; b != nil && b.Changes != r.CountChanges(failOn) {
		return false
	}
	if slices.ContainsFunc(r.Comparisons, func(c *finding.Comparison) bool { return !resultAgrees(c) }) {
		return false
	}
	o := r.Summary.Objects
	if r.IsBlank() { // earlier versions counted all that the reference requires
		s := &r.Summary
		s.MissingCRs, s.AbsentCRs, s.NotCollectedCRs, s.WantedCRs = 0, 0, 0, 0
		s.BrokenRules, s.PerhapsBrokenRules = 0, 0
	}
	one := *r
	one.Summary = finding.Summary{
		Objects: finding.Objects{
			Read: o.Read, Ignored: o.Ignored, LeftOut: o.LeftOut, Copies: o.Copies, NotPresent: o.NotPresent,
		},
		Masked:       r.Summary.Masked,
		Impact:       r.Summary.Impact,
		ValidatedCRs: r.Summary.ValidatedCRs,
	}
	for _, k := range r.UnmatchedKinds {
		one.Summary.Objects.Unmatched += k.Count
	}
	one.Count()
	if r.Baseline != nil {
		one.Judge(failOn)
	}
	if one.Summary != r.Summary {
		return false
	}
	if r.Summary.Impact == nil {
		return true
	}
	one.CountImpacts()
	return *one.Summary.Impact == *r.Summary.Impact
}

// resultAgrees reports whether the result and the counts of a comparison are those of its
// differences. Of the expected ones, not all are listed.
func resultAgrees(c *finding.Comparison) bool {
	if (c.Result == finding.Failed) != (c.Error != nil) || c.Error == nil && c.Result != c.Counts.Result() {
		return false
	}
	var listed finding.Counts
	for _, d := range c.Differences {
		listed.Count(d.Category, 1)
	}
	for _, category := range finding.Categories() {
		if n, all := listed.Of(category), c.Counts.Of(category); n > all || n < all && category != finding.Expected {
			return false
		}
	}
	return true
}

// fingerprintsAgree reports whether the fingerprints of a run are those of its rules and
// differences. It renews those of earlier versions.
func fingerprintsAgree(r *finding.Run) bool {
	for i, b := range r.Rules {
		if b.Fingerprint != b.Identity() && b.Fingerprint != b.EarlierIdentity() {
			return false
		}
		r.Rules[i].Fingerprint = b.Identity()
	}
	for _, c := range r.Comparisons {
		all := c.Differences
		if c.Override != nil {
			all = slices.Concat(all, c.Override.Accepted)
		}
		again := slices.Clone(all)
		finding.Identify(again, c.Object, c.Template.Path)
		for i, d := range all {
			if d.Fingerprint != again[i].Fingerprint && !hasIndex(d.Path) {
				return false
			}
		}
	}
	return true
}

// hasIndex reports whether a path may have the index of an item. The fingerprint of such a field
// has the name of the item, which is not in the report.
func hasIndex(path string) bool {
	steps := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(`.!"`, r) })
	return slices.ContainsFunc(steps, func(step string) bool { return strings.Trim(step, "0123456789") == "" })
}
