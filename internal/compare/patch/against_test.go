package patch_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
)

// TestBesideAnOverrideTheReferenceStays: where an override accepts another value than the CR has, a fix
// sets the value of the reference, and a secret value of the reference is not shown.
func TestBesideAnOverrideTheReferenceStays(t *testing.T) {
	const printed = `{{ (lookupCR "v1" "Secret" "ns" "s").data.p | b64dec }}`
	for _, c := range []struct{ reference, data, patch, fix string }{
		{"x: 1h", "x: 99m", `{"data":{"x":"10m"}}`, `{"data":{"x":"1h"}}`},
		{"x: 1h, z: a", "x: 99m, z: b", `{"data":{"x":"10m","z":"b"}}`, `{"data":{"x":"1h"}}`},
		{"x: 1h, z: a", "x: 99m, z: b", `{"data":{"x":null,"z":"b"}}`, `{"data":{"x":"1h"}}`},
		{"x: {k: 1h}", "x: {k: 99m}", `{"data":{"x":"10m"}}`, `{"data":{"x":{"k":"1h"}}}`},
		{"x: " + printed, "x: 99m", `{"data":{"x":"10m"}}`, ""},
	} {
		in := configMap("ns", "a", c.data) + "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: ns}\ndata: {p: aHVudGVyMnNlY3JldA==}\n"
		one := runFiles(t, files(configMap("ns", "a", c.reference), ""), in, compare.Options{
			Overrides: accepting(t, "kind: ConfigMap, name: a; mergepatch; "+c.patch), Fix: true,
		}).Comparisons[0]
		if one.Fix == nil || strings.Join(strings.Fields(one.Fix.Patch), "") != c.fix {
			t.Errorf("%s: the fix is %+v, want %s", c.reference, one.Fix, c.fix)
		}
		if text, err := json.Marshal(one); err != nil || strings.Contains(string(text), "hunter2") {
			t.Errorf("%s: %s %v", c.reference, text, err)
		}
	}
}

// TestAViolationOfAPrintedValue: the override of a violation accepts only the value that it states. If
// the CR is mended it is not stale, and with another bad value the violation stays.
func TestAViolationOfAPrintedValue(t *testing.T) {
	reference := configMap("ns", "a", `k: v, x: {{ .data.x | toJson }}`) +
		`{{ if lt (len .data.x) 3 }}{{ violation "FEW" "data.x" "too few" }}{{ end }}`
	fsys := files(reference)
	fsys["codes.yaml"] = &fstest.MapFile{Data: []byte("codes:\n  FEW: {title: few}\n")}
	override := `kind: ConfigMap, name: a; rfc6902; [{"op":"test","path":"/data/x","value":["a","b"]},` +
		`{"op":"replace","path":"/data/x","value":["a","b"]},` +
		`{"op":"test","path":"/data/k","value":"v"},{"op":"replace","path":"/data/k","value":"w"}]`
	for _, c := range []struct{ data, want, fix string }{
		{"k: w, x: [a, b]", "", ""},
		{"k: w, x: [a, b, c]", "", ""},
		{"k: z, x: [a, b, c]", "drift data.k", `{"data":{"k":"v"}}`},
		{"k: w, x: [z]", "drift data.x", ""},
		{"k: v, x: [z]", "drift data.x", ""},
		{"k: v, x: [a, b]", "", ""},
	} {
		res := runFiles(t, fsys, configMap("ns", "a", c.data), compare.Options{Overrides: accepting(t, override), Fix: true})
		fix := ""
		if f := res.Comparisons[0].Fix; f != nil {
			fix = strings.Join(strings.Fields(f.Patch), "")
		}
		got := strings.TrimSpace(strings.ReplaceAll(lines(res.Comparisons[0].Differences), "expected data.x", ""))
		if got != c.want || fix != c.fix || res.Overrides[0].State != finding.OverrideUsed {
			t.Errorf("%s: %q, %s, fix %s", c.data, got, res.Overrides[0].State, fix)
		}
	}
}
