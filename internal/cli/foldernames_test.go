package cli

import (
	"math/rand/v2"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/input/collector"
)

// collectorsFolders returns folders to which collectors write CRs; Git repositories have such folders too.
func collectorsFolders() []string {
	return []string{
		"namespaces/app/core",
		"namespaces/app/apps/deployments",
		"namespaces/app",
		"x/namespaces/app/example.com/widgets",
		"cluster-scoped-resources/core",
		"cluster-scoped-resources/example.com/widgets",
		"yamls/cluster/v1",
		"yamls/namespaced/app/apps/v1",
		"cluster-resources/configmaps",
		"resources/configmaps/namespaces/app",
	}
}

// FuzzFolderNames gives a folder that no collector wrote the names of a collector's folders: the
// report stays the same.
func FuzzFolderNames(f *testing.F) {
	files := []string{
		"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  namespace: app\ndata:\n  x: right\n",
		"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  namespace: app\ndata:\n  x: right\n",
		"apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: b, namespace: app}\n",
		"apiVersion: v1\nkind: ConfigMapList\nitems: []\n",
		"apiVersion: v1\nkind: Status\nstatus: Failure\nreason: Forbidden\n",
		"error: You must be logged in to the server (Unauthorized)\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n",
		"resources: [a.yaml]\npatches: [{path: p.yaml}]\n",
		"replicas: {{ .Values.n }}\n",
		"", "\n", "---\n", "# nothing\n", "a: 1\n", "just a word\n", "\x00\x00",
	}
	names := []string{"b.yaml", "b.json", "settings.yaml", "values.yaml", "kustomization.yaml", "app.yaml", "b", "Kustomization", "b.yaml.off", "b.jsonl"}
	root := testkit.Folder(f, map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, allOf: [{path: a.yaml}, {path: b.yaml}]}]}]\n",
		"ref/a.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: app}\n",
		"ref/b.yaml":        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: app}\ndata: {x: right}\n",
	})
	seeds(f, 400)
	f.Fuzz(func(t *testing.T, seed uint64) {
		chance := rand.New(rand.NewPCG(seed, 2))
		text := files[chance.IntN(len(files))]
		if text != "" && chance.IntN(2) == 0 {
			from := chance.IntN(len(text))
			all := damages()
			text = string(all[chance.IntN(len(all))]([]byte(text), from, from+chance.IntN(len(text)-from)+1, chance))
		}
		name := names[chance.IntN(len(names))]
		if packed := strings.HasPrefix(text, "\x1f") || strings.HasPrefix(text, "\x00GIT"); packed && !collector.IsObjectName(name) {
			return // whether it should hold CRs is known only by its path
		}
		report := func(folder string) (status int, out string) {
			in := testkit.Folder(t, map[string]string{
				path.Join(folder, "a.yaml"): "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: app}\n",
				path.Join(folder, name):     text,
				"version.yaml":              "version: 1\n",
			})
			status, out, messages := run(t.Context(), IO{}, "-o", "json", filepath.Join(root, "ref"), in)
			out = strings.ReplaceAll(out+messages, in, "in")
			return status, strings.ReplaceAll(out, folder, "FOLDER")
		}
		folder := collectorsFolders()[chance.IntN(len(collectorsFolders()))]
		other := "some/folder"
		if folder > "version.yaml" { // the order of the files counts
			other = "xyz/folder"
		}
		plainStatus, plain := report(other)
		status, out := report(folder)
		if diff := cmp.Diff(plain, out); diff != "" || status != plainStatus {
			t.Errorf("%s/%s: %q: exit status %d, %d in a folder of another name%s", folder, name, text, status, plainStatus, diff)
		}
	})
}
