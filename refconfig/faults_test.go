package refconfig_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/golden"
	"github.com/validationtool/validationtool/refconfig"
)

// The archives of testdata/faults hold a reference and, under "want", the problems and warnings of
// loading it. A file "load" says what is loaded; else it is the whole folder.
func TestFaultsOfReferences(t *testing.T) {
	eachArchive(t, "testdata/faults/*.txtar", func(files map[string]string) string {
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
	eachArchive(t, "testdata/diffconfig/*.txtar", func(files map[string]string) string {
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
	eachArchive(t, "testdata/overrides/*.txtar", func(files map[string]string) string {
		overrides, warnings, problems := refconfig.ParseOverrides("overrides.yaml", []byte(files["overrides.yaml"]))
		var b strings.Builder
		for _, o := range overrides {
			fmt.Fprintf(&b, "override %s: %s, %q, expires %q%s\n", o.Place, o.Type, o.Reason, o.Expires, more(o))
		}
		return b.String() + list("error", problems) + list("warning", warnings)
	})
}

// eachArchive compares what a function makes of the files of each archive with the archive's file
// "want".
func eachArchive(t *testing.T, pattern string, run func(files map[string]string) string) {
	t.Helper()
	golden.Each(t, pattern, func(t *testing.T, a *golden.Archive) {
		files := a.Texts()
		delete(files, "want")
		a.Want(t, "want", run(files))
	})
}

func list(severity string, problems []refconfig.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintf(&b, "%s %s %s\n", severity, p.Code, p.Error())
	}
	return b.String()
}

// more is what only some overrides have.
func more(o refconfig.Override) string {
	switch {
	case o.Missing:
		return ", missing"
	case o.Present:
		return ", present"
	case o.Type != refconfig.GoTemplate && o.Patch != "{}" && !strings.Contains(o.Patch, "\n"):
		return ", patch " + o.Patch
	}
	return ""
}
