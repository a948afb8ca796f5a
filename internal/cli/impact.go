package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/validationtool/validationtool/internal/compare/impact"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/run/code"
	"github.com/validationtool/validationtool/internal/run/disk"
	"github.com/validationtool/validationtool/internal/run/watch"
	"github.com/validationtool/validationtool/refconfig"
)

// impactRules are the rules of all files of --impact.
type impactRules struct {
	rules    impact.Rules
	warnings []refconfig.Problem
}

// rate rates the findings of clusters, if there are rules.
func (r *impactRules) rate(ctx context.Context, runs []*finding.Run) {
	if r != nil {
		r.rules.Rate(ctx, runs)
	}
}

// readImpact reads files of impact rules; nil for no files.
func (l limits) readImpact(ctx context.Context, names []string) (*impactRules, error) {
	if len(names) == 0 {
		return nil, nil
	}
	all := &impactRules{}
	parse := func(name string, text []byte) []refconfig.Problem {
		rules, warnings, faults := impact.Parse(name, text, l.Aliases())
		all.rules = all.rules.And(rules)
		all.warnings = append(all.warnings, warnings...)
		return faults
	}
	return all, l.written(ctx, "the impact rules", code.ImpactBroken, names, parse)
}

// written reads files that users write. what names them in messages. parse returns the problems of
// one file, and the error has those of all files.
func (l limits) written(
	ctx context.Context,
	what string, c code.Code, names []string,
	parse func(name string, text []byte) []refconfig.Problem,
) error {
	var problems []refconfig.Problem
	for _, name := range names {
		name = filepath.ToSlash(name)
		text, err := l.readWritten(ctx, name)
		if err != nil {
			return fmt.Errorf("%s: %s cannot be read: %w", c, what, err)
		}
		problems = append(problems, parse(name, text)...)
	}
	if len(problems) > 0 {
		return refconfig.Faults{What: what + " cannot be used", Problems: problems}
	}
	return nil
}

// readWritten reads a file that users write, unless it is larger than `--limit reference`.
func (l limits) readWritten(ctx context.Context, name string) ([]byte, error) {
	most := cmp.Or(l.Count("reference"), refconfig.DefaultFileLimit)
	text, err := disk.ReadNamed(ctx, name, int64(most)+1)
	switch {
	case ctx.Err() != nil:
		err = watch.Cause(ctx)
	case err == nil && len(text) > most:
		err = fmt.Errorf(
			"%s: the file is larger than %d bytes, the limit; raise it with --limit reference=N", name, most,
		)
	}
	return text, err
}
