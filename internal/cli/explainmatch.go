package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/cluster"
	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/explain"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/render"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/visible"
	"github.com/validationtool/validationtool/internal/watch"
	"github.com/validationtool/validationtool/refconfig"
)

// explanation is the name of the command that explains a match.
const explanation = "explain-match"

// explainMatchCommand returns the command explain-match.
func (p *program) explainMatchCommand() *cli.Command {
	o := p.newOptions()
	return p.command(o, p.explainMatch, &cli.Command{
		Name: explanation, ArgsUsage: "REFERENCE INPUT... WHAT",
		Usage: "explain why a CR matches a template, or none",
		Description: `For a CR it shows all templates of the kind: their fixed fields and those of
the CR, the number of differences, and why the template was chosen or not. For
the chosen template it shows the rendered text with the template's line
numbers, fields that the CR lacks, omitted fields and differences. For a
template it shows the CRs that match it, and why other CRs of the kind do not.
Use the same options as for the comparison. WHAT is one of

  KIND/NAME            CRs of the input; KIND may have its group, as in
                       Role.rbac.authorization.k8s.io
  KIND/NAMESPACE/NAME  CRs of one namespace
  KIND                 all CRs of a kind
  PATH                 a template, by its path in the reference

Examples:
  validationTool explain-match reference must-gather.tar.gz PerformanceProfile

Exit status:
  0  WHAT was explained
  2  WHAT does not exist, bad usage, or an unreadable reference or input`,
		Flags: append(
			o.flags(
				"show-expected", "show-secrets", "width", "color", "component", "skip-component", "correlation",
				"diff-config", "overrides", "cluster", "join", "placeholders", "wrapped", "skip-unreadable", "limit",
				"validate", "crds", "old", "nested", "no-scan", "reference", "filename", "recursive",
			),
			o.formatFlag("the explanation", "text", "json", "yaml"),
			&cli.BoolFlag{
				Name: "all-candidates", Category: often, Destination: &o.screen.AllCandidates,
				Usage: "show the rendered text and the differences of all candidates",
			},
			&cli.BoolFlag{
				Name: "summary", Category: often, Destination: &o.screen.Summary,
				Usage: "leave out the rendered text and the differences",
			},
			&cli.BoolFlag{
				Name: "verbose", Aliases: []string{"v"}, Category: often, Destination: &o.screen.Verbose,
				Usage: "list all CRs of the template's kind that do not match it",
			},
		),
	})
}

// explainMatch explains why a CR is compared with a template.
func (p *program) explainMatch(ctx context.Context, o *options) (err error) {
	if sides(o.args, o.isSet) < len([]string{"REFERENCE", "INPUT", "WHAT"}) {
		return p.noSubject(ctx, o)
	}
	last := len(o.args) - 1
	subject := o.args[last]
	if err := o.setSides(o.args[:last]); err != nil {
		return p.usageError("%s", err)
	}
	defer func() {
		if err != nil &&
			slices.ContainsFunc(
				append(o.read.Inputs, o.reference), func(name string) bool { return name != "-" && !isThere(name) },
			) &&
			isThere(subject) {
			err = fmt.Errorf(
				"%w; the last argument, %s, is a file or folder, but must name what to explain", err, subject,
			)
		}
	}()
	ref, engine, opt, clusters, err := p.readToExplain(ctx, o)
	if err != nil {
		return err
	}
	what := explain.Options{Subject: subject, NoDetail: o.screen.Summary, AllCandidates: o.screen.AllCandidates}
	var all []*explain.Explanation
	var notFound error
	for _, in := range clusters {
		if in.Stopped != nil {
			return notExplained(ctx, context.Canceled, in, "")
		}
		e, err := explain.Match(ctx, ref, engine, in, opt, what)
		var missing *explain.NotFound
		switch {
		case errors.As(err, &missing):
			notFound = cmp.Or(notFound, notExplained(ctx, err, in, exampleOf(opt.Wanted, clusters)))
		case err != nil:
			return notExplained(ctx, err, in, "")
		default:
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		return notFound
	}
	found := explain.Join(all)
	found.Tool = p.tool()
	return p.answer(
		ctx,
		o,
		"the explanation",
		found,
		func(w io.Writer) error { return text.Explanation(w, found, p.textOptions(o, p.io.Out)) },
	)
}

// readToExplain loads the reference and reads the inputs, as for a comparison.
func (p *program) readToExplain(
	ctx context.Context, o *options,
) (*refconfig.Reference, *render.Engine, compare.Options, []cluster.Collected, error) {
	ref, engine, err := p.loadReference(ctx, o)
	if err != nil {
		return nil, nil, compare.Options{}, nil, err
	}
	opt, err := p.comparison(o, ref)
	if err != nil {
		return nil, nil, opt, nil, err
	}
	p.startProgress(o)
	defer p.progress.End()
	if err := p.validation(ctx, o, ref, engine, &opt); err != nil {
		return nil, nil, opt, nil, err
	}
	if err := p.readOld(ctx, o, ref, engine, &opt); err != nil {
		return nil, nil, opt, nil, err
	}
	opt.Wanted = compare.Wants(ref, engine, opt)
	in := p.read(ctx, p.inputs(o))
	if opt.Wanted.Files {
		in.KeepNames()
	}
	clusters, err := p.collect(in, opt.Wanted.Trim)
	return ref, engine, opt, clusters, err
}

// noSubject returns the error for arguments that do not name what to explain. If a reference and
// an input are named, the message has a CR of the input as an example.
func (p *program) noSubject(ctx context.Context, o *options) error {
	example, given := "", finding.Plural(sides(o.args, o.isSet), "argument is", "arguments are")
	if o.setSides(o.args) == nil && !slices.Contains(o.read.Inputs, "-") {
		if _, _, opt, clusters, err := p.readToExplain(ctx, o); err == nil {
			example = exampleOf(opt.Wanted, clusters)
		}
	}
	return p.usageError("%s takes REFERENCE INPUT... WHAT, but %s given%s", p.called, given,
		finding.Prefixed("; WHAT names what to explain, such as ", example))
}

// exampleOf returns a CR of the input that has a template, in the form of an argument; "" if there
// is none.
func exampleOf(wanted *compare.Wanted, clusters []cluster.Collected) string {
	for _, in := range clusters {
		for _, o := range in.Objects {
			if id := finding.Object(o.ID); wanted.HasKind(id.Kind) && id.Name != "" {
				return visible.Line(id.Selector())
			}
		}
	}
	return ""
}

// notExplained returns the error for a subject that cannot be explained. The message says so if the
// subject is a file instead of a CR.
func notExplained(ctx context.Context, err error, in cluster.Collected, example string) error {
	var missing *explain.NotFound
	if !errors.As(err, &missing) {
		return watch.Cause(ctx).And(", and nothing was explained")
	}
	more := ""
	if isThere(missing.Subject) {
		more += "; there is a file of this name, but the last argument must name what to explain" +
			finding.Prefixed(", such as ", example)
	}
	if n := len(in.Unreadable); n > 0 {
		more += fmt.Sprintf(
			"; %s of the input could not be read and may hold it, such as %s",
			finding.Plural(n, "place", "places"),
			in.Unreadable[0].Place,
		)
	}
	return fmt.Errorf("%s: %w%s", code.Usage, err, more)
}
