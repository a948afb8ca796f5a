package refdiff

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

// TestHostileVersionsTakeBoundedWork: comparing two versions takes no memory in all as the square
// of what a template or its configuration has.
func TestHostileVersionsTakeBoundedWork(t *testing.T) {
	times := func(n int, one string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(one, "%", fmt.Sprint(i)))
		}
		return b.String()
	}
	brackets := strings.Repeat("[", 190) + strings.Repeat("]", 190)
	deep := func(inside string) string {
		return "x: " + strings.Repeat("{a: ", 500) + inside + strings.Repeat("}", 500) + "\n"
	}
	long := strings.Repeat("k", 50_000)
	for name, c := range map[string]struct{ config, old, new string }{
		"deep fields":           {"", deep("{" + times(1000, "a%: 1, ") + "}"), deep("{" + times(1000, "a%: 2, ") + "b: 1}")},
		"a long key":            {"", "? " + long + "\n: {" + times(5000, "a%: 1, ") + "}\n", "? " + long + "\n: {" + times(5000, "a%: 2, ") + "}\n"},
		"fields that are named": {times(2000, "{pathToKey: x.a%, quantity: true}, "), "x: {" + times(2000, "a%: 1, ") + "}\n", "x: {" + times(2000, "a%: 2, ") + "}\n"},
		"patterns":              {times(2000, "{pathToKey: x.a%, inlineDiffFunc: regex}, "), "x: {" + times(2000, "a%: b, ") + "}\n", "x: {" + times(2000, "a%: c, ") + "}\n"},
		"texts around a Secret": {"", deep("{" + times(20, "a%: 'kindSecret: [&x% "+brackets+"]', ") + "b: 'kind: Secret'}"), deep("1")},
	} {
		const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
		of := func(body string) Version {
			return version(t, fstest.MapFS{"a.yaml": {Data: []byte(head + body)}, "metadata.yaml": {Data: []byte(
				"apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml, config: {perField: [" + c.config + "]}}]}]}]\n",
			)}}, name)
		}
		old, new := of(c.old), of(c.new)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Of(t.Context(), old, new); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		runtime.ReadMemStats(&after)
		if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 150 {
			t.Errorf("%s: it takes %d MiB", name, mib)
		}
	}
}

// TestComparingVersionsEndsWithTheContext: a part of the changes is no answer.
func TestComparingVersionsEndsWithTheContext(t *testing.T) {
	v := version(t, fstest.MapFS{"a.yaml": {Data: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")},
		"metadata.yaml": {
			Data: []byte("apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}]}]}]\n"),
		}}, "ref")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if d, err := Of(ctx, v, v); d != nil || err == nil || !strings.Contains(err.Error(), "VT1021") {
		t.Errorf("%+v, %v", d, err)
	}
}
