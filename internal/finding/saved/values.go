package saved

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/validationtool/validationtool/internal/finding"
)

// changeOf compares a finding with an earlier one that has the same fingerprint.
func changeOf(now, old finding.Finding) finding.Change {
	switch {
	case now.Class != old.Class:
		return finding.Changed
	case now.Class == finding.ClassError:
		return finding.Unchanged // an error with another code has another fingerprint
	case now.Class.IsRule() && now.Code != old.Code:
		return finding.Changed // several CRs were there, and none is, or the other way round
	case now.Class.IsRule() && isSubset(now.Input, old.Input):
		return finding.Unchanged
	case now.Missed != nil && now.Template.Path != old.Template.Path:
		return finding.Unchanged // the words may name the template
	case now.Class == finding.ClassUnmatched:
		return compareUnmatched(now, old)
	case now.Reference == nil && now.Input == nil:
		return compareWhole(now.Wording(), old.Wording())
	}
	return worseChange(compareValues(now.Reference, old.Reference), compareValues(now.Input, old.Input))
}

// compareUnmatched compares the unmatched CRs of a kind: fewer of them are no change. Only reports that
// list them have their names.
func compareUnmatched(now, old finding.Finding) finding.Change {
	some, all := unmatchedNames(now), unmatchedNames(old)
	same := now.Unmatched.Count <= old.Unmatched.Count
	switch {
	case some != nil && all != nil:
		same = !slices.ContainsFunc(some, func(name string) bool { return !slices.Contains(all, name) })
	case now.Unmatched.Hash != "" && old.Unmatched.Hash != "":
		same = now.Unmatched.Hash == old.Unmatched.Hash
	}
	if same {
		return finding.Unchanged
	}
	return finding.Changed
}

// unmatchedNames returns the names of the unmatched CRs of a kind; nil if the run does not list them.
func unmatchedNames(f finding.Finding) (all []string) {
	for _, one := range f.UnmatchedOf.Unmatched {
		if one.Object.APIVersion == f.Object.APIVersion && one.Object.Kind == f.Object.Kind {
			all = append(all, one.Object.String())
		}
	}
	if len(all) != f.Unmatched.Count {
		return nil
	}
	return all
}

// compareValues compares two values. A missing value differs from all others.
func compareValues(now, old json.RawMessage) finding.Change {
	if now == nil || old == nil {
		return compareWhole(now == nil, old == nil)
	}
	return compareDecoded(decoded(now), decoded(old))
}

// isSubset reports whether all elements of the list now are in the list old: a rule that fewer CRs
// break has not changed. nil is an empty list.
func isSubset(now, old json.RawMessage) bool {
	var some, all []string // nil if the text is not a list of strings, which is possible only in an edited report
	json.Unmarshal(now, &some)
	json.Unmarshal(old, &all)
	known := map[string]bool{}
	for _, one := range all {
		known[one] = true
	}
	return !slices.ContainsFunc(some, func(one string) bool { return !known[one] })
}

// decoded parses a JSON value and keeps numbers as they are written.
func decoded(raw json.RawMessage) (v any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return string(raw)
	}
	return v
}

// compareDecoded compares two decoded values. Hidden parts can make the result Unclear.
func compareDecoded(now, old any) finding.Change {
	a, isMap := now.(map[string]any)
	b, areMaps := old.(map[string]any)
	if isMap && areMaps {
		if len(a) != len(b) {
			return finding.Changed
		}
		all := finding.Unchanged
		for _, key := range slices.Sorted(maps.Keys(a)) {
			other, there := b[key]
			if !there {
				return finding.Changed
			}
			all = worseChange(all, compareDecoded(a[key], other))
		}
		return all
	}
	x, isList := now.([]any)
	y, areLists := old.([]any)
	if isList && areLists && len(x) == len(y) {
		all := finding.Unchanged
		for i := range x {
			all = worseChange(all, compareDecoded(x[i], y[i]))
		}
		return all
	}
	return compareWhole(now, old)
}

// compareWhole compares two values without looking into them. Hidden values that look equal may
// differ, and hidden values of different lengths do differ.
func compareWhole(now, old any) finding.Change {
	same := reflect.DeepEqual(number(now), number(old))
	switch h := hidden(now); {
	case h && same, h != hidden(old):
		return finding.Unclear
	case same:
		return finding.Unchanged
	}
	return finding.Changed
}

// number returns a decoded number with a fraction or an exponent as its value, because programs that
// copy a report may write it in another way: 1e-07 is 1e-7, and 1.0 is 1. It returns any other value as
// it is.
func number(v any) any {
	written, isNumber := v.(json.Number)
	if !isNumber || !strings.ContainsAny(string(written), ".eE") {
		return v
	}
	n, err := written.Float64()
	switch {
	case err != nil:
		return v
	case n == math.Trunc(n) && math.Abs(n) < 1<<53:
		return json.Number(strconv.FormatInt(int64(n), 10))
	}
	return n
}

// hidden reports whether a value is a text with a placeholder for secret data: "(hidden, 5 bytes)".
func hidden(v any) bool {
	text, _ := v.(string)
	return strings.Contains(text, "(hidden, ")
}

// worseChange returns the worse of two changes: Changed, then Unclear, then Unchanged.
func worseChange(a, b finding.Change) finding.Change {
	for _, c := range []finding.Change{finding.Changed, finding.Unclear} {
		if a == c || b == c {
			return c
		}
	}
	return finding.Unchanged
}
