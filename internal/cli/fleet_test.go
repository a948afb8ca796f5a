package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// fleetReference asks for what fleets of fleetInputs have some of.
func fleetReference() map[string]string {
	return map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts:\n- name: p\n  components:\n  - name: c\n    allOf:\n    - path: ns.yaml\n    - path: cm.yaml\n",
		"ref/ns.yaml":       "apiVersion: v1\nkind: Namespace\nmetadata: {name: app, uid: \"{{ .metadata.uid }}\"}\n",
		"ref/cm.yaml":       "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: app}\ndata: {level: info}\n",
	}
}

// telling are CRs that tell some cluster, in part.
func telling(r *rand.Rand, n int) string {
	var all []string
	if r.IntN(3) > 0 {
		all = append(all, fmt.Sprintf(
			"apiVersion: config.openshift.io/v1\nkind: Infrastructure\nmetadata: {name: cluster}\nstatus: {infrastructureName: site-%d}\n",
			n,
		))
	}
	if r.IntN(3) > 0 || len(all) == 0 {
		all = append(all, fmt.Sprintf(
			"apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {clusterID: id-%d}\n",
			n,
		))
	}
	if r.IntN(4) == 0 {
		all = append(
			all, fmt.Sprintf("apiVersion: v1\nkind: Namespace\nmetadata: {name: kube-system, uid: system-%d}\n", n),
		)
	}
	return strings.Join(all, "---\n")
}

// content are CRs that tell nothing of their cluster, but for their UIDs.
func content(r *rand.Rand, n int) string {
	all := []string{"apiVersion: v1\nkind: Event\nmetadata: {name: e, namespace: app}\n"}
	if r.IntN(3) > 0 {
		all = append(all, fmt.Sprintf("apiVersion: v1\nkind: Namespace\nmetadata: {name: app, uid: app-%d}\n", n))
	}
	if r.IntN(3) > 0 {
		all = append(all, fmt.Sprintf(
			"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: app, uid: cm-%d}\ndata: {level: %s}\n",
			n,
			[]string{"info", "debug", "[broken"}[min(2, r.IntN(8)/2)],
		))
	}
	return strings.Join(all, "---\n")
}

// fleetInput writes an input of one of several sorts, which says something of one or two of a few
// clusters, and returns its path.
func fleetInput(t *testing.T, r *rand.Rand, dir string, number, clusters int) string {
	n, m := r.IntN(clusters), r.IntN(clusters)
	path := filepath.Join(dir, fmt.Sprintf("in%d", number))
	const scoped = "/cluster-scoped-resources/config.openshift.io/x.yaml"
	files := map[string]string{}
	switch r.IntN(12) {
	case 0, 1, 2: // a cluster
		files["x/a.yaml"], files["b.yaml"] = telling(r, n), content(r, n)
	case 3: // an archive of one
		return writeArchive(
			t, path+".tar.gz", archived(map[string]string{"x/a.yaml": telling(r, n), "x/b.yaml": content(r, n)}), 0,
		)
	case 4: // an archive that is cut short
		return writeArchive(
			t,
			path+".tar.gz",
			archived(
				map[string]string{"x/a.yaml": telling(r, n), "x/b.yaml": content(r, n), "x/c.yaml": content(r, n)},
			),
			30+r.IntN(300),
		)
	case 5: // images of one must-gather, of which one tells nothing and can have the CRs of another cluster
		files["mg/img-sha256-1"+scoped], files["mg/img-sha256-1/namespaces/app/a.yaml"] = telling(r, n), content(r, n)
		files["mg/img-sha256-2/namespaces/app/core/b.yaml"] = content(r, m)
		files["mg/timestamp"] = fmt.Sprintf("2024-09-17 11:02:0%d +0000 UTC m=+0.2\n", n%10)
	case 6: // clusters beside each other
		files["east/a.yaml"], files["east/b.yaml"], files["west/a.yaml"], files["west/b.yaml"] = telling(
			r, n,
		), content(r, n), telling(r, m), content(r, m)
	case 7: // a hosted cluster
		files["mg/img-sha256-1"+scoped], files["mg/img-sha256-1/hostedcluster-h"+scoped] = telling(r, n), telling(r, m)
		files["mg/img-sha256-1/hostedcluster-h/namespaces/app/a.yaml"] = content(r, m)
	case 8: // what tells nothing
		if r.IntN(3) == 0 {
			files["b.yaml"] = content(r, n)
		} else {
			files["a.yaml"] = telling(r, n)
		}
	case 9: // two clusters in one file
		files["a.yaml"] = telling(r, n) + "---\n" + telling(r, m)
	case 10: // nothing
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	case 11: // a file
		pack.Files(
			t,
			dir,
			map[string]string{filepath.Base(path) + ".yaml": []string{telling(r, n), "no: CR\n", "a: [\n"}[r.IntN(3)]},
		)
		return path + ".yaml"
	}
	pack.Files(t, path, files)
	return path
}

// writeArchive writes a file, of which the end can be cut off.
func writeArchive(t *testing.T, path, data string, cut int) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(data[:len(data)-min(cut, len(data)-1)]), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestJobsDoNotShow: several inputs that are read at a time come to the same bytes as one after the
// other, whatever is one cluster with what.
func TestJobsDoNotShow(t *testing.T) {
	besideOthers(t)
	r := rand.New(rand.NewPCG(13, 1))
	several := 0
	for range 60 {
		dir := t.TempDir()
		pack.Files(t, dir, fleetReference())
		clusters := 1 + r.IntN(8)
		args := []string{filepath.Join(dir, "ref")}
		for i := range 2 + r.IntN(5) {
			args = append(args, fleetInput(t, r, dir, i, clusters))
		}
		args = append(
			args,
			[][]string{{"-o", "json", "-v"}, {"-o", "json", "-A"}, {"-v"}, {"--skip-unreadable", "--summary"}, {"--cluster", "*-0"}, {"--limit", "objects=12"},
				{"--limit", "entries=1"}, {"-o", "overrides", "--override-reason", "x"}}[r.IntN(8)]...)
		status, out, errs := outcome(append(args, "--jobs", "1")...)
		if strings.Contains(out, "Found in several") {
			several++
		}
		for _, jobs := range []string{"2", "8"} {
			gotStatus, got, gotErrs := outcome(append(args, "--jobs", jobs)...)
			if gotStatus != status || got != out || gotErrs != errs {
				t.Fatalf(
					"%v --jobs %s: status %d, one by one %d\n%s%s\n--- one by one\n%s%s",
					args,
					jobs,
					gotStatus,
					status,
					got,
					gotErrs,
					out,
					errs,
				)
			}
		}
	}
	if several == 0 {
		t.Error("no clusters had anything in common")
	}
}
