package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/command"
	"github.com/validationtool/validationtool/internal/compare"
	"github.com/validationtool/validationtool/internal/explain"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/fleet"
	"github.com/validationtool/validationtool/internal/gather"
	"github.com/validationtool/validationtool/internal/report/text"
	"github.com/validationtool/validationtool/internal/watch"
)

// explainMatchCommand is the command explain-match.
func (p *program) explainMatchCommand() *command.Command {
	o := p.newOptions()
	return &command.Command{
		Name: "explain-match", Args: "REFERENCE INPUT... WHAT", Does: "say why a CR is compared with which template, or with none",
		About: []string{
			"Of a CR it shows every template of its kind: what that states of the identity and what the CR has, whether it is a candidate, how much the CR " +
				"differs from it, and why it lost or won. Then, of the one that won, the rendered text with the template line of each line, what the template " +
				"asked for and the CR lacks, what was left out, and what differs. Of a template it shows the CRs that are compared with it, and why the others " +
				"of the kind are not.",
			"Use the same options as for the comparison, so that the same is explained. WHAT is one of",
		},
		Terms: [][2]string{
			{"KIND/NAME", "CRs of the input; KIND may have its group, as in Role.rbac.authorization.k8s.io"},
			{"KIND/NAMESPACE/NAME", "the same in one namespace"},
			{"KIND", "all CRs of a kind"},
			{"PATH", "a template, by its path within the reference"},
		},
		Examples: []string{"validationTool explain-match reference must-gather.tar.gz PerformanceProfile"},
		Exits:    []string{"it was explained", "", "there is nothing of that name, bad usage, or a reference or an input that cannot be read"},
		Options:  o.explainMatchOptions, Takes: func(l command.Line) bool { return sides(l) >= 3 },
		Run: func(ctx context.Context, l command.Line) error { return p.explainMatch(ctx, l, o) },
	}
}

// explainMatch says why a CR is compared with which template.
func (p *program) explainMatch(ctx context.Context, l command.Line, o *options) (err error) {
	if err := p.checkExplain(l, o); err != nil {
		return err
	}
	defer func() {
		if err != nil && slices.ContainsFunc(append(o.inputs, o.reference), func(name string) bool { return name != "-" && !isThere(name) }) && isThere(o.subject) {
			err = fmt.Errorf("%w; the last argument, %s, is a file or folder, but it has to name what to explain", err, o.subject)
		}
	}()
	ref, engine, err := p.loadReference(ctx, o)
	if err != nil {
		return err
	}
	opt, err := p.comparison(o, ref)
	if err != nil {
		return err
	}
	p.startProgress(o.inputs)
	defer p.progress.End()
	opt.Wanted = compare.Wants(ref, engine, opt)
	reading := p.fleetOptions(o)
	clusters, err := fleet.Read(ctx, reading).Collect(opt.Wanted.Trim)
	if err != nil {
		return p.inputError(err)
	}
	what := explain.Options{Subject: o.subject, NoDetail: o.summary, AllCandidates: o.allCandidates}
	var all []*explain.Explanation
	var notFound error
	for _, in := range clusters {
		if in.Stopped != nil {
			return notExplained(ctx, context.Canceled, in)
		}
		e, err := explain.Match(ctx, ref, engine, in, opt, what)
		var missing *explain.NotFound
		switch {
		case errors.As(err, &missing):
			notFound = cmp.Or(notFound, notExplained(ctx, err, in))
		case err != nil:
			return notExplained(ctx, err, in)
		default:
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		return notFound
	}
	found := explain.Join(all)
	found.Tool = p.tool()
	return p.answer(ctx, o, "the explanation", found, func(w io.Writer) error { return text.Explanation(w, found, p.textOptions(o, p.io.Out)) })
}

// notExplained is the error for what cannot be explained.
func notExplained(ctx context.Context, err error, in gather.Collected) error {
	var missing *explain.NotFound
	if !errors.As(err, &missing) {
		return watch.Cause(ctx).And(", so nothing is explained")
	}
	more := ""
	if isThere(missing.Subject) {
		more += "; there is a file of this name, but the last argument has to name what to explain"
	}
	if n := len(in.Unreadable); n > 0 {
		more += fmt.Sprintf("; %s of the input could not be read, and it may be there, as in %s", finding.Plural(n, "place", "places"), in.Unreadable[0].Place)
	}
	return fmt.Errorf("%s: %w%s", code.Usage, err, more)
}

func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
