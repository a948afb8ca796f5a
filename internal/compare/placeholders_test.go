package compare

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/refconfig"
)

// TestPlaceholdersMakeNoFalseDrift replaces each value of each CR of the examples, and of the
// published references if they are available, by a placeholder. If the user decides the value,
// there is no new finding; if the reference states it, only at this field.
func TestPlaceholdersMakeNoFalseDrift(t *testing.T) {
	shared := "../../../shared/conformance/"
	for _, c := range []struct{ reference, input string }{
		{"../../examples/quickstart/reference", "../../examples/quickstart/cluster"},
		{"../../examples/ran-du/reference", "../../examples/ran-du/cluster"},
		{shared + "references/core", shared + "inputs/core"},
		{shared + "references/hub", shared + "inputs/hub"},
	} {
		if _, err := os.Stat(c.reference); err != nil {
			continue
		}
		t.Run(filepath.Base(strings.TrimSuffix(c.reference, "/reference")), func(t *testing.T) {
			r := loadRun(t, c.reference, c.input)
			ref, engine := load(t, c.reference)
			opt := Options{Placeholders: true}
			opt.Show.Expected = true
			r = newRun(t.Context(), ref, engine, r.in, opt)
			found := map[string]int{}
			for _, e := range r.comparer.store.distinct {
				value, err := e.decode()
				before := r.compare(e).comparison
				if err != nil || before == nil || before.Result == finding.Failed {
					continue
				}
				eachSpot(value, nil, func(at spot) {
					other := r.compare(changedTo(e, replaced(value, at, "other", true))).comparison
					after := r.compare(changedTo(e, replaced(value, at, "$open", true))).comparison
					found[falseDrift(t, given.FieldPath(at), before, after, other != nil && other.Result.Severity() < finding.Drifted.Severity())]++
				})
			}
			t.Log(found)
			if found["expected"] == 0 || found["drift"] == 0 {
				t.Error("nothing was put there")
			}
		})
	}
}

// changedTo returns an object with another value.
func changedTo(e *stored, value any) *stored {
	s := &stored{object: e.object, value: value.(map[string]any)}
	s.once.Do(func() {})
	return s
}

// eachSpot calls f for all values below one, except those that identify an object.
func eachSpot(v any, at spot, f func(at spot)) {
	if len(at) > 0 && !identifies(given.FieldPath(at)) && given.FieldPath(at).String() != "metadata" {
		f(at)
	}
	switch v := v.(type) {
	case map[string]any:
		for key, below := range v {
			eachSpot(below, at.below(key), f)
		}
	case []any:
		for i, below := range v {
			eachSpot(below, at.below(i), f)
		}
	}
}

// falseDrift returns the outcome of a placeholder at a path, and reports findings elsewhere.
func falseDrift(t *testing.T, at refconfig.FieldPath, before, after *audited, users bool) string {
	t.Helper()
	switch {
	case after == nil:
		t.Errorf("%s: %s: no template matches it any more", before.Object, at)
		return "lost"
	case after.Result == finding.Failed:
		t.Errorf("%s: %s: %s", before.Object, at, after.Error.Message)
		return "failed"
	}
	known := map[string]bool{}
	for _, d := range before.Differences {
		known[d.Path+string(d.Category)] = true
	}
	what := "nothing"
	for _, d := range after.Differences {
		there := d.Path == at.String() || strings.HasPrefix(d.Path, at.String()) ||
			strings.HasPrefix(at.String(), d.Path)
		switch {
		case d.Category == finding.Expected && there && what == "nothing":
			what = "expected"
		case d.Category != finding.Drift && d.Category != finding.Missing || known[d.Path+string(d.Category)]:
		case users || !there:
			t.Errorf(
				"%s: %s: %s at %s: %s (%s), is %s",
				before.Object,
				at,
				d.Category,
				d.Path,
				d.Reference,
				d.Message,
				d.Input,
			)
		default:
			what = string(d.Category)
		}
	}
	return what
}
