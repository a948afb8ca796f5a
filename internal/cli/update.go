package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/validationtool/validationtool/internal/author/generate"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/destination"
	"github.com/validationtool/validationtool/internal/run/disk"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// updateReference updates an existing reference from the inputs, completely or not at all.
func (p *program) updateReference(ctx context.Context, o *generateOptions) error {
	if !isFolder(o.folder) {
		return fmt.Errorf("%s: --update: %s is no folder with a reference; leave --update out to make a new one", code.NoFolder, o.folder)
	}
	old := generate.Existing{
		Files: disk.Folder(o.folder),
		Load: func(files fs.FS) (*refconfig.Reference, []refconfig.Problem) {
			return loadAny(files, ".", p.loadOptions(ctx, ""))
		},
		Writable: func(name string) string { return unwritable(o.folder, name) },
		Compare:  compare.Options{Limits: p.limits.Render(), Today: today()},
	}
	ref, faults := old.Load(old.Files)
	switch {
	case ref.Below != nil:
		return fmt.Errorf("%s: --update: %s has several references; name the folder of one", code.NoFolder, o.folder)
	case len(ref.Templates) == 0 && len(faults) == 0:
		return fmt.Errorf("%s: --update: %s has no reference; leave --update out to make a new one", code.NoFolder, o.folder)
	case len(faults) > 0:
		return p.cannotUpdate(o, faults)
	}
	clusters, err := p.readToGenerate(ctx, o, func(*manifest.Object) {})
	if err != nil {
		return err
	}
	update, faults, err := generate.UpdateOf(ctx, old, clusters, o.Options)
	switch {
	case err != nil:
		return err
	case len(faults) > 0:
		return p.cannotUpdate(o, faults)
	}
	p.warnUnused(clusters, update.Made)
	if !o.dryRun {
		if err := p.writeUpdate(o.folder, update); err != nil {
			return err
		}
	}
	if len(update.Left)+len(update.Gone) > 0 {
		p.status = exitDiffers
	}
	if len(update.Made.Problems) > 0 {
		p.status = exitUnreliable
	}
	return p.say(p.updateText(o, update))
}

// cannotUpdate returns the error for a reference that cannot be used.
func (p *program) cannotUpdate(o *generateOptions, faults []refconfig.Problem) error {
	for i := range faults {
		faults[i].Place.File = joinPath(filepath.ToSlash(o.folder), faults[i].Place.File)
	}
	return refconfig.Faults{What: "the reference cannot be used, and nothing was written", Problems: faults}
}

// unwritable returns why a file of a reference must not be changed; "" if it may be.
func unwritable(folder, name string) string {
	full := joinPath(filepath.ToSlash(folder), name)
	root, err := filepath.EvalSymlinks(folder)
	target, fault := filepath.EvalSymlinks(full)
	if err = errors.Join(err, fault); err != nil {
		return code.Reason(err).Error()
	}
	if within, err := filepath.Rel(root, target); err != nil || !filepath.IsLocal(within) {
		return "the file is a link to one outside of the reference"
	}
	const owner = 0o200 // its owner can write it
	if info, err := os.Stat(full); err != nil || info.Mode().Perm()&owner == 0 {
		return "the file is read-only"
	}
	return ""
}

// writeUpdate writes all files of an update, or none of them. Files that somebody changed since they were
// read are left alone.
func (p *program) writeUpdate(folder string, update *generate.Update) error {
	var all []destination.Replacement
	for _, file := range update.Files {
		name := joinPath(filepath.ToSlash(folder), file.Name)
		all = append(all, destination.Replacement{Name: name, Was: file.Was, Text: file.Text})
	}
	files := destination.Replace(all, &p.inUse)
	p.removeOnExit(files.Drop)
	err := files.Write()
	if err == nil {
		err = files.Commit()
	}
	if err != nil {
		return fmt.Errorf("%s: nothing was written: %w", code.NoFolder, err)
	}
	return nil
}

// updateText says what an update has changed, and what it left.
func (p *program) updateText(o *generateOptions, u *generate.Update) string {
	var b strings.Builder
	place := func(at refconfig.Place) string {
		at.File = joinPath(filepath.ToSlash(o.folder), at.File)
		return escape.Short(at.String())
	}
	says := []string{}
	add := func(n int, one, several, rest string) {
		if n > 0 {
			says = append(says, finding.Plural(n, one, several)+rest)
		}
	}
	files := map[string]bool{}
	for _, c := range u.Changed {
		files[c.Place.File] = true
	}
	add(len(files), "template", "templates", " changed")
	add(len(u.Added), "template", "templates", " added")
	add(u.Agree, "template", "templates", " as before")
	head := escape.Short(o.folder) + ": " + cmp.Or(strings.Join(says, ", "), "nothing to change")
	if o.dryRun {
		head += " (nothing was written)"
	}
	b.WriteString(head + "\n")
	list := func(title string, n int, line func(i int) string) {
		if n > 0 {
			b.WriteString("\n" + title + "\n")
		}
		for i := range n {
			b.WriteString("  " + line(i) + "\n")
		}
	}
	list("Changed", len(u.Changed), func(i int) string {
		c := u.Changed[i]
		return place(c.Place) + "  " + escape.Short(c.Path) + ": " + changeText(c)
	})
	list("Added", len(u.Added), func(i int) string {
		return place(refconfig.Place{File: u.Added[i].File}) + "  " + escape.Short(u.Added[i].Object.Selector())
	})
	list("Left as it is; change it yourself if the CR is right", len(u.Left), func(i int) string {
		l := u.Left[i]
		if l.Object.Kind == "" {
			return place(l.Place) + "  " + escape.Short(l.Message)
		}
		of := l.Object.Selector() + finding.Prefixed("  ", l.Path)
		return place(l.Place) + "  " + escape.Short(of+": "+l.Message)
	})
	gone := func(all []generate.Left) func(int) string {
		return func(i int) string {
			at, entry := all[i].Place, ""
			if u.Metadata != "" {
				entry = ", " + place(refconfig.Place{File: u.Metadata, Line: at.Line})
			}
			return place(refconfig.Place{File: at.File}) + entry + "  " + escape.Short(all[i].Object.Selector())
		}
	}
	list("Without a CR; to remove one, delete its file, and its entry in the metadata", len(u.Gone), gone(u.Gone))
	list("Without a CR, and not required", len(u.Absent), gone(u.Absent))
	list("CRs that you have left out", len(u.Not), func(i int) string {
		l := u.Not[i]
		return place(l.Place) + "  " + escape.Short(l.Object.Selector()+": "+l.Message)
	})
	if u.More > 0 && !o.Extra {
		fmt.Fprintf(&b, "\n%s more than the template states, which is no drift; --extra adds it\n",
			finding.Plural(u.More, "CR has", "CRs have"))
	}
	if u.Without > 0 {
		fmt.Fprintf(&b, "\n%s no template; --add makes one for each\n", finding.Plural(u.Without, "CR has", "CRs have"))
	}
	return b.String()
}

// changeText shows what a value was and is.
func changeText(c generate.Change) string {
	switch {
	case !c.Has:
		return "removed"
	case !c.Had:
		return "added " + shortValue(c.Now)
	}
	return shortValue(c.Was) + " → " + shortValue(c.Now)
}

// shortValue shows a value on one line.
func shortValue(v any) string {
	if a, ok := v.(tree.Action); ok {
		return "{{ " + a.Pipe + " }}"
	}
	text, err := tree.JSON(withActions(v))
	if err != nil {
		return "…"
	}
	const most = 60 // characters
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return escape.Short(text)
}

// withActions returns a value of a template with its actions as texts.
func withActions(v any) any {
	switch v := v.(type) {
	case tree.Action:
		return "{{ " + v.Pipe + " }}"
	case tree.Optional:
		return withActions(v.Value)
	case tree.Document:
		return withActions(v.Value)
	case map[string]any:
		all := make(map[string]any, len(v))
		for k, one := range v {
			all[k] = withActions(one)
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i, one := range v {
			all[i] = withActions(one)
		}
		return all
	}
	return v
}
