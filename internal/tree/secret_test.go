package tree

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTextsThatHoldSecrets(t *testing.T) {
	yaml := "apiVersion: v1\nkind: Secret\nmetadata:\n  name: a\ndata:\n  password: aHVudGVyMg==\n"
	object := `{"apiVersion":"v1","kind":"Secret","data":{"password":"aHVudGVyMg=="}}`
	quoted, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := json.Marshal(string(quoted))
	if err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	w.Write([]byte(yaml))
	w.Close()
	b64 := base64.StdEncoding.EncodeToString
	for what, text := range map[string]string{
		"YAML": yaml, "JSON": object, "JSON quoted": string(quoted), "JSON quoted twice": string(twice), "spaced JSON": `{"kind" : "Secret"}`,
		"single quotes": "kind: 'Secret'", "print of a map": "map[data:map[a:b] kind:Secret]", "a list of them": "kind: SecretList\nitems: []",
		"data URL": "data:text/plain;charset=utf-8;base64," + b64([]byte(yaml)), "data URL, plain": "data:," + url.PathEscape(yaml),
		"data URL, query escape": "data:," + url.QueryEscape(object), "data URL, gzip": "data:;base64," + b64(zipped.Bytes()),
		"base64": b64([]byte(yaml)), "base64 without padding": base64.RawURLEncoding.EncodeToString([]byte(yaml)),
		"base64 in lines": b64([]byte(yaml))[:40] + "\n" + b64([]byte(yaml))[40:], "base64 of base64": b64([]byte(b64([]byte(yaml)))),
		"Ignition": `{"source":"data:;base64,` + b64([]byte(yaml)) + `"}`, "broken": yaml[:len(yaml)-20] + "\x00",
	} {
		if !HoldsSecrets(text) {
			t.Errorf("%s is not seen", what)
		}
	}
	for _, text := range []string{"", "kind: SecretStore", "kind: SealedSecret", "kind: ConfigMap", "a Secret of some kind: yes", "kind: secret",
		"secretName: a", "Secret", strings.Repeat("A", 1000), "data:,x", "base64,", "100%"} {
		if HoldsSecrets(text) {
			t.Errorf("%q is taken for one", text)
		}
	}
}

func TestConceal(t *testing.T) {
	secret := func() map[string]any {
		return map[string]any{"kind": "Secret", "metadata": map[string]any{"name": "a", "annotations": map[string]any{lastApplied: "x", "other": "y"}},
			"data": map[string]any{"k": "v"}, "stringData": map[string]any{"k": "v"}, "type": "Opaque"}
	}
	hidden := func() map[string]any {
		return map[string]any{"kind": "Secret", "metadata": map[string]any{"name": "a", "annotations": map[string]any{lastApplied: "-", "other": "y"}},
			"data": "-", "stringData": "-", "type": "Opaque"}
	}
	conceal := func(any) any { return "-" }
	nameless := secret()
	delete(nameless, "kind")
	namelessHidden := hidden()
	delete(namelessHidden, "kind")
	for what, c := range map[string]struct {
		v, want any
		g       Guard
	}{
		"a Secret":               {secret(), hidden(), Open},
		"one known by its place": {nameless, namelessHidden, Secret},
		"in another object":      {map[string]any{"kind": "ManifestWork", "spec": []any{secret(), "x"}}, map[string]any{"kind": "ManifestWork", "spec": []any{hidden(), "x"}}, Open},
		"a List of them":         {map[string]any{"kind": "SecretList", "items": []any{nameless}}, map[string]any{"kind": "SecretList", "items": []any{namelessHidden}}, Open},
		"a text":                 {[]any{"kind: Secret\ndata: {}", "x"}, []any{"-", "x"}, Open},
		"metadata":               {secret()["metadata"], hidden()["metadata"], SecretMetadata},
		"data":                   {map[string]any{"k": "v"}, "-", Hidden},
	} {
		before := Copy(c.v)
		got, found := Conceal(c.v, c.g, conceal)
		if diff := cmp.Diff(c.want, got); diff != "" || !found {
			t.Errorf("%s: %s", what, diff)
		}
		if diff := cmp.Diff(before, c.v); diff != "" {
			t.Errorf("%s: the value was changed: %s", what, diff)
		}
	}
	for _, v := range []any{nil, "x", 1, map[string]any{"kind": "ConfigMap", "data": map[string]any{"k": "v"}}, []any{"a"}} {
		if got, found := Conceal(v, Open, conceal); found || !cmp.Equal(v, got) {
			t.Errorf("%v: %v", v, got)
		}
	}
}

func TestMeasure(t *testing.T) {
	v := map[string]any{"a": []any{"x\ny", int64(1), nil}, "b": map[string]string{"c": "dd"}}
	size, ok := Measure(v, Size{Nodes: 1000, Bytes: 1000, Height: 10})
	want := Size{Nodes: 1 + 2 + 1 + 3 + 1 + 2, Bytes: 2 + 3 + 3, Lines: 1, Height: 2}
	if diff := cmp.Diff(want, size); diff != "" || !ok {
		t.Error(diff)
	}
	circle := map[string]any{}
	circle["me"] = circle
	twins := any(map[string]any{"a": "x"})
	for range 100 {
		twins = map[string]any{"a": twins, "b": twins}
	}
	for what, v := range map[string]any{"a circle": circle, "twins": twins, "a long text": strings.Repeat("x", 2000), "a long list": make([]int, 2000)} {
		if size, ok := Measure(v, Size{Nodes: 1000, Bytes: 1000, Height: 100}); ok {
			t.Errorf("%s: %+v", what, size)
		}
	}
	type pointer struct{ to *pointer }
	p := &pointer{}
	p.to = p
	if _, ok := Measure(p, Size{Nodes: 1 << 20, Bytes: 1 << 20, Height: 100}); ok {
		t.Error("a circle of pointers")
	}
}
