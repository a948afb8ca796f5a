package cli

import (
	"context"
	"io"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/author/lsp"
	"github.com/validationtool/validationtool/internal/run/disk"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/refconfig"
)

// lspCommand returns the command lsp.
func (p *program) lspCommand() *cli.Command {
	return command(p, &base{endless: true}, p.lsp, &cli.Command{
		Usage: "answer an editor over standard input and output",
		Description: `It is a language server: the editor starts it and shows what lint
finds while you type. It explains the keys of metadata.yaml, and the functions
and fields of templates, and completes functions, codes and the paths of
templates. A file belongs to the nearest folder above it that has a
metadata.yaml. docs/editors.md says how editors start it. The limits of time and
memory are for one check.

Exit status:
  0  the editor asked for the end
  2  it left without asking, or bad usage`,
		Flags: []cli.Flag{p.limitFlag()},
	})
}

// lsp serves an editor over standard input and output.
func (p *program) lsp(ctx context.Context, _ *base) error {
	build := p.tool()
	return lsp.Serve(ctx, stdio{p.io.In, p.io.Out}, lsp.Options{
		Version: build.Version,
		Open:    disk.Folder,
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
}

// stdio combines standard input and output into one stream. Closing it has no effect.
type stdio struct {
	io.Reader
	io.Writer
}

// Close closes nothing.
func (stdio) Close() error { return nil }
