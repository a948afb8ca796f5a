package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/author/lsp"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/input/source"
	"github.com/validationtool/validationtool/internal/run/disk"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/refconfig"
)

// lspOptions are the options of lsp.
type lspOptions struct {
	base
	crds, crs []string
}

// lspCommand returns the command lsp.
func (p *program) lspCommand() *cli.Command {
	o := &lspOptions{base: base{endless: true}}
	return command(p, o, p.lsp, &cli.Command{
		Usage: "answer an editor over standard input and output",
		Description: `It is a language server: the editor starts it and shows what lint
finds while you type, and what it suggests. It explains, completes, finds and
renames the names in metadata.yaml and in templates. A file belongs to the
nearest folder above it that has a metadata.yaml. docs/editors.md says how
editors start it. The limits of time and memory are for one check.

Exit status:
  0  the editor asked for the end
  1  it left without asking
  2  bad usage`,
		Flags: []cli.Flag{
			p.limitFlag(),
			option("crds", often, list(&o.crds),
				"check and complete templates with the CustomResourceDefinitions or OpenAPI v3 documents in `PATH`, a file, a folder or a support archive (repeatable)"),
			option("crs", often, list(&o.crs),
				"complete templates with the fields of the source CRs and examples in `PATH`, a file, a folder or an archive (repeatable)"),
		},
	})
}

// lsp serves an editor over standard input and output.
func (p *program) lsp(ctx context.Context, o *lspOptions) error {
	schemas, doubts, err := p.readSchemas(ctx, o.crds, nil)
	if err != nil {
		return err
	}
	sources, more, err := p.readSources(ctx, o.crs)
	if err != nil {
		return err
	}
	for _, d := range append(doubts, more...) {
		p.printError(d)
	}
	build := p.tool()
	err = lsp.Serve(ctx, stdio{p.io.In, p.io.Out}, lsp.Options{
		Version: build.Version,
		Open:    disk.Folder,
		Schemas: schemas,
		Sources: sources,
		Load: func(ctx context.Context, fsys fs.FS, name string) (*refconfig.Reference, []refconfig.Problem) {
			opt := p.loadOptions(ctx, name)
			opt.Unlisted = true
			return loadAny(fsys, ".", opt)
		},
		Limit: func(ctx context.Context) (context.Context, func()) {
			ctx, guard := watch.Start(ctx, p.limits.Watch(), p.exit)
			return ctx, guard.Stop
		},
	})
	if errors.Is(err, lsp.ErrNoShutdown) { // the protocol demands this status
		p.status = exitDiffers
		p.printError(err)
		return nil
	}
	return err
}

// readSources returns the source CRs in inputs, and warnings about what cannot be read.
func (p *program) readSources(
	ctx context.Context, paths []string,
) (all []map[string]any, doubts []refconfig.Problem, err error) {
	if err := allOpen(paths); err != nil || len(paths) == 0 {
		return nil, nil, err
	}
	read := source.Options{
		Limits: p.limits.Source(), FollowLinks: p.followLinks, Want: source.Candidate, Progress: p.countRead,
	}
	hints := manifest.Hints{Limits: p.limits.Text(), Context: ctx, Placeholders: true}
	summary, err := source.Walk(ctx, paths, read, func(f source.File) error {
		found := manifest.Read(f.Path, f.Entry, f.Data, hints)
		doubts = append(doubts, found.Problems...)
		for _, object := range found.Objects {
			if cr, err := object.Decode(); err == nil {
				all = append(all, cr)
			}
		}
		return nil
	})
	for _, problem := range summary.Problems {
		doubts = append(doubts, problem.Problem)
	}
	return all, doubts, err
}

// stdio combines standard input and output into one stream. Closing it has no effect.
type stdio struct {
	io.Reader
	io.Writer
}

// Close closes nothing.
func (stdio) Close() error { return nil }
