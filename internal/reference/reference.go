package reference

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/limit"
	"github.com/validationtool/validationtool/internal/memoryfs"
	"github.com/validationtool/validationtool/internal/source"
	"github.com/validationtool/validationtool/internal/watch"
	"github.com/validationtool/validationtool/refconfig"
)

// Open returns the file system that a reference lies in, and its path there. meant is what may have been meant where there is no such file or
// folder. The error is for people, with its code.
func Open(ctx context.Context, name, meant string, limits source.Limits) (fs.FS, string, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", fmt.Errorf("%s: %s: there is no such reference; name a folder with a metadata.yaml or of CRs, the metadata file itself, or an archive of one%s%s", code.RefNotFound, name, meant, source.Remote(name))
	case err != nil:
		return nil, "", fmt.Errorf("%s: %w", code.RefUnreadable, err)
	case info.IsDir():
		return os.DirFS(name), ".", nil
	}
	files, summary, err := source.ReadAll(ctx, name, source.Options{Limits: limits})
	switch {
	case ctx.Err() != nil:
		return nil, "", Whole(ctx, name)
	case err != nil:
		return nil, "", fmt.Errorf("%s: %w", code.RefUnreadable, err)
	case len(summary.Inputs) == 1 && summary.Inputs[0].Format == "file":
		return os.DirFS(filepath.Dir(name)), filepath.Base(name), nil
	}
	for _, problem := range summary.Problems {
		if !gather.Harmless(problem.Code) {
			return nil, "", fmt.Errorf("%s: %s", problem.Code, problem)
		}
	}
	fsys := memoryfs.Of(source.Contents(files))
	return fsys, topFolder(fsys), nil
}

// Load loads a reference, as refconfig does. One that says more of a template than reports can repeat for each CR has a fault there.
func Load(fsys fs.FS, within string, opt refconfig.LoadOptions) (*refconfig.Reference, []refconfig.Problem) {
	const most = 16 << 10 // bytes
	ref, faults := refconfig.Load(fsys, within, opt)
	for _, t := range ref.Templates {
		about := finding.TemplateOf(t)
		if n := len(about.Path) + len(about.Part) + len(about.Component) + len(about.Description); n > most {
			faults = append(faults, refconfig.Place{File: t.File}.Problem(code.LimitMemory, "the path and the description of this template, and what its part and "+
				"component are called, have %d bytes together, more than %d: reports repeat them for each CR; shorten them", n, most))
		}
	}
	return ref, faults
}

// Whole is the error for a reference that is not read or compiled to its end, because the context has ended.
func Whole(ctx context.Context, name string) error {
	if ctx.Err() == nil {
		return nil
	}
	return watch.Cause(ctx).And(" while the reference " + name + " was read, and nothing was compared")
}

// topFolder returns the folder of an archive that the reference lies in, below those that hold nothing but one folder.
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

// Swapped says so if a reference without metadata was named first and an input that has a metadata.yaml behind it.
func Swapped(ref *refconfig.Reference, inputs []string) error {
	if ref.Format != refconfig.Annotations {
		return nil
	}
	for _, input := range inputs {
		name := filepath.ToSlash(filepath.Join(input, "metadata.yaml"))
		if path.Base(input) == "metadata.yaml" {
			name = input
		}
		if text, err := os.ReadFile(name); err == nil {
			if err := swappedWith(ref, name, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// swappedWith says so of a file of an input that is the metadata of a reference.
func swappedWith(ref *refconfig.Reference, name string, text []byte) error {
	if !strings.Contains("\n"+strings.ToLower(string(text)), "\nparts:") {
		return nil
	}
	return fmt.Errorf("%s: the reference comes first and then the input; %s has no metadata and %s is that of a reference, so the two may be swapped",
		code.Usage, ref.Path, name)
}

// SwappedArchive looks for the metadata in the one input, an archive, where something went wrong. It is read again for that, so only one
// that is as small as references are.
func SwappedArchive(ctx context.Context, ref *refconfig.Reference, inputs []string) (swapped error) {
	const largest = 4 << 20 // bytes, of the archive as it is packed, and of the metadata
	if len(inputs) != 1 || ref.Format != refconfig.Annotations {
		return nil
	}
	_, _, packed := archive.SplitName(inputs[0])
	if info, err := os.Stat(inputs[0]); err != nil || !packed || info.Size() > largest {
		return nil
	}
	want := func(name string, _ int64) source.Decision {
		if path.Base(name) == "metadata.yaml" {
			return source.Decision{Action: source.Read}
		}
		return source.Decision{Action: source.Skip}
	}
	limits := limit.Limits{}.Reference()
	limits.File = largest
	_, _ = source.Walk(ctx, inputs, source.Options{Want: want, Limits: limits}, func(f source.File) error {
		swapped = swappedWith(ref, refconfig.Place{File: f.Path, Entry: f.Entry}.String(), f.Data)
		return swapped
	}) // what else is wrong with the input was told
	return swapped
}
