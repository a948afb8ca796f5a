package text

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/diff"
	"github.com/validationtool/validationtool/internal/finding"
)

// ratedReport has findings with ratings, and fields that were left out.
func ratedReport(t *testing.T) *finding.Report {
	t.Helper()
	r := build(t, []byte(`
reference: {path: r, format: v1, hash: "sha256:00"}
read: 3
comparisons:
- {object: A a (v1), file: f, template: {path: t}, left: {a: 1}, right: {a: 2, b: 3}}
- {object: A b (v1), file: f, template: {path: t}, left: {a: 1}, right: {a: 2}}
- {object: A c (v1), file: f, template: {path: t}, left: {a: 1}, right: {a: 1, b: 2}}
`), diff.Show{Lines: true})
	run := r.Runs[0]
	rate := func(object, difference int, impact finding.Impact, comment string) {
		run.Comparisons[object].Differences[difference].Rating = finding.Rating{Impact: impact, Comment: comment}
	}
	rate(0, 0, finding.NotImpacting, "known")
	rate(0, 1, finding.Review, "")
	rate(1, 0, finding.Impacting, "the clock\nstops \x1b[31m")
	rate(2, 0, finding.Impacting, "")
	run.CountImpacts()
	object := run.Comparisons[0].Object
	run.Suppressed = []finding.Suppressed{
		{Rule: finding.ByBuiltIn, Count: 2, Fields: []finding.SuppressedField{
			{Object: object, Path: "metadata.uid", By: "metadata.uid"},
			{Object: object, Path: "status", Category: finding.Extra, By: "status\x1b[2J"}}},
		{
			Rule:  finding.ByOverride,
			Count: 1,
			Fields: []finding.SuppressedField{
				{Object: object, Path: "b", Category: finding.Drift, By: "agreed", Place: "o.yaml:1"},
			},
		},
	}
	return r
}

// TestRatedDocumentsKeepTheSchema: ratings and what was left out are in the schema, and are read
// back as they were written.
func TestRatedDocumentsKeepTheSchema(t *testing.T) {
	checkDocument(t, schemaOf(t, "report"), ratedReport(t))
}

// TestTheMostSeriousImpactComesFirst: of objects with the same result.
func TestTheMostSeriousImpactComesFirst(t *testing.T) {
	var out bytes.Buffer
	if err := Report(&out, ratedReport(t), Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	text, last := out.String(), -1
	for _, line := range []string{
		"; impact: 2 impacting, 1 to review, 1 not impacting",
		"DRIFT  A b (v1)", "  impact     IMPACTING: the clock\n             stops ",
		"DRIFT  A a (v1)", "  impact     REVIEW\n             NOT-IMPACTING: known\n",
		"EXTRA  A c (v1)", "  impact     IMPACTING\n",
		"  Fields left out of the comparison: 3 (2 by the built-in list, 1 overridden)\n",
		"    metadata.uid, by the built-in list: 1\n      A a (v1)  metadata.uid\n",
		"    agreed (o.yaml:1), overridden: 1\n      A a (v1)  b, drift\n",
	} {
		at := strings.Index(text, line)
		if at <= last {
			t.Errorf("%q is not there, or not behind the line before", line)
		}
		last = max(at, last)
	}
	if slices.Contains(out.Bytes(), 0x1b) {
		t.Error("an escape reaches the terminal")
	}
	if t.Failed() {
		t.Log(text)
	}
}
