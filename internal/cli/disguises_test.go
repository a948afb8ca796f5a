package cli

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/run/slice"
)

// disguise is a text that holds a Secret or a credential: the word CANARY in it is the secret, and
// wrap encodes the text.
type disguise struct {
	name, plain string
	wrap        func(string) string // nil for the text as it is
}

// text returns the text with a canary.
func (d disguise) text(canary string) string {
	text := strings.ReplaceAll(d.plain, "CANARY", canary)
	if d.wrap == nil {
		return text
	}
	return d.wrap(text)
}

// kindLines returns ways to write the kind of a Secret in YAML.
func kindLines() []string {
	return []string{
		"kind: Secret", "kind: SecretList", "kind: 'Secret'", `"kind": "Secret"`, "kind   :    Secret", "kind:\tSecret", "kind: Secret # a comment", "kind: Secret\r",
		"kind: !!str Secret", "kind: &k Secret", "kind: !!str &k Secret", "kind: &k !!str 'Secret'", "kind: !<tag:yaml.org,2002:str> Secret", "kind: !!str\n  Secret",
		"kind: &k\n\n  Secret", "kind: >-\n  Secret", "kind: |-\n  Secret", "kind: >2-\n  Secret", "kind: !!str >- # a comment\n  Secret", "kind: # a comment\n  Secret",
		"kind: # kind: ConfigMap\n  # and more\n  Secret", "kind:\n\n  Secret", "? kind\n: Secret", "? \"kind\"\n: 'Secret'", "? kind # a comment\n: # another\n  Secret",
		"? !!str kind\n: !!str Secret", "? >-\n  kind\n: |-\n  Secret", "&a kind: Secret", "!!str kind: &b Secret", `kind: "\x53ecret"`, `kind: "Sec\x72et"`,
		`kind: "\u0053ecret"`, `kind: "\U00000053ecret"`, `"\x6bind": Secret`, `"k\u0069nd": "Secre\u0074"`, "kind: \"Sec\\\n  ret\"",
		"kind: !!binary U2VjcmV0", "kind: !<tag:yaml.org,2002:binary> U2VjcmV0", "!!binary a2luZA==: Secret", "a: &k Secret\nkind: *k", "a: &k kind\n*k : Secret",
		"a: &k\n  b: &s \"\\x53ecret\"\nkind: *s", "kind:\u0085 Secret", "kind:\u2028 Secret", "kind: \"Sec\\\u0085ret\"", "kind: !<tag:yaml.org,2002:%62inary> U2VjcmV0",
		"<<: {kind: Secret}", "a: &s Secret\nb: &b\n  kind: *s\n<<: *b",
		"kind: secret", "kind: SECRET", "kind: Secrets", "kind: 'Secret '", "Kind: Secret", "KIND: SECRET", "kind: !!str\n  secret", `kind: "\x73ecret"`,
	}
}

// credentials returns documents with a canary that allows a login, by name.
func credentials() map[string]string {
	return map[string]string{
		"key":        "-----BEGIN PRIVATE KEY-----\nCANARY\n-----END PRIVATE KEY-----\n",
		"script":     "cat <<EOF\n-----BEGIN RSA PRIVATE KEY-----\nCANARY\nEOF\n",
		"pull":       `{"auths": {"quay.io": {"auth": "CANARY", "email": "CANARY"}}}`,
		"kubeconfig": "contexts: []\nusers:\n- name: a\n  user:\n    token: CANARY\n",
		"client":     "users:\n- user:\n    client-key-data: CANARY\n",
		"putty":      "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\nCANARY\n",
		"ssh2":       "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nCANARY\n",
		"age":        "# a key\nAGE-SECRET-KEY-1CANARY\n",
		"old":        `{"quay.io": {"auth": "dXNlcjpwYXNzd29yZA==", "email": "CANARY"}}`,
		"exec":       "contexts: []\nusers:\n- user: {exec: {apiVersion: client.authentication.k8s.io/v1, env: [{name: a, value: CANARY}]}}\n",
		"hash":       "passwd: {users: [{name: a, passwordHash: $6$salt$CANARY}]}\n",
		"symbol":     "contexts: []\nusers:\n- user:\n    password: $CANARY\n",
		"args":       "users:\n- user:\n    exec:\n      command: aws\n      args: [CANARY]\n",
		"url":        "proxy: http://user:CANARY@proxy.example.com\n",
		"htpasswd":   "admin:$2y$05$CANARY\n",
		"des":        "passwd: {users: [{name: a, passwordHash: abCANARY}]}\n",
		"oauth":      "kind: OAuthClient\nsecret: CANARY\n",
		"unit":       "[Service]\nEnvironment='P={\"auths\":{\"a\":{\"auth\":\"CANARY\"}}}'\n",
	}
}

func quotedJSON(s string) string {
	text, _ := json.Marshal(map[string]string{"file": s})
	return string(text)
}

func zipped(s string) string { return string(pack.GZ([]byte(s))) }

// inPercents returns a data URL with escapes.
func inPercents(s string) string { return "data:," + url.PathEscape(s) }
func asURL(s string) string      { return "data:text/plain;charset=utf-8;base64," + encoded(s) }

// chunks cuts a text into pieces, and puts a separator between them.
func chunks(s string, size int, between string) string {
	var all []string
	for piece := range slices.Chunk([]byte(s), size) {
		all = append(all, string(piece))
	}
	return strings.Join(all, between)
}

// inLines returns a function that encodes a text in base64, in pieces with a separator.
func inLines(size int, between string) func(string) string {
	return func(s string) string { return chunks(encoded(s), size, between) }
}

// disguises returns the kind lines, the credentials and other texts, in several encodings, sorted
// by name.
func disguises() []disguise {
	yaml, object := secretWith("CANARY"), `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"inner"},"stringData":{"token":"CANARY"}}`
	escaped := strings.Replace(object, "Secret", `\u0053ecret`, 1)
	exotic := "a: &k \"\\x53ecret\"\nstringData:\n  token: CANARY\nkind: *k\n"
	all := []disguise{
		{"documents", "kind: ConfigMap\n---\n" + yaml + "---\nkind: ConfigMap\n", nil},
		{"a List", "kind: List\nitems:\n- metadata: {name: a}\n  ? kind\n  : Secret\n  stringData:\n    token: CANARY\n", nil},
		{"JSON", object, nil},
		{"JSON, a list", "[1, " + object + "]", nil},
		{"JSON, line break", strings.Replace(object, `"kind":`, "\"kind\"\n\t:\r\n", 1), nil},
		{"JSON, escaped value", escaped, nil},
		{"JSON, escaped key", strings.Replace(object, "kind", `\u006b\u0069\u006e\u0064`, 1), nil},
		{"JSON, all escaped", strings.Replace(escaped, "kind", `\u006B\u0069\u006E\u0064`, 1), nil},
		{"JSON thrice", object, func(s string) string { return quotedJSON(quotedJSON(quotedJSON(s))) }},
		{"print of a map", "map[apiVersion:v1 kind:Secret stringData:map[token:CANARY]]", nil},
		{"indented", "manifests: |\n    " + strings.ReplaceAll(yaml, "\n", "\n    "), nil},
		{"among a script", "#!/bin/sh\ncat <<EOF | kubectl apply -f -\n" + yaml + "EOF\n", nil},
		{"broken", "kind: !!str Secret\nstringData: [CANARY", nil},
		{"merge, broken", "a: &k Secret\nkind: *k\nstringData: [CANARY", nil},
		{"byte order mark", "\ufeff" + object, nil},
		{"percent, letters", yaml, func(s string) string {
			head, tail, _ := strings.Cut(s, "cnry")
			return "data:,%" + strings.TrimSuffix(strings.ReplaceAll(fmt.Sprintf("% x", head), " ", "%"), " ") + "cnry" + tail
		}},
		{"percent, query", object, func(s string) string { return "data:," + url.QueryEscape(s) }},
		{"percent, base64", yaml, func(s string) string { return "data:;base64," + url.QueryEscape(encoded(s)) }},
		{"base64, URL alphabet", "# ÿÿÿ???>>>\n" + yaml, func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }},
		{"base64, lines", yaml, inLines(76, "\n")},
		{"base64, short lines", yaml, inLines(20, "\n    ")},
		{"base64, blanks", yaml, inLines(18, " ")},
		{"base64, tabs", yaml, func(s string) string { return "\t" + inLines(31, "\t\t")(s) + " " }},
		{"base64 of an exotic one", exotic, encoded},
		{"base64 of escaped JSON", escaped, encoded},
		{"gzip, data URL", yaml, func(s string) string { return asURL(zipped(s)) }},
		{"gzip, lines", yaml, func(s string) string { return inLines(40, "\n")(zipped(s)) }},
		{"data URL, lines", yaml, func(s string) string { return "data:text/plain;base64,\n" + inLines(50, "\n")(s) }},
		{"data URL, lines, exotic", exotic, func(s string) string { return "data:text/plain;base64," + inLines(50, "\n  ")(s) }},
		{"over the bound", strings.Repeat(" ", 1<<20) + yaml, func(s string) string { return encoded(zipped(s)) }},
		{"gzip", yaml, func(s string) string { return encoded(zipped(s)) }},
		{"percents", yaml, inPercents},
	}
	for _, line := range kindLines() {
		text := "apiVersion: v1\n" + line + "\nmetadata:\n  name: inner\nstringData:\n  token: CANARY\n"
		all = append(all, disguise{line, text, nil}, disguise{"base64 " + line, text, encoded})
	}
	wraps := map[string]func(string) string{"plain": nil, "base64": encoded, "JSON": quotedJSON, "URL": asURL, "percents": inPercents}
	for name, text := range credentials() {
		for how, wrap := range wraps {
			all = append(all, disguise{name + " " + how, text, wrap})
		}
	}
	slices.SortFunc(all, func(a, b disguise) int { return strings.Compare(a.name, b.name) })
	return all
}

// witnesses returns the words of a text that depend on the canary. Output with one of them shows
// the text.
func witnesses(d disguise, canary string) []string {
	word := regexp.MustCompile(`[A-Za-z0-9]{7,}`)
	other := d.text(strings.Repeat("q", len(canary)))
	return slices.DeleteFunc(
		word.FindAllString(d.text(canary), -1), func(w string) bool { return strings.Contains(other, w) },
	)
}

// kinds is the number of kinds of CRs that hold the disguises: an explanation of a CR lists all
// templates of its kind.
const kinds = 12

// plantDisguises makes a reference, overrides and an input, and the same for each kind in a folder
// of its own. Each disguise is in the data, an annotation and a list of a CR, and the template of
// the CR prints it. The reference ask has two templates that match each CR of one kind.
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
		must(err)
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
		cases:     slices.Collect(maps.Keys(shown)),
		words:     newWords(t, shown),
	}
}

// tried returns the disguises that a test uses: every third, so that there is one or two of each
// credential and each encoding, or with Whole all. The tests of internal/value/secret try each text.
func tried() (some []disguise) {
	for i, d := range disguises() {
		if pack.Whole() || i%3 == 0 {
			some = append(some, d)
		}
	}
	return some
}

// printed returns everything that a command prints on a terminal.
func printed(answers string, args ...string) string {
	_, out, errs := run(context.Background(), terminal(answers), args...)
	return out + errs
}

// TestDisguisedSecretsDoNotShow prints every disguise in every way and looks for its words, which
// --show-secrets does show.
func TestDisguisedSecretsDoNotShow(t *testing.T) {
	besideOthers(t)
	all := tried()
	p := plantDisguises(t, all)
	check := func(least int, answers string, args ...string) {
		t.Helper()
		p.words.noneIn(t, fmt.Sprintf("%q", args), printed(answers, args...))
		there := p.words.in(printed(answers, append(args, "--show-secrets")...))
		if len(there) < least {
			missing := slice.Without(p.cases, func(name string) bool { return there[name].text != "" })
			t.Errorf("%q: on request, %d disguises show, want %d; others are %q", args, len(there), least, missing)
		}
	}
	const wide = "--limit=line=1000000"
	for _, args := range []string{
		"--width 1000", "--width 1000 --full --verbose --show-expected",
		"--width 1000 --unified --correlation nearest -p " + p.overrides,
		"--output json --show-expected", "--output yaml -p " + p.overrides,
	} {
		check(len(all), "", append(strings.Fields(args), wide, p.ref, p.in)...)
	}
	check(0, "", "-o", "overrides", "--override-reason", "why", "--fail-on", "drift,missing,extra", p.ref, p.in)
	for i := range kinds {
		kind := fmt.Sprintf("Holder%d", i)
		of, alone := (len(all)-i+kinds-1)/kinds, filepath.Join(p.dir, kind)
		one := [][]string{
			{"--width", "1000", "--show-expected"},
			{"--output", "json"},
			{"--output", "yaml", "-p", filepath.Join(alone, "overrides.yaml")},
		}[i%3]
		if i%3 == 0 {
			of /= 3 // an explanation wraps lines, and words with them
		}
		args := slices.Concat([]string{"explain-match", "--all-candidates", wide}, one)
		check(of, "", append(args, filepath.Join(alone, "ref"), filepath.Join(alone, "in"), kind)...)
	}
	answers := strings.Repeat("d\n\n", (len(all)+kinds-1)/kinds) + "\n"
	ask, in := filepath.Join(p.dir, "ask"), filepath.Join(p.dir, "Holder0", "in")
	check(len(all)/kinds, answers, "--width", "1000", wide, "--interactive", ask, in)
}

// TestDisguisedSecretsGoIntoNoFile writes files in every format from a run, a saved report and a
// run with a baseline, and generates a reference. Neither the files nor the terminal may have a
// word of the disguises.
func TestDisguisedSecretsGoIntoNoFile(t *testing.T) {
	besideOthers(t)
	p := plantDisguises(t, tried())
	made := filepath.Join(p.dir, "made")
	pack.Files(t, p.dir, map[string]string{"none/a.yaml": config("a"), "made/run/x": "", "made/saved/x": "", "made/marked/x": ""})
	saved := filepath.Join(made, "saved.json")
	beside, least := printed("", "--full", "--wrapped", "-o", "json="+saved, p.ref, p.in), 0
	for folder, args := range map[string][]string{ // of none, every CR is missing
		"run": {"--full", "--wrapped", p.ref, p.in}, "saved": {"report", saved}, "marked": {"--baseline", saved, p.ref, filepath.Join(p.dir, "none")},
	} {
		for _, f := range allFormats() {
			if f.name != overridesFormat && (!f.needsCRs || folder == "run") {
				args = append(args, "-o", f.name+"="+filepath.Join(made, folder, f.name))
				least++
			}
		}
		beside += printed("", args...)
	}
	beside += printed("", "generate", "--output", filepath.Join(made, "reference"), p.in)
	files := folderEntries(t, made)
	for _, f := range files {
		p.words.noneIn(t, f.Name, f.Data)
	}
	if _, err := os.Stat(filepath.Join(made, "reference", "metadata.yaml")); err != nil || len(files) < least {
		t.Errorf("only %d files, want %d at least, %v:\n%s", len(files), least, err, beside)
	}
	p.words.noneIn(t, "beside the files", beside)
}
