package cli

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/archive"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/perfield"
	"github.com/validationtool/validationtool/internal/reference"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/refconfig"
)

func quoted(names []string) string { return strings.Join(names, ", ") }

// loadReference reads and compiles a reference: a folder, its metadata file, a file of CRs, or an archive of one of these. The inputs
// tell whether the two were swapped.
func (p *program) loadReference(ctx context.Context, o *options) (*refconfig.Reference, *render.Engine, error) {
	o.reference = filepath.ToSlash(o.reference)
	fsys, within, err := p.openReference(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	ref, problems := reference.Load(fsys, within, o.loadOptions(ctx))
	if err := reference.Swapped(ref, o.inputs); err != nil {
		return nil, nil, err
	}
	engine, more := render.Compile(ctx, ref)
	if err := reference.Whole(ctx, o.reference); err != nil {
		return nil, nil, err
	}
	problems = append(problems, more...)
	if problems = append(problems, perfield.Check(engine)...); len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b refconfig.Problem) int {
			return a.Place.Compare(b.Place)
		})
		for i := range problems {
			if _, _, packed := archive.SplitName(o.reference); packed && problems[i].Code == code.RefNotFound {
				problems[i].Message += "; unpack the archive for that"
			}
		}
		err := refconfig.Faults{What: "the reference cannot be used", Problems: problems}
		return nil, nil, errors.Join(err, reference.SwappedArchive(ctx, ref, o.inputs))
	}
	return ref, engine, nil
}

// loadOptions say how the reference is loaded.
func (o *options) loadOptions(ctx context.Context) refconfig.LoadOptions {
	return refconfig.LoadOptions{Name: o.reference, FileLimit: o.limits.Count("reference"), AliasLimit: o.limits.Count("aliases"), Context: ctx}
}

// openReference returns the file system that a reference lies in, and its path there.
func (p *program) openReference(ctx context.Context, o *options) (fs.FS, string, error) {
	if o.reference == "-" {
		return nil, "", p.usageError("standard input, -, can be an INPUT only, behind the REFERENCE")
	}
	return reference.Open(ctx, o.reference, p.meantCommand(o.reference), o.limits.Reference())
}
