package cli

import (
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// credentials are documents that hold a canary which lets somebody in, and nothing else of it.
func credentials() map[string]func(canary string) string {
	return map[string]func(string) string{
		"key":        func(c string) string { return "-----BEGIN PRIVATE KEY-----\n" + c + "\n-----END PRIVATE KEY-----\n" },
		"script":     func(c string) string { return "cat <<EOF\n-----BEGIN RSA PRIVATE KEY-----\n" + c + "\nEOF\n" },
		"pull":       func(c string) string { return `{"auths": {"quay.io": {"auth": "` + c + `", "email": "` + c + `"}}}` },
		"kubeconfig": func(c string) string { return "contexts: []\nusers:\n- name: a\n  user:\n    token: " + c + "\n" },
		"client":     func(c string) string { return "users:\n- user:\n    client-key-data: " + c + "\n" },
		"manifest":   func(c string) string { return "kind: Secret\napiVersion: v1\nstringData:\n  a: " + c + "\n" },
		"putty":      func(c string) string { return "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n" + c + "\n" },
		"ssh2":       func(c string) string { return "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n" + c + "\n" },
		"age":        func(c string) string { return "# a key\nAGE-SECRET-KEY-1" + c + "\n" },
		"old": func(c string) string {
			return `{"quay.io": {"auth": "` + encoded("user:"+c) + `", "email": "` + c + `"}}`
		},
		"exec": func(c string) string {
			return "contexts: []\nusers:\n- user: {exec: {apiVersion: client.authentication.k8s.io/v1, env: [{name: a, value: " + c + "}]}}\n"
		},
		"hash": func(c string) string { return "passwd: {users: [{name: a, passwordHash: $6$salt$" + c + "}]}\n" },
		"unit": func(c string) string {
			return "[Service]\nEnvironment='P={\"auths\":{\"a\":{\"auth\":\"" + c + "\"}}}'\n"
		},
	}
}

// spellings are ways to put a document into a text.
func spellings() map[string]func(string) string {
	return map[string]func(string) string{
		"plain": func(s string) string { return s }, "base64": encoded, "percents": func(s string) string { return "data:," + url.PathEscape(s) },
		"url": func(s string) string { return "data:text/plain;base64," + encoded(s) }, "gzip": func(s string) string { return "data:;base64," + encoded(zipped(s)) },
		"json": quotedJSON,
	}
}

// TestNoCredentialShows plants canaries in documents that texts hold, and looks for them in every
// format: where the reference asks to look inside, and where the report does so by itself.
func TestNoCredentialShows(t *testing.T) {
	besideOthers(t)
	dir := t.TempDir()
	canaries := map[string]string{}
	var left, right, perField strings.Builder
	n := 0
	documents, ways := credentials(), spellings()
	for _, what := range slices.Sorted(maps.Keys(documents)) {
		for _, how := range slices.Sorted(maps.Keys(ways)) {
			document, spell := documents[what], ways[how]
			canary := fmt.Sprintf("cnry%03dwxyz", n)
			n++
			key := what + "-" + how
			canaries[key] = canary
			fmt.Fprintf(&left, "  %s: %q\n", key, spell("a: 1\nb: 2\n"))
			fmt.Fprintf(&right, "  %s: %q\n", key, spell(document(canary)))
			for _, format := range []string{"text", "yaml", "json", "ini"}[n%4 : n%4+1] {
				fmt.Fprintf(&perField, "        - {pathToKey: data.%s, embedded: %s}\n", key, format)
			}
		}
	}
	const head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: b\ndata:\n"
	const metadata = "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    allOf:\n    - path: a.yaml\n"
	pack.Files(t, dir, map[string]string{
		"ref/a.yaml":        head + left.String(),
		"in/a.yaml":         head + right.String(),
		"ref/metadata.yaml": metadata,
		"ref/inside.yaml":   metadata + "      config:\n        perField:\n" + perField.String(),
	})
	in, words := filepath.Join(dir, "in"), canaryWords(t, canaries)
	for _, ref := range []string{filepath.Join(dir, "ref"), filepath.Join(dir, "ref", "inside.yaml")} {
		commands := [][]string{
			{"explain-match", ref, in, "ConfigMap/b/a"},
			{"-o", "overrides", "--override-reason", "x", ref, in},
		}
		for i, flags := range variants() {
			if i%3 == 0 {
				commands = append(commands, append(flags, ref, in))
			}
		}
		for _, args := range commands {
			_, out, errs := runIn(t, "", args...)
			words.noneIn(t, strings.Join(args, " "), out+errs)
		}
	}
	_, out, _ := runIn(t, "", "-o", "json", "--show-secrets", filepath.Join(dir, "ref"), in)
	if strings.Count(out, "cnry") < len(canaries) {
		t.Error("the canaries do not show where secrets are asked for")
	}
}
