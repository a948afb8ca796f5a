package refconfig_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/refconfig"
)

// The archives of testdata/faults hold a reference and, under "want", the problems and warnings of
// loading it, or what it says. A file "load" names what is loaded; else it is the whole folder.
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
		if len(problems) > 0 {
			return list("error", problems) + list("warning", ref.Warnings)
		}
		return list("warning", ref.Warnings) + describe(ref, false)
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

// describe lists what a reference says: its components with their rules, its templates, and its
// function files.
func describe(ref *refconfig.Reference, withText bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", ref.Path, ref.Format)
	for _, c := range ref.Components() {
		fmt.Fprintf(&b, "component %s:", c)
		for _, r := range c.Rules {
			fmt.Fprintf(&b, " %s", r.Kind)
			for _, t := range r.Templates {
				b.WriteString(" " + t.Path)
			}
		}
		b.WriteString("\n")
	}
	for _, t := range ref.Templates {
		fmt.Fprintf(&b, "template %d, %s of %s, line %d of %s", t.Index, t.Path, t.Component,
			cmp.Or(t.Line, t.LinesBefore+1), cmp.Or(ref.Metadata, t.File))
		if t.Description != "" {
			fmt.Fprintf(&b, ", %q", t.Description)
		}
		if t.Config.IgnoreUnspecified {
			b.WriteString(", ignores unspecified fields")
		}
		if t.Plain {
			b.WriteString(", plain")
		}
		if entries := names(t.Config.Omit); !slices.Equal(entries, names(refconfig.BuiltInOmit())) {
			fmt.Fprintf(&b, ", omits %q", entries)
		}
		b.WriteString("\n")
		for _, f := range t.Config.PerField {
			fmt.Fprintf(&b, "  line %d: %s %s %s %s %s\n", f.Place.Line, f.Path, f.Key, f.Function, f.Encoding, f.Keys)
		}
		if withText {
			for line := range strings.Lines(string(t.Source)) {
				b.WriteString("  " + strings.TrimRight(line, "\n") + "\n")
			}
		}
	}
	for _, f := range ref.Functions {
		fmt.Fprintf(&b, "functions %s: %s", f.File, f.Source)
	}
	return b.String()
}

func names(entries []refconfig.OmitEntry) (all []string) {
	for _, e := range entries {
		all = append(all, e.String())
	}
	return all
}

// eachArchive compares what a function makes of the files of each archive with the archive's file
// "want".
func eachArchive(t *testing.T, pattern string, run func(files map[string]string) string) {
	t.Helper()
	testkit.Each(t, pattern, func(t *testing.T, a *testkit.Archive) {
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
