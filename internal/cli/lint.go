package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/author/lint"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/report/formats"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/template/render"
	"github.com/validationtool/validationtool/refconfig"
)

// lintOptions are the options of lint.
type lintOptions struct {
	base
	display
	lint.Options
	format, baselineFile string
	crds, overrideFiles  []string
	crs                  []string // source CRs to compare with the reference
	strict               bool     // warnings make the command fail
}

// Validate implements options.
func (o *lintOptions) Validate(args []string) error {
	if len(o.overrideFiles) > 0 && len(o.crds) == 0 {
		return errors.New("--overrides needs --crds, the schemas to check the overrides with")
	}
	return o.base.Validate(args)
}

// lintCommand returns the command lint.
func (p *program) lintCommand() *cli.Command {
	o := &lintOptions{}
	return command(p, o, p.lint, &cli.Command{
		ArgsUsage: "REFERENCE...", Usage: "report errors and likely mistakes in references",
		Description: `It reports all errors that would stop a comparison, and mistakes that a
comparison may not show. Each line starts with the location, as compilers print
it, and ends with a code; the command explain explains it. With --baseline, only
new findings are listed and fail. Of several references, the worst exit status
counts.

` + referenceTerm + `

Examples:
  validationTool lint --strict reference

Exit status:
  0  no errors, or no new ones; there may be warnings
  1  errors, or warnings with --strict
  2  bad usage, or a part of the reference cannot be read`,
		Flags: append(
			only(o.flags(), []string{"color"}), p.linksFlag(), p.limitFlag(),
			formatFlag(&o.format, "the findings", "text", "json", "sarif", "github", "gitlab"),
			toggle("strict", often, &o.strict,
				"exit with status 1 for warnings too"),
			toggle("compatible", often, &o.Compatible,
				"warn about what kube-compare does not support or reads differently"),
			option("crds", often, list(&o.crds),
				"check templates against the CustomResourceDefinitions or OpenAPI v3 documents in `PATH`, a file, a folder or a support archive; kinds of Kubernetes are checked without it (repeatable)"),
			option("crs", often, list(&o.crs),
				"compare the reference with its source CRs and examples in `PATH`, a file, a folder or an archive, and report where they disagree; placeholders in them are values that are not known yet (repeatable)"),
			option("overrides p", often, list(&o.overrideFiles),
				"with --crds, check the fields of the overrides in `FILE` too (repeatable)"),
			option("baseline", often, one(&o.baselineFile),
				"ignore the findings in `FILE`, an earlier --output json"),
		),
	})
}

// lint reports problems of references. A reference that cannot be opened does not affect the
// others.
func (p *program) lint(ctx context.Context, o *lintOptions) error {
	known, err := p.knownFlaws(ctx, o.baselineFile)
	if err != nil {
		return err
	}
	if o.Schemas, o.Doubts, err = p.readSchemas(ctx, o.crds, nil); err != nil {
		return err
	}
	overrides, odd, err := p.limits.readOverrides(ctx, o.overrideFiles)
	if err != nil {
		return err
	}
	o.Overrides = overrides
	o.Doubts = append(o.Doubts, odd...)
	var all []*lint.Document
	var unread []error
	for _, name := range o.args {
		found, err := p.lintReference(ctx, name, o)
		if err != nil {
			unread = append(unread, err)
			continue
		}
		all = append(all, found)
		o.Doubts, o.Overrides = nil, nil // report them only once
	}
	if len(all) == 0 {
		return errors.Join(unread...)
	}
	found := lint.Merge(all)
	if known != nil {
		found.Mark(o.baselineFile, known)
	}
	found.Tool = p.tool()
	if found.Conclude(o.strict); len(unread) > 0 {
		found.ExitStatus = 2
	}
	p.status = found.ExitStatus
	return errors.Join(append(unread, p.writeLint(ctx, o, found))...)
}

// knownFlaws reads the document of --baseline. It returns nil if the option is not given.
func (p *program) knownFlaws(ctx context.Context, name string) (known *lint.Document, err error) {
	if name == "" {
		return nil, nil
	}
	text, err := p.limits.readWritten(ctx, name)
	if err == nil {
		known, err = lint.Parse(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", code.BaselineBroken, name, err)
	}
	return known, nil
}

// writeLint writes the problems in the chosen format.
func (p *program) writeLint(ctx context.Context, o *lintOptions, found *lint.Document) error {
	return p.answer(ctx, o.format, "what was found", found, func(w io.Writer) error {
		switch o.format {
		case "sarif":
			return formats.SARIFLint(w, found, workingFolder())
		case "github":
			return formats.GitHubLint(w, found, workingFolder())
		case "gitlab":
			return formats.GitLabLint(w, found, workingFolder())
		}
		return text.Lint(w, found, p.textOptions(&o.display, p.io.Out))
	})
}

// lintReference loads a reference and reports its problems.
func (p *program) lintReference(ctx context.Context, name string, o *lintOptions) (*lint.Document, error) {
	fsys, within, err := p.openReference(ctx, name)
	if err != nil {
		return nil, err
	}
	opt := p.loadOptions(ctx, name)
	opt.Unlisted = true
	ref, faults := loadAny(fsys, within, opt)
	how := o.Options
	how.Faults = faults
	found := lint.Reference(ctx, ref, how)
	if len(o.crs) == 0 {
		return found, nil
	}
	runs, err := p.compareCRs(ctx, o.crs, ref)
	found.Disagree(ref, runs)
	return found, err
}

// compareCRs compares source CRs with a reference. They have placeholders in place of values.
func (p *program) compareCRs(ctx context.Context, paths []string, ref *refconfig.Reference) ([]*finding.Run, error) {
	o := &comparing{read: cluster.Options{Inputs: paths, Placeholders: true}}
	opt, err := p.comparison(ctx, o, ref)
	if err != nil {
		return nil, err
	}
	engine, _ := render.Compile(ctx, ref) // lint reported the problems
	l := plan{ref: ref, engine: engine, opt: opt}
	return p.runs(ctx, p.read(ctx, o.read), comparer{
		trim:  func(*manifest.Object) {},
		files: true,
		run:   l.compare,
	})
}
