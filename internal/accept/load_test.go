package accept_test

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/manifest"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

var all = flag.Bool("all", false, "try more of what is made up")

// rounds is how many made-up cases a test tries: n, but four times as many with -all, and few with -short.
func rounds(n int) int {
	switch {
	case *all:
		return 4 * n
	case testing.Short():
		return n / 4
	}
	return n
}

func load(t *testing.T, fsys fs.FS) (*refconfig.Reference, *render.Engine) {
	t.Helper()
	ref, problems := refconfig.Load(fsys, ".", refconfig.LoadOptions{})
	engine, more := render.Compile(ref)
	if len(problems)+len(more) > 0 {
		t.Fatal(problems, more)
	}
	return ref, engine
}

// files is a reference whose only component has one template, t.yaml; what an entry of it has besides the path stands behind a comma.
func files(template string, config ...string) fstest.MapFS {
	entry := strings.Join(append([]string{"path: t.yaml"}, config...), ", ")
	return fstest.MapFS{"t.yaml": {Data: []byte(template)},
		"metadata.yaml": {Data: []byte("apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{" + entry + "}]}]}]\n")}}
}

// runFiles compares the objects of a text with a reference of some files.
func runFiles(t *testing.T, fsys fs.FS, input string, opt compare.Options) *finding.Run {
	t.Helper()
	ref, engine := load(t, fsys)
	opt.Show.Expected = true
	res, err := compare.Run(context.Background(), ref, engine, compare.Collected{Objects: objects(t, "in.yaml", input)}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// objects reads the objects of a YAML text.
func objects(t *testing.T, name, text string) []*manifest.Object {
	t.Helper()
	c := manifest.Read(name, "", []byte(text), manifest.Hints{})
	if len(c.Problems) > 0 || len(c.Objects) == 0 {
		t.Fatalf("%s: %d objects, %v", name, len(c.Objects), c.Problems)
	}
	return c.Objects
}

// folders reads the CRs of some folders.
func folders(t *testing.T, names ...string) (in compare.Collected) {
	t.Helper()
	for _, name := range names {
		err := filepath.WalkDir(name, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			data, err := os.ReadFile(path)
			in.Objects = append(in.Objects, manifest.Read(path, "", data, manifest.Hints{}).Objects...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return in
}

// configMap is the text of a ConfigMap with some data.
func configMap(namespace, name string, data ...string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: " + namespace + ", name: " + name + "}\ndata: {" + strings.Join(data, ", ") + "}\n"
}

// lines writes differences as "category path".
func lines(differences []finding.Difference) string {
	var all []string
	for _, d := range differences {
		all = append(all, string(d.Category)+" "+d.Path)
	}
	return strings.Join(all, "\n")
}
