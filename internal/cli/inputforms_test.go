package cli

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/value/tree"
)

func asJSON(v any) string { text, _ := json.MarshalIndent(v, "", " "); return string(text) + "\n" }

// documents returns objects as one YAML file.
func documents(objects []map[string]any) string {
	var texts []string
	for _, o := range objects {
		texts = append(texts, tree.YAML(o))
	}
	return strings.Join(texts, "---\n")
}

// forms returns inputs with the same objects, as files of each input by the name of its form.
func forms(r *rand.Rand, objects []map[string]any) map[string]map[string]string {
	objects = slices.Clone(objects)
	r.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
	each := func(name string, print func(any) string) map[string]string {
		files := map[string]string{}
		for i, o := range objects {
			files[fmt.Sprintf(name, i)] = print(o)
		}
		return files
	}
	list := func(items []map[string]any) map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "List", "items": items}
	}
	tree, lines := each("%d.yaml", func(v any) string { return tree.YAML(v) }), ""
	for _, o := range objects {
		lines += asJSON(o)
	}
	return map[string]map[string]string{
		"a file each":         tree,
		"other names":         each("namespaces/x/%d/thing.yml", func(v any) string { return "# a comment\n---\n" + asJSON(v) + "---\n" }),
		"JSON":                each("%d.json", asJSON),
		"Windows line ends":   {"all.yaml": strings.ReplaceAll(documents(objects), "\n", "\r\n")},
		"a byte order mark":   each("%d.yaml", func(v any) string { return "\ufeff" + asJSON(v) }),
		"one file":            {"all.yaml": documents(objects)},
		"a List":              {"list.json": asJSON(list(objects))},
		"Lists of some each":  {"a.yaml": asJSON(list(objects[:1])), "b.json": asJSON(list(objects[1:]))},
		"JSON one by one":     {"all.json": lines},
		"tar.gz":              {"in.tar.gz": archived(tree)},
		"zip":                 {"in.zip": string(pack.Zip(zip.Deflate, entries(tree)...))},
		"an archive in a tar": {"outer.tar": string(pack.Tar(pack.Entry{Name: "a/inner.tar.gz", Data: archived(tree)}))},
	}
}

// eachExample calls f for every example, and with Whole for the published references if they are there.
func eachExample(t *testing.T, f func(t *testing.T, reference string, objects []map[string]any)) {
	shared := "../../../shared/conformance/"
	for _, c := range [][]string{
		{"../../examples/quickstart/reference", "../../examples/quickstart/cluster"},
		{"../../examples/annotations/reference", "../../examples/annotations/cluster"},
		{"../../examples/ran-du/reference", "../../examples/ran-du/cluster"},
		{shared + "references/core", shared + "inputs/core", shared + "inputs/core-defaults"},
		{shared + "references/hub", shared + "inputs/hub"},
	} {
		if _, err := os.Stat(c[0]); err != nil || !pack.Whole() && strings.HasPrefix(c[0], shared) {
			continue
		}
		t.Run(strings.TrimPrefix(filepath.ToSlash(c[0]), "../../"), func(t *testing.T) {
			f(t, c[0], objectsIn(t, c[1:]...))
		})
	}
}

// objectsIn reads the objects of folders, the first one of each identity.
func objectsIn(t *testing.T, folders ...string) []map[string]any {
	t.Helper()
	var objects []map[string]any
	seen := map[manifest.ID]bool{}
	for _, folder := range folders {
		for _, e := range folderEntries(t, folder) {
			if !strings.HasSuffix(e.Name, ".yaml") {
				continue
			}
			for _, o := range manifest.Read(e.Name, "", []byte(e.Data), manifest.Hints{}).Objects {
				v, err := o.Decode()
				must(err)
				if !seen[o.ID] {
					objects = append(objects, v)
				}
				seen[o.ID] = true
			}
		}
	}
	return objects
}

// placeless removes the locations from a report.
func placeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			_, isText := x.(string)
			switch k {
			case "source", "file", "entry", "line", "place", "inputs":
			default:
				if k != "cluster" || !isText { // a finding has the name of the input for that of the cluster
					m[k] = placeless(x)
				}
			}
		}
		return m
	case []any:
		l := []any{}
		for _, x := range v {
			// the place decides whether a name is expected, and which files a kustomization does not list
			if w, _ := x.(map[string]any); w["code"] == "VT1011" || w["code"] == "VT1062" {
				continue
			}
			l = append(l, placeless(x))
		}
		return l
	}
	return v
}

// TestPackingOfTheInputDoesNotChangeTheReport checks that the same objects give the same report in other
// files, archives, Lists and orders, apart from locations.
func TestPackingOfTheInputDoesNotChangeTheReport(t *testing.T) {
	besideOthers(t)
	eachExample(t, func(t *testing.T, reference string, objects []map[string]any) {
		r := rand.New(rand.NewPCG(7, uint64(len(objects))))
		report := func(files map[string]string) (int, any) {
			status, out, errs := outcome(reference, pack.Folder(t, files), "-o", "json", "-A", "--show-expected")
			v, err := tree.FromJSON([]byte(out))
			if err != nil {
				t.Fatalf("status %d: %s%s", status, out, errs)
			}
			return status, placeless(v)
		}
		status, want := report(map[string]string{"all.yaml": documents(objects)})
		for name, files := range forms(r, objects) {
			got, report := report(files)
			if got != status || !tree.Equal(report, want) {
				t.Errorf("%s: status %d, want %d; -want +got\n%s", name, got, status, cmp.Diff(want, report))
			}
		}
	})
}
