package cli

import (
	"fmt"
	"strings"
)

// hostileFiles returns files that are large, deep or have characters for terminals. Tests of
// internal/input/manifest cover broken files.
func hostileFiles() []hostile {
	file := func(name, text string) hostile { return hostile{name: name, files: map[string]string{"x.yaml": text}} }
	broken := func(name, code, text string) hostile {
		return hostile{name: name, files: map[string]string{"x.yaml": text}, lost: true, codes: code}
	}
	limited := func(name, limit, text string) hostile {
		return hostile{name: name, files: map[string]string{"x.yaml": text}, lost: true, codes: "VT5012", args: "--limit " + limit}
	}
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: app}\n"
	const list, item = "apiVersion: v1\nkind: List\nitems:\n", "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c%\n"
	laughs := "  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		laughs += fmt.Sprintf("  a%d: &a%[1]d [%s]\n", i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 10))
	}
	return []hostile{
		broken("a NUL in the middle", "VT1005", head+"data: {a: \"x\x00\"}\n"),
		broken("no UTF-8", "VT1005", head+"data: {a: \"\xff\xfe\"}\n"),
		file("marks that turn the writing", head+"data: {\"\u202ea\u2066\": \"\u200b\u2028x\"}\n"),
		{name: "a compared line of 2 MB", files: map[string]string{
			"good.yml": strings.ReplaceAll(goodCR, "lenient", "lenient, long: "+strings.Repeat("x", 2<<20)),
		}},
		{name: "a name of 1 MB", files: map[string]string{
			"x.yaml": config(strings.Repeat("n", 1<<20)),
			"y.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"\\e[31m\\u202Ered\"}\n",
		}},
		file("a key of 1 MB", head+"data: {? "+strings.Repeat("k", 1<<20)+" : v}\n"),
		broken("deep YAML", "VT5010", head+"data: "+strings.Repeat("[", 100_000)),
		broken("deep block YAML", "VT5010", head+"data:\n"+strings.Repeat("- ", 5000)+"x\n"),
		broken("deep JSON", "VT5010", `{"apiVersion":"v1","kind":"ConfigMap","data":`+strings.Repeat("[", 100_000)),
		broken("a billion laughs", "VT5011", head+"data: &d\n"+laughs),
		broken("an alias of itself", "VT1005", head+"data: &d {a: *d}\n"),
		broken("a long text repeated", "VT5011", head+"data:\n  a: &a "+strings.Repeat("x", 100_000)+"\n"+numbered(500, "  b%: *a\n")),
		limited("too many values", "values=2000", "items: {}\n"+head+"data: {a: ["+strings.Repeat("1,", 5000)+"]}\n"),
		limited("too many documents", "values=2000", strings.Repeat("---\n"+config("x"), 3000)),
		limited("too many items", "values=2000", list+numbered(3000, item)),
		{
			name:  "more CRs than the limit",
			files: map[string]string{"x.yaml": list + numbered(50, item)},
			args:  "--limit objects=50",
			lost:  true,
			gone:  true,
			codes: "VT5014",
		},
		file("thirty thousand items", list+numbered(30_000, item)),
		file("keys that stand twice", head+"data: {a: 1, a: 2}\ndata: {a: 3}\nkind: ConfigMap\n"),
		broken(
			"kind and name of other types",
			"VT1043",
			"apiVersion: v1\nkind: [a]\nmetadata: {name: {a: b}}\n---\napiVersion: 1\nkind: 2\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: [1]\n",
		),
		file("a tag that runs code elsewhere", head+"data: !!python/object/apply:os.system [\"true\"]\n"),
		{name: "JSON with half a surrogate and odd escapes", files: map[string]string{
			"x.json": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"\ud800\u0000\u001b[2J"}}`,
		}},
		{name: "a reference in the input", files: map[string]string{
			"metadata.yaml": "parts:\n- name: p\n", "x/metadata.yaml": "apiVersion: v2\nparts: []\n",
		}},
		{name: "file names with escapes", lost: true, codes: "VT1005 VT1044", files: map[string]string{
			"a\x1b[31m\u202eb\n\r.yaml": strings.ReplaceAll(goodCR, "lenient", "other"),
			"\x9b\xff.yaml":             "kind: [\napiVersion: v1\n",
		}},
	}
}

// hostileTemplates returns templates of another CR, or values of that CR for a template. Tests of
// internal/template/render and internal/template/function cover the bounds of each function.
func hostileTemplates() []hostile {
	template := func(name, code, text string) hostile { return hostile{name: name, template: text, codes: code} }
	failing := func(name, code, text string) hostile {
		return hostile{name: name, template: text, lost: true, codes: code, args: "--limit steps=200000"}
	}
	return []hostile{
		failing("an endless loop", "VT5003", `{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}`),
		failing("an endless range over a number", "VT5003", `{{ range 4000000000000 }}{{ end }}`),
		failing("an endless recursion", "VT5013", `{{ define "n" }}{{ template "n" . }}{{ end }}{{ template "n" . }}`),
		failing("a list that doubles", "VT5012", `{{ $x := list 1 }}{{ range until 64 }}{{ $x = list $x $x }}{{ end }}{{ toJson $x }}`),
		failing("a width", "VT5004", `{{ printf (repeat 1000 "%999999d") 1 }}`),
		failing("an expression that is slow", "VT5004", `{{ $x := repeat 50000 "a" }}{{ regexFindAll "(?s)a.*b|a" $x -1 | len }}`),
		failing("a map in itself", "VT5010", `{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ toYaml $d }}`),
		failing("a map in itself, printed", "VT5010", `{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ $d }}`),
		failing("a panic of a function", "VT4001", `{{ substr 9 3 .spec.text }}`),
		failing("a billion laughs in what is printed", "VT5011", "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"+
			numbered(9, "b%: &b [*a0, *a0, *a0, *a0, *a0, *a0, *a0]\na0: &a0 [*b, *b, *b, *b, *b, *b, *b]\n")),
		failing("what is printed lies too deep", "VT5010", `spec: {{ repeat 5000 "[" }}{{ repeat 5000 "]" }}`),
		failing("what is printed takes too much to print", "VT5004", `spec: {{ repeat 900 "[" }}{{ repeat 60000 "1," }}{{ repeat 900 "]" }}`),
		failing("what is printed is no YAML", "VT4003", "spec: {{ .spec.text }}: : {"),
		{
			name: "a CR that takes too much to print", template: "spec: 1", lost: true, codes: "VT5004",
			victim: "spec: " + strings.Repeat("[", 900) + strings.Repeat("1,", 60_000) + strings.Repeat("]", 900) + "\n",
		},
		{
			name: "a CR that a template looks up cannot be decoded", lost: true, codes: "VT5012", args: "--limit values=2000",
			template: `{{ $_ := lookupCRs "v1" "ConfigMap" "*" "*" }}`,
			files:    map[string]string{"y.yaml": config("y") + numbered(3000, "  k%: v\n")},
		},
		template("a check of its own", "VT4002", `{{ fail "\x1b[2J no" }}`),
		template("a template that refuses", "", `{{ doNotMatch "\x1b]0;no" }}`),
		template("escapes in what is printed", "", `spec: "{{ "\x1b[2J\u202e" | toJson | trimAll "\"" }}"`),
		template("functions that are not steady", "VT2034", `spec: {a: {{ now | unixEpoch }}, b: {{ randAlpha 3 | quote }}}`),
	}
}
