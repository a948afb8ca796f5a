package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// entry is what the test wants to be the same: the compressed bytes may change with the version of
// Go.
type entry struct {
	Mode int64
	Time int64
	Data string
}

func unpack(t *testing.T, archive io.Reader) map[string]entry {
	t.Helper()
	zip, err := gzip.NewReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	entries := map[string]entry{}
	last := ""
	for reader := tar.NewReader(zip); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return entries
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := entries[header.Name]; ok {
			t.Errorf("%s is in the archive twice", header.Name)
		}
		if dir := path.Dir(strings.TrimSuffix(header.Name, "/")) + "/"; dir != "./" {
			if _, ok := entries[dir]; !ok {
				t.Errorf("%s comes before its folder", header.Name)
			}
		}
		if header.Typeflag == tar.TypeReg {
			if header.Name <= last {
				t.Errorf("%s comes after %s", header.Name, last)
			}
			last = header.Name
		}
		entries[header.Name] = entry{Mode: header.Mode, Time: header.ModTime.Unix(), Data: string(data)}
	}
}

// made returns what the program makes of the committed CRs.
func made(t *testing.T) map[string]entry {
	t.Helper()
	var b bytes.Buffer
	if err := pack(&b, "../cluster"); err != nil {
		t.Fatal(err)
	}
	return unpack(t, &b)
}

func TestCommittedArchiveIsUpToDate(t *testing.T) {
	const name = "../must-gather.tar.gz"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 200_000 {
		t.Errorf("the archive has %d bytes; it is meant to stay small", len(data))
	}
	if diff := cmp.Diff(unpack(t, bytes.NewReader(data)), made(t)); diff != "" {
		t.Errorf(
			"run `go run ./examples/ran-du/gather`: the committed archive is not what the CRs give (-committed +made):\n%s",
			diff,
		)
	}
}

func TestArchiveIsTheSameOnEveryRun(t *testing.T) {
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := pack(b, "../cluster"); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two runs gave different bytes")
	}
}

// TestEveryCRIsInTheArchive decodes the whole archive and compares each CR with its readable form.
func TestEveryCRIsInTheArchive(t *testing.T) {
	inArchive := map[string]map[string]any{}
	for name, e := range made(t) {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		var content map[string]any
		if err := yaml.Unmarshal([]byte(e.Data), &content); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, cr := range flatten(content) {
			inArchive[identity(cr)] = cr
		}
	}
	files, err := os.ReadDir("../cluster")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, f := range files {
		data, err := os.ReadFile(path.Join("../cluster", f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		objects, err := decode(data)
		if err != nil {
			t.Fatalf("%s: %v", f.Name(), err)
		}
		for _, o := range objects {
			count++
			got, ok := inArchive[identity(o.content)]
			if !ok {
				t.Errorf("%s: the archive lacks %s", f.Name(), identity(o.content))
				continue
			}
			for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "managedFields"} {
				if got["metadata"].(map[string]any)[field] == nil {
					t.Errorf("%s: %s has no %s", f.Name(), identity(o.content), field)
				}
			}
			dropRuntimeFields(got)
			if diff := cmp.Diff(o.content, got); diff != "" {
				t.Errorf(
					"%s: %s is another one in the archive (-readable +archive):\n%s",
					f.Name(),
					identity(o.content),
					diff,
				)
			}
		}
	}
	if count < 20 {
		t.Errorf("only %d CRs were checked", count)
	}
}

func flatten(content map[string]any) []map[string]any {
	if !strings.HasSuffix(text(content["kind"]), "List") {
		return []map[string]any{content}
	}
	var crs []map[string]any
	items, _ := content["items"].([]any)
	for _, item := range items {
		crs = append(crs, item.(map[string]any))
	}
	return crs
}

func identity(cr map[string]any) string {
	metadata := cr["metadata"].(map[string]any)
	return strings.Join(
		[]string{text(cr["apiVersion"]), text(cr["kind"]), text(metadata["namespace"]), text(metadata["name"])}, " ",
	)
}

func dropRuntimeFields(cr map[string]any) {
	metadata := cr["metadata"].(map[string]any)
	for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"} {
		delete(metadata, field)
	}
}

// TestArchiveLooksLikeARealOne pins the traps of real archives that the example is to hold.
func TestArchiveLooksLikeARealOne(t *testing.T) {
	entries := made(t)
	count := map[string]int{}
	for name, e := range entries {
		switch {
		case strings.HasSuffix(name, "/"):
		case e.Data == "":
			count["zero bytes"]++
		case strings.Contains(e.Data, "\nitems: []\n"):
			count["empty list"]++
		case strings.Contains(e.Data, "\nitems: null\n"):
			count["null list"]++
		case strings.Contains(e.Data, "\nitems:\n- apiVersion:"):
			count["list"]++
		}
		if len(name) > 155 {
			count["long name"]++
		}
		if strings.HasSuffix(name, ".yaml") && !strings.HasPrefix(e.Data, "---\n") {
			t.Errorf("%s does not begin with a document marker", name)
		}
	}
	for _, what := range []string{"zero bytes", "empty list", "null list", "list", "long name"} {
		if count[what] == 0 {
			t.Errorf("no entry with: %s", what)
		}
	}
	for _, want := range []string{
		runFolder + "/timestamp",
		imageFolder + "/version",
		imageFolder + "/event-filter.html",
		imageFolder + "/cluster-scoped-resources/config.openshift.io/clusterversions.yaml",
		imageFolder + "/cluster-scoped-resources/config.openshift.io/clusterversions/version.yaml",
		imageFolder + "/cluster-scoped-resources/performance.openshift.io/performanceprofiles/openshift-node-performance-profile.yaml",
		imageFolder + "/namespaces/openshift-ptp/openshift-ptp.yaml",
		imageFolder + "/namespaces/openshift-ptp/core/pods.yaml",
		imageFolder + "/namespaces/openshift-sriov-network-operator/sriovnetwork.openshift.io/sriovnetworknodepolicies/fronthaul.yaml",
	} {
		if _, ok := entries[want]; !ok {
			t.Errorf("%s is not there; there are:\n%s", want, strings.Join(slices.Sorted(maps.Keys(entries)), "\n"))
		}
	}
}

func TestFolderWithoutCRsIsAnError(t *testing.T) {
	if err := pack(io.Discard, t.TempDir()); err == nil {
		t.Error("an archive was made of nothing")
	}
}
