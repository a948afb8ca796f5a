package compare

import (
	"testing"

	"github.com/validationtool/validationtool/internal/finding"
)

// TestEntriesThatMeetAtAField checks that omission counts before documents, documents before exact,
// and patterns only for CRs with their field.
func TestEntriesThatMeetAtAField(t *testing.T) {
	const exact, embedded = "{pathToKey: data.d, exact: true}", "{pathToKey: data.d, embedded: json}"
	const optional = "{pathToKey: data.q, inlineDiffFunc: regex}"
	const hasQ = "{{ if .data.q }}q: '[0-9]+'{{ end }}"
	for _, c := range []struct {
		name, perField, omit, template, input string
		result                                finding.Result
	}{
		{"exact, then a document", exact + ", " + embedded, "", `d: '{"a": 1}'`, `d: '{"a":1,"b":2}'`, finding.Drifted},
		{"a document, then exact", embedded + ", " + exact, "", `d: '{"a": 1}'`, `d: '{"a":1,"b":2}'`, finding.Drifted},
		{"an exact document that agrees", embedded + ", " + exact, "", `d: '{"a": 1}'`, `d: '{"a":1}'`, finding.Clean},
		{"an exact document that cannot be opened", embedded + ", " + exact, "", `d: '{"a": 1}'`, `d: '{"a":1'`, finding.Drifted},
		{"an omitted document", embedded, "data.d", `d: '{"a": 1}', e: x`, `d: '{"a":2}', e: x`, finding.Clean},
		{"an omitted document in an item", "{pathToKey: data.l.*.d, embedded: json}", "data.l.*.d",
			`l: [{name: n, d: '{"a": 1}'}]`, `l: [{name: n, d: '{"a": 2}'}]`, finding.Clean},
		{"an omitted document in a document", embedded + ", {pathToKey: data.d!.i, embedded: json}", "data.d!.i",
			`d: '{"i": "{\"a\": 1}", "k": 1}'`, `d: '{"i": "{\"a\": 2}", "k": 1}'`, finding.Clean},
		{"a document around an omitted one", embedded + ", {pathToKey: data.d!.i, embedded: json}", "data.d!.i",
			`d: '{"i": "{\"a\": 1}", "k": 1}'`, `d: '{"i": "{\"a\": 2}", "k": 2}'`, finding.Drifted},
		{"a pattern without its field", optional, "", hasQ, "", finding.Clean},
		{"a pattern that accepts", optional, "", hasQ, "q: '12'", finding.Clean},
		{"a pattern that does not accept", optional, "", hasQ, "q: a", finding.Drifted},
		{"a text of several lines", "", "", "\n  v: {{ .data.v }}\n ", `v: "a\nb: c\n"`, finding.Clean},
	} {
		data := "{ " + c.template + " }"
		if c.template[0] == '\n' {
			data = c.template
		}
		run := runFiles(t, map[string]string{
			"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: ns, name: a}\ndata: " + data + "\n",
			"metadata.yaml": "apiVersion: v2\nparts: [{name: P, components: [{name: C, allOf: [{path: a.yaml, config: " +
				"{perField: [" + c.perField + "]}}]}]}]\nfieldsToOmit: {defaultOmitRef: mine, items: {mine: [" + omitted(c.omit) + "]}}\n",
		}, configMap("ns", "a", c.input), Options{})
		if got := run.Comparisons[0]; got.Result != c.result {
			t.Errorf("%s: %s, want %s; %+v %+v", c.name, got.Result, c.result, got.Error, got.Differences)
		}
	}
}

// omitted returns the entry that omits a field, or nothing.
func omitted(path string) string {
	if path == "" {
		return "{pathToKey: status}"
	}
	return `{pathToKey: "` + path + `"}`
}
