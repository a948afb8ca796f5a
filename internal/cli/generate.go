package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/author/generate"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/finding/escape"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/destination"
)

// generateOptions are the options of generate.
type generateOptions struct {
	base
	generate.Options
	read   cluster.Options
	crds   []string
	folder string
	update bool // an existing reference
	dryRun bool
}

// generateCommand returns the command generate.
func (p *program) generateCommand() *cli.Command {
	o := &generateOptions{read: cluster.Options{Each: true}}
	return command(p, o, p.generate, &cli.Command{
		ArgsUsage: "INPUT...",
		Usage:     "make a reference from the CRs of known good clusters",
		Description: `It writes a folder with a metadata.yaml and a template for each CR. From one
cluster, a template has all fields of the CR, except those that the cluster
itself sets. From several clusters, values that differ are left open, and CRs
that only some clusters have become optional. Each cluster agrees with the
reference. The data of Secrets is never written.

Clusters are distinguished as in a comparison. If the CRs do not identify their
cluster, each INPUT is one cluster.

  INPUT  folder, file, support archive (must-gather), or - (standard input)

With --update, it changes an existing reference where the clusters differ from
it, and keeps everything else as its author wrote it. What it cannot change
safely is listed, and CRs without a template are counted.

Examples:
  validationTool generate must-gather.tar.gz --output reference
  validationTool generate must-gather.tar.gz -o reference --update --dry-run

Exit status:
  0  the reference was written, or has nothing to change
  1  with --update, something is left for its author
  2  nothing was written, because of bad usage or because no CR is left; or some
     files could not be read, and the reference lacks their CRs`,
		Flags: append(
			inputFlags(&o.read), p.linksFlag(), p.limitFlag(),
			option("output o", often, one(&o.folder),
				"write the reference to `DIR`, which is new or empty"),
			toggle("update", often, &o.update,
				"change the templates in DIR that the CRs differ from; the rest stays as it is"),
			toggle("add", often, &o.Add,
				"with --update, add templates for CRs that have none"),
			toggle("extra", rare, &o.Extra,
				"with --update, add what the CRs have more than the templates state"),
			toggle("dry-run", often, &o.dryRun,
				"with --update, only say what would change"),
			option("kind", often, &value{many: true, set: generate.AddKind(&o.Kinds)},
				"use only CRs of `KIND`; KIND may have its group, as in Role.rbac.authorization.k8s.io, and globs (repeatable)"),
			option("namespace n", often, &value{many: true, set: generate.AddGlob(&o.Namespaces)},
				"use only CRs in namespaces matching `NAME`, and these Namespaces; NAME may be a glob (repeatable)"),
			option("name", often, &value{many: true, set: generate.AddGlob(&o.Names)},
				"use only CRs whose name matches `NAME`, which may be a glob (repeatable)"),
			option("required", often, &value{many: true, set: generate.AddKind(&o.Required)},
				"make templates of `KIND` required, even if some clusters lack the CR; KIND is as for --kind (repeatable)"),
			option("optional", often, &value{many: true, set: generate.AddKind(&o.Optional)},
				"make templates of `KIND` optional, even if all clusters have the CR; KIND is as for --kind (repeatable)"),
			option("omit", often, &value{many: true, set: o.AddOmit},
				"do not compare the field at `PATH` of any CR, such as metadata.labels.team; a * at the end stands for the rest of a key (repeatable)"),
			option("crds", often, list(&o.crds),
				"compare lists as the CustomResourceDefinitions or OpenAPI v3 documents in `PATH` say, by keys or as sets; PATH is a file, a folder or a support archive (repeatable)"),
			option("include", often, &value{words: generate.Includes(), many: true, set: o.AddInclude},
				"add what is in `LIST` and left out by default: "+strings.Join(generate.Includes(), ", ")),
		),
	})
}

// Validate implements options.
func (o *generateOptions) Validate(args []string) error {
	if o.folder == "" {
		return errors.New("--output DIR is needed: a new or empty folder for the reference")
	}
	if (o.dryRun || o.Extra || o.Add) && !o.update {
		return errors.New("--dry-run, --extra and --add need --update")
	}
	o.read.Inputs = args
	return nil
}

// generate generates a reference, and writes it completely or not at all.
func (p *program) generate(ctx context.Context, o *generateOptions) error {
	if err := allOpen(o.read.Inputs); err != nil {
		return err
	}
	if o.update {
		return p.updateReference(ctx, o)
	}
	folder, err := destination.MakeFolder(o.folder)
	if err != nil {
		return fmt.Errorf("%s: --output: %w", code.NoFolder, err)
	}
	defer folder.Drop()
	p.removeOnExit(folder.Drop)
	made, err := p.makeReference(ctx, o)
	if err != nil {
		return err
	}
	for _, f := range made.Files {
		err = errors.Join(err, folder.Write(f.Name, f.Text))
	}
	if err == nil {
		err = folder.Commit()
	}
	if err != nil {
		return fmt.Errorf("%s: nothing was written: %w", code.NoFolder, err)
	}
	if len(made.Problems) > 0 {
		p.status = exitUnreliable
	}
	return p.say(escape.Short(o.folder) + ": " + made.Summary())
}

// makeReference generates a reference from the inputs, and reports the CRs that it omits.
func (p *program) makeReference(ctx context.Context, o *generateOptions) (*generate.Reference, error) {
	clusters, err := p.readToGenerate(ctx, o, o.Trim)
	if err != nil {
		return nil, err
	}
	made, err := generate.From(ctx, clusters, o.Options)
	if err != nil {
		return nil, err
	}
	p.warnUnused(clusters, made)
	if len(made.Files) == 0 {
		return nil, fmt.Errorf("%s: no CR is left to make a reference from, and nothing was written%s",
			code.NothingToGenerate, finding.Prefixed("; ", strings.TrimSpace(made.Summary())))
	}
	return made, nil
}

// readToGenerate reads the schemas and the inputs. trim releases CRs that are not needed.
func (p *program) readToGenerate(
	ctx context.Context, o *generateOptions, trim func(*manifest.Object),
) ([]cluster.Collected, error) {
	o.Largest = p.limits.Count("reference")
	schemas, doubts, err := p.readSchemas(ctx, o.crds, nil)
	if err != nil {
		return nil, err
	}
	for _, problem := range doubts {
		p.notice(problem.Code, "warning: "+problem.Error())
	}
	o.Schemas = schemas
	p.startProgress(o.read.Inputs)
	defer p.progress.End()
	clusters, err := p.collect(p.read(ctx, o.read), trim)
	if err != nil {
		return nil, err
	}
	for _, c := range clusters {
		if c.Stopped != nil {
			return nil, c.Stopped.And(", and nothing was written")
		}
	}
	for i := range clusters {
		clusters[i].SortLost(func(string) bool { return false })
	}
	return clusters, nil
}

// warnUnused reports what of the inputs could not be read or used.
func (p *program) warnUnused(clusters []cluster.Collected, made *generate.Reference) {
	for _, c := range clusters {
		_, gaps := cluster.NewEvidence(&c).Gaps()
		for _, w := range slices.Concat(c.Warnings, gaps, c.NotRead) {
			p.notice(w.Code, "warning: "+w.Error())
		}
	}
	for _, problem := range made.Problems {
		p.notice(problem.Code, problem.Error())
	}
}
