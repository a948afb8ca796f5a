package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/cli"
)

const exampleCRs, exampleReference = "../../../examples/ran-du/cluster", "../../../examples/ran-du/reference"

// content reads a file, or all files of a folder by their names in it.
func content(t *testing.T, path string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(path, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		all[strings.TrimPrefix(name, path)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// made runs the program, and returns the path and what it said.
func made(t *testing.T, name string, args ...string) (path, said string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	var out bytes.Buffer
	if err := run(append(args, "-out", path), &out); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return path, strings.TrimPrefix(out.String(), path)
}

func everySort() map[string][]string {
	return map[string][]string{
		"archive.tar.gz": {"must-gather", "-scale", "0.02", "-crs", exampleCRs},
		"archive.tar.xz": {"must-gather", "-scale", "0.01", "-crs", exampleCRs},
		"tree":           {"must-gather", "-scale", "0.02", "-crs", exampleCRs},
		"objects":        {"objects", "-objects", "50", "-compared", "20", "-templates", "3"},
		"list.yaml":      {"large", "-form", "list.yaml", "-size", "300000"},
		"list.json":      {"large", "-form", "list.json", "-size", "300000"},
		"configmap.yaml": {"large", "-form", "configmap.yaml", "-size", "300000"},
		"text":           {"text", "-size", "9000", "-differing", "30"},
	}
}

func TestTheSameSeedGivesTheSameBytes(t *testing.T) {
	for name, args := range everySort() {
		t.Run(name, func(t *testing.T) {
			var all []map[string]string
			for _, seed := range []string{"5", "5", "6"} {
				path, _ := made(t, name, append(args, "-seed", seed)...)
				all = append(all, content(t, path))
			}
			if diff := cmp.Diff(all[0], all[1]); diff != "" {
				t.Errorf("one seed, two outputs: %.2000s", diff)
			}
			if cmp.Equal(all[0], all[2]) {
				t.Error("another seed changes nothing")
			}
		})
	}
}

// objectCounts are those of a report.
type objectCounts struct{ Read, Compared, Clean, Extra, Drift, Error int }

// compared runs the tool, and returns its counts.
func compared(t *testing.T, reference string, inputs ...string) (counts objectCounts, unreadable int) {
	t.Helper()
	var out, errs bytes.Buffer
	args := append([]string{"validationTool", "-o", "json", reference}, inputs...)
	none := func(string) (string, bool) { return "", false }
	if status := cli.Run(context.Background(), args, cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs, Env: none}); out.Len() == 0 {
		t.Fatalf("exit status %d: %s", status, errs.String())
	}
	var report struct {
		Runs []struct {
			Summary struct {
				Objects    objectCounts
				Unreadable int
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil || len(report.Runs) != 1 {
		t.Fatalf("%d runs, %v: %.200s", len(report.Runs), err, out.Bytes())
	}
	return report.Runs[0].Summary.Objects, report.Runs[0].Summary.Unreadable
}

// TestTheToolReadsEverything: what the program says that it made is what the tool finds, and in an
// archive the CRs that were handed in are found as they are without it.
func TestTheToolReadsEverything(t *testing.T) {
	want, _ := compared(t, exampleReference, exampleCRs)
	for name, scale := range map[string]string{"small.tar.gz": "0.02", "small.tar.xz": "0.02", "small": "0.02", "larger.tar": "0.1"} {
		path, said := made(t, name, "must-gather", "-scale", scale, "-crs", exampleCRs)
		want := want
		want.Read = objectsIn(t, said)
		if got, unreadable := compared(t, exampleReference, path); got != want || unreadable > 0 {
			t.Errorf("%s: %+v with %d unreadable, want %+v", name, got, unreadable, want)
		}
	}
}

func objectsIn(t *testing.T, said string) int {
	t.Helper()
	var files, empty, size, objects int
	if _, err := fmt.Sscanf(said, ": %d files (%d empty), %d bytes, %d objects", &files, &empty, &size, &objects); err != nil ||
		objects < 100 {
		t.Fatalf("%q: %v", said, err)
	}
	return objects
}

// TestShape holds an archive against what was measured of real ones.
func TestShape(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes some 20 MB")
	}
	path, said := made(t, "tree", "must-gather", "-scale", "0.5", "-crs", exampleCRs)
	var files, empty, lists, emptyLists, yamlFiles, total, yamlBytes, logBytes, bulk, longest int
	for name, text := range content(t, path) {
		files++
		total += len(text)
		longest = max(longest, len(name))
		switch {
		case len(text) == 0:
			empty++
		case strings.HasSuffix(name, ".log"):
			logBytes += len(text)
		case strings.HasSuffix(name, ".yaml"):
			yamlFiles++
			yamlBytes += len(text)
			if strings.Contains(text, "List\nmetadata:\n  resourceVersion:") {
				lists++
			}
			if strings.Contains(text, "\nitems: []\n") || strings.Contains(text, "\nitems: null\n") {
				emptyLists++
			}
			if base := filepath.Base(name); base == "secrets.yaml" || base == "configmaps.yaml" ||
				base == "events.yaml" {
				bulk += len(text)
			}
		}
	}
	for _, c := range []struct {
		what             string
		got, least, most int
	}{
		{"bytes", total, 20_000_000, 22_000_000},
		{"percent of the bytes are YAML", 100 * yamlBytes / total, 45, 60},
		{"percent of the bytes are logs", 100 * logBytes / total, 33, 42},
		{"percent of the YAML is Secrets, ConfigMaps and Events", 100 * bulk / yamlBytes, 50, 75},
		{"percent of the files are empty", 100 * empty / files, 15, 28},
		{"percent of the YAML files are Lists", 100 * lists / yamlFiles, 45, 65},
		{"percent of the Lists are empty", 100 * emptyLists / lists, 45, 70},
		{"objects", objectsIn(t, said), 2000, 2500},
		{"characters in the longest path", longest, 200, 400},
	} {
		if c.got < c.least || c.got > c.most {
			t.Errorf("%d %s, want %d to %d", c.got, c.what, c.least, c.most)
		}
	}
}

// TestCompression: a grown cluster's archive compresses less well than a fresh one's.
func TestCompression(t *testing.T) {
	if testing.Short() {
		t.Skip("it packs some 40 MB")
	}
	for name, c := range map[string]struct {
		args        []string
		least, most int // percent of the bytes
	}{
		"grown": {[]string{"-logs", "66", "-repeat", "25"}, 530, 610},
		"plain": {nil, 520, 620},
		"fresh": {[]string{"-repeat", "90"}, 700, 860},
	} {
		args := append([]string{"must-gather", "-scale", "0.3", "-crs", exampleCRs}, c.args...)
		packed, _ := made(t, name+".tar.gz", args...)
		if ratio := unpackedSize(t, packed) * 100 / size(t, packed); ratio < c.least || ratio > c.most {
			t.Errorf("%s: it compresses %d:100, want %d to %d", name, ratio, c.least, c.most)
		}
	}
}

// unpackedSize is how much a compressed file holds, as the last four bytes of one made by gzip say.
func unpackedSize(t *testing.T, path string) int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return int(binary.LittleEndian.Uint32(data[len(data)-4:]))
}

func size(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Size())
}

func TestSomeOfTheObjectsDiffer(t *testing.T) {
	for _, c := range []struct {
		objects, compared, differing, templates string
		want                                    objectCounts
	}{
		{"50", "20", "50", "3", objectCounts{Read: 50, Compared: 20, Clean: 10, Extra: 2, Drift: 8}},
		{"1", "1", "0", "98", objectCounts{Read: 1, Compared: 1, Clean: 1}},
		{"1", "1", "100", "98", objectCounts{Read: 1, Compared: 1, Drift: 1}},
		{"200", "200", "10", "10", objectCounts{Read: 200, Compared: 200, Clean: 180, Extra: 3, Drift: 17}},
		{"10", "0", "50", "1", objectCounts{Read: 10}},
	} {
		path, _ := made(
			t,
			"objects",
			"objects",
			"-objects",
			c.objects,
			"-compared",
			c.compared,
			"-differing",
			c.differing,
			"-templates",
			c.templates,
		)
		if got, _ := compared(t, path+"/reference", path+"/input"); got != c.want {
			t.Errorf("%s objects: %+v, want %+v", c.objects, got, c.want)
		}
	}
}

func TestLargeFiles(t *testing.T) {
	for form, want := range map[string]objectCounts{
		"list.yaml":      {Read: 242, Compared: 2, Clean: 1, Drift: 1},
		"list.json":      {Read: 107, Compared: 1, Clean: 1},
		"configmap.yaml": {Read: 1, Compared: 1, Clean: 1},
	} {
		path, _ := made(t, "large", "large", "-form", form, "-size", "500000")
		info, err := os.Stat(path + "/" + form)
		if err != nil || info.Size() < 500_000 || info.Size() > 510_000 {
			t.Errorf("%s: %v, %v; want 500,000 bytes and a little more", form, info, err)
		}
		if got, _ := compared(t, path+"/reference", path+"/"+form); got != want {
			t.Errorf("%s: %+v, want %+v", form, got, want)
		}
	}
	path, _ := made(t, "text", "text", "-size", "5000", "-differing", "10")
	if got, _ := compared(t, path+"/reference", path+"/settings.yaml"); got != (objectCounts{Read: 1, Compared: 1, Drift: 1}) {
		t.Errorf("a long text: %+v", got)
	}
}

// TestAllYAMLOfAnArchiveIsYAML decodes it with the library alone.
func TestAllYAMLOfAnArchiveIsYAML(t *testing.T) {
	path, _ := made(t, "tree", "must-gather", "-scale", "0.02", "-crs", exampleCRs)
	count := 0
	for name, text := range content(t, path) {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		var v map[string]any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil || v["kind"] == nil {
			t.Errorf("%s: %v, kind %v", name, err, v["kind"])
		}
		count++
	}
	if count < 100 {
		t.Errorf("only %d files", count)
	}
}

func TestDocument(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{"plain text", "plain text"}, {"8Gi", "8Gi"}, {"--v=2", "--v=2"}, {".", "."}, {"a:b", "a:b"},
		{"1", `"1"`}, {"1e3", `"1e3"`}, {"0x1F", `"0x1F"`}, {"true", `"true"`}, {"No", `"No"`}, {"", `""`}, {"- a", `"- a"`}, {"---", `"---"`},
		{"a: b", `"a: b"`}, {"a:", `"a:"`}, {"2025-03-04T09:30:00Z", `"2025-03-04T09:30:00Z"`}, {"a\tb", `"a\tb"`}, {"é", `"é"`}, {"{", `"{"`},
		{"one\ntwo\n", "|\n    one\n    two"}, {"one\ntwo", "|-\n    one\n    two"}, {" one\ntwo", `" one\ntwo"`},
		{7, "7"}, {true, "true"}, {nil, "null"}, {literal("1.50"), "1.50"}, {map[string]any{}, "{}"}, {[]any{}, "[]"},
		{[]any{[]any{"a", "b"}, map[string]any{"k": "v"}}, "\n  - - a\n    - b\n  - k: v"},
	} {
		got := string(document(map[string]any{"m": map[string]any{"k": c.value}}))
		want := "m:\n  k: " + c.want + "\n"
		if strings.HasPrefix(c.want, "\n") {
			want = "m:\n  k:" + c.want + "\n"
		}
		if got != want {
			t.Errorf("%#v: got %q, want %q", c.value, got, want)
		}
		var back map[string]map[string]any
		if err := yaml.Unmarshal([]byte(got), &back); err != nil {
			t.Errorf("%q: %v", got, err)
		} else if s, isText := c.value.(string); isText && back["m"]["k"] != s {
			t.Errorf("%q comes back as %#v", s, back["m"]["k"])
		}
	}
}

func TestRefusals(t *testing.T) {
	empty := t.TempDir()
	for _, args := range [][]string{
		nil, {"nothing"}, {"objects"}, {"objects", "-out", empty, "more"}, {"objects", "-out", empty, "-templates", "0"},
		{"objects", "-out", empty, "-objects", "1", "-compared", "2"}, {"large", "-out", empty, "-form", "list.xml"},
		{"must-gather", "-out", empty + "/x.tar.gz", "-crs", empty}, {"must-gather", "-out", empty + "/none/x.tar.gz", "-crs", exampleCRs},
	} {
		if err := run(args, io.Discard); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
