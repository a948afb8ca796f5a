package cli

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

func encoded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// secretWith returns the manifest of a Secret with a canary.
func secretWith(canary string) string {
	return "apiVersion: v1\nkind: Secret\nmetadata:\n  name: inner\nstringData:\n  token: " + canary + "\n"
}

// plant puts a canary into a text.
func plant(text, canary string) string {
	inner := secretWith(canary)
	return strings.NewReplacer(
		"B64CANARY",
		encoded(canary),
		"CANARY",
		canary,
		"URLENCODED",
		url.PathEscape(inner),
		"ENCODEDLINES",
		chunks(encoded(inner), 40, "', '"),
		"ENCODED",
		encoded(inner),
		"GZIPPED",
		encoded(zipped(inner)),
	).Replace(text)
}

// secretForms returns texts that reveal a canary: itself, in upper case, compressed in a manifest,
// and in base64 at each of three offsets.
func secretForms(canary string) []string {
	all := []string{canary, strings.ToUpper(canary), encoded(zipped(secretWith(canary)))}
	for shift := range 3 {
		e := encoded(strings.Repeat("x", shift) + canary)
		e = e[(shift*8+5)/6:]
		all = append(all, strings.TrimRight(e, "=")[:len(canary)])
	}
	return append(all, encoded(encoded(canary))[:len(canary)])
}

// planted is a folder with a reference, an input and overrides that hold secrets in many places.
type planted struct {
	dir, ref, in, overrides string
	cases, quiet            []string // the names of all cases, and of those whose canary never shows
	words                   *words   // all forms of the canaries
}

// plantSecrets writes the cases of testdata/secrets.txtar with these names, or all of them, each
// with another canary.
func plantSecrets(t *testing.T, only ...string) planted {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/secrets.txtar")
	must(err)
	// What is left out by default, such as kubectl's copy of an object, is compared here.
	metadata := "apiVersion: v2\nfieldsToOmit: {defaultOmitRef: none, items: {none: [{pathToKey: spec.kindless.kind}, {pathToKey: stringData.*.*.dropped}]}}\nparts:\n- name: p\n  components:\n  - name: c\n    anyOf:\n"
	p := planted{dir: t.TempDir()}
	p.ref, p.in, p.overrides = filepath.Join(p.dir, "ref"), filepath.Join(p.dir, "in"), filepath.Join(p.dir, "overrides.yaml")
	files, shown := map[string]string{}, map[string][]string{}
	for _, f := range archive.Files {
		folder, _, _ := strings.Cut(f.Name, "/")
		name := strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name))
		if name == "quiet" {
			p.quiet = strings.Fields(string(f.Data))
			continue
		}
		if only != nil && !slices.Contains(only, name) {
			continue
		}
		if shown[name] == nil {
			p.cases = append(p.cases, name)
			shown[name] = secretForms(fmt.Sprintf("cnry%03dwxyz", len(shown)))
		}
		text := string(f.Data)
		switch folder {
		case "ref":
			metadata += "    - path: " + name + ".yaml\n      config: {" + files["config/"+name+".yaml"] + "}\n"
		case "in":
			text = plant(text, shown[name][0])
		case "overrides":
			files["overrides.yaml"] += plant(text, shown[name][0])
		}
		files[f.Name] = text
	}
	files["ref/metadata.yaml"] = metadata
	files["in/user/overrides.yaml"] = files["overrides.yaml"] // a user's files may lie in the input
	pack.Files(t, p.dir, files)
	p.words = newWords(t, shown)
	return p
}

// flagSets returns options that change the content of a report.
func flagSets() [][]string {
	var all [][]string
	for _, flags := range []string{
		"", "--verbose", "--full", "--unified --full", "--show-expected", "--summary", "--all-resources --verbose",
		"--context 1000", "--color always", "--nested", "--skip-unreadable", "--correlation nearest",
		"--fail-on drift,missing,extra,unmatched,referenced",
		"--verbose --full --show-expected --show-overridden --all-resources --limit line=50",
	} {
		all = append(all, strings.Fields(flags))
	}
	return all
}

// variants returns ways to print a report.
func variants() [][]string {
	var all [][]string
	for _, format := range []string{"text", "json", "yaml"} {
		for _, flags := range flagSets() {
			all = append(all, append([]string{"--output", format, "--width", "1000"}, flags...))
		}
	}
	for _, f := range allFormats() {
		if !f.needsCRs {
			all = append(all, []string{"--output", f.name})
		}
	}
	return append(all,
		strings.Fields("--output html --verbose --full --show-expected --show-overridden --show-suppressed"))
}

// TestNoSecretShows plants canaries in all places of an input, and of what is made from it, that
// can hold the data of Secrets. It prints every format with every option and looks for the
// canaries.
func TestNoSecretShows(t *testing.T) {
	besideOthers(t)
	all := plantSecrets(t)
	var files, beside []string
	for _, f := range allFormats() {
		if !f.needsCRs && f.name != textFormat {
			files = append(files, filepath.Join(all.dir, "report."+f.name))
			beside = append(beside, "--output", f.name+"="+files[len(files)-1])
		}
	}
	flags := [][]string{
		{"--output", "text", "--width", "1000"},
		{"--output", "json"},
		{"--output", "yaml"},
		{"--output", "html"},
		strings.Fields("--output html --verbose --full --show-expected --show-overridden --show-suppressed"),
	}
	// a format that is alone shows no more than beside others, see
	// TestFormatsAreTheSameBesideOthers
	for _, more := range flagSets() {
		flags = append(flags, slices.Concat([]string{"--output", "text", "--width", "1000"}, beside, more))
	}
	for i, flags := range flags {
		for j, with := range [][]string{nil, {"--overrides", all.overrides}} {
			if !pack.Whole() && i%2 != j {
				continue // by turns, with overrides and without
			}
			args := slices.Concat(flags, with, []string{all.ref, all.in})
			status, out, errs := outcome(args...)
			if status != 2 || !strings.Contains(out+errs, "override") && with != nil {
				t.Fatalf("%q: status %d, %s", args, status, errs)
			}
			if i >= 5 {
				for _, name := range files {
					out += read(t, name)
					must(os.Remove(name))
				}
			}
			all.words.noneIn(t, strings.Join(args[:len(args)-2], " "), out+errs)
		}
	}
	entries, stream := folderEntries(t, all.in), ""
	for _, e := range entries {
		stream += "\n---\n" + e.Data
	}
	_, out, errs := fed(stream, "--full", "--verbose", "--width", "1000", all.ref, "-")
	all.words.noneIn(t, "standard input", out+errs)
	archive := filepath.Join(all.dir, "in.tar.gz")
	pack.Files(t, all.dir, map[string]string{"in.tar.gz": string(pack.GZ(pack.Tar(entries...)))})
	for _, path := range []string{archive, filepath.Join(all.in, "user", "overrides.yaml"), filepath.Join(all.in, "user")} {
		_, out, errs := outcome("--full", "--verbose", "--all-resources", "--timings", "--width", "1000", all.ref, path)
		all.words.noneIn(t, path, out+errs)
	}
}

// TestSecretsShowOnRequest checks that --show-secrets shows the canaries. Without it,
// TestNoSecretShows could look in places without canaries.
func TestSecretsShowOnRequest(t *testing.T) {
	besideOthers(t)
	all := plantSecrets(t)
	printed := ""
	for _, flags := range [][]string{{"--verbose", "--full", "--width", "1000", "--show-expected"}, {"--output", "json", "--show-expected", "--show-overridden"}} {
		for _, with := range [][]string{nil, {"--overrides", all.overrides}} {
			_, out, errs := outcome(slices.Concat(flags, with, []string{"--show-secrets", all.ref, all.in})...)
			printed += out + errs
		}
	}
	there := all.words.in(printed)
	for _, name := range all.cases {
		_, shows := there[name]
		quiet := slices.Contains(all.quiet, name)
		if shows == quiet && name != "copy" && name != "duplicate" {
			t.Errorf("%s: the canary shows on request: %v, want %v", name, shows, !quiet)
		}
	}
}

// guesses is a reference whose templates are more or less similar to a Secret and to a private key.
const guesses = `
-- ref/metadata.yaml --
apiVersion: v2
parts: [{name: p, components: [{name: c, anyOf: [{path: s1.yaml}, {path: s2.yaml}, {path: c1.yaml}, {path: c2.yaml}]}]}]
-- ref/s1.yaml --
apiVersion: v1
kind: Secret
metadata: {namespace: b}
stringData: {a: correcthorsy}
-- ref/s2.yaml --
apiVersion: v1
kind: Secret
metadata: {namespace: b}
stringData: {a: zzzzzzzzzzzy}
-- ref/c1.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {namespace: b}
data: {a: "-----BEGIN PRIVATE KEY-----\ncorrecthorsy", b: {{ .data.b | quote }}}
-- ref/c2.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {namespace: b}
data: {a: "-----BEGIN PRIVATE KEY-----\nzzzzzzzzzzzy", b: {{ .data.b | quote }}}
-- in/s.yaml --
apiVersion: v1
kind: Secret
metadata: {name: a, namespace: b}
stringData: {a: CANARY}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: b}
data: {a: "-----BEGIN PRIVATE KEY-----\nCANARY", b: y}
`

// TestHowFarSecretsAreApartDoesNotShow compares secrets of equal length that are more or less
// similar to the values of templates. Neither a number nor the choice of a template may reveal the
// similarity.
func TestHowFarSecretsAreApartDoesNotShow(t *testing.T) {
	var first []string
	for _, canary := range []string{"correcthorse", "correcthorst", "correcxxxxxx", "zzzzzzzzzzzz"} {
		inFolder(t, strings.ReplaceAll(guesses, "CANARY", canary))
		var said []string
		for _, args := range []string{
			"ref in", "-o json --correlation nearest ref in", "explain-match --all-candidates ref in Secret",
			"explain-match -o json ref in ConfigMap",
		} {
			_, out, errs := outcome(strings.Fields(args)...)
			said = append(said, regexp.MustCompile("sha256:[0-9a-f]*").ReplaceAllString(out+errs, ""))
		}
		if first == nil {
			first = said
		}
		if diff := cmp.Diff(first, said); diff != "" || !strings.Contains(said[0], "changed character") {
			t.Errorf("%s: %s%s", canary, diff, said[0])
		}
	}
}
