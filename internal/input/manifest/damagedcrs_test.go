package manifest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/validationtool/validationtool/internal/text/kubeyaml"
)

// excusingNames are names that other tools give to files which are no CRs, and that a CR may have,
// too.
func excusingNames() []string {
	return []string{
		"my-values",
		"values-prod",
		"compose-x",
		"docker-compose-x",
		"azure-pipelines-x",
		"kustomization",
		"mkdocs",
	}
}

// exampleCRs are the files of CRs of two examples.
func exampleCRs(t *testing.T) [][]byte {
	t.Helper()
	var all [][]byte
	for _, example := range []string{"ran-du", "quickstart"} {
		root := filepath.Join("../../../examples", example, "cluster")
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			data, err := os.ReadFile(path)
			all = append(all, data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(all) < 10 {
		t.Fatalf("only %d files", len(all))
	}
	return all
}

// silent says whether nothing comes of a file: no CR that is compared, and no word about it.
func silent(c Contents) bool {
	return len(c.Objects)+len(c.Problems)+len(c.Lost)+len(c.Warnings)+len(c.Blank) == 0
}

// TestCutOffCRsAreReportedUnderAnyName cuts CRs off under names that excuse. In a folder of a collector
// that is never passed over; elsewhere it is not once it has its kind.
func TestCutOffCRsAreReportedUnderAnyName(t *testing.T) {
	const step = 5
	names := excusingNames()
	for i, data := range exampleCRs(t) {
		kind := strings.Index(string(data), "\nmetadata:") // the kind is whole
		for end := 0; end < len(data); end += step {
			name := names[(i+end/step)%len(names)] + ".yaml"
			for _, folder := range []string{"namespaces/ns/example.com/things/", "cluster-scoped-resources/core/things/"} {
				if silent(Read("in.tar", folder+name, data[:end], Hints{})) {
					t.Errorf("%s%s cut off at %d is silent", folder, name, end)
				}
			}
			if end >= kind && silent(Read("in", "manifests/"+name, data[:end], Hints{})) {
				t.Errorf("manifests/%s cut off at %d is silent:\n%s", name, end, data[:end])
			}
		}
	}
}

// TestDamagedBytesAreReportedUnderAnyName changes single bytes in a folder of a collector.
func TestDamagedBytesAreReportedUnderAnyName(t *testing.T) {
	const step = 11
	names := excusingNames()
	for i, data := range exampleCRs(t) {
		for at := 0; at < len(data); at += step {
			damaged := bytes.Clone(data)
			damaged[at] ^= 1 << (at % 8)
			name := names[(i+at)%len(names)] + ".yaml"
			if silent(Read("in.tar", "namespaces/ns/core/configmaps/"+name, damaged, Hints{})) {
				t.Errorf("%s with byte %d changed is silent", name, at)
			}
		}
	}
}

// TestDamagedFilesAmongCRs: what its surroundings declare to be CRs is reported if it is damaged, but
// not a file whose name says that it is something else.
func TestDamagedFilesAmongCRs(t *testing.T) {
	for name, want := range map[string]bool{"manifests/a.yaml": false, "manifests/values.yaml": true} {
		if got := silent(Read(name, "", []byte("a: [1\n"), Hints{Kind: "Pod"})); got != want {
			t.Errorf("%s is passed over: %v", name, got)
		}
	}
}

// TestWritingsThatAreMeantToBeCRs cuts CRs off in a plain folder that are written in other ways
// than most.
func TestWritingsThatAreMeantToBeCRs(t *testing.T) {
	block := "apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n  labels: {x: \"y\"}\ndata:\n  text: \"some words\"\n"
	quoted := regexp.MustCompile(`(?m)^(\w+):`)
	for name, text := range map[string]string{
		"double quotes":  quoted.ReplaceAllString(block, `"$1":`),
		"single quotes":  quoted.ReplaceAllString(block, `'$1':`),
		"indented":       "    " + strings.ReplaceAll(block, "\n", "\n    "),
		"an item":        "- " + strings.ReplaceAll(block, "\n", "\n  "),
		"kind first":     "kind: Service\nmetadata:\n  name: a\n  labels: {x: \"y\"}\ndata: {text: \"some words\"}\napiVersion: v1\n",
		"flow":           "{apiVersion: v1, kind: Service, metadata: {name: a}, data: {text: some words}}\n",
		"flow, quoted":   "{'apiVersion': v1, 'kind': Service, 'metadata': {name: a}, data: {text: some words}}\n",
		"flow, kind":     "{kind: Service, metadata: {name: a}, data: {text: some words}, apiVersion: v1}\n",
		"flow, lines":    "{\n  apiVersion: v1,\n  kind: Service,\n  metadata: {name: a}\n}\n",
		"JSON":           `{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}, "data": {"text": "some words"}}`,
		"JSON, kind":     `{"kind": "Service", "metadata": {"name": "a"}, "apiVersion": "v1"}`,
		"JSON, metadata": `{"metadata": {"name": "a"}, "kind": "Service", "apiVersion": "v1"}`,
		"JSON, items":    `{"items": [{"kind": "Service", "metadata": {"name": "a"}, "apiVersion": "v1"}], "kind": "List", "apiVersion": "v1"}`,
	} {
		t.Run(name, func(t *testing.T) {
			from := strings.Index(text, "Service") + 1
			for end := from; end < len(text); end++ {
				cut := text[:end]
				if kubeyaml.DefaultLimits().ReadYAML([]byte(cut), 0).Fault == nil && !strings.Contains(cut, "v1") {
					continue // it is valid, and no CR
				}
				for _, file := range []string{"manifests/a.yaml", "manifests/my-values.yaml", "mkdocs.yaml"} {
					if silent(Read(file, "", []byte(cut), Hints{})) {
						t.Errorf("%s is silent: %q", file, cut)
					}
				}
			}
		})
	}
}

// TestBeginningsOfCRs: a document that ends in the head of a CR is lost, behind another CR, too.
func TestBeginningsOfCRs(t *testing.T) {
	for _, stump := range []string{
		"apiVersion:", "apiVersion: v1", "apiVersion: v1\nkind:", "kind: Po", "kind: Pod\nmetadata:", "metadata:\n  name:",
		"apiVersion: v1\nkind: Po", `{"apiVersion": "v1"}`,
	} {
		for _, text := range []string{stump, stump + "\n", claimed + "---\n" + stump, claimed + "---\n" + stump + "\n"} {
			c := Read("in.yaml", "", []byte(text), Hints{})
			if len(c.Lost)+len(c.Problems) != 1 {
				t.Errorf("lost %v, problems %v: %q", c.Lost, c.Problems, text)
			}
		}
	}
	for _, honest := range []string{
		"{}\n", "replicas: 3\n", "kind: x\nname: y\n", "kind: chapter\n", "metadata: {}\n", "metadata:\n  title: x\n",
		"apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n",
		"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
	} {
		if c := Read("in.yaml", "", []byte(honest), Hints{}); len(c.Lost)+len(c.Problems) > 0 {
			t.Errorf("lost %v, problems %v: %q", c.Lost, c.Problems, honest)
		}
	}
}
