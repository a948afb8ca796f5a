package manifest

import "testing"

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
