package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/validationtool/validationtool/internal/cli"
)

// atRoot makes the root of the repository the working directory, as make does.
func atRoot(t *testing.T) {
	t.Helper()
	for {
		if _, err := os.Stat("go.mod"); err == nil {
			return
		}
		t.Chdir("..")
	}
}

// made returns a folder that a data set has filled.
func made(t *testing.T, write func(*tree)) string {
	t.Helper()
	made := &tree{root: t.TempDir()}
	root := made.root
	if write(made); made.err != nil {
		t.Fatal(made.err)
	}
	return root
}

// content returns all files of a folder, by their names in it.
func content(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		all[strings.TrimPrefix(name, folder)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTheSameDataSetIsTheSameBytes(t *testing.T) {
	atRoot(t)
	for name, write := range map[string]func(*tree){
		"cluster":  cluster{seed: 5, size: 800_000, logged: 37, repeat: 50}.write,
		"profiles": profiles{count: 50, compared: 20, differing: 50, templates: 3}.write,
		"list":     largeList{size: 100_000, inJSON: true}.write,
		"text":     longText{size: 9_000, compared: true, differing: 30}.write,
	} {
		if diff := cmp.Diff(content(t, made(t, write)), content(t, made(t, write))); diff != "" {
			t.Errorf("%s: %.2000s", name, diff)
		}
	}
	if cmp.Equal(content(t, made(t, cluster{seed: 1, size: 200_000}.write)), content(t, made(t, cluster{seed: 2, size: 200_000}.write))) {
		t.Error("another seed changes nothing")
	}
}

// counts are the numbers of objects of a report.
type counts struct{ Read, Compared, Clean, Extra, Drift, Error int }

// compared runs the tool. An object that cannot be read fails the test.
func compared(t *testing.T, reference, input string) counts {
	t.Helper()
	var out, errs bytes.Buffer
	none := func(string) (string, bool) { return "", false }
	io := cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs, Env: none}
	cli.Run(context.Background(), []string{"validationTool", "-o", "json", reference, input}, io)
	var report struct {
		Runs []struct {
			Summary struct {
				Objects    counts
				Unreadable int
			}
		}
	}
	err := json.Unmarshal(out.Bytes(), &report)
	if err != nil || len(report.Runs) != 1 || report.Runs[0].Summary.Unreadable > 0 {
		t.Fatalf("%s: %v: %s%.2000s", input, err, errs.String(), out.Bytes())
	}
	return report.Runs[0].Summary.Objects
}

// TestTheToolReadsEverything checks that the tool reads each object that the YAML library reads, and
// finds the same in the CRs of the example as without the generated ones.
func TestTheToolReadsEverything(t *testing.T) {
	atRoot(t)
	const reference = "examples/ran-du/reference"
	want := compared(t, reference, ownCRs)
	folder := made(t, cluster{seed: 1, size: 2_000_000, logged: 37, repeat: 90}.write)
	want.Read = 0
	for name, text := range content(t, folder) {
		if !strings.HasSuffix(name, ".yaml") || strings.Contains(name, "aggregated") {
			continue
		}
		var v struct {
			Kind  string
			Items []any
		}
		if err := yaml.Unmarshal([]byte(text), &v); err != nil || v.Kind == "" {
			t.Errorf("%s: %v, kind %q", name, err, v.Kind)
		}
		if strings.HasSuffix(v.Kind, "List") {
			want.Read += len(v.Items)
		} else {
			want.Read++
		}
	}
	for _, extension := range []string{"", ".tar.gz", ".tar.xz", ".zip"} {
		input := folder + extension
		if extension != "" {
			if err := pack(folder, input); err != nil {
				t.Fatal(err)
			}
		}
		if got := compared(t, reference, input); got != want || want.Read < 100 {
			t.Errorf("%s: %+v, want %+v", extension, got, want)
		}
	}
	for _, extension := range []string{".tar.xz", ".zip"} {
		var out bytes.Buffer
		err := run([]string{unpackFile, folder + extension}, &out, &out)
		if err != nil || out.Len() < len("2000000\n") {
			t.Errorf("the yardstick for %s prints %q, %v", extension, out.String(), err)
		}
	}
}

// TestShape compares clusters with what was measured of real ones. An archive of a grown cluster
// compresses less well than one of a fresh cluster.
func TestShape(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes some 40 MB")
	}
	atRoot(t)
	for name, c := range map[string]struct {
		cluster
		yaml, logs, packed int // percent of the bytes
	}{
		"grown": {cluster{seed: 7, size: 20_000_000, logged: 66, repeat: 30}, 30, 63, 19},
		"fresh": {cluster{seed: 1, size: 20_000_000, logged: 37, repeat: 90}, 56, 37, 14},
	} {
		folder := made(t, c.write)
		archive := filepath.Join(t.TempDir(), "a.tar.gz")
		if err := pack(folder, archive); err != nil {
			t.Fatal(err)
		}
		_, packed, _ := treeSize(archive)
		var files, empty, lists, emptyLists, yamlFiles, total, yamlBytes, logBytes, bulk, longest int
		for name, text := range content(t, folder) {
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
				switch filepath.Base(name) {
				case "secrets.yaml", "configmaps.yaml", "events.yaml":
					bulk += len(text)
				}
			}
		}
		for _, s := range []struct {
			what             string
			got, least, most int
		}{
			{"kB", total / 1000, 19_000, 21_000},
			{"percent of the bytes are YAML", 100 * yamlBytes / total, c.yaml - 3, c.yaml + 3},
			{"percent of the bytes are logs", 100 * logBytes / total, c.logs - 3, c.logs + 3},
			{"percent of the bytes remain when they are packed", int(100e6*packed) / total, c.packed - 2, c.packed + 2},
			{"percent of the YAML is Secrets, ConfigMaps and Events", 100 * bulk / yamlBytes, 50, 75},
			{"percent of the files are empty", 100 * empty / files, 15, 28},
			{"percent of the YAML files are Lists", 100 * lists / yamlFiles, 45, 65},
			{"percent of the Lists are empty", 100 * emptyLists / lists, 45, 70},
			{"characters in the longest path", longest, 200, 400},
		} {
			if s.got < s.least || s.got > s.most {
				t.Errorf("%s: %d %s, want %d to %d", name, s.got, s.what, s.least, s.most)
			}
		}
	}
}

func TestProfiles(t *testing.T) {
	for _, c := range []struct {
		profiles
		want counts
	}{
		{profiles{50, 20, 50, 3}, counts{Read: 50, Compared: 20, Clean: 10, Extra: 4, Drift: 6}},
		{profiles{1, 1, 0, 98}, counts{Read: 1, Compared: 1, Clean: 1}},
		{profiles{1, 1, 100, 98}, counts{Read: 1, Compared: 1, Drift: 1}},
		{profiles{200, 200, 10, 10}, counts{Read: 200, Compared: 200, Clean: 180, Extra: 5, Drift: 15}},
		{profiles{10, 0, 50, 1}, counts{Read: 10}},
	} {
		folder := made(t, c.write)
		if got := compared(t, folder+"/reference", folder+"/input"); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.profiles, got, c.want)
		}
	}
}

func TestLargeFiles(t *testing.T) {
	for _, c := range []struct {
		write func(*tree)
		file  string
		want  counts
	}{
		{largeList{size: 500_000}.write, "list", counts{Read: 247, Compared: 2, Clean: 1, Drift: 1}},
		{largeList{size: 500_000, inJSON: true}.write, "list", counts{Read: 113, Compared: 1, Clean: 1}},
		{longText{size: 500_000}.write, "settings.yaml", counts{Read: 1, Compared: 1, Clean: 1}},
		{longText{size: 500_000, compared: true, differing: 10}.write, "settings.yaml", counts{Read: 1, Compared: 1, Drift: 1}},
	} {
		folder := made(t, c.write)
		file := filepath.Join(folder, c.file)
		if _, size, err := treeSize(file); err != nil || size < 0.5 || size > 0.51 {
			t.Errorf("%+v: %f MB, %v; want 0.5 and a little more", c.want, size, err)
		}
		if got := compared(t, folder+"/reference", file); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.file, got, c.want)
		}
	}
}
