package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// disguise is a text that decodes to the manifest of a Secret which holds a canary.
type disguise struct {
	name string
	text func(canary string) string
}

// kindLines are ways to write in YAML what kind something is.
func kindLines() []string {
	return []string{
		"kind: Secret", "kind: SecretList", "kind: 'Secret'", `"kind": "Secret"`, "kind   :    Secret", "kind:\tSecret", "kind: Secret # a comment", "kind: Secret\r",
		"kind: !!str Secret", "kind: &k Secret", "kind: !!str &k Secret", "kind: &k !!str 'Secret'", "kind: !<tag:yaml.org,2002:str> Secret", "kind: !!str\n  Secret",
		"kind: &k\n\n  Secret", "kind: >-\n  Secret", "kind: |-\n  Secret", "kind: >2-\n  Secret", "kind: !!str >- # a comment\n  Secret", "kind: # a comment\n  Secret",
		"kind: # kind: ConfigMap\n  # and more\n  Secret", "kind:\n\n  Secret", "? kind\n: Secret", "? \"kind\"\n: 'Secret'", "? kind # a comment\n: # another\n  Secret",
		"? !!str kind\n: !!str Secret", "? >-\n  kind\n: |-\n  Secret", "&a kind: Secret", "!!str kind: &b Secret", `kind: "\x53ecret"`, `kind: "Sec\x72et"`,
		`kind: "\u0053ecret"`, `kind: "\U00000053ecret"`, `"\x6bind": Secret`, `"k\u0069nd": "Secre\u0074"`, "kind: \"Sec\\\n  ret\"",
		"kind: !!binary U2VjcmV0", "kind: !<tag:yaml.org,2002:binary> U2VjcmV0", "!!binary a2luZA==: Secret", "a: &k Secret\nkind: *k", "a: &k kind\n*k : Secret",
		"a: &k\n  b: &s \"\\x53ecret\"\nkind: *s", "<<: {kind: Secret}", "a: &s Secret\nb: &b\n  kind: *s\n<<: *b",
	}
}

// wraps are ways to encode a text.
func wraps() map[string]func(string) string {
	return map[string]func(string) string{
		"plain": func(s string) string { return s }, "base64": encoded, "gzip": func(s string) string { return encoded(zipped(s)) },
		"percent": func(s string) string { return "data:," + url.PathEscape(s) },
	}
}

func quotedJSON(s string) string {
	text, _ := json.Marshal(map[string]string{"file": s})
	return string(text)
}

func zipped(s string) string { return string(pack.GZ([]byte(s))) }

// chunks cuts a text into pieces, and puts something between them.
func chunks(s string, size int, between string) string {
	var all []string
	for piece := range slices.Chunk([]byte(s), size) {
		all = append(all, string(piece))
	}
	return strings.Join(all, between)
}

func everyByte(s, format string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

// disguises are all of the kind's, in all wraps, and others.
func disguises() []disguise {
	yaml := func(c string) string {
		return "apiVersion: v1\nkind: Secret\nmetadata:\n  name: inner\nstringData:\n  token: " + c + "\n"
	}
	exotic := func(c string) string {
		return "a: &k \"\\x53ecret\"\nstringData:\n  token: " + c + "\nkind: *k\n"
	}
	object := func(c string) string {
		return `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"inner"},"stringData":{"token":"` + c + `"}}`
	}
	b64 := func(c string) string { return encoded(yaml(c)) }
	all := []disguise{
		{"documents", func(c string) string { return "kind: ConfigMap\n---\n" + yaml(c) + "---\nkind: ConfigMap\n" }},

		{"a List", func(c string) string {
			return "kind: List\nitems:\n- metadata: {name: a}\n  ? kind\n  : Secret\n  stringData:\n    token: " + c + "\n"
		}},
		{"JSON", object}, {"JSON, a list", func(c string) string { return "[1, " + object(c) + "]" }},
		{
			"JSON, line break",
			func(c string) string { return strings.Replace(object(c), `"kind":`, "\"kind\"\n\t:\r\n", 1) },
		},
		{
			"JSON, escaped value",
			func(c string) string { return strings.Replace(object(c), "Secret", `\u0053ecret`, 1) },
		},
		{
			"JSON, escaped key",
			func(c string) string { return strings.Replace(object(c), "kind", `\u006b\u0069\u006e\u0064`, 1) },
		},
		{"JSON, all escaped", func(c string) string {
			return strings.Replace(
				object(c),
				`"kind":"Secret"`,
				`"`+everyByte("kind", `\u%04X`)+`":"`+everyByte("Secret", `\u%04x`)+`"`,
				1,
			)
		}},

		{"JSON thrice", func(c string) string { return quotedJSON(quotedJSON(quotedJSON(object(c)))) }},

		{
			"print of a map",
			func(c string) string { return "map[apiVersion:v1 kind:Secret stringData:map[token:" + c + "]]" },
		},
		{
			"indented",
			func(c string) string { return "manifests: |\n    " + strings.ReplaceAll(yaml(c), "\n", "\n    ") },
		},
		{
			"among a script",
			func(c string) string { return "#!/bin/sh\ncat <<EOF | kubectl apply -f -\n" + yaml(c) + "EOF\n" },
		},
		{"broken", func(c string) string { return "kind: !!str Secret\nstringData: [" + c }},
		{"merge, broken", func(c string) string { return "a: &k Secret\nkind: *k\nstringData: [" + c }},
		{"byte order mark", func(c string) string { return "\ufeff" + object(c) }},

		{"percent, letters", func(c string) string { return "data:," + everyByte(yaml(""), "%%%02x") + c }},

		{"percent, query", func(c string) string { return "data:," + url.QueryEscape(object(c)) }},

		{"percent, base64", func(c string) string { return "data:;base64," + url.QueryEscape(b64(c)) }},

		{"base64, URL alphabet", func(c string) string {
			return base64.RawURLEncoding.EncodeToString([]byte("# ÿÿÿ???>>>\n" + yaml(c)))
		}},
		{"base64, lines", func(c string) string { return chunks(b64(c), 76, "\n") }},
		{"base64, short lines", func(c string) string { return chunks(b64(c), 20, "\n    ") }},
		{"base64, blanks", func(c string) string { return chunks(b64(c), 18, " ") }},
		{"base64, tabs", func(c string) string { return "\t" + chunks(b64(c), 31, "\t\t") + " " }},

		{"base64 of an exotic one", func(c string) string { return encoded(exotic(c)) }},
		{
			"base64 of escaped JSON",
			func(c string) string { return encoded(strings.Replace(object(c), "Secret", `\u0053ecret`, 1)) },
		},

		{"gzip, data URL", func(c string) string { return "data:;base64," + encoded(zipped(yaml(c))) }},
		{"gzip, lines", func(c string) string { return chunks(encoded(zipped(yaml(c))), 40, "\n") }},

		{"data URL, lines", func(c string) string { return "data:text/plain;base64,\n" + chunks(b64(c), 50, "\n") }},
		{
			"data URL, lines, exotic",
			func(c string) string { return "data:text/plain;base64," + chunks(encoded(exotic(c)), 50, "\n  ") },
		},

		{"over the bound", func(c string) string { return encoded(zipped(strings.Repeat(" ", 1<<20) + yaml(c))) }},
	}
	for _, line := range kindLines() {
		for name, wrap := range wraps() {
			all = append(all, disguise{name + " " + line, func(c string) string {
				return wrap("apiVersion: v1\n" + line + "\nmetadata:\n  name: inner\nstringData:\n  token: " + c + "\n")
			}})
		}
	}
	slices.SortFunc(all, func(a, b disguise) int { return strings.Compare(a.name, b.name) })
	return all
}

// witnesses are the words of a text that another canary would change. One of them shows where the
// text shows.
func witnesses(d disguise, canary string) []string {
	word := regexp.MustCompile(`[A-Za-z0-9]{7,}`)
	other := d.text(strings.Repeat("q", len(canary)))
	return slices.DeleteFunc(
		word.FindAllString(d.text(canary), -1), func(w string) bool { return strings.Contains(other, w) },
	)
}

// kinds are how many kinds of CRs hold the disguises: an explanation of a CR lists all templates of
// its kind.
const kinds = 12

// plantDisguises makes a reference, overrides and an input, and others of each kind alone, below
// its name: each disguise stands in a CR, in its data, an annotation and a list, and its template
// prints it. There is another reference of which two templates fit each CR of one kind.
func plantDisguises(t *testing.T, all []disguise) planted {
	t.Helper()
	dir, shown := t.TempDir(), map[string][]string{}
	const head = "apiVersion: v2\nfieldsToOmit: {defaultOmitRef: none, items: {none: [{pathToKey: metadata.nothing}]}}\nparts:\n- name: p\n  components:\n  - name: c\n    anyOf:\n"
	files := map[string]string{"ask/metadata.yaml": head + "    - path: a.yaml\n    - path: b.yaml\n"}
	for _, name := range []string{"a", "b"} {
		files["ask/"+name+".yaml"] = "apiVersion: example.com/v1\nkind: Holder0\nmetadata: {namespace: app}\ndata: {a: " + name + "}\n"
	}
	for i, d := range all {
		canary := fmt.Sprintf("cnry%04dwxyz", i)
		if shown[d.name] != nil {
			t.Fatalf("%s stands twice", d.name)
		}
		shown[d.name] = witnesses(d, canary)
		name, kind, text := fmt.Sprintf("d%d", i), fmt.Sprintf("Holder%d", i%kinds), d.text(canary)
		object, err := json.Marshal(map[string]any{
			"apiVersion": "example.com/v1",
			"kind":       kind,
			"data":       map[string]any{"a": text, "c": text, "e": text},
			"list":       []any{"x", text},
			"metadata": map[string]any{
				"name":        name,
				"namespace":   "app",
				"annotations": map[string]any{"note": text},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, below := range []string{"", kind + "/"} {
			files[below+"in/"+name+".json"] = string(object)
			files[below+"ref/"+name+".yaml"] = "apiVersion: example.com/v1\nkind: " + kind + "\nmetadata:\n  name: " + name + "\n  namespace: app\ndata:\n  a: other\n  b: {{ .data.a | toJson }}\n  c: {{ .data.c | trim | quote }}\n" +
				"  d: '{{ range list .data.a }}{{ . | upper | b64enc }}{{ end }}'\n  e: '(?<n>[0-9]+)'\n  f: '{{ index .data.a 3 }} {{ .data.a | fromYaml | toJson | b64enc }}'\nlist: [y]\n# {{ fail (printf \"bad %s\" .data.a) }}\n"
			if files[below+"ref/metadata.yaml"] == "" {
				files[below+"ref/metadata.yaml"] = head
			}
			files[below+"ref/metadata.yaml"] += "    - path: " + name + ".yaml\n      config:\n        perField:\n        - pathToKey: data.e\n          inlineDiffFunc: capturegroups\n"
			files[below+"overrides.yaml"] += "- kind: " + kind + "\n  name: " + name + "\n  type: go-template\n  reason: why\n  patch: '{\"type\":\"mergepatch\",\"patch\":{\"data\":{\"z\":{{ .data.a | toJson }}}}}'\n"
		}
	}
	pack.Files(t, dir, files)
	return planted{
		dir:       dir,
		ref:       filepath.Join(dir, "ref"),
		in:        filepath.Join(dir, "in"),
		overrides: filepath.Join(dir, "overrides.yaml"),
		words:     newWords(t, shown),
	}
}

// tried are the disguises that a test tries: all, or some with -short.
func tried(t *testing.T) []disguise {
	t.Helper()
	all := disguises()
	if len(all) < 150 {
		t.Fatalf("only %d disguises", len(all))
	}
	if !testing.Short() {
		return all
	}
	few := all[:0]
	for i := 0; i < len(all); i += 7 {
		few = append(few, all[i])
	}
	return few
}

// TestDisguisedSecretsDoNotShow prints every text that decodes to the manifest of a Secret in every
// way, and looks for its words, which do show with --show-secrets.
func TestDisguisedSecretsDoNotShow(t *testing.T) {
	besideOthers(t)
	all := tried(t)
	p := plantDisguises(t, all)
	wide := []string{"--width", "20000", "--limit", "line=1000000"}
	type command struct {
		shown int // how many disguises show with --show-secrets at least
		args  []string
		stdin string
	}
	commands := []command{
		{len(all), slices.Concat(wide, []string{p.ref, p.in}), ""},
		{len(all), slices.Concat(wide, []string{"--full", "--verbose", "--show-expected", p.ref, p.in}), ""},
		{
			len(all),
			slices.Concat(wide, []string{"--unified", "--correlation", "nearest", "-p", p.overrides, p.ref, p.in}),
			"",
		},
		{len(all), []string{"--output", "json", "--show-expected", p.ref, p.in}, ""},
		{len(all), []string{"--output", "yaml", "-p", p.overrides, p.ref, p.in}, ""},
		{
			0,
			[]string{
				"--output",
				"overrides",
				"--override-reason",
				"why",
				"--fail-on",
				"drift,missing,extra",
				p.ref,
				p.in,
			},
			"",
		},
	}
	for i := range kinds {
		kind := fmt.Sprintf("Holder%d", i)
		of, alone := (len(all)-i+kinds-1)/kinds, filepath.Join(p.dir, kind)
		one := []command{
			// an explanation wraps lines, and words with them
			{of / 3, slices.Concat(wide, []string{"--show-expected"}), ""},
			{of, []string{"--output", "json"}, ""},
			{of, []string{"--output", "yaml", "-p", filepath.Join(alone, "overrides.yaml")}, ""},
		}[i%3]
		one.args = slices.Concat(
			[]string{"explain-match", "--all-candidates"},
			one.args,
			[]string{filepath.Join(alone, "ref"), filepath.Join(alone, "in"), kind},
		)
		commands = append(commands, one)
	}
	ask := []string{"--interactive", filepath.Join(p.dir, "ask"), filepath.Join(p.dir, "Holder0", "in")}
	commands = append(
		commands,
		command{len(all) / kinds, slices.Concat(wide, ask), strings.Repeat("d\n\n", (len(all)+kinds-1)/kinds) + "\n"},
	)
	for _, c := range commands {
		p.words.noneIn(t, fmt.Sprintf("%q", c.args), printed(t, c.stdin, c.args))
		there := p.words.in(printed(t, c.stdin, withShowSecrets(c.args)))
		var missing []string
		for _, d := range all {
			if _, shows := there[d.name]; !shows {
				missing = append(missing, d.name)
			}
		}
		if len(all)-len(missing) < c.shown {
			t.Errorf(
				"%q: on request, %d disguises show, want %d; others are %q",
				c.args,
				len(all)-len(missing),
				c.shown,
				missing,
			)
		}
	}
}

// TestDisguisedSecretsGoIntoNoFile writes what a run finds in every format to files, from the run
// and from a saved report, and makes a reference of the CRs. None of the files, nor what is printed
// beside, has a word of the disguised Secrets.
func TestDisguisedSecretsGoIntoNoFile(t *testing.T) {
	besideOthers(t)
	p := plantDisguises(t, tried(t))
	dir := p.dir
	none := filepath.Join(dir, "none") // of which every CR is missing
	pack.Files(
		t, none, map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n"},
	)
	saved := filepath.Join(dir, "run", "saved.json")
	to := func(folder string, formats ...string) (args []string) {
		for _, format := range formats {
			args = append(args, "-o", format+"="+filepath.Join(dir, folder, format))
		}
		return args
	}
	formats := []string{"text", "yaml", "html", "junit", "sarif", "markdown", "csv", "github", "gitlab", "diff"}
	for _, folder := range []string{"run", "saved", "marked", "generated"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	printedBeside := ""
	for _, args := range [][]string{
		slices.Concat([]string{"--full", "--wrapped"}, to("run", append(formats, "fix")...), []string{"-o", "json=" + saved, p.ref, p.in}),
		slices.Concat([]string{"report"}, to("saved", formats...), []string{saved}),
		slices.Concat([]string{"--baseline", saved}, to("marked", formats...), []string{p.ref, none}),
		{"reference", "generate", "--output", filepath.Join(dir, "generated", "reference"), p.in},
	} {
		printedBeside += printed(t, "", args)
	}
	files := 0
	for _, folder := range []string{"run", "saved", "marked", "generated"} {
		err := filepath.WalkDir(filepath.Join(dir, folder), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			files++
			text, err := os.ReadFile(name)
			p.words.noneIn(t, name, string(text))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if least := 3*len(formats) + 3; files < least {
		t.Errorf("only %d files, want %d at least:\n%s", files, least, printedBeside)
	}
	p.words.noneIn(t, "beside the files", printedBeside)
}

// withShowSecrets is a command line with --show-secrets behind the command.
func withShowSecrets(args []string) []string {
	if args[0] == "explain-match" {
		return slices.Insert(slices.Clone(args), 1, "--show-secrets")
	}
	return append([]string{"--show-secrets"}, args...)
}

// printed is everything that a command prints.
func printed(t *testing.T, stdin string, args []string) string {
	t.Helper()
	var out, errs bytes.Buffer
	none := func(string) (string, bool) { return "", false }
	Run(t.Context(), append([]string{"validationTool"}, args...), IO{
		In:       strings.NewReader(stdin),
		Out:      &out,
		Err:      &errs,
		Env:      none,
		Terminal: func(any) bool { return true },
		Tick:     noTicks,
	})
	return out.String() + errs.String()
}
