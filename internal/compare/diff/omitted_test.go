package diff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/text/kubeyaml"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// TestEmptyMapsOnTheWayOfOmission compares a.b of both sides without a.b.c. A map that omission
// empties is omitted; one that was empty before is a value, and both agree.
func TestEmptyMapsOnTheWayOfOmission(t *testing.T) {
	parse := func(text string) any {
		docs, err := kubeyaml.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return docs[0].Value()
	}
	omit := []refconfig.OmitEntry{{Path: refconfig.PathOf("a", "b", "c")}}
	exact := diff.FieldsOf(refconfig.Config{PerField: []refconfig.FieldFunction{
		{Path: refconfig.PathOf("a"), Key: refconfig.Exact, Function: "true"},
	}})
	for _, c := range []struct {
		left, right string
		fields      diff.Fields
		want        map[string]finding.Category
	}{
		{"{a: {b: {}}}", "{a: {}}", diff.Fields{}, map[string]finding.Category{"a.b": finding.Missing}},
		{"{a: {b: {}}}", "{}", diff.Fields{}, map[string]finding.Category{"a": finding.Missing}},
		{"{a: {b: {}}}", "{a: {b: null}}", diff.Fields{}, map[string]finding.Category{"a.b": finding.Drift}},
		{"{a: {b: {}}}", "{a: {b: text}}", diff.Fields{}, map[string]finding.Category{"a.b": finding.Drift}},
		{"{a: {b: {}}}", "{a: {b: []}}", diff.Fields{}, map[string]finding.Category{"a.b": finding.Drift}},
		{"{a: {b: {}}}", "{a: {b: {}}}", diff.Fields{}, map[string]finding.Category{}},
		{"{a: {b: {}}}", "{a: {b: {c: 1}}}", diff.Fields{}, map[string]finding.Category{}},
		{"{a: {b: {}}}", "{a: {b: {d: 1}}}", diff.Fields{}, map[string]finding.Category{"a.b.d": finding.Extra}},
		{"{a: {b: {c: 1}}}", "{a: {b: {}}}", diff.Fields{}, map[string]finding.Category{}},
		{"{a: {b: {c: 1}}}", "{a: {}}", diff.Fields{}, map[string]finding.Category{}},
		{"{a: {b: {c: 1}, d: 1}}", "{a: {b: {}}}", diff.Fields{}, map[string]finding.Category{"a.d": finding.Missing}},
		{"{a: {b: {}, d: {}}}", "{a: {b: {c: 1}}}", diff.Fields{}, map[string]finding.Category{"a": finding.Missing}},
		{"{a: {b: {c: 1}}}", "{}", diff.Fields{}, map[string]finding.Category{}},
		{"{a: {b: {c: 1}}}", "{a: {b: text}}", diff.Fields{}, map[string]finding.Category{"a": finding.Extra}},
		{"{a: {d: 1}}", "{a: {b: {}, d: 1}}", diff.Fields{}, map[string]finding.Category{}},
		{"{a: {d: 1}}", "{a: {b: {}, d: 1}}", exact, map[string]finding.Category{"a.b": finding.Drift}},
		{"{a: {d: 1}}", "{a: {b: {c: 1}, d: 1}}", exact, map[string]finding.Category{}},
	} {
		compared := diff.Compare(
			provenance.Plain(parse(c.left)), parse(c.right), secret.Scope{}, diff.Policy{Omit: omit, Fields: c.fields},
		)
		got := map[string]finding.Category{}
		for _, d := range compared.Differences {
			got[d.Path.String()] = d.Category
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s and %s: %s", c.left, c.right, d)
		}
	}
}
