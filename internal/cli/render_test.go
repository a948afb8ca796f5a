package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// TestRenderWritesIntoItsFolderOnly renders in many ways, and finds nothing written but CRs in the
// folder that was named: all of them, or none.
func TestRenderWritesIntoItsFolderOnly(t *testing.T) {
	dir := t.TempDir()
	secret := "apiVersion: v1\nkind: Secret\nmetadata: {name: \"{{ .metadata.name }}\", namespace: app}\ndata: {a: \"{{ .data.a }}\"}\n"
	config := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"{{ .metadata.name }}\", namespace: app}\n"
	pack.Files(t, dir, map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: secret.yaml}, {path: config.yaml}]}]}]\n",
		"ref/secret.yaml":   secret, "ref/config.yaml": config,
		"values.yaml":   "secret.yaml: [{metadata: {name: s}, data: {a: eA==}}]\nconfig.yaml: [{metadata: {name: ../../up}}, {metadata: {name: a/b}}, {metadata: {name: x}}, {metadata: {name: X}}]\n",
		"open.yaml":     "config.yaml: [{metadata: {name: x}}, {}]\n",
		"full/a.txt":    "x",
		"in/n.yaml":     "{apiVersion: v1, kind: Namespace, metadata: {name: n}}",
		"taken/a.yaml":  "# Rendered by validationTool, from a.yaml\n",
		"linked/x.yaml": "x", "outside.yaml": "# Rendered by validationTool, from a.yaml\n",
	})
	if err := os.Symlink("../outside.yaml", filepath.Join(dir, "linked", "ConfigMap_app_x.yaml")); err != nil {
		t.Skip(err)
	}
	t.Chdir(dir)
	before := snapshot(t, dir)
	render := func(status int, want string, args ...string) {
		t.Helper()
		if got, out, errs := runIn(t, "", append([]string{"reference", "render", "ref"}, args...)...); got != status ||
			!strings.Contains(out+errs, want) {
			t.Errorf("%q: exit status %d, want %d with %q: %s", args, got, status, want, out+errs)
		}
	}
	render(2, "metadata.name", "--values", "open.yaml", "-o", "new")
	render(2, "is not empty", "--values", "values.yaml", "-o", "full")
	render(2, "is not empty", "--values", "values.yaml", "-o", "taken")
	render(2, "is in the way", "--values", "values.yaml", "-o", "linked", "--force")
	render(2, "VT2077", "--values", "values.yaml", "-o", "values.yaml")
	render(0, "kind: Secret", "--values", "values.yaml", "-o", "-")
	render(1, "does not match", "--values", "values.yaml", "--check", "in")
	after := snapshot(t, dir)
	delete(before, filepath.Join(dir, "linked")) // whose time is that of the last try
	delete(after, filepath.Join(dir, "linked"))
	if diff := cmp.Diff(before, after); diff != "" {
		t.Fatalf("something was changed (-before +after):\n%s", diff)
	}
	render(0, "5 CRs written to out/crs", "--values", "values.yaml", "-o", "out/crs")
	var names []string
	for name := range snapshot(t, filepath.Join(dir, "out", "crs")) {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(name, "Secret") && info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("the mode of %s is %v, want 0600", name, info.Mode())
		}
		if !info.IsDir() {
			names = append(names, "out/crs/"+filepath.Base(name))
		}
	}
	want := []string{
		"ConfigMap.core_app_x.yaml",
		"ConfigMap_app_%2E.%2F..%2Fup.yaml",
		"ConfigMap_app_X.yaml",
		"ConfigMap_app_a%2Fb.yaml",
		"Secret_app_s.yaml",
	}
	for i := range want {
		want[i] = "out/crs/" + want[i]
	}
	slices.Sort(names)
	slices.Sort(want)
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
