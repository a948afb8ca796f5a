package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/validationtool/validationtool/internal/compare/explain"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/input/cluster"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/refconfig"
)

// explanation is the name of the command that explains why a CR matches a template.
const explanation = "explain-match"

// explainMatchOptions are the options of explain-match.
type explainMatchOptions struct {
	base
	comparing
	display
	format, subject string
}

// explainMatchCommand returns the command explain-match.
func (p *program) explainMatchCommand() *cli.Command {
	o := &explainMatchOptions{}
	return command(p, o, p.explainMatch, &cli.Command{
		ArgsUsage: "REFERENCE INPUT... WHAT",
		Usage:     "explain why a CR matches a template, or none",
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
  2  WHAT does not exist or is left out, bad usage, or an unreadable reference
     or input`,
		Flags: slices.Concat(o.comparing.flags(), o.display.flags(), o.contentFlags(), []cli.Flag{
			p.linksFlag(), p.limitFlag(), formatFlag(&o.format, "the explanation", "text", "json", "yaml"),
			toggle("all-candidates", often, &o.screen.AllCandidates,
				"show the rendered text and the differences of all candidates"),
			toggle("summary", often, &o.screen.Summary,
				"leave out the rendered text and the differences"),
			toggle("verbose v", often, &o.screen.Verbose,
				"list all CRs of the template's kind that do not match it"),
		}),
	})
}

// Validate implements options. The last argument names what to explain.
func (o *explainMatchOptions) Validate(args []string) error {
	if n := o.sides(args); n < len([]string{"REFERENCE", "INPUT", "WHAT"}) || len(args) == 0 {
		return fmt.Errorf("%s takes REFERENCE INPUT... WHAT, but %s given; WHAT names what to explain, such as ConfigMap/NAME",
			explanation, finding.Plural(n, "argument is", "arguments are"))
	}
	last := len(args) - 1
	o.subject = args[last]
	return o.setSides(args[:last])
}

// explainMatch explains why a CR is compared with a template.
func (p *program) explainMatch(ctx context.Context, o *explainMatchOptions) error {
	l, clusters, err := p.readToExplain(ctx, o)
	if err != nil {
		return o.hinted(err)
	}
	what := explain.Options{Subject: o.subject, NoDetail: o.screen.Summary, AllCandidates: o.screen.AllCandidates}
	var all []*explain.Explanation
	var notFound error
	for _, in := range clusters {
		if in.Stopped != nil {
			return in.Stopped.And(", and nothing was explained")
		}
		leftOut := l.base.leftOut(o.subject, in)
		l, in, _ := l.of(ctx, in)
		e, err := explain.Match(ctx, l.ref, l.engine, in, l.opt, what)
		var missing *explain.NotFound
		switch {
		case errors.As(err, &missing) && leftOut != "":
			notFound = cmp.Or(notFound, fmt.Errorf("%s: %s", code.Usage, leftOut))
		case errors.As(err, &missing):
			notFound = cmp.Or(notFound, o.hinted(fmt.Errorf("%s: %w%s", code.Usage, err, perhapsUnread(in.Unreadable))))
		case err != nil:
			return watch.Cause(ctx).And(", and nothing was explained")
		default:
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		return notFound
	}
	found := explain.Join(all)
	found.Tool = p.tool()
	return p.answer(ctx, o.format, "the explanation", found, func(w io.Writer) error {
		return text.Explanation(w, found, p.textOptions(&o.display, p.io.Out))
	})
}

// readToExplain loads the reference and reads the inputs, as for a comparison.
func (p *program) readToExplain(ctx context.Context, o *explainMatchOptions) (plan, []cluster.Collected, error) {
	p.startProgress(o.read.Inputs)
	defer p.progress.End()
	p.use(&o.comparing)
	l, err := p.plan(ctx, &o.comparing)
	if err != nil {
		return l, nil, err
	}
	l.opt.Show.Secrets = o.showSecrets
	in := p.read(ctx, o.read)
	how := l.comparer()
	if how.files {
		in.KeepNames()
	}
	clusters, err := p.collect(in, how.trim)
	return l, clusters, err
}

// hinted adds a hint to an error if the last argument is a file: it must name what to explain.
func (o *explainMatchOptions) hinted(err error) error {
	if !isThere(o.subject) {
		return err
	}
	return fmt.Errorf("%w; the last argument must name what to explain, such as ConfigMap/NAME, but %s is a file or folder",
		err, o.subject)
}

// perhapsUnread returns the end of a message that names the unreadable parts of the input: they may
// contain what was not found.
func perhapsUnread(unreadable []refconfig.Problem) string {
	if len(unreadable) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s of the input could not be read and may hold it, such as %s",
		finding.Plural(len(unreadable), "place", "places"), unreadable[0].Place)
}
