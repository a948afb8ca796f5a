package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRenderWritesIntoItsFolderOnly renders in many ways, and checks that only CRs in the named
// folder are written: all of them or none.
func TestRenderWritesIntoItsFolderOnly(t *testing.T) {
	inFolder(t, `
-- ref/metadata.yaml --
apiVersion: v2
parts: [{name: p, components: [{name: c, anyOf: [{path: secret.yaml}, {path: config.yaml}]}]}]
-- ref/secret.yaml --
apiVersion: v1
kind: Secret
metadata: {name: "{{ .metadata.name }}", namespace: app}
data: {a: "{{ .data.a }}"}
-- ref/config.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .metadata.name }}", namespace: app}
-- values.yaml --
secret.yaml: [{metadata: {name: s}, data: {a: eA==}}]
config.yaml: [{metadata: {name: ../../up}}, {metadata: {name: a/b}}, {metadata: {name: x}}, {metadata: {name: X}}]
-- open.yaml --
config.yaml: [{metadata: {name: x}}, {}]
-- full/a.txt --
x
-- in/n.yaml --
{apiVersion: v1, kind: Namespace, metadata: {name: n}}
-- taken/a.yaml --
# Rendered by validationTool, from a.yaml
-- linked/x.yaml --
x
-- outside.yaml --
# Rendered by validationTool, from a.yaml
`)
	link(t, map[string]string{filepath.Join("linked", "ConfigMap_app_x.yaml"): "../outside.yaml"})
	before := snapshot(t, ".")
	render := func(status int, want, line string) {
		t.Helper()
		if got, out, errs := typed("render ref --values " + line); got != status || !strings.Contains(out+errs, want) {
			t.Errorf("%q: exit status %d, want %d with %q: %s", line, got, status, want, out+errs)
		}
	}
	render(2, "metadata.name", "open.yaml -o new")
	render(2, "is not empty", "values.yaml -o full")
	render(2, "is not empty", "values.yaml -o taken")
	render(2, "is in the way", "values.yaml -o linked --force")
	render(2, "VT2077", "values.yaml -o values.yaml")
	render(0, "kind: Secret", "values.yaml -o -")
	render(1, "does not match", "values.yaml --check in")
	after := snapshot(t, ".")
	delete(before, "linked") // whose time is that of the last try
	delete(after, "linked")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Fatalf("something was changed (-before +after):\n%s", diff)
	}
	render(0, "5 CRs written to out/crs", "values.yaml -o out/crs")
	names := ""
	for _, e := range folderEntries(t, "out") {
		names += e.Name + "\n"
	}
	want := `crs/ConfigMap.core_app_x.yaml
crs/ConfigMap_app_%2E.%2F..%2Fup.yaml
crs/ConfigMap_app_X.yaml
crs/ConfigMap_app_a%2Fb.yaml
crs/Secret_app_s.yaml
`
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if info, err := os.Stat("out/crs/Secret_app_s.yaml"); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("the mode of a Secret is %v, want 0600", info.Mode())
	}
}
