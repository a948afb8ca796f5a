package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/validationtool/validationtool/internal/code"
	"github.com/validationtool/validationtool/internal/finding"
	"github.com/validationtool/validationtool/internal/impact"
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

// readImpact reads files of impact rules; nil for no files. The error has the problems of all
// files.
func (l limits) readImpact(names []string) (*impactRules, error) {
	if len(names) == 0 {
		return nil, nil
	}
	all := &impactRules{}
	var problems []refconfig.Problem
	for _, name := range names {
		name = filepath.ToSlash(name)
		text, err := l.readWritten(name)
		if err != nil {
			return nil, fmt.Errorf("%s: the impact rules cannot be read: %w", code.ImpactBroken, err)
		}
		rules, warnings, faults := impact.Parse(name, text, l.Aliases())
		all.rules = all.rules.And(rules)
		all.warnings, problems = append(all.warnings, warnings...), append(problems, faults...)
	}
	if len(problems) > 0 {
		return nil, refconfig.Faults{What: "the impact rules cannot be used", Problems: problems}
	}
	return all, nil
}

// readWritten reads a file that users write, unless it is larger than `--limit reference`.
func (l limits) readWritten(name string) ([]byte, error) {
	most := cmp.Or(l.Count("reference"), refconfig.DefaultFileLimit)
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, int64(most)+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > most:
		return nil, fmt.Errorf(
			"%s: the file is larger than %d bytes, the limit; raise it with --limit reference=N", name, most,
		)
	}
	return text, nil
}
