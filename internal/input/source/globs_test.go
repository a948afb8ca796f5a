package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// globTree makes a folder with hidden names, names with characters of globs, and links, and makes it
// the working folder.
func globTree(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range []string{
		"in/top.yaml", "in/.hidden.yaml", "in/.git/config.yaml", "in/app/cm.yaml", "in/app/notes.md",
		"in/app/.d/x.yaml", "in/app/rbac/prod/role.yaml", "in/two words/b c.yaml", "in/[prod]/p.yaml",
		"in/{a,b}/q.yaml", "in/a/q.yaml", "in/-o/json.yaml", "other/deep/er/far.yaml", "*.yaml",
	} {
		must(os.MkdirAll(filepath.Dir(name), 0o755))
		must(os.WriteFile(name, nil, 0o644))
	}
	must(os.Symlink("../other", "in/linked"))
	must(os.Symlink("..", "in/app/again"))
	must(os.Symlink("top.yaml", "in/same.yaml"))
}

// TestGlobsMatchAsInAShell: a glob has the matches that bash finds with globstar, except those below a
// folder that matches too.
func TestGlobsMatchAsInAShell(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	globTree(t)
	for _, pattern := range []string{
		"in/**/*.yaml", "in/**/cm.yaml", "**/role.yaml", "**/prod/*", "in/**/prod/**/*.yaml", "in/*/*.yaml", "in/*.yaml",
		"in/**", "in/**/", "in/*", "*", "./in/**/*.yaml", "in/../in/**/role.yaml", "in/**/rbac", "in/*/**/*.yaml",
		"in/.*.yaml", "in/**/.d/*.yaml", "in/.git/*", "in/linked/**/*.yaml", "in/*/deep/*/far.yaml", "in/l*/**/far.yaml",
		"in/[[]prod]/*.yaml", `in/\[prod\]/*.yaml`, "in/?o/*", "in/t*/*.yaml", "*.yaml", "in/a/q.y?ml", "in/**.yaml", "in/**/top.yaml/*",
	} {
		shell := exec.Command(bash, "--norc", "-O", "globstar", "-O", "nullglob", "-c", `IFS=; printf '%s\n' $0`, pattern)
		out, err := shell.Output()
		must(err)
		var want []string
		for line := range strings.Lines(string(out)) {
			if line = strings.TrimSpace(line); line != "" {
				want = append(want, filepath.Clean(line))
			}
		}
		slices.Sort(want)
		want = outermost(slices.Compact(want))
		got, err := Match(pattern)
		if (err == nil) != (len(want) > 0) || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", pattern, got, err, want)
		}
	}
}

// TestNamesWithGlobCharacters: a path that exists is no glob, and braces are not special.
func TestNamesWithGlobCharacters(t *testing.T) {
	globTree(t)
	for arg, want := range map[string]string{
		"*.yaml":          "*.yaml",
		"in/[prod]":       "in/[prod]",
		"in/[prod]/":      "in/[prod]/",
		"in/{a,b}":        "in/{a,b}",
		"in/{a,b}/*.yaml": "in/{a,b}/q.yaml",
		"in/-o":           "in/-o",
		"**":              ".",
		"in/-*":           "in/-o",
	} {
		if got, err := Match(arg); err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, %v, want %q", arg, got, err, want)
		}
	}
	for _, arg := range []string{"in/**/*.json", "in/[", "nowhere/**", "**/nowhere", "in/{a,b}/**/x"} {
		if got, err := Match(arg); err == nil {
			t.Errorf("%s: %q", arg, got)
		}
	}
}
