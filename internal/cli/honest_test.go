package cli

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/testkit"
)

// level is a ConfigMap that the reference of these tests has a template for. It drifts where the
// number is a multiple of 100.
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

// TestHonestInputsAreAnswered: inputs as collectors write them, a hundredth of the largest that
// were met, are compared as a whole with the default limits, however few bytes they are packed in.
func TestHonestInputsAreAnswered(t *testing.T) {
	const count = 3000
	dir := t.TempDir()
	pack.Files(t, dir, map[string]string{
		"ref/metadata.yaml": "apiVersion: v2\nparts: [{name: p, components: [{name: c, anyOf: [{path: cm.yaml}]}]}]\n",
		"ref/cm.yaml":       "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"{{ .metadata.name }}\", namespace: app}\ndata: {level: info, text: \"{{ .data.text }}\"}\n"})
	at := func(name string) string { return filepath.Join(dir, name) }
	logs(t, at("logs.tar.gz"), 200<<20)
	var crs, lines strings.Builder
	for i := range count {
		crs.WriteString("---\n" + level(i))
		fmt.Fprintf(
			&lines,
			`{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c%d", "namespace": "app"}, "data": {"level": "debug", "text": %q}}`+"\n",
			i,
			strings.Repeat("x", 3000),
		)
	}
	var gathered []pack.Entry
	for c := range 20 {
		inner := []pack.Entry{
			{
				Name: "mg/version.yaml",
				Data: fmt.Sprintf(
					"apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nspec: {clusterID: id-%d}\n",
					c,
				),
			},
		}
		for i := range count / 20 {
			inner = append(
				inner, pack.Entry{Name: fmt.Sprintf("mg/namespaces/app/core/configmaps/c%d.yaml", i), Data: level(i)},
			)
		}
		gathered = append(
			gathered, pack.Entry{Name: fmt.Sprintf("mg%d.tar.gz", c), Data: string(pack.GZ(pack.Tar(inner...)))},
		)
	}
	pack.Files(t, dir, map[string]string{
		"crs.yaml":    crs.String(),
		"lines.json":  lines.String(),
		"mgs.zip":     string(pack.Zip(zip.Deflate, gathered...)),
		"crs.yaml.gz": string(pack.GZ([]byte(crs.String()))),
	})
	for input, want := range map[string]string{
		"logs.tar.gz": "2 compared, 1 drift", "crs.yaml": "3000 compared, 30 drift", "crs.yaml.gz": "3000 compared, 30 drift",
		"lines.json": "3000 compared, 3000 drift", "mgs.zip": "3000 compared, 40 drift",
	} {
		status, out, errs := outcome("--output", "json", at("ref"), at(input))
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

// logs writes a gathered archive with two CRs and so many bytes of logs, which unpack to a thousand
// times what they take.
func logs(t *testing.T, path string, size int) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := gzip.NewWriterLevel(file, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(packed)
	add := func(name, data string) {
		err := w.WriteHeader(&tar.Header{Name: "mg/namespaces/app/" + name, Size: int64(len(data)), Mode: 0o600})
		if err == nil {
			_, err = io.WriteString(w, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	block := strings.Repeat("2026-11-23T10:00:00Z I0000 controller.go:123] an object is ready\n", 1<<14)
	add("core/configmaps/a.yaml", level(1))
	for i := range size / len(block) {
		add(fmt.Sprintf("pods/p%d/c/c/logs/current.log", i), block)
	}
	add("core/configmaps/b.yaml", level(100))
	for _, c := range []io.Closer{w, packed, file} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
