package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/command"
	"github.com/validationtool/validationtool/internal/destination"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/fleet"
	"github.com/validationtool/validationtool/internal/generate"
	"github.com/validationtool/validationtool/internal/visible"
)

// generateCommand is the command reference generate.
func (p *program) generateCommand() *command.Command {
	o, opt := p.newOptions(), generate.Options{}
	o.output = ""
	return &command.Command{
		Name: references + " generate", Args: "INPUT...", Does: "make a first reference from the CRs of clusters that are known to be good",
		About: []string{
			"It writes a folder with a metadata.yaml and a template for each CR. Of one cluster, a template states all that the CR has, but for what the cluster " +
				"itself wrote into it. Of several, what differs between them is the user's, and what only some have is optional. Each cluster agrees with " +
				"the reference. The data of Secrets is never written, wherever it stands.",
			"What is taken for a cluster of its own is the same as in a comparison; but where nothing says of which cluster the CRs are, each INPUT is one.",
		},
		Terms:    [][2]string{{"INPUT", "a directory, a file, a support archive such as a must-gather, or - for standard input"}},
		Examples: []string{"validationTool reference generate must-gather.tar.gz --output reference"},
		Exits: []string{"the reference was written", "",
			"nothing was written: bad usage, or no CR is left; or the reference lacks what could not be read, which is listed"},
		Options: func() []command.Option {
			return slices.Concat([]command.Option{
				{Name: "output", Short: "o", Category: command.Often, Into: &o.output, Usage: "`DIR` to write the reference to; it has to be new or empty"},
				{Name: "kind", Category: command.Often, Into: opt.AddKind, Usage: "take only CRs of a `KIND`, which may have its group, as in Role.rbac.authorization.k8s.io, and globs (repeatable)"},
				{Name: "namespace", Short: "n", Category: command.Often, Into: opt.AddNamespace, Usage: "take only Namespaces that `NAME` means, and what is in them; it may be a glob (repeatable)"},
				{Name: "include", Category: command.Often, Values: generate.ReasonNames(), Into: opt.AddInclude,
					Usage: "take in a `LIST` of what is left out without being asked for: " + strings.Join(generate.ReasonNames(), ", ")},
			}, o.shared("cluster", "join", "skip-unreadable", "nested", "limit"))
		},
		Takes: func(l command.Line) bool { return len(l.Args) > 0 },
		Run:   func(ctx context.Context, l command.Line) error { return p.generate(ctx, l, o, &opt) },
	}
}

// generate makes a reference, and writes it as a whole or not at all.
func (p *program) generate(ctx context.Context, l command.Line, o *options, opt *generate.Options) error {
	if o.inputs = l.Args; len(o.inputs) == 0 {
		return p.usageError("an INPUT is needed")
	}
	if o.output == "" {
		return p.usageError("--output DIR is needed, a new or empty folder to write the reference to")
	}
	folder, err := destination.MakeFolder(o.output)
	if err != nil {
		return fmt.Errorf("%s: --output: %w", code.NoFolder, err)
	}
	defer folder.Drop()
	p.begun(folder.Drop)
	made, err := p.makeReference(ctx, o, opt)
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
		p.status = exitTrouble
	}
	return p.deliver("the summary", plainly(visible.Short(o.output)+": "+made.Summary()))
}

// makeReference makes a reference of what is read of the inputs, and says what is not in it.
func (p *program) makeReference(ctx context.Context, o *options, opt *generate.Options) (*generate.Reference, error) {
	opt.Largest = o.limits.Count("reference")
	p.startProgress(o.inputs)
	defer p.progress.End()
	reading := p.fleetOptions(o)
	reading.Each = true
	clusters, err := fleet.Read(ctx, reading).Collect(opt.Trim)
	if err != nil {
		return nil, p.inputError(err)
	}
	for _, c := range clusters {
		if c.Stopped != nil {
			return nil, c.Stopped.And(", and nothing was written")
		}
	}
	for i := range clusters {
		clusters[i].Settle(func(string) bool { return false })
	}
	made, err := generate.From(ctx, clusters, *opt)
	if err != nil {
		return nil, err
	}
	for _, c := range clusters {
		for _, w := range slices.Concat(c.Warnings, c.NotRead) {
			p.notice(w.Code, "warning: "+w.Error())
		}
	}
	for _, problem := range made.Problems {
		p.notice(problem.Code, problem.Error())
	}
	if len(made.Files) == 0 {
		return nil, fmt.Errorf("%s: no CR is left to make a reference of, and nothing was written%s",
			code.NothingToGenerate, finding.Prefixed("; ", strings.TrimSpace(made.Summary())))
	}
	return made, nil
}
