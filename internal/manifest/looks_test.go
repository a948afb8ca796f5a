package manifest

import (
	"bytes"
	"testing"
)

func TestLooksLikeObjects(t *testing.T) {
	yes := []string{
		"apiVersion: v1\nkind: List\n",
		"\n\n---\napiVersion: v1\nitems:\n",
		"--- # first\n%YAML 1.1\n---\nkind: Pod\n",
		"# comment\n# another\nkind: Pod\n",
		"\ufeffapiVersion: v1\n",
		"- apiVersion: v1\n  kind: Pod\n",
		"{\"apiVersion\": \"v1\"",
		"{\n  \"metadata\": {},\n  \"kind\": \"Pod\"",
		"[\n  {\"kind\": \"Pod\"",
		"{\"items\": []",
		"aggregationRule:\n  x: y\napiVersion: rbac.authorization.k8s.io/v1\n",
		"\xff\xfea\x00p\x00i\x00V\x00e\x00r\x00s\x00i\x00o\x00n\x00:\x00 \x00v\x001\x00\n\x00",
	}
	for _, s := range yes {
		if !LooksLikeObjects([]byte(s)) {
			t.Errorf("not recognised: %q", s)
		}
	}
	no := []string{
		"", "   \n", "---", "# only a comment",
		"-----BEGIN CERTIFICATE-----\nkind: of\n",
		"I0914 12:00:00 kind: Pod apiVersion: v1\n",
		"2021-09-14T12:00:00Z starting\nkind: x\n",
		"[2021-09-14] \"kind\" of\n",
		"{\"level\":\"info\",\"msg\":\"x\"}\n",
		"{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\"",
		"{ {{ .Values.kind }} \"kind\"",
		"name: x\nversion: 1\n",
		"oc adm must-gather\nversion: 4\n",
		"\x00\x00\x00\x00",
	}
	for _, s := range no {
		if LooksLikeObjects([]byte(s)) {
			t.Errorf("taken for objects: %q", s)
		}
	}
}

// FuzzLooksLikeObjects checks that bytes behind the first 512 do not matter to what is recognised,
// and that nothing panics.
func FuzzLooksLikeObjects(f *testing.F) {
	for _, s := range []string{"apiVersion: v1\n", "---\nkind: x", "{\"kind\":", "[ {\"items\"", "- a", "#\n%\n---", "\xff\xfe", "\xef\xbb\xbf{"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		LooksLikeObjects(b)
		if !bytes.Equal(before, b) {
			t.Error("the bytes were changed")
		}
	})
}
