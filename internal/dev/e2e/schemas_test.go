//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// testSchemas records what the API server says of the CRs that the tests of internal/compare/crdschema
// and internal/compare/celrule compare with its schemas and rules. The recordings have to be those
// that these tests read.
func testSchemas(t *testing.T, n node) {
	for _, room := range []string{"crdschema", "celrule"} {
		testRecording(t, n, "../../compare/"+room+"/testdata/server")
	}
}

func testRecording(t *testing.T, n node, recording string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(recording, "record.sh"), n.programs.path("kubectl"), "--kubeconfig", n.kubeconfig)
	cmd.Stderr = os.Stderr
	said, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(recording, "said.txt"))
	if err != nil {
		t.Fatal(err)
	}
	// The server lists several problems of a CR in no order.
	if !slices.Equal(slices.Sorted(strings.Lines(string(said))), slices.Sorted(strings.Lines(string(want)))) {
		writeFile(t, n.path("said.txt"), string(said))
		t.Errorf("the API server says something else than said.txt; compare it with %s", n.path("said.txt"))
	}
}
