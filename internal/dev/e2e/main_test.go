//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOnKubernetes builds what is needed, starts a cluster, and runs each test on it. The variable E2E
// names the folder for the programs, where the next run finds them, and for the state of the cluster.
func TestOnKubernetes(t *testing.T) {
	folder := os.Getenv("E2E")
	if !filepath.IsAbs(folder) {
		t.Fatal("E2E must be the absolute path of a folder: run this with `make e2e`")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	p := programs{folder: folder}
	p.build(t)
	tool := p.path("validationTool")
	command(t, "", "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", tool, "../../..")
	command(t, "", "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", p.path("pause"), "./pause")
	released, err := filepath.Abs("../../../bin/release/validationTool_v0.0.0-e2e_image.tar")
	if err != nil {
		t.Fatal(err)
	}
	n := startNode(t, p, p.image(t, "localhost/pause:1", p.path("pause")))
	n.importImage(t, released, "--base-name", "localhost/validationtool")
	const image = "localhost/validationtool:v0.0.0-e2e"
	t.Run("fleet", func(t *testing.T) { testFleet(t, n, image) })
	t.Run("memory", func(t *testing.T) { testMemory(t, n, image) })
	t.Run("pipes", func(t *testing.T) { testPipes(t, n, tool) })
	t.Run("schemas", func(t *testing.T) { testSchemas(t, n) })
	t.Run("plugin", func(t *testing.T) { testPlugin(t, n, tool) })
}
