package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/value/tree"
)

// pooled is one cluster: its CRs in several parts, as they were collected. Some CRs in each part
// identify the cluster.
type pooled struct {
	name  string
	parts [][]map[string]any
}

// newPooled makes a cluster of some of the objects, some of them changed, in up to three parts.
// Each part has the same one to three CRs that identify the cluster. Every cluster has an
// Infrastructure, because only contradictions separate clusters.
func newPooled(r *rand.Rand, number int, objects []map[string]any) pooled {
	c := pooled{name: fmt.Sprintf("cluster-%d", number)}
	var own []map[string]any
	version := map[string]any{
		"apiVersion": "config.openshift.io/v1",
		"kind":       "ClusterVersion",
		"metadata":   map[string]any{"name": "version"},
		"spec":       map[string]any{},
	}
	for _, o := range objects {
		switch o["kind"] {
		case "ClusterVersion":
			version = tree.Copy(o).(map[string]any)
			continue
		case "Infrastructure":
			continue
		}
		if r.IntN(5) > 0 {
			own = append(own, damagedInput(r, o, r.IntN(3)))
		}
	}
	spec, _ := version["spec"].(map[string]any)
	delete(spec, "clusterID")
	telling := []map[string]any{
		{
			"apiVersion": "v1",
			"kind":       "Namespace",
			"metadata":   map[string]any{"name": "kube-system", "uid": c.name + "-uid"},
		},
		{
			"apiVersion": "config.openshift.io/v1",
			"kind":       "Infrastructure",
			"metadata":   map[string]any{"name": "cluster"},
			"status":     map[string]any{"infrastructureName": c.name + "-infra"},
		},
	}
	if r.IntN(2) == 0 {
		spec["clusterID"] = c.name + "-id"
		telling = append(telling, version)
	}
	telling = telling[r.IntN(2):]
	for range 1 + r.IntN(3) {
		c.parts = append(c.parts, slices.Clone(telling))
	}
	for _, o := range own {
		at := r.IntN(len(c.parts))
		c.parts[at] = append(c.parts[at], o)
	}
	return c
}

// plainFiles returns the CRs of a part as files of a folder.
func plainFiles(folder string, part []map[string]any) map[string]string {
	files := map[string]string{}
	for i, o := range part {
		files[fmt.Sprintf("%s/a/%d.yaml", folder, i)] = tree.YAML(o)
	}
	return files
}

func gatheredFiles(folder string, part []map[string]any) map[string]string {
	files := map[string]string{}
	for i, o := range part {
		metadata, _ := o["metadata"].(map[string]any)
		scope := "cluster-scoped-resources"
		if namespace, _ := metadata["namespace"].(string); namespace != "" {
			scope = "namespaces/" + namespace
		}
		files[fmt.Sprintf("%s/%s/x.example.com/%s/%d.yaml", folder, scope, strings.ToLower(fmt.Sprint(o["kind"]))+"s", i)] = tree.YAML(
			o,
		)
	}
	return files
}

// entries returns files as entries of an archive.
func entries(files map[string]string) (all []pack.Entry) {
	for _, name := range tree.Keys(files) {
		all = append(all, pack.Entry{Name: name, Data: files[name]})
	}
	return all
}

// archived packs files into a tar archive.
func archived(files map[string]string) string { return string(pack.GZ(pack.Tar(entries(files)...))) }

// pool writes the parts of clusters into a folder in one of several ways, and returns the inputs.
func pool(t *testing.T, dir string, way int, clusters []pooled) []string {
	t.Helper()
	var inputs []string
	all := map[string]string{}
	for n, c := range clusters {
		for i, part := range c.parts {
			folder := fmt.Sprintf("%s.%d", c.name, i)
			switch way {
			case 0: // each part is an input, plain
				maps.Copy(all, plainFiles(folder, part))
				inputs = append(inputs, filepath.Join(dir, folder))
			case 1: // each part is an input, an archive
				all[folder+".tar.gz"] = archived(plainFiles(folder, part))
				inputs = append(inputs, filepath.Join(dir, folder+".tar.gz"))
			case 2: // folders beside each other in one input
				maps.Copy(all, plainFiles("in/"+folder, part))
			case 3: // archives beside each other in one input
				all["in/"+folder+".tar.gz"] = archived(plainFiles(folder, part))
			case 4: // the clusters are hosted in the first
				below := "in/must-gather.local.1/quay-sha256-1"
				if n > 0 {
					below += "/hostedcluster-" + folder
				} else if i > 0 {
					below = fmt.Sprintf("in/must-gather.local.1/quay-sha256-%d", i+1)
				}
				maps.Copy(all, gatheredFiles(below, part))
			case 5: // a file a part
				all["in/"+folder+".yaml"] = documents(part)
			}
		}
	}
	pack.Files(t, dir, all)
	if inputs == nil {
		inputs = []string{filepath.Join(dir, "in")}
	}
	return inputs
}

// runsOf compares inputs and returns the result of each cluster by its name, without locations and
// numbers of copies.
func runsOf(t *testing.T, reference string, inputs []string) (status int, runs map[string]any) {
	t.Helper()
	status, out, errs := outcome(append([]string{reference, "-o", "json", "--show-expected", "-A"}, inputs...)...)
	var doc struct{ Runs []map[string]any }
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("status %d: %s%s", status, out, errs)
	}
	runs = map[string]any{}
	for _, run := range doc.Runs {
		name := "nobody"
		for i := range 9 {
			if text := fmt.Sprint(run); strings.Contains(text, fmt.Sprintf("cluster-%d", i)) {
				name = fmt.Sprintf("cluster-%d", i)
			}
		}
		if runs[name] != nil {
			t.Errorf("there are two runs of %s", name)
		}
		objects := run["summary"].(map[string]any)["objects"].(map[string]any)
		delete(objects, "read")
		delete(objects, "copies")
		delete(run, "warnings") // some are about places
		runs[name] = placeless(run)
	}
	return status, runs
}

// TestPooledClusters checks that the result of each cluster is the same alone and among others,
// whatever the packing and the order of the inputs, and that the worst exit status counts. Reading
// inputs in parallel must not change the report.
func TestPooledClusters(t *testing.T) {
	besideOthers(t)
	eachExample(t, func(t *testing.T, reference string, objects []map[string]any) {
		if strings.Contains(reference, "shared") {
			return // these take long, and add nothing
		}
		r := rand.New(rand.NewPCG(10, uint64(len(objects))))
		for way := range 6 {
			clusters := make([]pooled, 2+r.IntN(3))
			want, worst := map[string]any{}, 0
			for i := range clusters {
				clusters[i] = newPooled(r, i, objects)
				status, alone := runsOf(t, reference, pool(t, t.TempDir(), way, clusters[i:i+1]))
				worst = max(worst, status)
				want[clusters[i].name] = alone[clusters[i].name]
			}
			inputs := pool(t, t.TempDir(), way, clusters)
			args := append([]string{reference, "-v", "--jobs", "1"}, inputs...)
			_, want1, errs1 := outcome(args...)
			args[3] = "8"
			if _, out, errs := outcome(args...); out != want1 || errs != errs1 {
				t.Errorf("way %d: 8 jobs make another report: %s%s", way, cmp.Diff(want1, out), errs)
			}
			for range 2 {
				status, got := runsOf(t, reference, inputs)
				if diff := cmp.Diff(want, got); diff != "" || status != worst {
					t.Fatalf(
						"way %d, %d clusters: status %d, want %d; -alone +pooled\n%s",
						way,
						len(clusters),
						status,
						worst,
						diff,
					)
				}
				r.Shuffle(len(inputs), func(i, j int) { inputs[i], inputs[j] = inputs[j], inputs[i] })
			}
		}
	})
}
