package fleetjob

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestImagesHaveFullNamesAndVersions: a short name is looked up in registries that the machine
// chooses, or is refused, and latest is another image tomorrow.
func TestImagesHaveFullNamesAndVersions(t *testing.T) {
	files, err := filepath.Glob("../../../examples/fleet/job/*")
	if err != nil || len(files) != 4 {
		t.Fatal(err, files)
	}
	full := regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[a-z0-9-]+)+:v?\d+(\.\d+)+$`)
	found := 0
	for _, file := range append(files, "../../../docs/fleet.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)(?:^FROM|^ +image:|podman push|build -t) +(\S+)`).FindAllStringSubmatch(string(text), -1) {
			if m[1] == "scratch" { // no image
				continue
			}
			if found++; !full.MatchString(m[1]) {
				t.Errorf("%s: the image %s needs a registry and a version", file, m[1])
			}
		}
	}
	if found != 6 {
		t.Errorf("%d images are named", found)
	}
}

// ignored reports whether a file is left out of what an image is built of: the last pattern that
// matches it, or a folder that it is in, counts.
func ignored(patterns []string, name string) (out bool) {
	for _, pattern := range patterns {
		pattern, kept := strings.CutPrefix(pattern, "!")
		anywhere, deep := strings.CutPrefix(pattern, "**/")
		for at := name; at != "."; at = path.Dir(at) {
			matches, _ := path.Match(pattern, at)
			if deep {
				matches, _ = path.Match(anywhere, path.Base(at))
			}
			if matches {
				out = !kept
			}
		}
	}
	return out
}

// TestTheImageIsBuiltOfTheSources: of all that the tool is built of, and neither of the history nor
// of what else lies in the folder.
func TestTheImageIsBuiltOfTheSources(t *testing.T) {
	text, err := os.ReadFile("../../../.containerignore")
	if err != nil {
		t.Fatal(err)
	}
	patterns := strings.Split(strings.TrimSpace(string(text)), "\n")[1:] // behind the comment
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command(
		"go",
		"list",
		"-deps",
		"-f",
		`{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}{{range .EmbedFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}`,
		".",
	)
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	needed := []string{"go.mod", "go.sum"}
	for line := range strings.Lines(string(out)) {
		if name, ours := strings.CutPrefix(strings.TrimSpace(line), root+"/"); ours {
			needed = append(needed, name)
		}
	}
	if len(needed) < 100 {
		t.Errorf("only %d files are needed", len(needed))
	}
	for _, name := range needed {
		if ignored(patterns, name) {
			t.Errorf("the build needs %s", name)
		}
	}
	for _, name := range []string{".git/HEAD", "bin/validationTool", "must-gather.tar.gz", "reports/a.json", "examples/ran-du/must-gather.tar.gz", "main_test.go", "internal/cli/run_test.go",
		"internal/cli/testdata/a"} {
		if !ignored(patterns, name) {
			t.Errorf("the build gets %s", name)
		}
	}
}
