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

	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	pack "github.com/validationtool/validationtool/internal/testkit"
	"github.com/validationtool/validationtool/internal/tree"
)

// fixed runs the command with --output fix, and returns the folder and the report as a document.
func fixed(t *testing.T, reference string, objects []map[string]any) (string, *finding.Report) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "fix")
	_, out, errs := outcome("-o", "fix="+dir, "-o", "json", reference, inputOf(t, objects))
	r, err := finding.Read([]byte(out))
	if err != nil {
		t.Fatal(err, out, errs)
	}
	return dir, r
}

// inputOf writes objects as one file.
func inputOf(t *testing.T, objects []map[string]any) string {
	t.Helper()
	var text strings.Builder
	for _, o := range objects {
		text.WriteString("---\n" + tree.YAML(o))
	}
	return write(t, []inputFile{{name: "all.yaml", text: text.String()}})
}

// idOf is the identity of a decoded object.
func idOf(o map[string]any) finding.Object {
	objects := manifest.Read("o.yaml", "", []byte(tree.YAML(o)), manifest.Hints{}).Objects
	if len(objects) == 0 {
		return finding.Object{}
	}
	return finding.Object(objects[0].ID)
}

// withFiles puts the CRs that were written into some folders of a fix in the place of those of
// their identity, or beside them.
func withFiles(t *testing.T, dir string, objects []map[string]any, folders ...string) []map[string]any {
	t.Helper()
	all := slices.Clone(objects)
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(dir, folder)); err != nil {
			continue
		}
		for _, o := range objectsIn(t, []string{filepath.Join(dir, folder)}) {
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

// patchLine is a line of a script that patches a CR.
var patchLine = regexp.MustCompile(
	`^oc patch (?:--namespace='([^']*)' )?--type=merge --patch-file='([^']*)' -- '([^']*)' '([^']*)'$`,
)

// withPatches does what the script says with patches, by the library that implements the RFC.
func withPatches(t *testing.T, dir string, objects []map[string]any) []map[string]any {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(dir, "commands.sh"))
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Clone(objects)
	for line := range strings.Lines(string(script)) {
		found := patchLine.FindStringSubmatch(strings.TrimSpace(line))
		if found == nil {
			if strings.HasPrefix(line, "oc patch") {
				t.Errorf("a command of another form: %s", line)
			}
			continue
		}
		patch, err := os.ReadFile(filepath.Join(dir, found[2]))
		if err != nil {
			t.Fatal(err)
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
		if err != nil {
			t.Fatal(err)
		}
		is, err := jsonpatch.MergePatch(was, patch)
		if err != nil {
			t.Fatal(err)
		}
		v, err := tree.FromJSON(is)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = v.(map[string]any)
	}
	return all
}

// TestAFixLeadsToACompliantRun: where the CRs of an example are replaced by those that were
// written, or are patched, and the one value that nobody knows is given, the next run is compliant.
func TestAFixLeadsToACompliantRun(t *testing.T) {
	reference := "../../examples/ran-du/reference"
	objects := objectsIn(t, []string{"../../examples/ran-du/cluster"})
	dir, _ := fixed(t, reference, objects)
	given := func(objects []map[string]any) []map[string]any {
		for i, o := range objects {
			if id := idOf(o); id.Kind == "SriovNetwork" && id.Name == "midhaul" {
				patched := tree.Merge(o, map[string]any{"spec": map[string]any{"networkNamespace": "vdu"}})
				objects[i] = patched.(map[string]any)
			}
		}
		return objects
	}
	for name, after := range map[string][]map[string]any{
		"files":   given(withFiles(t, dir, objects, "crs", "missing", "incomplete")),
		"patches": given(withFiles(t, dir, withPatches(t, dir, objects), "missing")),
	} {
		if status, out, errs := outcome("--summary", reference, inputOf(t, after)); status != 0 ||
			!strings.Contains(out, "COMPLIANT") {
			t.Errorf("%s: exit status %d\n%s%s", name, status, out, errs)
		}
	}
	for _, o := range objectsIn(t, []string{filepath.Join(dir, "crs")}) {
		metadata := o["metadata"].(map[string]any)
		for _, key := range []string{"resourceVersion", "uid", "creationTimestamp", "generation", "managedFields"} {
			if _, has := metadata[key]; has {
				t.Errorf("%v has %s", idOf(o), key)
			}
		}
	}
}

// TestFixesOfRandomDriftsAgree: CRs that agree with a published reference are changed at random.
// After the fix they agree again, whether the files or the patches are taken, but for the fields
// that are told to be open.
func TestFixesOfRandomDriftsAgree(t *testing.T) {
	shared := "../../../shared/conformance/"
	if _, err := os.Stat(shared); err != nil || testing.Short() {
		t.Skip("the published references are not at hand, or it takes seconds")
	}
	reference := shared + "references/core"
	objects := objectsIn(t, []string{shared + "inputs/core"})
	_, before := fixed(t, reference, objects)
	var clean []int
	for i, o := range objects {
		if c := comparisonOf(before, idOf(o)); c != nil &&
			(c.Result == finding.Clean || c.Result == finding.OnlyExtra) &&
			idOf(o).Kind != "Secret" {
			clean = append(clean, i)
		}
	}
	drifted, whole := 0, 0
	for seed := uint64(0); drifted < 100 && seed < 40; seed++ {
		r := rand.New(rand.NewPCG(seed, 16))
		changed := slices.Clone(objects)
		for _, i := range clean {
			if r.IntN(3) == 0 {
				changed[i] = drift(r, changed[i], true).(map[string]any)
			}
		}
		dir, found := fixed(t, reference, changed)
		_, byFile := fixed(t, reference, withFiles(t, dir, changed, "crs", "incomplete"))
		_, byPatch := fixed(t, reference, withPatches(t, dir, changed))
		script, _ := os.ReadFile(filepath.Join(dir, "commands.sh"))
		for _, i := range clean {
			id := idOf(changed[i])
			if c := comparisonOf(found, id); c == nil || c.Result != finding.Drifted || c.Correlation.By == "nearest" {
				continue
			}
			drifted++
			open := openFields(string(script), id)
			if len(open) == 0 {
				whole++
			}
			for way, after := range map[string]*finding.Report{"files": byFile, "patches": byPatch} {
				c := comparisonOf(after, id)
				if c == nil {
					t.Errorf("seed %d: %v is not compared after the %s", seed, id, way)
					continue
				}
				for _, d := range c.Differences {
					if (d.Category == finding.Drift || d.Category == finding.Missing) && !covers(open, d.Path) {
						t.Errorf(
							"seed %d: after the %s there is still %s\n%s", seed, way, d.Words(), tree.YAML(changed[i]),
						)
					}
				}
			}
		}
	}
	t.Logf("%d drifting CRs, %d of them mended as a whole", drifted, whole)
	if drifted < 100 || whole < drifted/2 {
		t.Errorf("there were %d drifting CRs, and %d were mended as a whole", drifted, whole)
	}
}

// covers reports whether a path is one of some, or lies at, below or above one that is open.
func covers(open []string, path string) bool {
	return slices.ContainsFunc(
		open, func(o string) bool { return o == "." || strings.HasPrefix(path, o) || strings.HasPrefix(o, path) },
	)
}

// openFields are the fields that a script says to be left to the user.
func openFields(script string, o finding.Object) (open []string) {
	_, section, _ := strings.Cut(script, "# DRIFT  "+o.String()+"\n")
	section, _, _ = strings.Cut(section, "\n\n")
	for _, line := range strings.Split(section, "\n") {
		if text, is := strings.CutPrefix(line, "#   still to be given: "); is {
			path, _, _ := strings.Cut(text, ": ")
			open = append(open, path)
		}
	}
	return open
}

func comparisonOf(r *finding.Report, o finding.Object) *finding.Comparison {
	for _, run := range r.Runs {
		for _, c := range run.Comparisons {
			if c.Object == o {
				return c
			}
		}
	}
	return nil
}

// drift changes one field of a value at random: a scalar, a key or an item of a list, but nothing
// of the identity.
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

// TestNamesOfFilesAreSafe: whatever a CR is called, its files lie in the folder, none is written
// twice, and what the script says of it is read by a shell as one word, or as a comment.
func TestNamesOfFilesAreSafe(t *testing.T) {
	config := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n  namespace: %s\ndata:\n  a: b\n  e: \"\\x1b\\u202e\\u200b\"\n  list: [\"\\x1b\\u202e\\u200b\"]\n"
	names := []string{
		"../../up",
		"a'; touch gone; '",
		"A",
		"a",
		"a.",
		"-rf",
		"$(touch gone)",
		"a\nb",
		strings.Repeat("x", 400),
		"\x1b[2J",
		"con",
	}
	var in strings.Builder
	for _, n := range names {
		fmt.Fprintf(&in, "---\n"+config, tree.ScalarOf(n), tree.ScalarOf("n'\n touch gone\n"))
	}
	root := pack.Folder(t, map[string]string{
		"ref/metadata.yaml": "parts:\n- name: p\n  components:\n  - name: c\n    type: Optional\n    optionalTemplates:\n    - path: a.yaml\n",
		"ref/a.yaml": strings.Replace(
			fmt.Sprintf(config, "{{ .metadata.name | toJson }}", "{{ .metadata.namespace | toJson }}"),
			"a: b",
			"a: c\n  list: [x]",
			1,
		),
		"in/a.yaml": in.String(),
	})
	dir := filepath.Join(root, "out", "fix")
	_, _, errs := outcome("-o", "fix="+dir, filepath.Join(root, "ref"), filepath.Join(root, "in"))
	script, err := os.ReadFile(filepath.Join(dir, "commands.sh"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(string(script), "\x1b\u202e\u200b") {
		t.Errorf("the script has characters that a terminal acts on: %q", script)
	}
	seen := map[string]bool{}
	for _, folder := range []string{"crs", "patches", "incomplete"} {
		entries, _ := os.ReadDir(filepath.Join(dir, folder))
		for _, e := range entries {
			low := folder + "/" + strings.ToLower(e.Name())
			if seen[low] || len(e.Name()) > 200 ||
				strings.Trim(e.Name(), "abcdefghijklmnopqrstuvwxyz0123456789.-") != "" {
				t.Errorf("the file %q", low)
			}
			seen[low] = true
			text, _ := os.ReadFile(filepath.Join(dir, folder, e.Name()))
			if strings.ContainsAny(string(text), "\x1b\u202e\u200b") {
				t.Errorf("%s has characters that a terminal or a viewer acts on: %q", low, text)
			}
		}
	}
	if len(seen) < len(names) {
		t.Errorf("there are %d files: %v\n%s%s", len(seen), seen, errs, script)
	}
	for _, line := range strings.Split(outsideQuotes(string(script)), "\n") {
		if line != "" && line[0] != '#' &&
			!regexp.MustCompile(
				`^(set -eu|cd -- "\$\(dirname -- "\$0"\)"|oc patch [-a-z= Q]*|oc apply [-f Q]*)$`,
			).MatchString(line) {
			t.Errorf("a shell would run %q", line)
		}
	}
	if entries, _ := os.ReadDir(filepath.Join(root, "out")); len(entries) != 1 {
		t.Errorf("there is more than the folder: %v", entries)
	}
}

// outsideQuotes puts a Q in the place of each word in single quotes of the commands of a script.
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
