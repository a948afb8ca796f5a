package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// hostileFolders are folders whose entries are no plain files, or not what they are called.
func hostileFolders() []hostile {
	link := func(target, name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
				t.Skip(err)
			}
		}
	}
	locked := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if isRoot() {
				t.Skip("permissions mean nothing to root")
			}
			p := filepath.Join(dir, name)
			if err := os.Chmod(p, 0); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(p, 0o700) })
		}
	}
	return []hostile{
		{name: "a link in a circle", prepare: link("loop", "loop"), codes: []string{"VT1009"}},
		{name: "a link to the folder around it", prepare: link("..", "up"), codes: []string{"VT1009"}},
		{name: "a link out of the folder", prepare: link("/etc/hostname", "out.yaml"), codes: []string{"VT1009"}},
		{name: "a link to nothing", prepare: link("nothing.yaml", "x.yaml"), codes: []string{"VT1009"}},
		{name: "a pipe", prepare: func(t *testing.T, dir string) {
			if err := makePipe(filepath.Join(dir, "pipe.yaml")); err != nil {
				t.Skip(err)
			}
		}},
		{
			name:    "a file that may not be read",
			files:   map[string]string{"x.yaml": config("x")},
			prepare: locked("x.yaml"),
			lost:    true,
			codes:   []string{"VT1003"},
		},
		{
			name:    "a folder that may not be read",
			files:   map[string]string{"x/y.yaml": config("x")},
			prepare: locked("x"),
			lost:    true,
			codes:   []string{"VT1003"},
		},
		{name: "a folder that is called a file", files: map[string]string{"x.yaml/y.yaml": config("y")}},
		{
			name: "file names with escapes",
			files: map[string]string{
				"a\x1b[31m\u202eb\n\r.yaml": strings.ReplaceAll(goodCR, "lenient", "other"),
				"\x9b\xff.yaml":             "kind: [\napiVersion: v1\n",
			},
			lost:  true,
			codes: []string{"VT1005", "VT1008"},
		},
		{
			name: "a reference in the input",
			files: map[string]string{
				"metadata.yaml":   "parts:\n- name: p\n",
				"x/metadata.yaml": "apiVersion: v2\nparts: []\n",
			},
		},
		{
			name:  "a damaged archive beside",
			files: map[string]string{"x.tar.bz2": string(bzipped()[:150])},
			args:  []string{"--nested"},
			lost:  true,
			codes: []string{"VT1006"},
		},
		{
			name:  "a corrupt bz2 beside",
			files: map[string]string{"x.tar.bz2": string(append(bzipped()[:100], bzipped()[120:]...))},
			args:  []string{"--nested"},
			lost:  true,
			codes: []string{"VT1006"},
		},
		{
			name:  "an empty archive beside",
			files: map[string]string{"x.tar.gz": "", "y.tar": strings.Repeat("\x00", 1024)},
			args:  []string{"--nested"},
		},
		{
			name:  "a bomb beside",
			files: map[string]string{"x.yaml.gz": string(pack.GZ(make([]byte, 32<<20)))},
			args:  []string{"--limit", "file=1MiB"},
			lost:  true,
			codes: []string{"VT5001"},
		},
	}
}

// hostileFiles are YAML and JSON files.
func hostileFiles() []hostile {
	file := func(name, text string) hostile { return hostile{name: name, files: map[string]string{"x.yaml": text}} }
	broken := func(name, text string, codes ...string) hostile {
		h := file(name, text)
		h.lost, h.codes = true, codes
		return h
	}
	limited := func(limit, name, text string, codes ...string) hostile {
		h := broken(name, text, codes...)
		h.args = []string{"--limit", limit}
		return h
	}
	head := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: app}\n"
	utf16 := func(text string) string {
		out := "\xff\xfe"
		for _, c := range []byte(text) {
			out += string([]byte{c, 0})
		}
		return out
	}
	laughs := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for _, i := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"} {
		laughs += "a" + i + ": &a" + i + " [" + strings.TrimSuffix(
			strings.Repeat("*a"+string(i[0]-1)+", ", 10), ", ",
		) + "]\n"
	}
	list := func(items string) string { return "apiVersion: v1\nkind: List\nitems:\n" + items }
	item := "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: c%d\n"
	return []hostile{
		file(
			"an empty file", "",
		), file("a file of blanks", " \n\t\n"), file("a file of NULs", strings.Repeat("\x00", 5000)),
		broken("a NUL in the middle", head+"data: {a: \"x\x00\"}\n", "VT1005"),
		broken("no UTF-8", head+"data: {a: \"\xff\xfe\"}\n", "VT1005"),
		broken("a control character", head+"data: {a: \"\x07\"}\n", "VT1005"),
		file(
			"UTF-16", utf16(config("x")),
		), broken("UTF-16 with half a character", utf16(config("x")+"data: {")+"\x00", "VT1005"),
		file(
			"a byte order mark", "\xef\xbb\xbf"+config("x"),
		), file("carriage returns only", strings.ReplaceAll(config("x"), "\n", "\r")),
		file("marks that turn the writing", head+"data: {\"\u202ea\u2066\": \"\u200b\u2028x\"}\n"),
		file("a line of 10 MB", config("x")+"  long: "+strings.Repeat("x", 10<<20)+"\n"),
		{
			name: "a compared line of 10 MB",
			files: map[string]string{
				"good.yml": strings.ReplaceAll(goodCR, "lenient", "lenient, long: "+strings.Repeat("x", 10<<20)),
			},
		},
		{
			name: "a name of 1 MB",
			files: map[string]string{
				"x.yaml": config(strings.Repeat("n", 1<<20)),
				"y.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"\\e[31m\\u202Ered\"}\n",
			},
		},
		file("a key of 1 MB", head+"data: {? "+strings.Repeat("k", 1<<20)+" : v}\n"),
		broken("deep YAML", head+"data: "+strings.Repeat("[", 100_000), "VT5010"),
		broken(
			"deep YAML that is whole", head+"data: "+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+"\n", "VT5010",
		),
		broken("deep block YAML", head+"data:\n"+strings.Repeat("- ", 5000)+"x\n", "VT5010"),
		broken("deep JSON", `{"apiVersion":"v1","kind":"ConfigMap","data":`+strings.Repeat("[", 100_000), "VT5010"),
		broken("a billion laughs", head+"data: &d\n  "+strings.ReplaceAll(laughs, "\n", "\n  ")+"\n", "VT5011"),
		broken("an alias of itself", head+"data: &d {a: *d}\n", "VT1005"),
		broken("an alias that is nowhere", head+"data: *nowhere\n", "VT1005"),
		broken(
			"a long text repeated",
			head+"data:\n  a: &a "+strings.Repeat("x", 100_000)+"\n"+lines(500, "  b%d: *a\n"),
			"VT5011",
		),
		limited(
			"values=2000",
			"too many values",
			"items: {}\n"+head+"data: {a: ["+strings.Repeat("1,", 5000)+"]}\n",
			"VT5012",
		),
		limited("values=2000", "too many documents", strings.Repeat("---\n"+config("x"), 3000), "VT5012"),
		limited("values=2000", "too many items", list(lines(3000, item)), "VT5012"),
		{
			name:  "more CRs than the limit",
			files: map[string]string{"x.yaml": list(lines(50, item))},
			args:  []string{"--limit", "objects=50"},
			lost:  true,
			gone:  true,
			codes: []string{"VT5014"},
		},
		{name: "thirty thousand items", files: map[string]string{"x.yaml": list(lines(30_000, item))}},
		file("keys that stand twice", head+"data: {a: 1, a: 2}\ndata: {a: 3}\nkind: ConfigMap\n"),
		file("a List of Lists", list(
			"- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: v1\n    kind: ConfigMapList\n    items:\n    - metadata: {name: y}\n",
		)),
		file(
			"items that are null", "apiVersion: v1\nkind: ConfigMapList\nitems: null\n",
		), file("items that are a map", "apiVersion: v1\nkind: ConfigMapList\nitems: {a: b}\n"),
		file("a List without a kind", "items:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: y}}\n"),
		file(
			"an item without a kind", list("- metadata: {name: y}\n- null\n- 5\n"),
		), file("a list at the top", "- {apiVersion: v1, kind: ConfigMap, metadata: {name: y}}\n- 3\n"),
		file(
			"kind and name of other types",
			"apiVersion: v1\nkind: [a]\nmetadata: {name: {a: b}}\n---\napiVersion: 1\nkind: 2\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: [1]\n",
		),
		file("a tag that runs code elsewhere", head+"data: !!python/object/apply:os.system [\"true\"]\n"),
		broken("a tag that does not fit", head+"data: {a: !!int x}\nx: &y 1\n", "VT1005"),
		broken(
			"a merge of a scalar", head+"data: {<<: x}\n", "VT1005",
		), broken("an unknown directive", "%YAML 9.9\n---\n"+head+"data: {}\n", "VT1005"),
		broken(
			"marks of a merge conflict", "<<<<<<< HEAD\n"+head+"=======\n"+head+">>>>>>> x\n", "VT1005",
		), broken("a tab", head+"data:\n\ta: b\n", "VT1005"),
		{
			name: "YAML that breaks off",
			files: map[string]string{
				"namespaces/app/core/configmaps.yaml": "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    na",
			},
			lost:  true,
			codes: []string{"VT1005"},
		},
		{
			name:  "JSON that breaks off",
			files: map[string]string{"x.json": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x`},
			lost:  true,
			codes: []string{"VT1005"},
		},
		{
			name:  "JSON with an absurd number",
			files: map[string]string{"x.json": `{"apiVersion":"v1","kind":"ConfigMap","data":1e99999}`},
			lost:  true,
			codes: []string{"VT1005"},
		},
		{
			name: "JSON with half a surrogate and odd escapes",
			files: map[string]string{
				"x.json": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"\ud800\u0000\u001b[2J"}}`,
			},
		},
		{
			name: "JSON behind a log",
			files: map[string]string{
				"x.json": "I0102 15:04:05.000 x\n" + `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"y"}}` + "\x1b[0m",
			},
			lost:  true,
			codes: []string{"VT1005"},
		},
		{
			name: "an object that breaks off behind its head",
			files: map[string]string{
				"good.yml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: good\n  namespace: app\ndata:\n  a: 'x\n",
			},
			lost:  true,
			codes: []string{"VT1005"},
		},
	}
}

// hostileTemplates are templates of another CR, or values of that CR that a template meets.
func hostileTemplates() []hostile {
	template := func(name, text string, codes ...string) hostile {
		return hostile{name: name, template: text, codes: codes}
	}
	failing := func(name, text string, codes ...string) hostile {
		return hostile{name: name, template: text, lost: true, codes: codes}
	}
	deep := "spec: " + strings.Repeat("[", 900) + strings.Repeat("1,", 60_000) + strings.Repeat("]", 900) + "\n"
	return []hostile{
		failing("an endless loop", `{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}`, "VT5003"),
		failing("an endless range over a number", `{{ range 4000000000000 }}{{ end }}`, "VT5003"),
		failing("an endless recursion", `{{ define "n" }}{{ template "n" . }}{{ end }}{{ template "n" . }}`, "VT5013"),
		failing("a recursion of includes", `{{ define "n" }}{{ include "n" . }}{{ end }}{{ include "n" . }}`, "VT5013"),
		failing("a text that doubles", `{{ $x := "ab" }}{{ range until 64 }}{{ $x = print $x $x }}{{ end }}`, "VT5004"),
		failing(
			"a list that doubles",
			`{{ $x := list 1 }}{{ range until 64 }}{{ $x = list $x $x }}{{ end }}{{ toJson $x }}`,
			"VT5012",
		),
		failing("a repetition", `{{ repeat 1000000000000 "x" }}`, "VT5004"),
		failing("an indentation", `{{ indent 1000000000000 "x" }}`, "VT5004"),
		failing("a list of numbers", `{{ untilStep 0 9223372036854775807 4611686018427387904 }}`, "VT5004"),
		failing("random letters", `{{ randAlphaNum 100000000000 }}`, "VT5004"),
		failing("a width", `{{ printf (repeat 1000 "%999999d") 1 }}`, "VT5004"),
		failing(
			"an expression that is slow",
			`{{ $x := repeat 50000 "a" }}{{ regexFindAll "(?s)a.*b|a" $x -1 | len }}`,
			"VT5004",
		),
		template("letters in another case", `{{ range until 200 }}{{ $_ := camelcase (repeat 1000 "a_b") }}{{ end }}`),
		template("a set of letters to trim", `{{ $_ := trimAll (repeat 10000 "b") (repeat 1000 "c") }}`),
		template(
			"many constraints of versions",
			`{{ range until 100 }}{{ $_ := semverCompare (print (repeat 30 ">=1.0.0 || ") "1") "1.2.3" }}{{ end }}`,
		),
		failing("a long constraint of versions", `{{ semverCompare (repeat 60 ">=1.0.0 || ") "1.2.3" }}`, "VT4001"),
		template("many zones", `{{ range until 1000 }}{{ $_ := dateInZone "2006" 1 "UTC" }}{{ end }}`),
		failing("a map in itself", `{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ toYaml $d }}`, "VT5010"),
		failing("a map in itself, printed", `{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ $d }}`, "VT5010"),
		failing("a panic of a function", `{{ substr 9 3 .spec.text }}`, "VT4001"),
		failing("an error of a function", `{{ semver .spec.text }}`, "VT4001"),
		failing(
			"a billion laughs in what is printed",
			"a0: &a0 [x, x, x, x, x, x, x, x, x]\n"+lines(
				9, "b%d: &b [*a0, *a0, *a0, *a0, *a0, *a0, *a0]\na0: &a0 [*b, *b, *b, *b, *b, *b, *b]\n",
			),
			"VT5011",
		),
		failing("what is printed lies too deep", `spec: {{ repeat 5000 "[" }}{{ repeat 5000 "]" }}`, "VT5010"),
		failing(
			"what is printed takes too much to print",
			`spec: {{ repeat 900 "[" }}{{ repeat 60000 "1," }}{{ repeat 900 "]" }}`,
			"VT5004",
		),
		failing("what is printed is no YAML", "spec: {{ .spec.text }}: : {", "VT4003"),
		failing("what is printed is two documents", "{{ \"---\\na: b\\n\" }}", "VT4003"),
		{
			name:     "a CR that takes too much to print",
			template: "spec: 1",
			victim:   deep,
			lost:     true,
			codes:    []string{"VT5004"},
		},
		{
			name:     "a CR that a template looks up cannot be decoded",
			template: `{{ $_ := lookupCRs "v1" "ConfigMap" "*" "*" }}`,
			lost:     true,
			codes:    []string{"VT5012"},
			files: map[string]string{
				"y.yaml": config("y") + lines(3000, "  k%d: v\n"),
			},
			args: []string{"--limit", "values=2000"},
		},
		template(
			"a check of its own", `{{ fail "\x1b[2J no" }}`, "VT4002",
		), template("a template that refuses", `{{ doNotMatch "\x1b]0;no" }}`),
		template("escapes in what is printed", `spec: "{{ "\x1b[2J\u202e" | toJson | trimAll "\"" }}"`),
		template(
			"functions that are not steady", `spec: {a: {{ now | unixEpoch }}, b: {{ randAlpha 3 | quote }}}`, "VT2034",
		),
	}
}
