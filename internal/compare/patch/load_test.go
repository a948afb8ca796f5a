package patch_test

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/dev/given"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// files is a reference whose only component has one template, t.yaml; what an entry of it has
// besides the path stands behind a comma.
func files(template string, config ...string) fstest.MapFS {
	entry := strings.Join(append([]string{"path: t.yaml"}, config...), ", ")
	return fstest.MapFS{"t.yaml": {Data: []byte(template)},
		"metadata.yaml": {
			Data: []byte("apiVersion: v2\nparts: [{name: P, components: [{name: C, anyOf: [{" + entry + "}]}]}]\n"),
		}}
}

// runFiles compares the objects of a text with a reference of some files.
func runFiles(t *testing.T, fsys fs.FS, input string, opt compare.Options) *finding.Run {
	t.Helper()
	ref, engine := given.Load(t, fsys, "")
	opt.Show.Expected = true
	return run(t, ref, engine, compare.Collected{Objects: given.Objects(t, "in.yaml", input)}, opt)
}

func run(
	t *testing.T, ref *refconfig.Reference, engine *render.Engine, in compare.Collected, opt compare.Options,
) *finding.Run {
	t.Helper()
	res, err := compare.Run(context.Background(), ref, engine, in, opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// configMap is the text of a ConfigMap with some data.
func configMap(namespace, name string, data ...string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: " + namespace + ", name: " + name + "}\ndata: {" + strings.Join(
		data, ", ",
	) + "}\n"
}

// lines writes differences as "category path".
func lines(differences []finding.Difference) string {
	var all []string
	for _, d := range differences {
		all = append(all, string(d.Category)+" "+d.Path)
	}
	return strings.Join(all, "\n")
}
