package manifest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// meansIn returns what the text of a file was meant to be.
func meansIn(name, text string) meaning {
	r := newTestReader()
	r.name = newName(name, "", Hints{})
	p := r.limits.ReadYAML([]byte(text), 0)
	if p.Fault != nil || len(p.Nodes) == 0 {
		means, _, _ := r.meaningOfText([]byte(text))
		return means
	}
	return r.meaning(headOf(p.Nodes[0], source{text: []byte(text)}, nil))
}

// TestMeaning holds what is asked about a text: what it was meant to be in a file named a.yaml, in
// one whose name excuses it, and in one whose name says nothing; whether such a file is read at all;
// and the CRs in it, with their lines, if it is neither YAML nor JSON.
func TestMeaning(t *testing.T) {
	const other, maybe, cr = meansOther, meansMaybe, meansCRs
	type answers struct {
		YAML, Excused, Log meaning
		Read               bool
		Inside             []string
	}
	for _, row := range []struct {
		name, text string
		answers
	}{
		// Valid YAML.
		{"a CR", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n", answers{cr, cr, cr, true, []string{"Pod 1-3"}}},
		{"a List", "apiVersion: v1\nkind: List\nitems: []\n", answers{cr, cr, cr, true, nil}},
		{"no apiVersion", "kind: Pod\nmetadata: {name: a}\n", answers{cr, cr, cr, true, nil}},
		{"no kind", "apiVersion: v1\nmetadata: {name: a}\n", answers{maybe, other, maybe, true, nil}},
		{"a kind that is a list", "apiVersion: v1\nkind: [Pod]\nmetadata: {name: a}\n", answers{cr, cr, cr, true, nil}},
		{"a rest", "metadata: {name: a}\nspec: {}\n", answers{maybe, other, maybe, false, nil}},
		{"a stump", "apiVersion: v1\n", answers{maybe, other, maybe, true, nil}},
		{"a stump of a kind", "kind: Po\n", answers{maybe, other, maybe, true, nil}},
		{"metadata of another program", "metadata: {title: a}\n", answers{other, other, other, false, nil}},
		{"a devfile", "schemaVersion: 2.2.0\nmetadata: {name: a}\n", answers{other, other, other, false, nil}},
		{"values", "replicas: 1\n", answers{other, other, other, false, nil}},
		// Text that is cut off, or does not parse for another reason.
		{"cut off", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: \"a\n", answers{cr, cr, cr, true, []string{"Pod 1-4"}}},
		{"cut off in the kind", "apiVersion: v1\nkind: \"Po", answers{cr, cr, cr, true, nil}},
		{"quoted keys", "\"apiVersion\": v1\n\"kind\": Pod\nmetadata: {name: \"a\n", answers{cr, cr, cr, true, []string{"Pod 1-3"}}},
		{"an item", "- apiVersion: v1\n  kind: Pod\n  metadata: {\n", answers{cr, cr, cr, true, []string{"Pod 1-3"}}},
		{"JSON", `{"apiVersion": "v1", "kind": "Pod", "metadata": {"na`, answers{cr, cr, cr, true, []string{"Pod 1-1"}}},
		{"JSON, kind first", `{"kind": "Pod", "metadata": {"na`, answers{cr, cr, cr, true, nil}},
		{"JSON, a list", `[{"apiVersion": "v1", "kind": "Pod"`, answers{cr, cr, cr, true, nil}},
		{"braces", "{apiVersion: v1, kind: Pod, metadata: {", answers{cr, cr, cr, false, []string{"Pod 1-1"}}},
		{"further down", "steps: [a\n  - apiVersion: v1\n    kind: Pod\n    metadata: {name: a}\n", answers{maybe, other, maybe, true, []string{"Pod 2-4"}}},
		{"an action first", "{{ if .Values.a }}\napiVersion: v1\nkind: Pod\n{{ end }}\n", answers{cr, cr, maybe, false, nil}},
		{"broken values", "replicas: [1\n", answers{maybe, other, maybe, false, nil}},
		{"a log", "started: [1\napiVersion: v1\nkind: Pod\n", answers{cr, cr, maybe, true, nil}},
		{"a record of a log", `{"level": "info", "object": {"apiVersion": "v1", "kind": "Pod", "metadata": {}}`, answers{maybe, other, maybe, true, []string{"Pod 1-1"}}},
		{"an audit event", `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":`, answers{cr, cr, cr, false, nil}},
		{"HTML", "<html>\n<p class=\"a: b\">: [</p>\n", answers{maybe, other, maybe, false, nil}},
	} {
		got := answers{
			YAML: meansIn("a.yaml", row.text), Excused: meansIn("values.yaml", row.text), Log: meansIn("a", row.text),
			Read: LooksLikeObjects([]byte(row.text)),
		}
		for _, o := range objectsInText([]byte(row.text), false) {
			got.Inside = append(got.Inside, fmt.Sprint(o.kind, " ", o.first, "-", o.last))
		}
		if diff := cmp.Diff(row.answers, got); diff != "" {
			t.Errorf("%s: %s", row.name, diff)
		}
	}
}
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
