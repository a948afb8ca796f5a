package refconfig_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/validationtool/validationtool/refconfig"
)

var update = flag.Bool("update", false, "rewrite the wanted output in testdata")

// The archives of testdata/faults hold a reference and, under "want", the problems and warnings of loading it. A file
// "load" says what is loaded; else it is the whole folder.
func TestFaultsOfReferences(t *testing.T) {
	golden(t, "testdata/faults/*.txtar", func(files map[string]string) string {
		fsys, name := fstest.MapFS{}, "."
		for file, text := range files {
			fsys[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if load, ok := files["load"]; ok {
			name = strings.TrimSpace(load)
			delete(fsys, "load")
		}
		user := "ref"
		if name != "." {
			user += "/" + name
		}
		ref, problems := refconfig.Load(fsys, name, refconfig.LoadOptions{Name: user})
		return list("error", problems) + list("warning", ref.Warnings)
	})
}

func TestFaultsOfDiffConfigs(t *testing.T) {
	golden(t, "testdata/diffconfig/*.txtar", func(files map[string]string) string {
		config, problems := refconfig.ParseDiffConfig("diff.yaml", []byte(files["diff.yaml"]))
		var b strings.Builder
		for _, p := range config.Pairs {
			fmt.Fprintf(&b, "pair %s: %s -> %s\n", p.Place, p.Object, p.Template)
		}
		ref := &refconfig.Reference{}
		for _, path := range strings.Fields(files["templates"]) {
			ref.Templates = append(ref.Templates, &refconfig.Template{Path: path})
		}
		_, unknown := config.Resolve(ref)
		return b.String() + list("error", problems) + list("error", unknown) + list("warning", config.Warnings)
	})
}

func TestFaultsOfOverrides(t *testing.T) {
	golden(t, "testdata/overrides/*.txtar", func(files map[string]string) string {
		overrides, warnings, problems := refconfig.ParseOverrides("overrides.yaml", []byte(files["overrides.yaml"]))
		var b strings.Builder
		for _, o := range overrides {
			fmt.Fprintf(&b, "override %s: %s, %q, expires %q\n", o.Place, o.Type, o.Reason, o.Expires)
		}
		return b.String() + list("error", problems) + list("warning", warnings)
	})
}

// golden compares what a function makes of the files of each archive with the archive's file "want".
func golden(t *testing.T, pattern string, run func(files map[string]string) string) {
	t.Helper()
	archives, err := filepath.Glob(pattern)
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archive %s: %v", pattern, err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			given, want, found := strings.Cut(string(text), "-- want --\n")
			got := run(unpack(given))
			if *update {
				if err := os.WriteFile(name, []byte(given+"-- want --\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if !found {
				t.Fatal("the archive has no file \"want\"; run with -update")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// unpack returns the files of a text archive (txtar): what stands behind each line "-- name --".
func unpack(archive string) map[string]string {
	files, name := map[string]string{}, ""
	// what a text archive cannot hold, or an editor would change
	bytes := strings.NewReplacer("<NUL>", "\x00", "<BEL>", "\a", "<FF>", "\xff", "<TAB>", "\t", "<CR>", "\r")
	for line := range strings.Lines(archive) {
		if rest, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(rest, " --\n") {
			name = strings.TrimSuffix(rest, " --\n")
			files[name] = ""
		} else if name != "" {
			files[name] += bytes.Replace(line)
		}
	}
	return files
}

func list(severity string, problems []refconfig.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&b, "%s %s %s\n", severity, p.Code, p.Error())
	}
	return b.String()
}
