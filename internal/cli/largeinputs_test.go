package cli

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// level returns a ConfigMap that matches the template of this test. It drifts if the number is a
// multiple of 100.
func level(i int) string {
	value := "info"
	if i%100 == 0 {
		value = "debug"
	}
	return fmt.Sprintf(
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c%d, namespace: app}\ndata: {level: %s, text: %s}\n",
		i,
		value,
		strings.Repeat("x", 1500),
	)
}

// TestLargeInputsAreComparedWithDefaultLimits checks that inputs as collectors write them, a five-hundredth of
// the largest known ones, are compared completely with the default limits, however small their packed
// size is.
func TestLargeInputsAreComparedWithDefaultLimits(t *testing.T) {
	const count = 600
	t.Chdir(t.TempDir())
	pack.Files(t, ".", map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: cm.yaml}]}]}]\n",
		"ref/cm.yaml":       "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"{{ .metadata.name }}\", namespace: app}\ndata: {level: info, text: \"{{ .data.text }}\"}\n"})
	var crs, lines []string
	entry := func(name, data string) pack.Entry { return pack.Entry{Name: "mg/" + name, Data: data} }
	for i := range count {
		crs = append(crs, "---\n"+level(i))
		lines = append(lines, fmt.Sprintf(
			`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c%d", "namespace": "app"}, "data": {"level": "debug", "text": %q}}`+"\n",
			i, strings.Repeat("x", 3000),
		))
	}
	// They unpack to a thousand times what they take.
	logs := []pack.Entry{entry("namespaces/app/core/configmaps/a.yaml", level(1)), entry("namespaces/app/core/configmaps/b.yaml", level(100))}
	log := strings.Repeat("2026-11-23T10:00:00Z I0000 controller.go:123] an object is ready\n", 1<<14)
	for i := range 16 {
		logs = append(logs, entry(fmt.Sprintf("namespaces/app/pods/p%d/c/c/logs/current.log", i), log))
	}
	var gathered []pack.Entry
	for c := range 20 {
		inner := []pack.Entry{entry("version.yaml", fmt.Sprintf(
			"apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {clusterID: id-%d}\n", c,
		))}
		for i := range count / 20 {
			inner = append(inner, entry(fmt.Sprintf("namespaces/app/core/configmaps/c%d.yaml", i), level(i)))
		}
		gathered = append(gathered, pack.Entry{Name: fmt.Sprintf("mg%d.tar.gz", c), Data: string(pack.GZ(pack.Tar(inner...)))})
	}
	pack.Files(t, ".", map[string]string{
		"crs.yaml":    strings.Join(crs, ""),
		"lines.json":  strings.Join(lines, ""),
		"mgs.zip":     string(pack.Zip(zip.Deflate, gathered...)),
		"logs.tar.gz": string(pack.GZ(pack.Tar(logs...))),
	})
	for input, want := range map[string]string{
		"logs.tar.gz": "2 compared, 1 drift", "crs.yaml": "600 compared, 6 drift",
		"lines.json": "600 compared, 600 drift", "mgs.zip": "600 compared, 20 drift",
	} {
		status, out, errs := typed("--output json ref " + input)
		var report struct {
			Summary struct{ Verdict string }
			Runs    []struct {
				Summary struct{ Objects struct{ Compared, Drift int } }
			}
		}
		if err := json.Unmarshal([]byte(out), &report); err != nil {
			t.Fatalf("%s: %v %s", input, err, errs)
		}
		compared, drift := 0, 0
		for _, run := range report.Runs {
			compared += run.Summary.Objects.Compared
			drift += run.Summary.Objects.Drift
		}
		if got := fmt.Sprintf("%d compared, %d drift", compared, drift); status != 1 ||
			report.Summary.Verdict != "drift" ||
			got != want {
			t.Errorf("%s: exit status %d, %s, %s, want %s", input, status, report.Summary.Verdict, got, want)
		}
	}
}
