package diff_test

import (
	"testing"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/value/provenance"
	"github.com/validationtool/validationtool/internal/value/secret"
	"github.com/validationtool/validationtool/refconfig"
)

// found returns the note of a leaf with a failed check.
func found(message string) provenance.Note {
	return provenance.Note{Finding: &provenance.Finding{Code: "NTP-A", Message: message}}
}

// TestMissingValueListsThreeFindings checks that a missing value has the first three of its findings as
// message.
func TestMissingValueListsThreeFindings(t *testing.T) {
	left := map[string]any{"a": map[string]any{"k": "", "l": "", "m": "", "n": ""}}
	notes := map[string]any{
		"a": map[string]any{"n": found("fourth"), "m": found("third"), "k": found("first"), "l": found("second")},
	}
	all := diff.Flatten(diff.Of(given.Noted(left, notes), map[string]any{}, secret.Scope{}))
	if len(all) != 1 || all[0].Message != "first; second; third" || all[0].Category != finding.Missing {
		t.Errorf("%+v", all)
	}
}

// TestAListWithAFindingIsNotMerelyInAnotherOrder checks that a finding about an item is listed
// although the order differs too.
func TestAListWithAFindingIsNotMerelyInAnotherOrder(t *testing.T) {
	ordered := diff.FieldsOf(refconfig.Config{
		PerField: []refconfig.FieldFunction{
			{Path: refconfig.PathOf("l"), Key: refconfig.List, Function: "ordered"},
		},
	})
	left, right := map[string]any{"l": []any{"a", "b"}}, map[string]any{"l": []any{"b", "a"}}
	for what, c := range map[string]struct {
		notes any
		want  string
	}{
		"nothing": {nil, "same items, other order"},
		"an item": {map[string]any{"l": []any{found("a is too old"), provenance.Note{}}}, "a is too old"},
	} {
		told := map[string]bool{}
		for _, d := range diff.Flatten(diff.Compare(given.Noted(left, c.notes), right, secret.Scope{}, diff.Policy{Fields: ordered}).Tree) {
			told[d.Message] = true
		}
		if !told[c.want] || told["same items, other order"] && c.want != "same items, other order" {
			t.Errorf("with a finding of %s: %v, want %q", what, told, c.want)
		}
	}
}

// TestOmittedFieldMayBeMissing checks that an omitted field may be missing. A
// failed check about it still counts.
func TestOmittedFieldMayBeMissing(t *testing.T) {
	omit := []refconfig.OmitEntry{{Path: refconfig.PathOf("spec", "wanted")}}
	for _, c := range []struct {
		path refconfig.FieldPath
		code string
		omit []refconfig.OmitEntry
		want finding.Category
	}{
		{refconfig.PathOf("spec", "wanted"), code.EvalMissingKey, nil, finding.Missing},
		{refconfig.PathOf("spec", "wanted"), code.EvalMissingKey, omit, ""},
		{refconfig.PathOf("spec", "wanted", "below"), code.EvalMissingKey, omit, ""},
		{refconfig.PathOf("spec"), code.EvalMissingKey, omit, finding.Missing},
		{nil, code.EvalMissingKey, omit, finding.Missing},
		{refconfig.PathOf("spec", "wanted"), code.EvalFail, omit, finding.Drift},
	} {
		apart := []provenance.Finding{{Code: c.code, Path: c.path, Message: "m"}}
		compared := diff.Compare(provenance.Plain(map[string]any{}), map[string]any{}, secret.Scope{}, diff.Policy{
			Omit:  c.omit,
			Apart: func(any, any) []provenance.Finding { return apart },
		})
		var got finding.Category
		for _, d := range compared.Differences {
			got = d.Category
		}
		if got != c.want || len(compared.Told) != len(compared.Differences) {
			t.Errorf("%s at %s without %v: %q, want %q", c.code, c.path, c.omit, got, c.want)
		}
	}
}
