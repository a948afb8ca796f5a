package secret

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/tree"
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
		if !InText(text) {
			t.Errorf("%s is not seen", what)
		}
	}
	for _, text := range []string{"", "kind: SecretStore", "kind: SealedSecret", "kind: ConfigMap", "a Secret of some kind: yes", "kind: secret",
		"secretName: a", "Secret", strings.Repeat("A", 1000), "data:,x", "base64,", "100%"} {
		if InText(text) {
			t.Errorf("%q is taken for one", text)
		}
	}
}

// TestRedact: of the data of a Secret only its own keys show, wherever it lies.
func TestRedact(t *testing.T) {
	secret := func() map[string]any {
		return map[string]any{"kind": "Secret", "metadata": map[string]any{"name": "a", "annotations": map[string]any{lastApplied: "x", "other": "y"}},
			"data": map[string]any{"k": "v", "deep": map[string]any{"key": "v"}, "list": []any{"v"}}, "stringData": "v", "type": "Opaque"}
	}
	hidden := func() map[string]any {
		return map[string]any{"kind": "Secret", "metadata": map[string]any{"name": "a", "annotations": map[string]any{lastApplied: "-", "other": "y"}},
			"data": map[string]any{"k": "-", "deep": "-", "list": "-"}, "stringData": "-", "type": "Opaque"}
	}
	with := func(any) any { return "-" }
	nameless := secret()
	delete(nameless, "kind")
	namelessHidden := hidden()
	delete(namelessHidden, "kind")
	renamed := map[string]any{"spec": []any{secret()}}
	origin := &Origin{}
	scope := origin.Add(renamed)
	renamed["spec"].([]any)[0].(map[string]any)["kind"] = "X"
	renamedHidden := hidden()
	renamedHidden["kind"] = "X"
	for what, c := range map[string]struct {
		v, want any
		scope   Scope
	}{
		"a Secret":               {secret(), hidden(), Scope{}},
		"one known by its place": {nameless, namelessHidden, OfKind("Secret")},
		"in another object":      {map[string]any{"kind": "ManifestWork", "spec": []any{secret(), "x"}}, map[string]any{"kind": "ManifestWork", "spec": []any{hidden(), "x"}}, Scope{}},
		"a List of them":         {map[string]any{"kind": "SecretList", "items": []any{nameless}}, map[string]any{"kind": "SecretList", "items": []any{namelessHidden}}, Scope{}},
		"a text":                 {[]any{"kind: Secret\ndata: {}\n", "x"}, []any{"-", "x"}, Scope{}},
		"the lines of one":       {[]any{"kind: Secret", "data:", "  a: x"}, []any{"-", "-", "-"}, Scope{}},
		"metadata":               {secret()["metadata"], hidden()["metadata"], OfKind("Secret").Below("metadata", nil)},
		"data":                   {map[string]any{"k": map[string]any{"deep": "v"}}, map[string]any{"k": "-"}, OfKind("Secret").Below("data", nil)},
		"all values":             {map[string]any{"k": []any{"v", true}}, map[string]any{"k": []any{"-", "-"}}, Scope{}.Values()},
		"one that was changed":   {renamed, map[string]any{"spec": []any{renamedHidden}}, scope},
		"either of two":          {map[string]any{"items": []any{nameless}}, map[string]any{"items": []any{namelessHidden}}, Scope{}.Or(OfKind("SecretList"))},
	} {
		before := tree.Copy(c.v)
		got, found := c.scope.Redact(c.v, with)
		if diff := cmp.Diff(c.want, got); diff != "" || !found || !c.scope.Holds(c.v) {
			t.Errorf("%s: %s", what, diff)
		}
		if diff := cmp.Diff(before, c.v); diff != "" {
			t.Errorf("%s: the value was changed: %s", what, diff)
		}
	}
	for _, v := range []any{nil, "x", 1, map[string]any{"kind": "ConfigMap", "data": map[string]any{"k": "v"}}, []any{"a", "b"}} {
		if got, found := (Scope{}).Redact(v, with); found || !cmp.Equal(v, got) || (Scope{}).Holds(v) {
			t.Errorf("%v: %v", v, got)
		}
	}
}
