package patch_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/compare"
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
