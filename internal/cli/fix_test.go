package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/saved"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// fixed runs the command with --output fix, and returns the folder and the report.
func fixed(t *testing.T, reference string, objects []map[string]any) (string, *finding.Report) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "fix")
	_, out, errs := fed(documents(objects), "-o", "fix="+dir, "-o", "json", reference, "-")
	r, err := saved.Read([]byte(out))
	if err != nil {
		t.Fatal(err, out, errs)
	}
	return dir, r
}

// idOf returns the identity of a decoded object.
func idOf(o map[string]any) finding.Object {
	objects := manifest.Read("o.yaml", "", []byte(tree.YAML(o)), manifest.Hints{}).Objects
	if len(objects) == 0 {
		return finding.Object{}
	}
	return finding.Object(objects[0].ID)
}

// withFiles replaces objects by the CRs in some folders of a fix, and adds CRs that are new.
func withFiles(t *testing.T, dir string, objects []map[string]any, folders ...string) []map[string]any {
	t.Helper()
	all := slices.Clone(objects)
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(dir, folder)); err != nil {
			continue
		}
		for _, o := range objectsIn(t, filepath.Join(dir, folder)) {
			id := idOf(o)
			if i := slices.IndexFunc(all, func(x map[string]any) bool { return idOf(x) == id }); i >= 0 {
				all[i] = o
				continue
			}
			all = append(all, o)
		}
	}
	return all
}

// patchLine matches a line of a script that patches a CR.
var patchLine = regexp.MustCompile(
	`^oc patch (?:--namespace='([^']*)' )?--type=merge --patch-file='([^']*)' -- '([^']*)' '([^']*)'$`,
)

// withPatches applies the patches of the script with a library that implements the RFC.
func withPatches(t *testing.T, dir string, objects []map[string]any) []map[string]any {
	t.Helper()
	all := slices.Clone(objects)
	for line := range strings.Lines(read(t, filepath.Join(dir, "commands.sh"))) {
		found := patchLine.FindStringSubmatch(strings.TrimSpace(line))
		if found == nil {
			if strings.HasPrefix(line, "oc patch") {
				t.Errorf("a command of another form: %s", line)
			}
			continue
		}
		i := slices.IndexFunc(all, func(x map[string]any) bool {
			id := idOf(x)
			group, version, grouped := strings.Cut(id.APIVersion, "/")
			kind := id.Kind
			if grouped {
				kind += "." + version + "." + group
			}
			return kind == found[3] && id.Namespace == found[1] && id.Name == found[4]
		})
		if i < 0 {
			t.Fatalf("%s: there is no such CR", line)
		}
		was, err := json.Marshal(all[i])
		must(err)
		is, err := jsonpatch.MergePatch(was, []byte(read(t, filepath.Join(dir, found[2]))))
		must(err)
		v, err := tree.FromJSON(is)
		must(err)
		all[i] = v.(map[string]any)
	}
	return all
}

// TestFixesLeadBack changes CRs of the examples at random. After the fix they must agree with the
// reference, with the files and with the patches, except for fields that the script leaves to the
// user.
func TestFixesLeadBack(t *testing.T) {
	besideOthers(t)
	drifted, whole := 0, 0
	eachExample(t, func(t *testing.T, reference string, objects []map[string]any) {
		for seed := range uint64(4) {
			r := rand.New(rand.NewPCG(seed, 16))
			changed := slices.Clone(objects)
			for i := range changed {
				if seed > 0 && r.IntN(3) == 0 {
					changed[i] = drift(r, changed[i], true).(map[string]any)
				}
			}
			dir, found := fixed(t, reference, changed)
			script := read(t, filepath.Join(dir, "commands.sh"))
			for _, c := range found.Runs[0].Comparisons {
				if c.Result == finding.Drifted {
					drifted++
					whole += 1 - min(1, len(openFields(script, c.Object)))
				}
			}
			for way, after := range map[string][]map[string]any{
				"files":   withFiles(t, dir, changed, "crs", "missing", "incomplete"),
				"patches": withFiles(t, dir, withPatches(t, dir, changed), "missing"),
			} {
				_, report := fixed(t, reference, after)
				for _, c := range report.Runs[0].Comparisons {
					for _, d := range c.Differences {
						if (d.Category == finding.Drift || d.Category == finding.Missing) && !covers(openFields(script, c.Object), d.Path) {
							t.Errorf("seed %d: after the %s, %s has %s", seed, way, c.Object, d.Words())
						}
					}
				}
			}
		}
	})
	if drifted < 40 || whole < drifted/2 {
		t.Errorf("there were %d drifting CRs, and %d were mended as a whole", drifted, whole)
	}
}

// covers reports whether a path is one of the open paths, or above or below one of them.
func covers(open []string, path string) bool {
	return slices.ContainsFunc(
		open, func(o string) bool { return o == "." || strings.HasPrefix(path, o) || strings.HasPrefix(o, path) },
	)
}

// openFields returns the fields that a script leaves to the user, or "." for all fields.
func openFields(script string, o finding.Object) (open []string) {
	_, section, _ := strings.Cut(script, "# DRIFT  "+o.String()+"\n")
	section, _, _ = strings.Cut(section, "\n\n")
	for line := range strings.SplitSeq(section, "\n") {
		if text, is := strings.CutPrefix(line, "#   still to be given: "); is {
			path, _, _ := strings.Cut(text, ": ")
			open = append(open, path)
		} else if strings.Contains(line, "held back: ") || strings.Contains(line, "the API server refuses to change ") {
			open = append(open, ".")
		}
	}
	return open
}

// drift changes one field of a value at random: a scalar, a key or a list item, but not the
// identity.
func drift(r *rand.Rand, v any, root bool) any {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.DeleteFunc(tree.Keys(v), func(k string) bool {
			return root && slices.Contains([]string{"apiVersion", "kind", "metadata", "status"}, k)
		})
		if len(keys) == 0 {
			return v
		}
		k := keys[r.IntN(len(keys))]
		out := map[string]any{}
		for key, x := range v {
			out[key] = x
		}
		if r.IntN(6) == 0 {
			delete(out, k)
			return out
		}
		out[k] = drift(r, v[k], false)
		return out
	case []any:
		if len(v) == 0 {
			return []any{"more"}
		}
		out, i := slices.Clone(v), r.IntN(len(v))
		switch r.IntN(5) {
		case 0:
			return slices.Delete(out, i, i+1)
		case 1:
			out[i], out[0] = out[0], out[i]
			return out
		}
		out[i] = drift(r, v[i], false)
		return out
	case bool:
		return !v
	case string:
		return []any{v + "x", "other", int64(7)}[r.IntN(3)]
	case int64:
		return v + 1
	}
	return "other"
}

// TestNamesOfFilesAreSafe checks CRs with hostile names: their files must be in the folder, with
// different names, and a shell must read the names in the script as single words or comments.
func TestNamesOfFilesAreSafe(t *testing.T) {
	const config = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n  namespace: %s\ndata:\n  a: b\n  e: \"\\x1b\\u202e\\u200b\"\n  list: [\"\\x1b\\u202e\\u200b\"]\n"
	names := []string{
		"../../up", "a'; touch gone; '", "A", "a", "a.", "-rf", "$(touch gone)", "a\nb", strings.Repeat("x", 400), "\x1b[2J", "con",
	}
	in := ""
	for _, n := range names {
		in += fmt.Sprintf("---\n"+config, tree.ScalarOf(n), tree.ScalarOf("n'\n touch gone\n"))
	}
	template := fmt.Sprintf(config, "{{ .metadata.name | toJson }}", "{{ .metadata.namespace | toJson }}")
	t.Chdir(pack.Folder(t, map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: a.yaml}]}]}]\n",
		"ref/a.yaml":        strings.Replace(template, "a: b", "a: c\n  list: [x]", 1),
		"in/a.yaml":         in,
	}))
	typed("-o fix=out/fix ref in")
	seen := map[string]bool{}
	for _, e := range folderEntries(t, "out") {
		low := strings.ToLower(e.Name)
		if seen[low] || len(e.Name) > 200 || strings.Trim(e.Name, "abcdefghijklmnopqrstuvwxyz0123456789.-/") != "" || !strings.HasPrefix(e.Name, "fix/") {
			t.Errorf("the file %q", low)
		}
		seen[low] = true
		if strings.ContainsAny(e.Data, "\x1b\u202e\u200b") {
			t.Errorf("%s has characters that a terminal or a viewer acts on: %q", low, e.Data)
		}
	}
	script := read(t, "out/fix/commands.sh")
	if len(seen) < len(names) {
		t.Errorf("there are %d files: %v\n%s", len(seen), seen, script)
	}
	ours := regexp.MustCompile(`^(#.*|oc patch [-a-z= Q]*|oc apply [-f Q]*)?$`)
	around := []string{
		"set -u", `cd -- "$(dirname -- "$0")" || exit`, `failed=0; oc() { command oc "$@" || failed=$((failed + 1)); }`,
		`[ "$failed" -eq 0 ] || { echo "$failed of the commands failed, see above" >&2; exit 1; }`,
	}
	for line := range strings.SplitSeq(outsideQuotes(script), "\n") {
		if !ours.MatchString(line) && !slices.Contains(around, line) {
			t.Errorf("a shell would run %q", line)
		}
	}
}

// outsideQuotes replaces each word in single quotes in the commands of a script by a Q.
func outsideQuotes(script string) string {
	var out strings.Builder
	for len(script) > 0 {
		switch {
		case script[0] == '#':
			line, rest, _ := strings.Cut(script, "\n")
			out.WriteString(line + "\n")
			script = rest
		case script[0] == '\'':
			_, rest, _ := strings.Cut(script[1:], "'")
			script = strings.TrimPrefix(rest, `\'`)
			out.WriteByte('Q')
		default:
			out.WriteByte(script[0])
			script = script[1:]
		}
	}
	return out.String()
}
