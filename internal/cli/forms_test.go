package cli

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/manifest"
	pack "github.com/validationtool/validationtool/internal/testkit"
	"github.com/validationtool/validationtool/internal/tree"
)

// inputFile is a file of an input that a test writes.
type inputFile struct{ name, text string }

// forms writes the same objects in one more way for each of its functions.
type forms struct {
	*rand.Rand
	objects []map[string]any
}

// all returns inputs of one or more files by the names of what is special about them.
func (w *forms) all() map[string][]inputFile {
	tree, json := w.each("%d.yaml", tree.YAML), w.each("%d.json", asJSON)
	nested := []inputFile{
		{
			"outer.tar",
			string(pack.Tar(pack.Entry{Name: "a/inner.tar.gz", Data: string(pack.GZ(pack.Tar(entries(tree)...)))})),
		},
	}
	items := w.list()["items"].([]any)
	return map[string][]inputFile{
		"a file each": tree,
		"other names": w.each("namespaces/x/%d/thing.yml", commented),
		"JSON":        json,
		"other style": w.each("%d.yaml", w.styled),
		"Windows line ends": w.each(
			"%d.yaml", func(v any) string { return strings.ReplaceAll(asYAML(v), "\n", "\r\n") },
		),
		"a byte order mark": w.each("%d.yaml", func(v any) string { return "\ufeff" + asYAML(v) }),
		"one file":          {{"all.yaml", w.documents(asYAML)}},
		"one file, styled":  {{"all.yaml", w.documents(w.styled)}},
		"a List":            {{"list.yaml", asYAML(w.list())}},
		"a List in JSON":    {{"list.json", asJSON(w.list())}},
		"a List, styled":    {{"list.yaml", w.styled(w.list())}},
		"Lists of some each": {
			{"a.yaml", asYAML(items[0])},
			{"b.json", asJSON(map[string]any{"apiVersion": "v1", "kind": "List", "items": items[1:]})},
		},
		"JSON one by one":     {{"all.json", w.lines()}},
		"tar":                 {{"in.tar", string(pack.Tar(entries(tree)...))}},
		"tar.gz":              {{"in.tar.gz", string(pack.GZ(pack.Tar(entries(json)...)))}},
		"zip":                 {{"in.zip", string(pack.Zip(zip.Deflate, entries(tree)...))}},
		"an archive in a tar": nested,
	}
}

// commented, asYAML and asJSON print a value as a file.
func commented(v any) string { return "# a comment\n---\n" + tree.YAML(v) + "---\n" }
func asYAML(v any) string    { return tree.YAML(v) }
func asJSON(v any) string    { text, _ := json.MarshalIndent(v, "", " "); return string(text) + "\n" }

func (w *forms) shuffled() []map[string]any {
	all := slices.Clone(w.objects)
	w.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

func (w *forms) each(name string, print func(any) string) []inputFile {
	var files []inputFile
	for i, o := range w.shuffled() {
		files = append(files, inputFile{fmt.Sprintf(name, i), print(o)})
	}
	return files
}

func (w *forms) documents(print func(any) string) string {
	var texts []string
	for _, o := range w.shuffled() {
		texts = append(texts, print(o))
	}
	return strings.Join(texts, "---\n")
}

func (w *forms) list() map[string]any {
	var items []any
	for _, o := range w.shuffled() {
		items = append(items, o)
	}
	return map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{}, "items": items}
}

func (w *forms) lines() string {
	var b strings.Builder
	for _, o := range w.shuffled() {
		b.WriteString(asJSON(o))
	}
	return b.String()
}

// styled writes a value as YAML in which nothing is as it usually is: keys in any order, some
// containers in flow style, other quotes, comments, and anchors for what stands there again.
func (w *forms) styled(v any) string {
	s := styler{Rand: w.Rand, anchors: map[string]string{}}
	s.block(v, "")
	return s.b.String()
}

type styler struct {
	*rand.Rand
	b       strings.Builder
	anchors map[string]string
}

func (s *styler) keys(m map[string]any) []string {
	keys := slices.Sorted(maps.Keys(m))
	s.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return keys
}

// block writes a value from the begin of a line on.
func (s *styler) block(v any, indent string) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range s.keys(v) {
			if s.IntN(9) == 0 {
				s.b.WriteString(indent + "# " + k + "\n\n")
			}
			s.b.WriteString(indent + s.scalar(k) + ":")
			s.value(v[k], indent+strings.Repeat(" ", 1+s.IntN(4)))
		}
	case []any:
		for _, x := range v {
			s.b.WriteString(indent + "-")
			s.value(x, indent+"  ")
		}
	}
}

// value writes a value behind a colon or a dash.
func (s *styler) value(v any, indent string) {
	m, isMap := v.(map[string]any)
	l, isList := v.([]any)
	if (isMap && len(m) > 0 || isList && len(l) > 0) && s.IntN(4) > 0 {
		s.b.WriteString("\n")
		s.block(v, indent)
		return
	}
	id := asJSON(v)
	if name, ok := s.anchors[id]; ok {
		s.b.WriteString(" *" + name + "\n")
		return
	}
	if len(id) > 8 && s.IntN(3) == 0 {
		s.anchors[id] = fmt.Sprintf("a%d", len(s.anchors))
		s.b.WriteString(" &" + s.anchors[id])
	}
	s.b.WriteString(" " + s.flow(v) + "\n")
}

func (s *styler) flow(v any) string {
	var parts []string
	switch v := v.(type) {
	case map[string]any:
		for _, k := range s.keys(v) {
			parts = append(parts, s.scalar(k)+": "+s.flow(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		for _, x := range v {
			parts = append(parts, s.flow(x))
		}
		return "[ " + strings.Join(parts, " ,") + " ]"
	}
	return s.scalar(v)
}

func (s *styler) scalar(v any) string {
	text, ok := v.(string)
	switch k := s.IntN(3); {
	case !ok || k == 0:
		return tree.ScalarOf(v)
	case k == 1 && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\ufeff' }):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return strings.TrimSpace(asJSON(text))
}

// entries are files as those of an archive.
func entries(files []inputFile) (all []pack.Entry) {
	for _, f := range files {
		all = append(all, pack.Entry{Name: f.name, Data: f.text})
	}
	return all
}

// eachExample calls f for every example, and for the published references where they are at hand.
func eachExample(t *testing.T, f func(t *testing.T, reference string, objects []map[string]any)) {
	shared := "../../../shared/conformance/"
	for _, c := range [][]string{
		{"../../examples/quickstart/reference", "../../examples/quickstart/cluster"},
		{"../../examples/annotations/reference", "../../examples/annotations/cluster"},
		{"../../examples/ran-du/reference", "../../examples/ran-du/cluster"},
		{shared + "references/core", shared + "inputs/core", shared + "inputs/core-defaults"},
		{shared + "references/hub", shared + "inputs/hub"},
	} {
		if _, err := os.Stat(c[0]); err != nil || testing.Short() && strings.HasPrefix(c[0], shared) {
			continue
		}
		t.Run(strings.TrimPrefix(filepath.ToSlash(c[0]), "../../"), func(t *testing.T) {
			f(t, c[0], objectsIn(t, c[1:]))
		})
	}
}

// objectsIn reads the objects of folders, of each identity one.
func objectsIn(t *testing.T, folders []string) []map[string]any {
	t.Helper()
	var objects []map[string]any
	seen := map[manifest.ID]bool{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") {
				return err
			}
			data, err := os.ReadFile(path)
			for _, o := range manifest.Read(path, "", data, manifest.Hints{}).Objects {
				v, err := o.Decode()
				if err != nil {
					return err
				}
				if !seen[o.ID] {
					objects = append(objects, v)
				}
				seen[o.ID] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return objects
}

// write writes an input, and returns what a user would name: the file if there is one, else the
// folder.
func write(t *testing.T, files []inputFile) string {
	t.Helper()
	texts := map[string]string{}
	for _, f := range files {
		texts[f.name] = f.text
	}
	folder := pack.Folder(t, texts)
	if len(files) == 1 {
		return filepath.Join(folder, files[0].name)
	}
	return folder
}

// placeless takes the places out of a report.
func placeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			switch k {
			case "source", "line", "place", "inputs":
			default:
				m[k] = placeless(x)
			}
		}
		return m
	case []any:
		l := []any{}
		for _, x := range v {
			// it hangs on the place whether a name is to be expected
			if w, _ := x.(map[string]any); w["code"] == "VT1011" {
				continue
			}
			l = append(l, placeless(x))
		}
		return l
	}
	return v
}

// TestTheFormOfTheInputDoesNotShow: the same objects in other files, archives, Lists, orders and
// styles come to the same report but for the places.
func TestTheFormOfTheInputDoesNotShow(t *testing.T) {
	besideOthers(t)
	eachExample(t, func(t *testing.T, reference string, objects []map[string]any) {
		w := &forms{rand.New(rand.NewPCG(7, uint64(len(objects)))), objects}
		report := func(files []inputFile) (int, any) {
			status, out, errs := outcome(reference, write(t, files), "-o", "json", "-A", "--show-expected")
			v, err := tree.FromJSON([]byte(out))
			if err != nil {
				t.Fatalf("status %d: %s%s", status, out, errs)
			}
			return status, placeless(v)
		}
		all := w.all()
		status, want := report(all["a file each"])
		for _, name := range slices.Sorted(maps.Keys(all)) {
			got, report := report(all[name])
			if got != status || !tree.Equal(report, want) {
				t.Errorf("%s: status %d, want %d; -want +got\n%s", name, got, status, cmp.Diff(want, report))
			}
		}
	})
}
