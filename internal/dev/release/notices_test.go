package main

import (
	"bytes"
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEachLinkedModuleIsInTheNotices: of what a built binary says that it is made of, with a
// license, and nothing else.
func TestEachLinkedModuleIsInTheNotices(t *testing.T) {
	binary := filepath.Join(t.TempDir(), tool)
	build := exec.Command("go", "build", "-buildvcs=false", "-o", binary, ".")
	build.Dir = "../../.."
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil || len(info.Deps) < 10 {
		t.Fatal(err, info)
	}
	text, err := notices("../../..", "linux", "amd64")
	must(err)
	known := map[string]bool{}
	for _, part := range strings.Split(string(text), "\n"+strings.Repeat("=", 80)+"\n")[1:] {
		head, license, _ := strings.Cut(part, "\n")
		module, file, _ := strings.Cut(head, ": ")
		known[module] = true
		if len(license) < 100 && !strings.HasPrefix(file, "AUTHORS") && !strings.HasPrefix(file, "NOTICE") {
			t.Errorf("%s: %s says only %q", module, file, license)
		}
	}
	for _, m := range info.Deps {
		if module := m.Path + " " + m.Version; !known[module] {
			t.Errorf("there is no license of %s", module)
		}
	}
	if len(known) != len(info.Deps)+1 ||
		!bytes.Contains(text, []byte("\nGo "+strings.TrimPrefix(info.GoVersion, "go")+": LICENSE\n")) {
		t.Errorf("%d modules are named and %d linked, beside Go", len(known), len(info.Deps))
	}
}

// TestAModuleWithoutALicenseIsNotReleased: and the licenses of a folder inside of one count as the
// module's.
func TestAModuleWithoutALicenseIsNotReleased(t *testing.T) {
	root := t.TempDir()
	inner := filepath.Join(root, "third_party", "forked")
	must(os.MkdirAll(inner, 0o755))
	if _, err := licenses(map[string]string{inner: root}); err == nil {
		t.Error("there is no license, and no error")
	}
	for _, name := range []string{"COPYING", "license.go", "third_party/forked/Licence.md", "third_party/readme"} {
		must(os.WriteFile(filepath.Join(root, name), []byte("free"), 0o600))
	}
	got, err := licenses(map[string]string{inner: root})
	if err != nil || len(got) != 2 || got[0] != filepath.Join(root, "COPYING") ||
		got[1] != filepath.Join(inner, "Licence.md") {
		t.Errorf("%q %v", got, err)
	}
}
