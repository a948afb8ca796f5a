//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The versions that are built.
const (
	kubernetesVersion = "v1.37.2"
	etcdVersion       = "v3.7.3"
)

// programs are built once into a folder, where later runs find them.
type programs struct{ folder string }

// path returns where a program is.
func (p programs) path(name string) string { return filepath.Join(p.folder, "bin", name) }

// build builds what is not in the folder yet.
func (p programs) build(t *testing.T) {
	t.Helper()
	p.buildKubernetes(t)
	p.buildModule(t, "etcd", "", "go.etcd.io/etcd/server/v3 "+etcdVersion, map[string]string{"main.go": `package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
`}, ".")
}

// buildKubernetes builds the programs of Kubernetes. Its module names those of its staging folder
// with versions of their own, which is v0 of the same number.
func (p programs) buildKubernetes(t *testing.T) {
	t.Helper()
	names := []string{"kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kubectl"}
	info := command(t, p.folder, "go", "mod", "download", "-json", "k8s.io/kubernetes@"+kubernetesVersion)
	file := regexp.MustCompile(`"GoMod": "([^"]+)"`).FindStringSubmatch(info)
	if file == nil {
		t.Fatalf("no go.mod of Kubernetes in %s", info)
	}
	text, err := os.ReadFile(file[1])
	if err != nil {
		t.Fatal(err)
	}
	var replaced strings.Builder
	staging := strings.Replace(kubernetesVersion, "v1", "v0", 1)
	for _, m := range regexp.MustCompile(`(?m)^\s*(k8s\.io/[a-z-]+) => \./staging`).FindAllStringSubmatch(string(text), -1) {
		fmt.Fprintf(&replaced, "replace %s => %s %s\n", m[1], m[1], staging)
	}
	imports, packages := "", []string{}
	for _, name := range names {
		imports += fmt.Sprintf("import _ %q\n", "k8s.io/kubernetes/cmd/"+name)
		packages = append(packages, "k8s.io/kubernetes/cmd/"+name)
	}
	p.buildModule(t, "kubelet", replaced.String(), "k8s.io/kubernetes "+kubernetesVersion,
		map[string]string{"programs.go": "//go:build programs\n\npackage programs\n\n" + imports}, packages...)
}

// buildModule builds packages in a module of their own. It does nothing where the last of the
// programs is there.
func (p programs) buildModule(t *testing.T, last, replaced, required string, files map[string]string, packages ...string) {
	t.Helper()
	if _, err := os.Stat(p.path(last)); err == nil {
		return
	}
	folder := filepath.Join(p.folder, "module-"+last)
	files["go.mod"] = "module programs\n\ngo 1.26.0\n\nrequire " + required + "\n\n" + replaced
	for name, text := range files {
		writeFile(t, filepath.Join(folder, name), text)
	}
	command(t, folder, "go", "mod", "tidy")
	out := p.path("") + "/"
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	if packages[0] == "." {
		out = p.path(last)
	}
	flags := fmt.Sprintf("-s -w -X %[1]s.gitVersion=%[2]s -X %[1]s.gitMajor=1 -X %[1]s.gitMinor=37",
		"k8s.io/component-base/version", kubernetesVersion)
	command(t, folder, "go", append([]string{"build", "-trimpath", "-ldflags", flags, "-o", out}, packages...)...)
}

// command runs a program in a folder and returns its output; its failure ends the test.
func command(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
