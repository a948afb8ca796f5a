package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/validationtool/validationtool/internal/compare/diff"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/disk"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

func quoted(names []string) string { return strings.Join(names, ", ") }

// loadReference reads and compiles a reference: a folder, its metadata file, a file of CRs, or an
// archive of these. It also checks whether the user swapped reference and inputs.
func (p *program) loadReference(
	ctx context.Context, name string, inputs ...string,
) (*refconfig.Reference, *render.Engine, error) {
	ref, engine, err := p.loadSound(ctx, name, inputs...)
	if err != nil {
		return nil, nil, err
	}
	return ref, engine, nil
}

// loadSound is loadReference, except that with the error refconfig.Faults it returns what is sound.
func (p *program) loadSound(
	ctx context.Context, name string, inputs ...string,
) (*refconfig.Reference, *render.Engine, error) {
	name = filepath.ToSlash(name)
	var own *refconfig.Reference // nil if the reference cannot be used
	file, _ := fileOf(name)
	defer func() { p.own.add(file, own) }()
	fsys, within, err := p.openReference(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	opt := p.loadOptions(ctx, name)
	opt.Without = inputsInside(name, inputs)
	ref, problems := loadAny(fsys, within, opt)
	if err := swapped(ref, inputs); err != nil {
		return nil, nil, err
	}
	p.inUse.Add("a file of the reference", ref.Files...)
	engine, more := render.Compile(ctx, ref)
	if err := unread(ctx, name); err != nil {
		return nil, nil, err
	}
	problems = append(problems, more...)
	for _, t := range engine.Templates() {
		problems = append(problems, diff.Check(t).Errors...)
	}
	if len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b refconfig.Problem) int {
			return a.Place.Compare(b.Place)
		})
		faults := refconfig.Faults{What: "the reference cannot be used", Problems: problems}
		if len(ref.Below) > 0 {
			return ref, engine, several(faults, name, ref.Below)
		}
		return ref, engine, faults
	}
	own = ref
	return ref, engine, nil
}

// loadOptions returns the options for loading the reference.
func (p *program) loadOptions(ctx context.Context, name string) refconfig.LoadOptions {
	return refconfig.LoadOptions{
		Name:       name,
		FileLimit:  p.limits.Count("reference"),
		TotalLimit: min(referenceUnpacked, p.limits.Memory()/ofTemplates),
		AliasLimit: p.limits.Count("aliases"),
		Context:    ctx,
	}
}

// openReference returns the file system of a reference, and the path in it. The error message
// begins with its code.
func (p *program) openReference(ctx context.Context, name string) (fs.FS, string, error) {
	if name == stdin {
		return nil, "", p.usageError("standard input (-) can be an INPUT, but not the REFERENCE")
	}
	watch.NewVolume() // a reference is small: garbage is hardly collected until an input is read
	name, inside := fileOf(name)
	fsys, within, err := p.openFile(ctx, name)
	if inside != "" {
		within = inside
	}
	return fsys, within, err
}

// fileOf returns the file or folder that a path leads to, and the path in it: a reference inside an
// archive or an image is named by a path that begins with that of the archive.
func fileOf(name string) (file, inside string) {
	if _, err := os.Stat(name); err != nil {
		name = strings.TrimRight(name, "/")
	}
	for file = name; ; {
		info, err := os.Stat(file)
		above := path.Dir(file)
		switch {
		case err == nil && (file == name || info.Mode().IsRegular() || isImage(disk.Folder(file))):
			return file, strings.TrimPrefix(strings.TrimPrefix(name, file), "/")
		case err == nil || above == file || path.Clean(name) != name:
			return name, ""
		}
		file = above
	}
}

// openFile returns the file system of a file or folder with references, and the path in it.
func (p *program) openFile(ctx context.Context, name string) (fs.FS, string, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", fmt.Errorf(
			"%s: %s: there is no such reference; name a folder with metadata.yaml, a folder of CRs, the metadata file, or an archive%s%s",
			code.RefNotFound,
			name,
			p.suggestCommand(name),
			source.Remote(name),
		)
	case err != nil:
		return nil, "", fmt.Errorf("%s: %w", code.RefUnreadable, err)
	case info.IsDir() && isImage(disk.Folder(name)):
		return p.readImage(ctx, image{name: name, folder: disk.Folder(name)})
	case info.IsDir():
		return disk.Folder(name), ".", nil
	}
	read, err := p.readPacked(ctx, name)
	switch {
	case err != nil:
		return nil, "", err
	case read.plain:
		return disk.Folder(filepath.Dir(name)), filepath.Base(name), nil
	}
	top := topFolder(read.files)
	if within, err := fs.Sub(read.files, top); err == nil && isImage(within) {
		return p.readImage(ctx, image{name, within, read, top})
	}
	return read.files, top, nil
}

// packed is what was read of an archive of a reference, or of a layer of an image.
type packed struct {
	files fstest.MapFS
	met   map[string]bool // the names of its files, and of the archives in it
	plain bool            // it is neither packed nor an archive
}

// readPacked reads an archive. The error message begins with its code.
func (p *program) readPacked(ctx context.Context, name string) (*packed, error) {
	read := &packed{met: map[string]bool{}}
	meet := func(name string, _ int64) source.Decision {
		read.met[name] = true
		return source.Decision{Action: source.Read}
	}
	files, summary, err := source.ReadAll(ctx, name, source.Options{Limits: p.limits.Reference(), Want: meet})
	switch {
	case ctx.Err() != nil:
		return nil, unread(ctx, name)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", code.RefUnreadable, err)
	case len(summary.Inputs) == 1 && summary.Inputs[0].Format == "file":
		return &packed{plain: true}, nil
	}
	for _, problem := range summary.Problems {
		if !cluster.Harmless(problem.Code) {
			return nil, fmt.Errorf("%s: %s", problem.Code, problem)
		}
	}
	read.files = files
	return read, nil
}

// loadAny loads a reference. It adds a problem for a template whose names and description are too
// long, because reports repeat them.
func loadAny(fsys fs.FS, within string, opt refconfig.LoadOptions) (*refconfig.Reference, []refconfig.Problem) {
	const most = 16 << 10 // bytes
	ref, faults := refconfig.Load(fsys, within, opt)
	for _, t := range ref.Templates {
		about := finding.TemplateOf(t)
		if n := len(about.Path) + len(about.Part) + len(about.Component) + len(about.Description); n > most {
			faults = append(faults, refconfig.Place{
				File: t.File,
			}.Problem(
				code.LimitMemory,
				"the path and description of this template and the names of its part and "+
					"component have %d bytes, more than %d: reports repeat them for each CR; shorten them",
				n,
				most,
			))
		}
	}
	return ref, faults
}

// unread returns the error for a reference that was not completely read because the context has
// ended. It returns nil if the context has not ended.
func unread(ctx context.Context, name string) error {
	if ctx.Err() == nil {
		return nil
	}
	return watch.Cause(ctx).And(" while the reference " + name + " was read, and nothing was compared")
}

// topFolder returns the outermost folder of an archive that contains more than a single folder.
func topFolder(fsys fs.FS) string {
	top := "."
	for {
		entries, err := fs.ReadDir(fsys, top)
		if err != nil || len(entries) != 1 || !entries[0].IsDir() {
			return top
		}
		top = path.Join(top, entries[0].Name())
	}
}

// swapped returns an error if the reference has no metadata and an input has the metadata of a
// reference.
func swapped(ref *refconfig.Reference, inputs []string) error {
	if ref.Format != refconfig.Annotations {
		return nil
	}
	for _, input := range inputs {
		name := filepath.ToSlash(filepath.Join(input, "metadata.yaml"))
		if path.Base(input) == "metadata.yaml" {
			name = input
		}
		if text, err := disk.ReadFile(name); err == nil && strings.Contains("\n"+strings.ToLower(string(text)), "\nparts:") {
			return fmt.Errorf(
				"%s: the reference comes before the input; %s has no metadata, but %s is that of a reference, so reference and input may be swapped",
				code.Usage, ref.Path, name,
			)
		}
	}
	return nil
}
